import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseKeyText } from '../../src/access/secret.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { issueKeyHere, runHere } from '../support/command.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { createDataFolder, runTmds, startServing, waitFor } from '../support/process.ts';
import { ROOT } from '../support/rules.ts';

test('SIGTERM lets a call in flight finish, and then ends with status 0', async (t) => {
  const { url, db } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, TMDS_LOG_LEVEL: 'info' };
  const server = await startServing(t, environment);
  const key = await issueKeyHere(environment);
  const holder = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => holder.close());
  let answer: Promise<Response> | undefined;
  await holder.transaction(async (tx) => {
    await tx.runScript('lock table register in access exclusive mode');
    answer = fetch(`${server.address}/v1/jurisdictions`, { headers: { 'x-api-key': key } });
    const waiting = sql`select 1 as one from pg_locks where not granted and relation = 'register'::regclass`;
    await waitFor(async () => (await db.query(waiting)).length > 0);
    server.kill('SIGTERM');
    await waitFor(async () => server.stderr().includes('calls in flight may finish'));
  });
  const response = await answer!;
  const { status, stdout } = await server.ended;
  assert.deepEqual(
    { status: response.status, body: await response.json(), ended: { status, stdout } },
    { status: 200, body: { items: [] }, ended: { status: 0, stdout: `listening on ${server.address}\n` } },
  );
});

test('an out-of-date schema stops a server that may not migrate, and tmds migrate is the way out', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const environment = { DATABASE_URL: url, PORT: '0' };
  const refused = await runTmds(t, ['serve', '--no-migrate'], environment);
  assert.match(refused.stderr, /^tmds: the database has schema version 0, this tmds needs \d+; run: tmds migrate\n$/);
  const migrated = await runHere(['migrate'], environment);
  const server = await startServing(t, environment, ['serve', '--no-migrate']);
  server.kill('SIGINT');
  const { status } = await server.ended;
  assert.deepEqual(
    { refused: refused.status, migrated: migrated.status, status },
    { refused: 1, migrated: 0, status: 0 },
  );
});

/** The second one finds what the first one made. */
const STARTS = isFull ? ['first', 'second'] : ['first'];

/** The first request of README.md gives the answer that stands below it. */
async function compareWithReadme(address: string, key: string): Promise<void> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, target, shown] = /curl .*'http:\/\/127\.0\.0\.1:8080(\S+)'\n```\n\n```\n([^`]+)```/.exec(readme)!;
  const more = /,\n *… and (\d+) more fields/.exec(shown!)!;
  const expected = JSON.parse(shown!.replace(more[0], '').replace('…', ''));
  const answer = await (await fetch(`${address}${target}`, { headers: { 'X-API-Key': key } })).json();
  const [item] = answer.items as Record<string, unknown>[];
  const [told] = expected.items as Record<string, unknown>[];
  const names = Object.keys(told!);
  assert.equal(Object.keys(item!).length - names.length, Number(more[1]));
  const cursor = String(answer.next_cursor).slice(0, expected.next_cursor.length);
  const picked = Object.fromEntries(names.map((name) => [name, item![name]]));
  assert.deepEqual(
    { ...answer, items: [picked], next_cursor: cursor },
    expected,
    'write the answer of now into README.md',
  );
}

/** The docket of README.md has a row for each result, and no command there writes outside the data folder. */
async function compareDocket(address: string, key: string, folder: string): Promise<void> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const written = [...readme.matchAll(/(?:--out |--to sqlite:)(\S+)/g)].map(([, path]) => path!);
  assert.ok(written.length > 0 && written.every((path) => path.startsWith('data/')), written.join(' '));
  const [, docket] = /npx tmds-client reconcile (\S+)/.exec(readme)!;
  const command = [join(ROOT, 'client/bin/tmds-client.js'), 'reconcile', join(ROOT, docket!)];
  const child = spawn(process.execPath, [...command, '--out', join(folder, 'compared.csv')], {
    env: { ...process.env, TMDS_API_KEY: key, TMDS_BASE_URL: address },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [status] = await once(child, 'close');
  assert.equal(status, 3, said);
  assert.match(said, /^5 rows: 3 equal, 1 different, 1 not found/m);
}

test('the demonstration loads samples into an empty database and prints a line that works, on every start', async (t) => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(t), TMDS_LOG_LEVEL: 'error' };
  const seen = [];
  for (const start of STARTS) {
    const server = await startServing(t, environment, ['serve', '--demo']);
    await waitFor(async () => /^curl/m.test(server.stdout()));
    const [, key, target] = /^curl -H 'X-API-Key: (\S+)' '(\S+)'$/m.exec(server.stdout())!;
    const response = await fetch(target!, { headers: { 'X-API-Key': key! } });
    const { items } = (await response.json()) as { items: unknown[] };
    if (start === 'first') {
      await compareWithReadme(server.address, key!);
      await compareDocket(server.address, key!, environment.TMDS_DATA_DIR);
    }
    const findSimilar = async (): Promise<number> => {
      const headers = { 'X-API-Key': key! };
      return (await fetch(`${server.address}/analytics/v1/similar?mark=aurelia`, { headers })).status;
    };
    // Names are read after the records.
    let similar = 503;
    await waitFor(async () => {
      similar = await findSimilar();
      return similar !== 503;
    });
    const addresses = ['portal', 'docs'].map((path) => server.stdout().includes(`${server.address}/${path}`));
    const components = (await fetch(`${server.address}/portal/components`)).status;
    const invited = await runTmds(t, ['operator', 'invite', `${start}@example.org`], { ...environment, PORT: '8080' });
    assert.equal(new URL(invited.stdout).origin, server.address, 'a link leads to the server that runs');
    // As an earlier version issued it.
    await runTmds(t, ['key', 'set', parseKeyText(key!)!.keyId, '--product', 'records'], environment);
    server.kill('SIGTERM');
    const { status } = await server.ended;
    seen.push({
      start,
      key,
      answer: response.status,
      similar,
      items: items.length,
      addresses,
      components,
      status,
    });
  }
  const shown = {
    key: seen[0]!.key,
    answer: 200,
    similar: 200,
    items: 2,
    addresses: [true, true],
    components: 200,
    status: 0,
  };
  assert.deepEqual(
    seen,
    STARTS.map((start) => ({ start, ...shown })),
  );
});

test('a log that cannot be written ends the server with one sentence and status 1', {
  skip: !existsSync('/dev/full'),
}, async (t) => {
  const { url } = await createTestDatabase(t);
  const full = openSync('/dev/full', 'w');
  t.after(async () => closeSync(full));
  const ended = await runTmds(t, ['serve'], { DATABASE_URL: url, PORT: '0', TMDS_LOG_LEVEL: 'info' }, full);
  assert.equal(ended.status, 1);
  assert.match(ended.stdout, /tmds: the log cannot be written \(ENOSPC\); free some disk space or redirect the log\n$/);
  assert.doesNotMatch(ended.stdout, /\n\s+at /);
});

test('duties begin when the service is ready: an alarm comes after the line that it serves', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await db.query(sql`update publish_clock set last_stamp = clock_timestamp() + interval '1 day'`);
  const { stderr } = await startServing(t, { DATABASE_URL: url, TMDS_LOG_LEVEL: 'info', TMDS_LOG_FORMAT: 'json' });
  await waitFor(async () => stderr().includes('"alarm"'));
  const lines = stderr().trim().split('\n');
  const serving = lines.findIndex((line) => line.includes('"msg":"serving"'));
  assert.ok(serving >= 0);
  assert.deepEqual(
    lines.slice(0, serving).filter((line) => !line.includes('"level":30')),
    [],
  );
});
