/**
 * The command against kill -9 at random moments, lost answers, refusals and slow pages: real processes, real HTTP.
 * `TMDS_KILL_RUNS` sets the number of seeded runs, `TMDS_KILL_SEED` the first seed.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { TrademarkClient } from '../src/client.ts';
import { openDestination } from '../src/replica/destination.ts';
import { verify } from '../src/replica/verify.ts';
import { buildRecord } from './support/answers.ts';
import { startHost, startReplica } from './support/host.ts';
import { buildService, type Fault, HORIZON_MS, nameOf } from './support/service.ts';

const RUNS = Number(process.env.TMDS_KILL_RUNS ?? 3);
const FIRST_SEED = Number(process.env.TMDS_KILL_SEED ?? 1);
const FAULTS: readonly Fault[] = ['network', 'lost', 'cut', 'rate_limited', 'unavailable', 'gateway'];
const SESSIONS_MAX = 12;

/** A small generator of repeatable chance (mulberry32): numbers in [0, 1). */
function buildRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
  const kind = seed % 2 === 0 ? 'ndjson' : 'sqlite';
  test(`seed ${seed}: a ${kind} replica killed at random ends equal, refetching a page a kill at most [4.6.1]`, (t) =>
    runSeed(t, seed, kind));
}

async function runSeed(t: TestContext, seed: number, kind: string): Promise<void> {
  const random = buildRandom(seed);
  const pick = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const folder = await mkdtemp(join(tmpdir(), 'tmds-kill-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const service = buildService({ build: buildRecord, retryAfterSeconds: 0 });
  const publish = (): void => {
    const marks = Array.from({ length: pick(1, 600) }, () => `US-${pick(0, 900)}`);
    service.publish([...new Set(marks)].map((uid) => ({ uid, mark_name: `mark ${pick(0, 9)}` })));
  };
  publish();
  service.advance(HORIZON_MS);
  service.plan(() => (random() < 0.15 ? FAULTS[pick(0, FAULTS.length - 1)]! : 'none'));

  const to = `${kind}:${join(folder, 'marks')}`;
  const limit = pick(20, 90);
  let onCall = async (): Promise<void> => undefined;
  const baseUrl = await startHost(t, service, () => onCall());
  let kills = 0;
  let finished = false;
  for (let session = 0; session < SESSIONS_MAX && !finished; session += 1) {
    const run = startReplica(['--to', to, '--limit', String(limit)], { TMDS_API_KEY: 'k', TMDS_BASE_URL: baseUrl });
    let callsLeft = kills < 4 ? pick(1, 8) : Number.POSITIVE_INFINITY;
    const lateMs = random() * 12;
    onCall = async () => {
      callsLeft -= 1;
      if (callsLeft === 0) {
        kills += 1;
        setTimeout(() => run.child.kill('SIGKILL'), lateMs);
      }
      if (random() < 0.2) await delay(random() * 20);
    };
    const { status, err } = await run.ended;
    assert.ok(status === 0 || status === null, `session ${session} failed: ${err}`);
    finished = status === 0 && random() < 0.6;
    if (!finished) publish();
    service.advance(HORIZON_MS);
  }

  service.plan(() => 'none');
  onCall = async () => undefined;
  const last = await startReplica(['--to', to, '--limit', String(limit)], { TMDS_API_KEY: 'k', TMDS_BASE_URL: baseUrl })
    .ended;
  assert.equal(last.status, 0, last.err);

  const sink = await openDestination(to);
  t.after(() => sink.close());
  const held = new Map<string, string>();
  for await (const record of sink.listRecords()) held.set(nameOf(record), record.updated_at);
  assert.deepEqual([...held].sort(), [...service.records].map(([name, record]) => [name, record.updated_at]).sort());
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'http://host', fetch: service.fetch });
  assert.equal((await verify({ client, sink })).equal, true);
  const stored = await sink.find();
  const sent = service.pages.filter(({ fault }) => fault === 'none').reduce((sum, page) => sum + page.sent.length, 0);
  const repeated = sent - stored!.position.delivered;
  assert.ok(
    repeated >= 0 && repeated <= kills * limit,
    `${repeated} records fetched twice in ${kills} kills of ${limit}`,
  );
}
