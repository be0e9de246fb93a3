/** Five questions of a paralegal, asked of the demonstration through the tools, with what a model may answer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TrademarkDetail } from '@tmds/contract/record';
import { createDataFolder, runTmds, startServing } from '../../server/test/support/process.ts';

const closers: (() => unknown)[] = [];
const context = { after: (work: () => unknown) => void closers.push(work) };
let client: Client;
let known: TrademarkDetail;

before(async () => {
  const environment = { TMDS_DATA_DIR: await createDataFolder(context), NODE_ENV: 'production' };
  const server = await startServing(context, environment, ['serve', '--demo']);
  const order = ['--customer', 'Paralegal', '--product', 'records,analytics', '--json'];
  const issued = await runTmds(context, ['key', 'issue', ...order], environment);
  const { key } = JSON.parse(issued.stdout) as { key: string };
  client = new Client({ name: 'paralegal', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`), { requestInit }));
  closers.push(() => client.close());
  // The facts about registers are read once the server has started.
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await ask('search_trademarks', { status: 'Registered', limit: 50 });
    const items = answer.items as TrademarkDetail[];
    known = items.find((item) => item.application_number !== null && item.expiry_date !== null && isNamed(item))!;
    if (answer.coverage !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

after(async () => {
  for (const close of closers.reverse()) await close();
});

const isNamed = ({ mark_name, owner_names }: TrademarkDetail): boolean => mark_name !== null && owner_names !== null;

interface Answer {
  [name: string]: unknown;
  readonly coverage: { readonly sentences: readonly string[]; readonly unserved: readonly string[] } | null;
  readonly units: number;
}

async function ask(name: string, input: Record<string, unknown>): Promise<Answer> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
  assert.notEqual(isError, true, JSON.stringify(content));
  return structuredContent as unknown as Answer;
}

test('1: is there such a mark in our registers? None, and through which day that holds', async () => {
  const jurisdiction = `${known.jurisdiction_code},UK`;
  const { items, coverage } = await ask('search_trademarks', { mark_name: 'zyxwvutsrq', jurisdiction });
  assert.deepEqual(items, []);
  assert.deepEqual(coverage?.unserved, ['UK']);
  assert.match(coverage?.sentences.join(' ') ?? '', new RegExp(`UK; nothing was searched.*${known.jurisdiction_code}`));
});

test('2: what is the status of the application with this number?', async () => {
  const { items } = await ask('resolve_numbers', {
    jurisdiction_code: known.jurisdiction_code,
    numbers: [known.application_number],
  });
  const [first] = items as { records: TrademarkDetail[] }[];
  const found = first?.records.find(({ uid }) => uid === known.uid);
  assert.equal(found?.status, known.status);
});

test('3: what has changed in it since we looked?', async () => {
  const { jurisdiction_code, uid } = known;
  const { items } = await ask('trademark_history', { jurisdiction_code, uid });
  assert.ok((items as unknown[]).length > 0);
});

test('4: does our docket still agree with the register?', async () => {
  const row = { register: known.jurisdiction_code, application_number: known.application_number };
  const { rows, units } = await ask('reconcile_docket', {
    rows: [
      { ...row, expiry_date: known.expiry_date },
      { ...row, expiry_date: '1999-01-01' },
    ],
  });
  const results = (rows as { result: string }[]).map(({ result }) => result);
  assert.ok(results[1] === 'different' || results[1] === 'ambiguous', results.join());
  assert.equal(units, 2);
});

test('5: what is due for this owner, and are there marks like this one?', async () => {
  const { disclaimer, dates } = await ask('trademark_dates', {
    jurisdiction_code: known.jurisdiction_code,
    uid: known.uid,
  });
  assert.ok(Array.isArray(dates));
  assert.match(String(disclaimer), /not advice/);
  const { items } = await ask('similar_marks', { mark: known.mark_name, limit: 5 });
  assert.equal((items as { tier: string }[])[0]?.tier, 'identical');
});
