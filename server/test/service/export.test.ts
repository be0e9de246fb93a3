/** A search as a stream: the same records as its pages, metered and limited page by page, continued from any end. */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { RowSplitter } from '@tmds/contract/csv';
import { EXPORT_FIELDS, type ExportPosition, isExportPosition } from '@tmds/contract/export';
import type { SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { setKey } from '../../src/access/keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { waitFor } from '../support/process.ts';
import { refusalOf, startService, type TestAnswer, type TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const COUNT = 1203;
/** Pages of 2 MB, which do not fit into the buffers of a connection all at once. */
const LARGE_COUNT = 6_000;

let service: TestService;
/** Milliseconds by which the clock of the service is ahead. */
let ahead = 0;

const closers: (() => Promise<void>)[] = [];

after(async () => {
  for (const close of closers.reverse()) await close();
});

before(async () => {
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + ahead };
  const database = await createTestDatabase();
  service = await startService({ after: (work) => void closers.push(work) }, { clock, database });
  const stamp = (at: number): string => `2026-01-01T00:00:00.${String(at).padStart(6, '0')}Z`;
  const small = Array.from({ length: COUNT }, (_, at) =>
    buildStored(
      buildSource({ jurisdiction_code: 'XA', uid: `a${at}`, mark_name: at === 1202 ? '=cmd|x, "y"' : `mark ${at}` }),
      // Several share a stamp, so that a position has to name more than that.
      stamp(Math.floor(at / 3)),
    ),
  );
  await storeRecords(service.db, small);
  for (let from = 0; from < LARGE_COUNT; from += 500) {
    const large = Array.from({ length: 500 }, (_, at) =>
      buildStored(
        buildSource({ jurisdiction_code: 'XB', uid: `b${from + at}`, owner_names: [`${'x'.repeat(4_000)} ${at}`] }),
        stamp(from + at),
      ),
    );
    await storeRecords(service.db, large);
  }
});

interface Exported {
  readonly records: TrademarkDetail[];
  readonly positions: ExportPosition[];
}

function readLines(text: string): Exported {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  return {
    records: lines.filter((line): line is TrademarkDetail => !isExportPosition(line)),
    positions: lines.filter(isExportPosition),
  };
}

async function walk(key: string, query: string): Promise<TrademarkDetail[]> {
  const records: TrademarkDetail[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { items, next_cursor } = (await service.call(`/v1/trademarks?${query}&limit=500${from}`, { key }))
      .body as SearchPage;
    records.push(...items);
    cursor = next_cursor;
  }
  return records;
}

async function unitsOf(id: string): Promise<number> {
  const [row] = await service.db.query<{ units: number }>(
    sql`select coalesce(sum(units), 0)::float8 as units from usage_by_day where key_id = ${id}`,
  );
  return row!.units;
}

const ask = (key: string, query: string): Promise<TestAnswer> => service.call(`/v1/export?${query}`, { key });

test('an export has every record of the search, in its order, for a unit each 500 [4.3, I-16, I-28, I-40]', async () => {
  const { key, id } = await service.issue();
  const other = await service.issue();
  for (const query of [
    'jurisdiction=xa',
    'jurisdiction=XA&sort=application_date&order=asc',
    'mark_name_startswith=mark%2010&jurisdiction=XA',
  ]) {
    const before = await unitsOf(id);
    const answer = await ask(key, query);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], 'application/x-ndjson; charset=utf-8');
    const { records, positions } = readLines(answer.text);
    assert.deepEqual(records, await walk(other.key, query));
    assert.deepEqual(positions.at(-1), { next_cursor: null });
    assert.equal(positions.length, Math.ceil(records.length / 500));
    assert.equal((await unitsOf(id)) - before, positions.length);
  }
});

test('fields are those that were chosen, in the order of a record [I-5, I-40]', async () => {
  const { key } = await service.issue();
  const answer = await ask(key, 'jurisdiction=XA&mark_name=mark%207&fields=uid,%20MARK_NAME,jurisdiction_code');
  const [line] = answer.text.split('\n');
  assert.equal(line, '{"jurisdiction_code":"XA","uid":"a7","mark_name":"mark 7"}');
  for (const [query, code, param] of [
    ['jurisdiction=XA&fields=payload', 'invalid_parameter', 'fields'],
    ['jurisdiction=XA&fields=uid,', 'invalid_parameter', 'fields'],
    ['jurisdiction=XA&format=xlsx', 'validation_error', 'format'],
    ['jurisdiction=XA&limit=5', 'unknown_parameter', 'limit'],
    ['fields=uid', 'missing_filter', undefined],
    ['mark_name_contains=mark', 'query_too_broad', 'mark_name_contains'],
  ] as const) {
    const refusal = refusalOf(await ask(key, query));
    assert.deepEqual([refusal.code, refusal.param], [code, param], query);
  }
});

