/**
 * A consumer under torture: reads the feed over HTTP from the cursor it saved last, with any limit, with and without
 * payloads. It loses answers, kills itself before and after saving, and tolerates every failure of the server.
 */
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { buildRandom, type Random } from './random.ts';
import {
  type Assignment,
  type Delivery,
  deliveryLog,
  digestDetail,
  faultLog,
  payloadTextOf,
  readAssignment,
  readControl,
  scopeOf,
} from './world.ts';

const CHUNK_BYTES = 1024 * 1024;

async function poll(assignment: Assignment): Promise<void> {
  const random = buildRandom(assignment.seed, 2, assignment.index, assignment.generation);
  const path = deliveryLog(assignment.folder, assignment.index);
  let cursor = readLastCursor(path);
  for (;;) {
    const page = await readPage(assignment, random, cursor).catch(() => null);
    if (page === null) {
      await delay(random.integer(10, 100));
      continue;
    }
    if (page.next_cursor === null) {
      const { phase, until } = readControl(assignment.folder);
      if (phase === 'drain' && until !== null && page.horizon >= until) return;
      await delay(random.integer(10, 300));
      continue;
    }
    if (random.chance(0.03)) continue;
    if (random.chance(0.004)) process.kill(process.pid, 'SIGKILL');
    const delivery: Delivery = { cursor: page.next_cursor, received: Date.now(), items: page.items };
    appendFileSync(path, `${JSON.stringify(delivery)}\n`);
    if (random.chance(0.004)) process.kill(process.pid, 'SIGKILL');
    cursor = page.next_cursor;
  }
}

interface Page {
  next_cursor: string | null;
  horizon: string;
  items: Delivery['items'];
}

async function readPage(assignment: Assignment, random: Random, cursor: string | null): Promise<Page | null> {
  const scope = scopeOf(assignment.index);
  const expand = random.chance(0.2);
  const limit = random.chance(0.5) ? random.integer(1, 50) : random.integer(1, expand ? 200 : 5000);
  const query = new URLSearchParams({ since: '1970-01-01', limit: String(limit) });
  if (expand) {
    query.set('expand', 'payload');
    query.set('limit', String(Math.min(limit, 200)));
  }
  if (cursor !== null) query.set('cursor', cursor);
  const path = scope === null ? '/v1/changes' : `/v1/${scope}/changes`;
  const answer = await fetch(`http://127.0.0.1:${assignment.port}${path}?${query}`, {
    headers: { 'x-api-key': assignment.key },
  });
  const body = await answer.text();
  // 404: the register has not been published yet.
  if (answer.status === 503 || answer.status === 404) return null;
  if (answer.status !== 200) return noteFault(assignment, `status ${answer.status}: ${body}`);
  const { items, next_cursor } = JSON.parse(body) as { items: Item[]; next_cursor: string | null };
  if ((next_cursor === null) !== (items.length === 0)) noteFault(assignment, 'a cursor without items, or the reverse');
  for (const item of items) checkPayload(assignment, item, expand);
  return { next_cursor, horizon: answer.headers.get('x-change-horizon')!, items: items.map(digestItem) };
}

interface Item {
  jurisdiction_code: string;
  uid: string;
  updated_at: string;
  mark_name: string;
  payload?: { text: string } | null;
}

/** The writers derive one from the other, so an item put together from two versions shows. */
function checkPayload(assignment: Assignment, { payload, ...record }: Item, expand: boolean): void {
  const expected = payloadTextOf(record.uid, record.mark_name);
  const isRight = expand ? (payload?.text ?? null) === expected && payload !== undefined : payload === undefined;
  if (!isRight) noteFault(assignment, `torn item: ${JSON.stringify({ ...record, payload })}`);
}

function noteFault({ folder, index }: Assignment, message: string): null {
  appendFileSync(faultLog(folder), `poller ${index}: ${message.slice(0, 1000)}\n`);
  return null;
}

function digestItem({ payload: _payload, ...record }: Item): Delivery['items'][number] {
  return [record.jurisdiction_code, record.uid, record.updated_at, digestDetail(JSON.stringify(record))];
}

/** The cursor of the last whole line; a line that a kill cut short was never saved. */
function readLastCursor(path: string): string | null {
  if (!existsSync(path)) return null;
  const file = openSync(path, 'r');
  try {
    const size = fstatSync(file).size;
    const bytes = Buffer.alloc(Math.min(size, CHUNK_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const end = bytes.lastIndexOf('\n');
    if (end < bytes.length - 1) truncateSync(path, size - (bytes.length - 1 - end));
    const start = bytes.lastIndexOf('\n', end - 1);
    if (end < 0) return null;
    return (JSON.parse(bytes.subarray(start + 1, end).toString()) as Delivery).cursor;
  } finally {
    closeSync(file);
  }
}

await poll(readAssignment());
