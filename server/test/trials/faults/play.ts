/**
 * Plays one fault on its own world: calls before it, during it and until all is well again; then what publishers
 * committed is compared with what replicas have, with the digests, the indexes and the meter.
 */
import { Agent } from 'node:http';
import { systemClock } from '../../../src/base/clock.ts';
import { sql } from '../../../src/database/driver/sql.ts';
import { judgeRun, listLosses, type Verdict } from '../../torture/judge.ts';
import { drain, untilAnswered } from '../../torture/kept.ts';
import { callOnce, countEnds, type NotedCall, startCallers } from '../callers.ts';
import { buildCleanup } from '../cleanup.ts';
import type { Fault } from './fault.ts';
import { buildWorld, type World } from './world.ts';

export interface Outcome {
  readonly name: string;
  readonly title: string;
  /** How the calls ended from the beginning of the fault until all was well. */
  readonly ends: ReadonlyMap<string, number>;
  /** Between the first and the last call that was not served. */
  readonly troubledSeconds: number;
  /** From the end of the fault until every kind of call was served by every server. */
  readonly wellAfterSeconds: number;
  readonly slowestSeconds: number;
  readonly published: number;
  readonly delivered: number;
  readonly served: number;
  readonly units: number;
  /** What must be empty: everything lost, repeated, torn or miscounted, and answers that must not be. */
  readonly losses: readonly string[];
  /** What the servers wrote to their logs. */
  readonly said: string;
  /** What the fault itself noted. */
  readonly notes: readonly string[];
}

type Context = Parameters<typeof buildWorld>[0];

const CALLERS = 8;
const CALL_EVERY_MS = 40;
const CALM_MS = 2_000;
const WELL_MS_MAX = 120_000;
const POLL_MS = 100;

/** Takes its world away again, also when it fails. Throws `NotHere` where the machine does not allow the fault. */
export async function playFault(fault: Fault, seed: number): Promise<Outcome> {
  const cleanup = buildCleanup();
  try {
    return await playOn(cleanup, fault, seed);
  } finally {
    await cleanup.end();
  }
}

async function playOn(t: Context, fault: Fault, seed: number): Promise<Outcome> {
  const world = await buildWorld(t, seed, (await fault.prepare?.(t)) ?? {});
  // Half of the callers of the second server reach it through a network that may break.
  const ports = [...world.servers.map(({ port }) => port), world.servers[0]!.port, world.callerWire.port];
  const calls: NotedCall[] = [];
  const callers = startCallers({
    portOf: (caller) => ports[caller % ports.length]!,
    callers: CALLERS,
    kinds: world.kinds,
    key: world.key,
    random: world.random,
    everyMs: CALL_EVERY_MS,
    onCall: (call) => void calls.push(call),
  });
  const notes: string[] = [];
  const losses: string[] = [];
  await systemClock.sleep(CALM_MS);
  const struckMs = systemClock.monotonicMs();
  const before = calls.length;
  await fault.strike(world, { note: (text) => void notes.push(text), lose: (text) => void losses.push(text), t });
  const endedMs = systemClock.monotonicMs();
  const wellMs = await untilWell(world);
  await callers.stop();
  const during = calls.slice(before);
  const troubled = during.filter(({ end }) => end !== 200);
  const noted = calls.slice(0, before).filter(({ end }) => end !== 200);
  // Calls that had begun before belong to the fault.
  if (noted.some(({ startedMs, durationMs }) => startedMs + durationMs < struckMs)) {
    losses.push(`${noted.length} calls failed before the fault`);
  }
  const verdict = await judge(world);
  losses.push(...describeLosses(verdict), ...judgeAnswers(during), ...(await judgeIndexes(world)));
  const units = await judgeUnits(world, calls, losses);
  return {
    name: fault.name,
    title: fault.title,
    ends: countEnds(during),
    troubledSeconds: spanSeconds(troubled),
    wellAfterSeconds: (wellMs - endedMs) / 1000,
    slowestSeconds: Math.max(0, ...during.map(({ durationMs }) => durationMs)) / 1000,
    published: verdict.made,
    delivered: verdict.delivered,
    ...units,
    losses,
    notes,
    said: world.servers.map((server) => server.said()).join(''),
  };
}

