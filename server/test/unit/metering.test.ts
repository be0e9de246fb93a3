/** How waiting calls are put together, without a database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildMeter } from '../../src/access/meter.ts';
import { UnitDebts } from '../../src/access/unit-debts.ts';
import type { Verdict } from '../../src/access/verdict.ts';
import type { Clock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Database } from '../../src/database/driver/db.ts';
import type { JudgedGroup } from '../../src/store/accounts/usage.ts';
import { testLog } from '../support/database.ts';

interface Sent {
  keyIds: string[];
  calls: number[];
  units: number[];
  answer(change?: Partial<JudgedGroup>): void;
  fail(error: Error): void;
}

/** A call waits at least this long for its verdict; waits for other callers are shorter. */
const LONG_MS = 1_000;

interface Asked {
  text: string;
  values: readonly unknown[];
}

/** What a verdict is asked for, by either statement: the short one names one key, the long one lists of them. */
function readAsked({ text, values }: Asked): [string[], string[], number[], number[]] {
  if (text.includes('unnest')) {
    const [keyIds, products, , calls, units] = values as [string[], string[], number[], number[], number[]];
    return [keyIds, products, calls, units];
  }
  const [units, , calls, keyId, product] = values as [number, number, number, string, string];
  return [[keyId], [product], [calls], [units]];
}

/** A meter whose verdicts are given, and whose waits end, when the test says so; units are taken back at once. */
function buildHeldMeter() {
  const sent: Sent[] = [];
  const waits: (() => void)[] = [];
  const patience: (() => void)[] = [];
  let sinceMs = 0;
  const returned: unknown[] = [];
  const query = (statement: Asked): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      if (statement.text.includes('pg_current_xact_id')) return resolve([{ id: '1' }]);
      // The rows that units go back to are locked before.
      if (statement.text.trimStart().startsWith('select from key_product')) return resolve([]);
      if (statement.text.includes('uncounted')) {
        returned.push(statement.values);
        return resolve([]);
      }
      const [keyIds, products, calls, units] = readAsked(statement);
      const judge = (keyId: string, index: number): JudgedGroup => ({
        key_id: keyId,
        product: products[index] as 'records',
        revoked: false,
        enabled: true,
        live_secrets: [1],
        rate_limit: 1000,
        window_calls: 0,
        admitted: calls[index]!,
        window_ms: 60_000,
        quota: null,
        used: units[index]!,
        granted: units[index]!,
        day: '2026-11-21',
        last_stamp: '2026-11-21T00:00:00.000000Z',
      });
      const answer = (change = {}): void => resolve(keyIds.map((id, index) => ({ ...judge(id, index), ...change })));
      sent.push({ keyIds, calls, units, answer, fail: reject });
    });
  const clock: Clock = {
    nowMs: () => 0,
    monotonicMs: () => sinceMs,
    sleep: () => Promise.reject(new Error('the meter waits by callAfter')),
    callAfter: (ms, act) => {
      const held = ms < LONG_MS ? waits : patience;
      held.push(act);
      return () => void held.splice(held.indexOf(act), 1);
    },
  };
  /** Time passes, and what is due then happens. */
  const pass = (ms: number): void => {
    sinceMs += ms;
    for (const act of patience.splice(0)) act();
  };
  const database = {
    query,
    transaction: async (work: (tx: unknown) => Promise<unknown>) => await work({ query }),
  } as unknown as Database;
  const meter = buildMeter({ database, clock, log: testLog });
  const judge = (keyId = 'k', takesUnit = true, isCrowding = false): Promise<Verdict> =>
    meter.judge({ keyId, secretNumber: 1, product: 'records', takesUnit }, isCrowding);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  };
  return { sent, waits, pass, returned, meter, judge, settle };
}

test('judges everything that waits in one statement, one group for each key and product', async () => {
  const { sent, judge, settle } = buildHeldMeter();
  const alone = judge('z');
  assert.equal(sent.length, 1, 'a call that is alone is asked about at once');
  const verdicts = [judge('a'), judge('b'), judge('a', false), judge('a')];
  sent[0]!.answer();
  await Promise.all([alone, settle()]);
  assert.deepEqual(
    sent.slice(1).map(({ calls, units }) => ({ calls, units })),
    [{ calls: [3, 1], units: [2, 1] }],
  );
  sent[1]!.answer();
  const days = (await Promise.all(verdicts)).map(({ unitDay }) => unitDay);
  assert.deepEqual(days, ['2026-11-21', '2026-11-21', null, '2026-11-21']);
});

test('a call does not wait for the verdicts on a customer who crowds', async () => {
  const { sent, judge, settle } = buildHeldMeter();
  const crowd = Array.from({ length: 4 }, () => judge('crowd', true, true));
  assert.equal(sent.length, 1);
  for (let call = 0; call < 3; call += 1) {
    const quick = judge('quick');
    assert.equal(sent.length, call + 2, 'it is asked about at once');
    sent.at(-1)!.answer();
    assert.equal((await quick).unitDay, '2026-11-21');
    await settle();
  }
  sent[0]!.answer();
  await settle();
  assert.deepEqual(
    sent.map(({ keyIds, calls }) => [...keyIds, ...calls]),
    [
      ['crowd', 1],
      ['quick', 1],
      ['quick', 1],
      ['quick', 1],
      ['crowd', 3],
    ],
  );
  sent[4]!.answer();
  await Promise.all(crowd);
});

