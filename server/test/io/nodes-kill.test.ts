/**
 * Nodes of a Citus cluster are killed under load, again and again: two servers answer 503 while it lasts and are right
 * otherwise, and nothing of what was published is lost or repeated (docs/design/standbys-and-nodes.md). The cluster is
 * a separate one. TMDS_TEST_KILLS says how many nodes are killed, TMDS_TEST_SEED the seed of the random numbers.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import type { NoAnswer } from '../../src/base/no-answer.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { isDiskFull, translateFailure } from '../../src/database/driver/failures.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { startJob } from '../../src/store/duties/jobs.ts';
import { buildLook, feedIntervalMs } from '../../src/upkeep/health/feed-watch.ts';
import { verifyDatabase } from '../../src/upkeep/verification/verify.ts';
import { NODES, startCluster, until } from '../support/citus-cluster.ts';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { connectTestDatabase, testLog } from '../support/database.ts';
import { loadRecords } from '../support/loads.ts';
import { startService, type TestService } from '../support/service.ts';
import { countUnits } from '../support/units.ts';
import { buildRandom, type Random } from '../torture/random.ts';

const skip = process.env[CITUS_VARIABLE] === undefined ? `${CITUS_VARIABLE} names no Citus cluster` : false;
const KILLS = Number(process.env.TMDS_TEST_KILLS ?? 3);
const SEED = Number(process.env.TMDS_TEST_SEED ?? 1);
const RECORDS = 200;
/** The records that one load changes, out of all. */
const CHANGED = 40;

/** Something that goes on until it is stopped. */
interface Work {
  /** What should not have been. */
  readonly wrong: string[];
  end(): Promise<void>;
}

/** Runs `step` again and again, also past the end of `t` by no more than one. */
function repeat(t: TestContext, wrong: string[], step: (isEnding: boolean) => Promise<'more' | 'done'>): Work {
  let isEnding = false;
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const working = (async () => {
    while (!isOver && (await step(isEnding)) === 'more');
  })();
  working.catch((error: unknown) => wrong.push(String(error)));
  return {
    wrong,
    end: async () => {
      isEnding = true;
      await working;
    },
  };
}

interface Caller extends Work {
  readonly statuses: Map<number, number>;
}

/** What is asked for, and whether a 200 is right. */
function buildCall(random: Random): { path: string; isRight: (text: string) => boolean; status: number } {
  const uid = `R${random.integer(1, RECORDS)}`;
  const [right, found, all] = [(text: string) => text.includes(`"uid":"${uid}"`), 200, () => true];
  return random.pick([
    { path: `/v1/XA/trademarks/${uid}`, isRight: right, status: found },
    { path: `/v1/XA/trademarks/${uid}?expand=payload`, isRight: right, status: found },
    { path: `/v1/XA/trademarks/unknown`, isRight: all, status: 404 },
    { path: `/v1/XA/trademarks/${uid}/history`, isRight: right, status: found },
    { path: '/v1/history?since=1970-01-01&limit=20', isRight: all, status: found },
    { path: '/v1/digests?as_of=1970-01-02T00:00:00Z', isRight: all, status: found },
    {
      path: '/v1/trademarks?jurisdiction=XA&status=Pending&count=capped',
      isRight: (text: string) => (JSON.parse(text) as { matched_count: number }).matched_count === RECORDS,
      status: found,
    },
  ]);
}

/** One call after the other. What is wrong: answers that are neither what was stored nor a refusal. */
function startCaller(t: TestContext, service: TestService, key: string, random: Random): Caller {
  const statuses = new Map<number, number>();
  const wrong: string[] = [];
  const work = repeat(t, wrong, async (isEnding) => {
    const { path, isRight, status } = buildCall(random);
    const answer = await service.call(path, { key });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status !== 503 && !(answer.status === status && isRight(answer.text))) {
      wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    return isEnding ? 'done' : 'more';
  });
  return { ...work, statuses };
}