test('CSV has a row for each record, safe cells, and says whether it is complete [I-40]', async () => {
  const { key } = await service.issue();
  const whole = await ask(key, 'jurisdiction=XA&format=csv&fields=uid,mark_name,nice_classes');
  assert.equal(whole.headers['content-type'], 'text/csv; charset=utf-8');
  const rows = new RowSplitter(',').push(whole.text.slice(1)).map(({ cells }) => cells);
  assert.equal(whole.text[0], '\uFEFF');
  assert.deepEqual(rows[0], ['uid', 'mark_name', 'nice_classes', 'next_cursor']);
  assert.equal(rows.length, COUNT + 1);
  assert.deepEqual(rows[1]?.slice(0, 2), ['a1202', '\'=cmd|x, "y"']);
  const ends = rows.flatMap((cells, row) => (row > 0 && cells[3] !== '' ? [row] : []));
  assert.deepEqual(ends, [500, 1000, COUNT]);
  assert.equal(rows.at(-1)?.[3], 'complete');
  const rest = await ask(key, `jurisdiction=XA&format=csv&fields=uid,mark_name,nice_classes&cursor=${rows[1000]![3]}`);
  assert.ok(whole.text.endsWith(rest.text), 'a file that is continued has no second head');
  assert.equal(new RowSplitter(',').push(rest.text).length, COUNT - 1000);
  const none = await ask(key, 'jurisdiction=XA&mark_name=nothing&format=csv');
  assert.deepEqual(
    none.text.trimEnd().split('\r\n')[1],
    `${','.repeat(EXPORT_FIELDS.length)}complete`,
    'an empty export is complete',
  );
});

test('a stream that meets the quota or the rate says so, and continues without loss or repetition [I-28, I-29, I-30]', async () => {
  for (const [order, code] of [
    [{ quota: 2 }, 'quota_exceeded'],
    [{ rateLimitPerMinute: 2 }, 'rate_limited'],
  ] as const) {
    const { key, id } = await service.issue(order);
    const first = readLines((await ask(key, 'jurisdiction=XA')).text);
    assert.equal(first.records.length, 1000);
    const { next_cursor, error } = first.positions.at(-1)!;
    assert.equal(error?.code, code);
    assert.equal(typeof error?.retry_after, code === 'rate_limited' ? 'number' : 'undefined');
    assert.equal(first.positions.at(-2)?.next_cursor, next_cursor);
    assert.equal(await unitsOf(id), 2);
    const refused = await ask(key, `jurisdiction=XA&cursor=${next_cursor}`);
    assert.equal(refusalOf(refused).code, code, 'before anything was sent, a refusal is an answer');
    const csv = await ask((await service.issue(order)).key, 'jurisdiction=XA&format=csv&fields=uid');
    const last = new RowSplitter(',').push(csv.text).at(-1)!.cells;
    assert.match(last[0]!, new RegExp(`^Not complete \\(${code}\\): `));
    assert.notEqual(last[1], 'complete');
    await setKey(service.db, { id, quota: null, rateLimitPerMinute: 1_000, actor: 'test' });
    const rest = readLines((await ask(key, `jurisdiction=XA&cursor=${next_cursor}`)).text);
    const other = await service.issue();
    assert.deepEqual([...first.records, ...rest.records], await walk(other.key, 'jurisdiction=XA'));
    assert.equal(await unitsOf(id), 3);
  }
});

test('a key that is revoked during a stream gets no further page [I-30]', async () => {
  const { key, id } = await service.issue();
  const response = await open(key, 'jurisdiction=XB');
  await setKey(service.db, { id, products: [], actor: 'test' });
  const { positions, records } = readLines(await readRest(response));
  assert.equal(positions.at(-1)?.error?.code, 'product_not_enabled');
  assert.ok(records.length < LARGE_COUNT);
});

test('a cursor of an export belongs to it and to its search [I-17]', async () => {
  const { key } = await service.issue();
  const { positions } = readLines((await ask(key, 'jurisdiction=XA')).text);
  const [{ next_cursor: cursor }] = positions as [ExportPosition];
  const page = await service.call(`/v1/trademarks?jurisdiction=XA&cursor=${cursor}`, { key });
  assert.equal(refusalOf(page).code, 'cursor_query_mismatch');
  assert.equal(refusalOf(await ask(key, `jurisdiction=XB&cursor=${cursor}`)).code, 'cursor_query_mismatch');
  assert.equal((await ask(key, `fields=uid&jurisdiction=Xa&format=csv&cursor=${cursor}`)).status, 200);
  const searched = (await service.call('/v1/trademarks?jurisdiction=XA', { key })).body as SearchPage;
  assert.equal(
    refusalOf(await ask(key, `jurisdiction=XA&cursor=${searched.next_cursor}`)).code,
    'cursor_query_mismatch',
  );
});

