/** Work that a process repeats. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runRounds, startRounds } from '../../src/base/rounds.ts';
import { describeJobs } from '../../src/monitor/doctor.ts';
import { DUTIES } from '../../src/store/duties/duties.ts';
import { JOBS } from '../../src/store/duties/jobs.ts';

/** A clock whose sleeps end when they are aborted, or at once. */
function buildClock(isPatient: boolean) {
  const slept: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    slept.push(ms);
    if (!isPatient || signal?.aborted) return;
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  return { slept, clock: { sleep } };
}

test('rounds follow one another after the pause that each asks for, and end when they may not go on', async () => {
  const { slept, clock } = buildClock(false);
  const pauses = [3, 0, 7];
  const rounds = [...pauses];
  await runRounds(
    clock,
    new AbortController().signal,
    async () => rounds.shift()!,
    async () => rounds.length > 0,
  );
  assert.deepEqual(slept, [3, 7]);
});

test('a stop ends the pause, waits for the round that runs, and may be repeated', async () => {
  const { slept, clock } = buildClock(true);
  let ended = 0;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const rounds = startRounds(clock, async (signal) => {
    begin();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    ended += 1;
    return 5;
  });
  await begun;
  await rounds.stop();
  await rounds.stop();
  assert.deepEqual([ended, slept], [1, [5]]);
  const waiting = startRounds(clock, async () => assert.fail('it was stopped before its first round'), 9);
  await waiting.stop();
});

test('the doctor lists every job of a server with its rhythm, and which of them only one server does', () => {
  const told = describeJobs();
  for (const [name, { everyMs, duty }] of Object.entries(JOBS)) {
    const one = duty === null ? '' : ', one server';
    assert.ok(told.includes(`${name.replaceAll('_', ' ')} (every ${everyMs / 1000} s${one})`), name);
    assert.ok(duty === null || duty in DUTIES, name);
  }
});
