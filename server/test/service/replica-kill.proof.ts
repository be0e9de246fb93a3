/**
 * The replica's command against the real service with a faulty network between: kill -9 at random moments, answers lost
 * and cut, refusals, slow pages, and publishes between sessions and in the middle of them. Half of the runs also have
 * snapshots to start from, which are replaced between the sessions while publishes go on. `TMDS_KILL_RUNS` sets the
 * number of seeded runs, `TMDS_KILL_SEED` the first seed.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openDestination } from '../../../client/src/replica/destination.ts';
import type { Verification } from '../../../client/src/replica/verify.ts';
import { type ReplicaRun, startReplica } from '../../../client/test/support/host.ts';
import { buildSessions } from '../../../client/test/support/sessions.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FeedTally, type PlayedFault, PROXY_FAULTS, startFaultyProxy } from '../support/faulty-proxy.ts';
import { makeFolder } from '../support/folder.ts';
import { listHeld } from '../support/held.ts';
import { UNLIMITED } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';
import { makeSnapshot } from '../support/snapshots.ts';
import { publishRecords } from '../torture/publish.ts';
import { buildRandom, type Random } from '../torture/random.ts';

const RUNS = Number(process.env.TMDS_KILL_RUNS ?? 2);
const FIRST_SEED = Number(process.env.TMDS_KILL_SEED ?? 1);
/** Every run has its own service and database. */
const AT_ONCE = 4;
const REGISTERS = ['XA', 'XB', 'XC'];
const NONE: PlayedFault = { fault: 'none', pauseMs: 0, retryAfterSeconds: 0 };

describe('a replica of the real service', { concurrency: AT_ONCE }, () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
    const kind = seed % 5 === 0 ? 'postgres' : seed % 2 === 0 ? 'ndjson' : 'sqlite';
    test(`seed ${seed}: a ${kind} replica killed at random ends equal, one page again a kill or lost answer at most [4.6.1]`, (t) =>
      runSeed(t, seed, kind, false));
    test(`seed ${seed}: the same for one that starts from snapshots, which are made and replaced in the meantime`, (t) =>
      runSeed(t, seed, kind, true));
  }
});

type Kind = 'sqlite' | 'ndjson' | 'postgres';

async function buildPlace(t: TestContext, kind: Kind): Promise<string> {
  if (kind === 'postgres') return (await createTestDatabase(t, { migrated: false })).url;
  const folder = makeFolder(t);
  return `${kind}:${join(folder, 'marks')}`;
}

async function publishSome(db: Database, random: Random): Promise<void> {
  const numbers = new Set(Array.from({ length: random.integer(100, 500) }, () => random.integer(0, 600)));
  const records = [...numbers].map((number) => ({
    jurisdiction_code: REGISTERS[number % REGISTERS.length]!,
    uid: `R${number}`,
    mark_name: `Mark "é" 商標 ${random.integer(0, 9)}`,
  }));
  await publishRecords(db, records);
}

function planFault(random: Random): PlayedFault {
  if (!random.chance(0.15)) return NONE;
  return {
    fault: random.pick(PROXY_FAULTS),
    pauseMs: random.integer(1, 60),
    retryAfterSeconds: random.chance(0.2) ? 1 : 0,
  };
}

async function runSeed(t: TestContext, seed: number, kind: Kind, withSnapshots: boolean): Promise<void> {
  const random = buildRandom(seed, Number(withSnapshots));
  const folder = makeFolder(t);
  const database = await createTestDatabase(t, UNLIMITED);
  const { key, ...service } = await startWithKey(t, { database, config: { snapshotsDir: folder } });
  const to = await buildPlace(t, kind);
  const limit = random.integer(20, 90);
  await publishSome(service.db, random);
  // A replica is of one of two, so that a download finds its snapshot replaced now and then.
  const keep = random.integer(1, 2);
  const makeSome = async (): Promise<void> => {
    await publishSome(service.db, random);
    if (!withSnapshots) return;
    // Changes go on while it is made.
    const onStep = (): Promise<void> => publishSome(service.db, random);
    await makeSnapshot(service.db, folder, { keep, onStep, partBytes: random.integer(2_000, 60_000) });
  };
  await makeSome();

  const start = (...words: string[]): ReplicaRun =>
    startReplica([...words, '--to', to, '--limit', String(limit)], {
      TMDS_API_KEY: key,
      TMDS_BASE_URL: `${proxy.url}/records`,
    });
  const sessions = buildSessions(random, start);
  let calm = false;
  const proxy = await startFaultyProxy(t, service.url, async () => {
    sessions.onCall();
    if (calm) return NONE;
    if (random.chance(0.05)) await publishSome(service.db, random);
    return planFault(random);
  });
  const kills = await sessions.run(makeSome);
  calm = true;

  const proof = await start('verify', '--json').ended;
  assert.equal(proof.status, 0, proof.err + proof.out);
  const records = await listRecords(service.db);
  const { equal, records: compared, unsettled, differences, calls } = JSON.parse(proof.out) as Verification;
  assert.deepEqual([equal, compared, unsettled, differences, calls], [true, records.length, 0, [], 1]);

  const sink = await openDestination(to);
  t.after(() => sink.close());
  assert.deepEqual(await listHeld(sink), records);
  const { delivered } = (await sink.find())!.position;
  checkFetches(t, proxy.tally, { kills, limit, delivered: withSnapshots ? null : delivered });
}

/** Every record as the service delivers it. */
async function listRecords(db: Database): Promise<string[]> {
  const rows = await db.query<{ detail: string }>(sql`select detail from record`);
  return rows.map(({ detail }) => detail).sort();
}

function checkFetches(
  t: TestContext,
  { sent, pagesAgain, faults }: FeedTally,
  { kills, limit, delivered }: { kills: number; limit: number; delivered: number | null },
): void {
  const unheard = (faults.get('lost') ?? 0) + (faults.get('cut') ?? 0);
  const played = PROXY_FAULTS.map((fault) => `${fault} ${faults.get(fault) ?? 0}`).join(', ');
  // What came from files did not come through the feed, so the feed alone cannot show how much came twice.
  const counts = delivered === null ? `${sent} sent` : `${delivered} delivered, ${sent - delivered} again`;
  const figures = `${kills} kills, ${played}; ${counts}, ${pagesAgain} pages again`;
  t.diagnostic(figures);
  const allowed = kills + unheard;
  assert.ok(pagesAgain <= allowed, figures);
  if (delivered !== null) assert.ok(sent >= delivered && sent - delivered <= allowed * limit, figures);
}