interface Item {
  readonly uid: string;
  readonly updated_at: string;
  readonly mark_name: string;
}

interface Follower extends Work {
  readonly items: Item[];
}

/** A replica: follows the feed and keeps its cursor. It ends with a page without items that it asked for afterwards. */
function startFollower(t: TestContext, service: TestService, key: string): Follower {
  const items: Item[] = [];
  const wrong: string[] = [];
  let cursor: string | null = null;
  const work = repeat(t, wrong, async (isEnding) => {
    const start: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await service.call(`/v1/changes?since=1970-01-01&limit=30${start}`, { key });
    if (answer.status === 503) return 'more';
    if (answer.status !== 200) {
      wrong.push(`a page of the feed: ${answer.status} ${answer.text}`);
      return 'done';
    }
    const page = answer.body as { items: Item[]; next_cursor: string | null };
    items.push(...page.items);
    cursor = page.next_cursor ?? cursor;
    return page.items.length === 0 && isEnding ? 'done' : 'more';
  });
  return { ...work, items };
}

interface Loader extends Work {
  /** Loads that have ended. */
  readonly counts: { loads: number };
}

/** As an operator with a list of files: each is loaded until that has succeeded, then comes the next. */
function startLoader(t: TestContext, db: Database, random: Random): Loader {
  const counts = { loads: 0 };
  let open: object[] = [];
  const work = repeat(t, [], async (isEnding) => {
    if (open.length === 0) {
      const { loads } = counts;
      const changed = loads === 0 ? numbers(RECORDS) : numbers(CHANGED).map(() => random.integer(1, RECORDS));
      open = [...new Set(changed)].map((number) => ({
        jurisdiction_code: 'XA',
        uid: `R${number}`,
        status: 'Pending',
        mark_name: `mark ${loads}`,
        payload: { remarks: [`remark ${loads % 3} of ${number}`] },
      }));
    }
    try {
      await loadRecords(db, open);
    } catch {
      await systemClock.sleep(200);
      return 'more';
    }
    open = [];
    counts.loads += 1;
    return isEnding ? 'done' : 'more';
  });
  return { ...work, counts };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('an error of Citus without a code, about a node that is away, is unavailable', () => {
  for (const message of [
    'postmaster was shut down, exiting',
    'failure on connection marked as essential: h:1',
    'terminating connection due to unexpected postmaster exit',
    'the database system is not yet accepting connections',
    'failed to read result "9_10" from node h:1',
  ]) {
    const raised = Object.assign(new Error(message), { code: 'XX000' });
    assert.equal((translateFailure(raised) as NoAnswer).code, 'database_away', message);
  }
  const fault = Object.assign(new Error('invalid page in block 7'), { code: 'XX000' });
  assert.equal(translateFailure(fault), fault);
});

test('a full disk of a node is known when Citus leaves out its code, and is unavailable', () => {
  for (const message of [
    'could not extend file "base/1/2": No space left on device',
    'could not extend file "base/1/2": wrote only 4096 of 8192 bytes at block 7',
  ]) {
    const raised = Object.assign(new Error(message), { code: 'XX000' });
    const translated = translateFailure(raised);
    assert.equal((translated as NoAnswer).code, 'database_away', message);
    assert.ok(isDiskFull(translated), message);
  }
  assert.ok(!isDiskFull(Object.assign(new Error('invalid page in block 7'), { code: 'XX000' })));
});

test('nodes killed under load: 503 while it lasts, nothing lost or repeated after [I-19, I-26]', {
  skip,
  timeout: 300_000 + KILLS * 120_000,
}, async (t) => {
  const cluster = await startCluster(t);
  const connect = () => connectTestDatabase(cluster.url, { statementTimeoutMs: 30_000, poolMax: 6 });
  const [db, ...pools] = [await connect(), await connect(), await connect()];
  t.after(async () => {
    for (const each of [db, ...pools]) await each.close();
  });
  const services: TestService[] = [];
  for (const pool of pools) {
    // A fault of ours is reported on the way.
    const log = buildLog({ level: 'error' });
    services.push(await startService(t, { database: { db: pool, url: cluster.url }, log }));
    const look = buildLook({ database: pool, clock: systemClock, log: testLog, horizonSeconds: 0 });
    const watch = startJob(systemClock, 'feed', look, feedIntervalMs(0));
    t.after(async () => watch.stop());
  }
  const random = buildRandom(SEED);
  const loader = startLoader(t, db, buildRandom(SEED, 1));
  await until(() => loader.counts.loads > 0);
  const keys = [await services[0]!.issue(), await services[0]!.issue()];
  const callers = services.map((service, at) => startCaller(t, service, keys[at]!.key, buildRandom(SEED, 2, at)));
  const { key: ofFollowers } = await services[0]!.issue();
  const followers = services.map((service) => startFollower(t, service, ofFollowers));
  const count = (status: number): number => callers.reduce((sum, { statuses }) => sum + (statuses.get(status) ?? 0), 0);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const [calls, refusals] = [count(200) + random.integer(1, 40), count(503)];
    await until(() => count(200) >= calls);
    const node = kill <= NODES.length ? NODES[kill - 1]! : random.pick(NODES);
    await cluster.kill(node);
    await until(() => count(503) > refusals);
    await cluster.start();
    const [loads, after] = [loader.counts.loads, count(200)];
    await until(() => loader.counts.loads > loads + 1 && count(200) > after + 20);
    t.diagnostic(
      `seed ${SEED}: ${node} killed, ${count(503) - refusals} calls refused, ${loader.counts.loads} loads so far`,
    );
  }
  for (const work of [...callers, loader, ...followers]) await work.end();

  assert.deepEqual(
    [...callers, ...followers].flatMap(({ wrong }) => wrong),
    [],
  );
  const [stored, published] = [await listStored(db), new Set(await listPublished(db))];
  for (const { items } of followers) {
    const read = items.map(({ uid, updated_at }) => `${updated_at} ${uid}`);
    assert.equal(new Set(read).size, read.length, 'nothing was repeated');
    assert.deepEqual(read, [...read].sort(), 'in the order of stamps');
    assert.deepEqual(
      read.filter((version) => !published.has(version)),
      [],
      'nothing was delivered that is not kept',
    );
    const copy = new Map(items.map((item) => [item.uid, `${item.uid} ${item.updated_at} ${item.mark_name}`]));
    assert.deepEqual([...copy.values()].sort(), stored, 'nothing was lost');
  }
  const findings = await verifyDatabase({ db, horizonSeconds: 0, quick: false });
  assert.deepEqual(
    findings.filter(({ remedy }) => remedy !== null),
    [],
  );
  for (const [at, { statuses }] of callers.entries()) {
    const [units, served] = [await countUnits(db, keys[at]!.id), statuses.get(200) ?? 0];
    const open = [404, 503].reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
    assert.ok(units >= served && units <= served + open, `${units} units for ${served} calls and ${open} open ones`);
  }
});

async function listStored(db: Database): Promise<string[]> {
  const rows = await db.query<{ detail: string }>(sql`select detail from record`);
  const records = rows.map(({ detail }) => JSON.parse(detail) as Item);
  return records.map(({ uid, updated_at, mark_name }) => `${uid} ${updated_at} ${mark_name}`).sort();
}

/** Every version that there is or was. */
async function listPublished(db: Database): Promise<string[]> {
  const kept = await db.query<{ detail: string }>(sql`
    select detail from record union all select detail from record_version`);
  const versions = kept.map(({ detail }) => JSON.parse(detail) as Item);
  return versions.map(({ uid, updated_at }) => `${updated_at} ${uid}`);
}
