/** One key in many processes: they do not wait for each other's disk, and everything they promise stays exact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { issueKey } from '../../src/access/keys.ts';
import { buildMeter, type Meter } from '../../src/access/meter.ts';
import type { MeteredCall, Verdict } from '../../src/access/verdict.ts';
import { systemClock } from '../../src/base/clock.ts';
import { connectDatabase, type Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { judgeCalls } from '../../src/store/accounts/usage.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { runsOf } from '../support/depth.ts';

interface Limits {
  readonly rateLimitPerMinute: number;
  readonly quota: number | null;
}

const UNLIMITED: Limits = { rateLimitPerMinute: 1_000_000, quota: null };

async function issueCall(db: Database, limits: Limits): Promise<MeteredCall> {
  const order = { customer: 'c', name: null, products: ['records'] as const, actor: 'test' };
  const { id } = await issueKey(db, { ...order, ...limits });
  return { keyId: id, secretNumber: 1, product: 'records', takesUnit: true };
}

interface Counted {
  /** By day, and for the month as shown with the limits. */
  readonly units: number;
  readonly month_units: number;
  readonly window_calls: number;
}

async function readCounted(db: Database, { keyId }: MeteredCall): Promise<Counted> {
  const [counted] = await db.query<Counted>(sql`
    select p.units_used::float8 as month_units, p.window_calls,
      coalesce((select sum(u.units) from usage_by_day u where u.key_id = p.key_id), 0)::float8 as units
    from key_product p where p.key_id = ${keyId} and p.product = 'records'`);
  return counted!;
}

/** Its own connections and a meter, as a server process has them. */
async function openProcess(
  t: { after(work: () => Promise<void>): void },
  url: string,
  watch: (database: Database) => Database = (database) => database,
): Promise<Meter> {
  const database = await connectTestDatabase(url, { poolMax: 2 });
  const meter = buildMeter({ database: watch(database), clock: systemClock, log: testLog });
  t.after(async () => {
    await meter.close();
    await database.close();
  });
  return meter;
}

/** Counts the waits for the disk that a process asks for apart from its statements, and can hold them. */
function watchFlushes(): {
  wrap(database: Database): Database;
  count(): number;
  hold(): { asked: Promise<void>; release(): void };
} {
  let flushes = 0;
  let gate: { readonly arrive: () => void; readonly opened: Promise<void> } | null = null;
  return {
    wrap: (database) => ({
      ...database,
      query: async (statement, options) => {
        if (statement.text.includes('pg_logical_emit_message')) {
          flushes += 1;
          gate?.arrive();
          await gate?.opened;
        }
        return await database.query(statement, options);
      },
    }),
    count: () => flushes,
    hold: () => {
      let arrive = (): void => {};
      let release = (): void => {};
      const asked = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const opened = new Promise<void>((resolve) => {
        release = resolve;
      });
      gate = { arrive, opened };
      return {
        asked,
        release: () => {
          gate = null;
          release();
        },
      };
    },
  };
}

test('the row of a shared key is free before the disk has the count, and nobody is answered before [I-28, I-29]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const call = await issueCall(db, UNLIMITED);
  const flushes = watchFlushes();
  const slow = await openProcess(t, url, flushes.wrap);
  const other = await openProcess(t, url);
  await slow.judge(call);
  await slow.judge(call);
  assert.equal(flushes.count(), 0, 'who counts alone needs no second statement');
  await other.judge(call);
  await slow.judge(call);
  assert.equal(flushes.count(), 0, 'it learns of others by their counts');
  await other.judge(call);
  const { asked, release } = flushes.hold();
  let isAnswered = false;
  const waiting = slow.judge(call).then((verdict) => {
    isAnswered = true;
    return verdict;
  });
  await Promise.race([asked, waiting]);
  const beside = await other.judge(call);
  assert.equal(isAnswered, false);
  assert.equal(beside.rate?.remaining, UNLIMITED.rateLimitPerMinute - 7, 'what is not on the disk yet counts');
  release();
  assert.equal((await waiting).rate?.remaining, UNLIMITED.rateLimitPerMinute - 6);
  assert.deepEqual(await readCounted(db, call), { units: 7, month_units: 7, window_calls: 7 });
  await slow.judge(call);
  await slow.judge(call);
  const before = flushes.count();
  await slow.judge(call);
  assert.equal(flushes.count(), before, 'once the others are silent it is alone again');
});

test('a count is released without its flush only where it is flushed afterwards, and a refusal needs none [I-29]', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectTestDatabase(url, { poolMax: 1, settings: { synchronous_commit: 'local' } });
  t.after(() => db.close());
  const call = await issueCall(db, { rateLimitPerMinute: 1, quota: null });
  const flushes = watchFlushes();
  const group = { key_id: call.keyId, product: call.product, secret_number: 1, calls: 1, units: 1 };
  const watched = flushes.wrap(db);
  assert.equal((await judgeCalls(watched, [group], true))[0]?.granted, 1);
  assert.equal(flushes.count(), 1);
  assert.equal((await judgeCalls(watched, [group], true))[0]?.granted, 0);
  assert.equal(flushes.count(), 1);
  const [setting] = await db.query<{ setting: string }>(sql`select current_setting('synchronous_commit') as setting`);
  assert.equal(setting!.setting, 'local', 'the connection commits as before');
});