test('units that fall due while others are returned are returned once, as soon as those are', async () => {
  const { returned, meter, settle } = buildHeldMeter();
  const owe = (keyId: string) =>
    meter.returnUnit({ keyId, secretNumber: 1, product: 'records', takesUnit: true }, '2026-11-21');
  const early = owe('a');
  for (let step = 0; step < 3; step += 1) await null;
  await Promise.all([early, owe('b'), owe('c'), owe('b')]);
  await settle();
  const units = new Map<string, number>();
  for (const values of returned) {
    const [keyIds, , , counts] = values as [string[], string[], string[], number[]];
    for (const [place, keyId] of keyIds.entries()) units.set(keyId, (units.get(keyId) ?? 0) + counts[place]!);
  }
  assert.deepEqual(Object.fromEntries(units), { a: 1, b: 2, c: 1 });
  assert.deepEqual([meter.state().returnedUnits, meter.state().owedUnits], [4, 0]);
});

test('an outage in which many returns fail is one line of the log, and its end another', async () => {
  let isAway = true;
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg as string) };
  const log = buildLog({ level: 'info', format: 'json', destination });
  const transaction = (): Promise<void> => (isAway ? Promise.reject(new NoAnswer('database_away')) : Promise.resolve());
  const debts = new UnitDebts({ transaction } as unknown as Database, log);
  const fail = async (): Promise<void> => {
    debts.add({ key_id: 'a', product: 'records', day: '2026-11-21', units: 1 });
    await debts.settle();
  };
  for (let calls = 0; calls < 5; calls += 1) await fail();
  assert.deepEqual([lines, debts.owedUnits], [['units of failed calls could not be returned yet'], 5]);
  isAway = false;
  await debts.settle();
  await fail();
  assert.deepEqual(lines.slice(1), ['units of failed calls are returned again']);
  assert.equal(debts.owedUnits, 0);
});

test('gives the units that are left to calls that take one, and refuses the rest by its reason [I-28, I-29]', async () => {
  const { sent, judge, settle } = buildHeldMeter();
  const alone = judge('z');
  const verdicts = [judge('a', false), judge('a'), judge('a'), judge('a'), judge('a', false), judge('b')];
  sent[0]!.answer();
  await Promise.all([alone, settle()]);
  sent[1]!.answer({ admitted: 4, granted: 2, quota: 10, used: 10, rate_limit: 100, window_calls: 96 });
  const judged = await Promise.all(verdicts);
  const refusals = judged.map(({ refusal }) => refusal);
  assert.deepEqual(judged[0]!.quota, { limit: 10, used: 10, resetsAt: '2026-12-01T00:00:00.000000Z' });
  assert.deepEqual(refusals, ['quota_exceeded', null, null, 'quota_exceeded', 'rate_limited', null]);
});

test('waits a moment for callers that were answered together, and no longer', async () => {
  const { sent, waits, judge, settle } = buildHeldMeter();
  const alone = judge();
  const first = [judge(), judge(), judge(), judge()];
  sent[0]!.answer();
  await Promise.all([alone, settle()]);
  const during = [judge(), judge()];
  sent[1]!.answer();
  await Promise.all(first);
  await settle();
  assert.equal(sent.length, 2, 'four were answered and two wait: six are expected');
  const back = [judge(), judge(), judge()];
  await settle();
  assert.deepEqual(sent[2]!.calls, [5]);
  sent[2]!.answer();
  await Promise.all([...during, ...back]);
  const late = judge();
  await settle();
  assert.equal(sent.length, 3);
  for (const end of [...waits]) end();
  await settle();
  assert.deepEqual(sent[3]!.calls, [1]);
  sent[3]!.answer();
  await late;
});

test('gives a unit back between two statements, however many calls keep coming [I-29]', async () => {
  const { sent, waits, judge, meter, settle } = buildHeldMeter();
  const call = { keyId: 'k', secretNumber: 1, product: 'records', takesUnit: true } as const;
  const first = judge();
  await settle();
  let isReturned = false;
  const returned = meter.returnUnit(call, '2026-11-21').then(() => {
    isReturned = true;
  });
  const second = judge();
  sent[0]!.answer();
  await first;
  await settle();
  for (const end of waits) end();
  await settle();
  assert.equal(isReturned, true);
  assert.equal(sent.length, 2, 'and the call that waits is asked about after it');
  sent[1]!.answer();
  await Promise.all([second, returned]);
});

test('refuses every call of a statement that fails, and goes on with the next [I-9]', async () => {
  const { sent, judge, settle } = buildHeldMeter();
  const alone = judge();
  const broken = [judge(), judge(), judge()].map((verdict) => assert.rejects(verdict, /gone/));
  sent[0]!.answer();
  await Promise.all([alone, settle()]);
  sent[1]!.fail(new Error('gone'));
  await Promise.all(broken);
  const next = [judge(), judge(), judge()];
  await settle();
  sent[2]!.answer();
  assert.equal((await Promise.all(next)).length, 3);
});

test('keeps no call waiting without end, and takes back the unit that comes too late [I-29, I-35]', async () => {
  const { sent, waits, pass, returned, judge, meter, settle } = buildHeldMeter();
  const slow = assert.rejects(judge(), { code: 'verdicts_waiting' });
  pass(1_000);
  const behind = assert.rejects(judge(), { code: 'verdicts_waiting' });
  pass(3_000);
  await slow;
  const later = judge();
  pass(1_000);
  await behind;
  sent[0]!.answer();
  await settle();
  for (const end of [...waits]) end();
  await settle();
  assert.deepEqual(sent[1]!.calls, [1], 'of those that waited, only the one that has not waited too long is judged');
  sent[1]!.answer();
  assert.equal((await later).refusal, null);
  await settle();
  await meter.close();
  assert.deepEqual(returned, [[['k'], ['records'], ['2026-11-21'], [1]]]);
});
