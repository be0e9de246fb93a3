/** `tmds-client reconcile`: what it costs, what it writes, and how it ends. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listNumberForms } from '@tmds/contract/numbers';
import type { TrademarkDetail } from '@tmds/contract/record';
import { makeFolder } from '../../server/test/support/folder.ts';
import { runClientCommand } from '../src/docket/cli.ts';
import { buildRecord } from './support/answers.ts';

const RECORDS = [
  buildRecord({ jurisdiction_code: 'EM', uid: 'EM/1', application_number: '018229854', status: 'Registered' }),
  buildRecord({ jurisdiction_code: 'EM', uid: 'EM2', application_number: '018229855', status: 'Cancelled' }),
  buildRecord({ jurisdiction_code: 'US', uid: 'US1', application_number: '7123456' }),
  buildRecord({ jurisdiction_code: 'US', uid: 'US2', application_number: '97000002', registration_number: '7123456' }),
];

interface Host {
  readonly environment: Record<string, string>;
  readonly calls: string[];
  refuse: { status: number; code: string } | null;
}

/** Registers and numbers over HTTP, one record a page. */
async function startHost(t: TestContext, records: readonly TrademarkDetail[] = RECORDS): Promise<Host> {
  const host: Host = { environment: {}, calls: [], refuse: null };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host');
    host.calls.push(url.pathname);
    const [, , register = ''] = url.pathname.split('/');
    const send = (status: number, body: object): void => {
      const register = /^\/v1\/(\w+)\/numbers/.exec(request.url ?? '')?.[1];
      const coverage = register === undefined ? {} : { coverage: `${register};through="2026-11-19";late` };
      response.writeHead(status, { 'content-type': 'application/json', ...coverage }).end(JSON.stringify(body));
    };
    if (register === 'jurisdictions') {
      const items = ['EM', 'US'].map((code) => ({
        jurisdiction_code: code,
        record_count: 2,
        data_current_through: '2026-11-20T00:00:00.000000Z',
      }));
      send(200, { items });
    } else if (host.refuse !== null) {
      send(host.refuse.status, { error: { code: host.refuse.code, message: 'no' } });
    } else {
      const wanted = (url.searchParams.get('numbers') ?? '')
        .split(',')
        .flatMap((each) => listNumberForms(register, each));
      const found = records.filter(
        ({ jurisdiction_code: code, application_number: one, registration_number: other }) =>
          code === register && [one, other].some((number) => number !== null && wanted.includes(number)),
      );
      const at = Number(url.searchParams.get('cursor') ?? 0);
      send(200, { items: found.slice(at, at + 1), next_cursor: at + 1 < found.length ? String(at + 1) : null });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  Object.assign(host.environment, {
    TMDS_API_KEY: 'k',
    TMDS_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  return host;
}

async function run(args: readonly string[], environment: Record<string, string>) {
  const ran = { status: -1, out: '', err: '' };
  const terminal = {
    out: (text: string) => {
      ran.out += text;
    },
    err: (text: string) => {
      ran.err += text;
    },
    live: false,
  };
  ran.status = await runClientCommand(args, environment, terminal, new AbortController().signal);
  return ran;
}

async function writeDocket(t: TestContext, text: string): Promise<string> {
  const folder = makeFolder(t);
  const file = join(folder, 'docket.csv');
  await writeFile(file, text);
  return file;
}

const DOCKET = `Register;Number;Status;Owner
EUIPO;18 229 854;Registered;Example GmbH
EU;18229855;Registered;=Example
EM;18229856;Pending;
US;7,123,456;Pending;Example
Mars;1;Pending;
`;

test('writes the columns of the docket with ours next to them, in its order, and ends with 3 where rows differ', async (t) => {
  const { environment, calls } = await startHost(t);
  const file = await writeDocket(t, DOCKET);
  const out = join(file, '../result.csv');
  const { status, out: summary, err } = await run(['reconcile', file, '--out', out], environment);
  assert.equal(status, 3, err);
  const [head = '', ...rows] = (await readFile(out, 'utf8')).trimEnd().split('\r\n');
  assert.match(head, /^Register,Number,Status,Owner,tmds_result,tmds_reason,tmds_register,tmds_uid,tmds_link,/);
  const link = `${environment.TMDS_BASE_URL}/v1/EM/trademarks/EM%2F1`;
  const date = '2026-11-20T00:00:00.000000Z';
  assert.ok(rows[0]?.startsWith(`EUIPO,18 229 854,Registered,Example GmbH,found,,EM,EM/1,${link},,,,`), rows[0]);
  assert.ok(rows[0]?.includes(date));
  assert.match(rows[1] ?? '', /^EU,18229855,Registered,'=Example,different,,EM,EM2,.*Status: Registered → Cancelled/);
  assert.match(rows[2] ?? '', /^EM,18229856,Pending,,not_found,"Looked in EM for 18229856, 018229856\."/);
  assert.match(rows[3] ?? '', /,ambiguous,.*US1; US2|,ambiguous,.*US2; US1/);
  assert.match(rows[4] ?? '', /,invalid,No register is called “Mars”\./);
  assert.match(summary, /^5 rows: 1 equal, 1 different, 1 not found, 1 ambiguous, 1 invalid\ndifferences: status 1\n/);
  assert.match(summary, /EM is complete through 2026-11-19; newer files are overdue\.\nUS is complete/);
  assert.match(summary, /5 units/);
  assert.equal(calls.length, 5, 'registers, and two pages of each register');
  assert.match(err, /5 of 5 rows/);
});

test('says the plan and its cost without comparing, and writes objects on request', async (t) => {
  const { environment, calls } = await startHost(t);
  const file = await writeDocket(t, DOCKET);
  const plan = await run(['reconcile', file, '--plan', '--json'], environment);
  assert.deepEqual(JSON.parse(plan.out), {
    rows: 5,
    encoding: 'utf-8',
    delimiter: ';',
    head_line: 1,
    register: null,
    columns: { register: 'Register', number: 'Number', status: 'Status', owner: 'Owner' },
    units: 3,
  });
  assert.deepEqual([plan.status, calls], [0, ['/v1/jurisdictions']]);
  const told = await run(['reconcile', file, '--format', 'ndjson', '--map', 'owner=,status=3', '--json'], environment);
  const [, second] = told.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(second.differences, [
    { field: 'status', column: 'Status', yours: 'Registered', register: 'Cancelled' },
  ]);
  assert.deepEqual([second.line, second.result, second.known_through], [3, 'different', '2026-11-20T00:00:00.000000Z']);
  const { found, different, not_found: missing } = JSON.parse(told.err.trimEnd().split('\n').at(-1) ?? '');
  assert.deepEqual([found, different, missing], [1, 1, 1]);
});

test('compares a list without heads, and one below a title, and repeats the reference and mark of each row', async (t) => {
  const { environment } = await startHost(t);
  const bare = await writeDocket(t, 'EM,018229854\nEM,018229855\n');
  const told = await run(['reconcile', bare, '--head', '0', '--format', 'ndjson'], environment);
  assert.deepEqual(
    told.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).line),
    [1, 2],
  );
  const titled = await writeDocket(t, 'Our portfolio\n\nOur ref;Country;Mark;Number\nA-1;EM;Mine;018229854\n');
  const one = await run(['reconcile', titled, '--format', 'ndjson'], environment);
  const { line, reference, mark } = JSON.parse(one.out);
  assert.deepEqual([line, reference, mark], [4, 'A-1', 'Mine']);
});

test('ends with 0 when every row is found and equal', async (t) => {
  const { environment } = await startHost(t);
  const file = await writeDocket(t, 'App. No.,Status\n018229854,live\n');
  const { status, err } = await run(['reconcile', file, '--register', 'EUIPO', '--quiet'], environment);
  assert.deepEqual(
    [status, err.split('\n')[0]],
    [0, '1 rows: 1 equal, 0 different, 0 not found, 0 ambiguous, 0 invalid'],
  );
});

test('refuses wrong usage with 2 before any call, and says what to change', async (t) => {
  const { environment, calls } = await startHost(t);
  const file = await writeDocket(t, DOCKET);
  const unclear = await writeDocket(t, 'Register,Number,Expiry\nEM,1,03/04/2030\n');
  const bare = await writeDocket(t, 'Mark\nX\n');
  const headless = await writeDocket(t, 'EM,018229854\n');
  const wrong: [string[], RegExp][] = [
    [[], /the command is missing/],
    [['compare', file], /"compare" is not a command/],
    [['reconcile'], /the file is missing/],
    [['reconcile', file, 'more'], /unexpected argument "more"/],
    [['reconcile', file, '--format', 'xml'], /--format takes csv, ndjson/],
    [['reconcile', file, '--register', 'nowhere at all'], /--register takes the code/],
    [['reconcile', file, '--map', 'colour=1'], /--map takes FIELD=COLUMN/],
    [
      ['reconcile', file, '--map', 'status=Colour'],
      /the column "Colour", which the file does not have: Register, Number/,
    ],
    [['reconcile', unclear], /Expiry may have the day or the month first: say which by --dates dmy or --dates mdy/],
    [['reconcile', headless], /no row names the columns; the first one is: EM, 018229854\. Say which line does/],
    [['reconcile', file, '--head', 'x'], /--head takes the number of a line/],
    [['reconcile', bare], /No column holds a number.*The columns are: Mark/],
  ];
  for (const [args, message] of wrong) {
    const { status, out, err } = await run(args, environment);
    assert.deepEqual([status, out], [2, ''], args.join(' '));
    assert.match(err, message);
    assert.match(err, /Try: tmds-client reconcile --help/);
  }
  assert.deepEqual(calls, []);
  assert.equal((await run(['--help'], {})).status, 0);
});

test('ends with 1 when it fails, and leaves no file that is not whole', async (t) => {
  const host = await startHost(t);
  const file = await writeDocket(t, DOCKET);
  host.refuse = { status: 429, code: 'quota_exceeded' };
  const out = join(file, '../result.csv');
  const refused = await run(['reconcile', file, '--out', out], host.environment);
  assert.deepEqual([refused.status, /quota_exceeded/.test(refused.err)], [1, true]);
  assert.deepEqual([existsSync(out), existsSync(`${out}.part`)], [false, false]);
  const missing = await run(['reconcile', `${file}.none`], host.environment);
  assert.deepEqual([missing.status, /docket\.csv\.none is not there/.test(missing.err)], [5, true]);
  const torn = await writeDocket(t, 'Register,Number\nEM,"1\n');
  const cut = await run(['reconcile', torn], host.environment);
  assert.deepEqual([cut.status, /docket\.csv: line 2: a quoted field is not closed/.test(cut.err)], [1, true]);
});