/** An export whose body is not read yet. */
function open(key: string, query: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key };
    get(`${service.url}/v1/export?${query}`, { headers, agent: false }, resolve).on('error', reject);
  });
}

async function readRest(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Waits until the units of a key have been the same for a while. */
async function waitUntilIdle(id: string): Promise<number> {
  let [before, same] = [await unitsOf(id), 0];
  while (same < 5) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = await unitsOf(id);
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return before;
}

test('a caller who reads slowly is waited for, holds nothing, and ends after the time limit with a position [I-36, I-39]', async () => {
  const { key, id } = await service.issue();
  const response = await open(key, 'jurisdiction=XB');
  const units = await waitUntilIdle(id);
  assert.ok(units < LARGE_COUNT / 500, `${units} pages were read ahead`);
  await waitFor(async () => {
    const busy = await service.db.query<{ query: string }>(sql`
      select query from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`);
    // No statement and no transaction stays open.
    return busy.length === 0;
  });
  const searched = await ask((await service.issue()).key, 'jurisdiction=XA&mark_name=mark%207');
  assert.equal(searched.status, 200, 'searches of others go on');
  ahead = 301_000;
  const { positions, records } = readLines(await readRest(response));
  ahead = 0;
  const { next_cursor, error } = positions.at(-1)!;
  assert.equal(error, undefined);
  assert.ok(next_cursor !== null && records.length < LARGE_COUNT);
  assert.equal(records.length, (await unitsOf(id)) * 500, 'a unit for each page that was sent, and no more');
});

test('a caller who leaves pays for the pages that were sent, and continues from the last position [I-28, I-29]', async () => {
  const { key, id } = await service.issue();
  const response = await open(key, 'jurisdiction=XB&fields=uid,owner_names');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.includes('"next_cursor"') && text.includes('\n', text.indexOf('"next_cursor"'))) break;
  }
  response.destroy();
  // The call has ended, and each unit is that of a page in the log.
  await waitFor(async () => {
    const [logged] = await service.db.query<{ units: number }>(
      sql`select coalesce(sum(units), 0)::float8 as units from call_log where key_id = ${id}`,
    );
    return service.app.countCallsInFlight() === 0 && logged!.units === (await unitsOf(id));
  });
  const paid = await unitsOf(id);
  assert.ok(paid < LARGE_COUNT / 500, `${paid}`);
  const cut = text.indexOf('{"next_cursor"');
  const received = readLines(text.slice(0, text.indexOf('\n', cut)));
  const rest = readLines(
    (await ask(key, `jurisdiction=XB&fields=uid,owner_names&cursor=${received.positions[0]!.next_cursor}`)).text,
  );
  const uids = [...received.records, ...rest.records].map(({ uid }) => uid);
  assert.equal(uids.length, LARGE_COUNT);
  assert.equal(new Set(uids).size, LARGE_COUNT);
  assert.equal(await unitsOf(id), paid + LARGE_COUNT / 500 - 1);
});

test('every page is in the call log with its own unit, as a walk would be [I-28]', async () => {
  const { key, id } = await service.issue();
  await ask(key, 'jurisdiction=XA&fields=uid');
  let rows: { path: string; units: number; status: number }[] = [];
  await waitFor(async () => {
    rows = await service.db.query(sql`select path, units, status from call_log where key_id = ${id} order by at`);
    return rows.length === 3;
  });
  assert.deepEqual(
    rows.map(({ units, status }) => [units, status]),
    [
      [1, 200],
      [1, 200],
      [1, 200],
    ],
  );
  assert.equal(rows.filter(({ path }) => /^\/v1\/export\?jurisdiction=XA&fields=uid&cursor=/.test(path)).length, 2);
});

test('a server that stops ends a stream after a page, with a position', async (t) => {
  const other = await startService(t, { database: { db: service.db, url: service.databaseUrl } });
  const { key } = await other.issue();
  other.app.beginStopping();
  const { records, positions } = readLines((await other.call('/v1/export?jurisdiction=XA', { key })).text);
  assert.deepEqual([records.length, positions.length], [500, 1]);
  assert.ok(positions[0]!.next_cursor !== null);
});