function spanSeconds(calls: readonly NotedCall[]): number {
  if (calls.length === 0) return 0;
  const first = Math.min(...calls.map(({ startedMs }) => startedMs));
  return (Math.max(...calls.map(({ startedMs, durationMs }) => startedMs + durationMs)) - first) / 1000;
}

/** When every kind of call was first served by every server, one round without a refusal. */
async function untilWell(world: World): Promise<number> {
  const startedMs = systemClock.monotonicMs();
  const agent = new Agent({ keepAlive: false });
  while (systemClock.monotonicMs() - startedMs < WELL_MS_MAX) {
    const ends = await Promise.all(
      world.servers.flatMap(({ port }) =>
        world.kinds.map(({ path }) => callOnce(agent, port, path(world.random), world.otherKey)),
      ),
    );
    if (ends.every(({ end }) => end === 200)) return systemClock.monotonicMs();
    await systemClock.sleep(POLL_MS);
  }
  throw new Error(`not well ${WELL_MS_MAX / 1000} s after the fault`);
}

async function judge(world: World): Promise<Verdict> {
  await drain(world.db, world.folder, world.writers, world.pollers);
  return await judgeRun(world.db, world.folder, world.pollers.length);
}

function describeLosses(verdict: Verdict): string[] {
  return [
    ...Object.entries(listLosses(verdict)).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`])),
    ...verdict.faults.slice(0, 5),
  ];
}

/** Statuses that must not be, whatever happens. */
function judgeAnswers(calls: readonly NotedCall[]): string[] {
  const allowed: readonly NotedCall['end'][] = [200, 503, 'refused', 'cut'];
  const wrong = calls.filter(({ end }) => !allowed.includes(end));
  return [...countEnds(wrong)].map(([end, count]) => `${count} calls ended with ${end}`);
}

/** Every server finds by its index what the database holds. */
async function judgeIndexes(world: World): Promise<string[]> {
  const agent = new Agent({ keepAlive: false });
  const rows = await world.db.query<{ register: string; records: number }>(
    sql`select jurisdiction_code as register, count(*)::int4 as records from record group by 1`,
  );
  const faults: string[] = [];
  for (const { port } of world.servers) {
    for (const { register, records } of rows) {
      const path = `/v1/${register}/trademarks?count=capped&limit=500`;
      const { end, text } = await callOnce(agent, port, path, world.otherKey);
      if (end !== 200) {
        faults.push(`the records of ${register} were not counted: ${end} ${text()}`);
        continue;
      }
      const page = JSON.parse(text()) as { matched_count?: number; items?: { uid: string }[] };
      if (page.matched_count === records) continue;
      const uids = (page.items ?? []).map(({ uid }) => uid);
      const repeated = uids.filter((uid, at) => uids.indexOf(uid) !== at);
      faults.push(
        `the index of ${register} has ${page.matched_count} of ${records} records, twice: ${repeated.join() || 'none'}`,
      );
    }
  }
  return faults;
}

/** At least a unit for every served call; at most one more for each that nobody saw the end of, or that was refused. */
async function judgeUnits(
  world: World,
  calls: readonly NotedCall[],
  losses: string[],
): Promise<{ served: number; units: number }> {
  const metered = calls.filter((call) => call.metered);
  const served = metered.filter(({ end }) => end === 200).length;
  const open = metered.length - served;
  const [row] = await untilAnswered(() =>
    world.db.query<{ units: number }>(sql`
      select coalesce(sum(units), 0)::int4 as units from usage_by_day where key_id = ${world.keyId}`),
  );
  const units = row!.units;
  if (units < served) losses.push(`${served - units} units of served calls`);
  if (units > served + open) losses.push(`${units - served - open} units too many`);
  return { served, units };
}