test('in one window over eight processes, every admitted call gets a different number of calls left [7, I-30]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const limits = { rateLimitPerMinute: 300, quota: 250 };
  const call = await issueCall(db, limits);
  const meters = await Promise.all(Array.from({ length: 8 }, () => openProcess(t, url)));
  const verdicts = await Promise.all(Array.from({ length: 400 }, (_, number) => meters[number % 8]!.judge(call)));
  const told = (refusal: Verdict['refusal']): number[] =>
    verdicts.filter((verdict) => verdict.refusal === refusal).map(({ rate }) => rate!.remaining);
  const admitted = [...told(null), ...told('quota_exceeded')].sort((one, other) => one - other);
  assert.deepEqual(
    admitted,
    Array.from({ length: limits.rateLimitPerMinute }, (_, left) => left),
  );
  assert.deepEqual(told('rate_limited'), new Array(100).fill(0));
  assert.equal(told(null).length, limits.quota);
  assert.deepEqual(await readCounted(db, call), { units: 250, month_units: 250, window_calls: 300 });
});

type Step =
  | { readonly do: 'call'; readonly process: number; readonly calls: number; readonly takesUnit: boolean }
  | { readonly do: 'fail'; readonly process: number }
  | { readonly do: 'kill'; readonly process: number; readonly calls: number }
  | { readonly do: 'window' | 'day' | 'month' };

const PROCESSES = 3;
const process = fc.nat(PROCESSES - 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('call'),
        process,
        calls: fc.integer({ min: 1, max: 6 }),
        takesUnit: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fail'), process }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('kill'), process, calls: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('window', 'day', 'month') }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 14 },
);

const TRIALS = runsOf(6);

test('units, quota and window agree with what was answered, whichever process is killed and whatever ends [8, I-28, I-29, I-30]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const open = async (number: number): Promise<{ database: Database; meter: Meter; name: string }> => {
    const name = `meter ${number}`;
    const limits = { poolMax: 2, statementTimeoutMs: 10_000, acquireTimeoutMs: 10_000 };
    const database = await connectDatabase({ url, applicationName: name, log: testLog, ...limits });
    return { database, name, meter: buildMeter({ database, clock: systemClock, log: testLog }) };
  };
  const processes = await Promise.all(Array.from({ length: PROCESSES }, (_, number) => open(number)));
  t.after(async () => {
    for (const { meter, database } of processes) {
      await meter.close();
      await database.close();
    }
  });
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const limits = { rateLimitPerMinute: 12, quota: 20 };
      const call = await issueCall(db, limits);
      /** Units of calls that were answered and kept theirs; calls whose answer was lost, which may have taken one. */
      let [kept, lost] = [0, 0];
      let month = { kept: 0, lost: 0 };
      const judge = async (number: number, takesUnit: boolean): Promise<void> => {
        const verdict = await processes[number]!.meter.judge({ ...call, takesUnit }).catch(() => null);
        if (verdict === null) {
          lost += takesUnit ? 1 : 0;
          month.lost += takesUnit ? 1 : 0;
        } else if (verdict.refusal === null && takesUnit) {
          kept += 1;
          month.kept += 1;
        }
      };
      for (const step of played) {
        if (step.do === 'call') {
          const calls = Array.from({ length: step.calls }, (_, number) =>
            judge((step.process + number) % PROCESSES, step.takesUnit),
          );
          await Promise.all(calls);
        } else if (step.do === 'fail') {
          const { meter } = processes[step.process]!;
          const verdict = await meter.judge(call);
          if (verdict.unitDay !== null) await meter.returnUnit(call, verdict.unitDay);
        } else if (step.do === 'kill') {
          const { name } = processes[step.process]!;
          const calls = Array.from({ length: step.calls }, () => judge(step.process, true));
          await db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = ${name} and datname = current_database()`);
          await Promise.all(calls);
        } else if (step.do === 'window') {
          await db.query(sql`update key_product set window_started_at = window_started_at - interval '1 minute'
            where key_id = ${call.keyId}`);
        } else {
          // The last unit was counted yesterday, or in a month long ago.
          const ago = step.do === 'day' ? sql`'1 day'::interval` : sql`'400 days'::interval`;
          await db.query(sql`
            with moved as (
              update key_product set day = (day - ${ago})::date,
                month = case when ${step.do === 'month'} then (month - ${ago})::date else month end
              where key_id = ${call.keyId} and day is not null returning key_id
            )
            update usage_day set day = (usage_day.day - ${ago})::date
            from moved where usage_day.key_id = moved.key_id and ${step.do === 'month'}`);
          if (step.do === 'month') month = { kept: 0, lost: 0 };
        }
        const { units, window_calls } = await readCounted(db, call);
        assert.ok(units >= kept && units <= kept + lost, `${units} units for ${kept} answers and ${lost} lost ones`);
        assert.ok(window_calls <= limits.rateLimitPerMinute);
        assert.ok(month.kept <= limits.quota, `${month.kept} of ${limits.quota} served in a month`);
      }
    }),
    { numRuns: TRIALS },
  );
});
