/**
 * The command against kill -9 at random moments, lost answers, refusals and slow pages: real processes, real HTTP.
 * `TMDS_KILL_RUNS` sets the number of seeded runs, `TMDS_KILL_SEED` the first seed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SEED } from '../../server/test/support/cluster.ts';
import { runsOf } from '../../server/test/support/depth.ts';
import { makeFolder } from '../../server/test/support/folder.ts';
import { buildRandom } from '../../server/test/torture/random.ts';
import { TrademarkClient } from '../src/client.ts';
import { openDestination } from '../src/replica/destination.ts';
import { verify } from '../src/replica/verify.ts';
import { buildRecord } from './support/answers.ts';
import { type ReplicaRun, startHost, startReplica } from './support/host.ts';
import { buildService, type Fault, HORIZON_MS, nameOf } from './support/service.ts';
import { buildSessions } from './support/sessions.ts';

const RUNS = Number(process.env.TMDS_KILL_RUNS ?? runsOf(1));
const FIRST_SEED = Number(process.env.TMDS_KILL_SEED ?? SEED);
const FAULTS: readonly Fault[] = ['network', 'lost', 'cut', 'rate_limited', 'unavailable', 'gateway'];

for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
  const kind = seed % 2 === 0 ? 'ndjson' : 'sqlite';
  test(`seed ${seed}: a ${kind} replica killed at random ends equal, refetching a page a kill at most [4.6.1]`, (t) =>
    runSeed(t, seed, kind));
}

async function runSeed(t: TestContext, seed: number, kind: string): Promise<void> {
  const random = buildRandom(seed);
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord, retryAfterSeconds: 0 });
  const publish = (): void => {
    const marks = Array.from({ length: random.integer(1, 600) }, () => `US-${random.integer(0, 900)}`);
    service.publish([...new Set(marks)].map((uid) => ({ uid, mark_name: `mark ${random.integer(0, 9)}` })));
  };
  publish();
  service.advance(HORIZON_MS);
  service.plan(() => (random.chance(0.15) ? random.pick(FAULTS) : 'none'));

  const to = `${kind}:${join(folder, 'marks')}`;
  const limit = random.integer(20, 90);
  const start = (): ReplicaRun =>
    startReplica(['--to', to, '--limit', String(limit)], { TMDS_API_KEY: 'k', TMDS_BASE_URL: baseUrl });
  const sessions = buildSessions(random, start);
  const baseUrl = await startHost(t, service, async () => {
    sessions.onCall();
    if (random.chance(0.2)) await delay(random.next() * 20);
  });
  const kills = await sessions.run(() => {
    publish();
    service.advance(HORIZON_MS);
  });

  service.plan(() => 'none');
  const last = await start().ended;
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
