/** A call, whether a connection or a page waits for its answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { apiError } from '../../src/base/errors.ts';
import { Call, type CallEnd, type EndedCall, Timing, Traffic } from '../../src/http/call.ts';

function openCall() {
  const ended: EndedCall[] = [];
  let returned = 0;
  const observers = [(call: EndedCall) => void ended.push(call)];
  const traffic = new Traffic({ clock: systemClock, keepsRuns: false, observers });
  const call = new Call({ requestId: '1', method: 'GET', target: '/v1/health', parent: undefined }, traffic);
  const giveBack = async (): Promise<void> => {
    returned += 1;
  };
  return { call, traffic, ended, giveBack, countReturned: () => returned };
}

test('a call keeps its unit if its answer was begun and broke off through no fault of the service [I-28]', () => {
  const ends: readonly (readonly [end: CallEnd, hasBegun: boolean, units: number])[] = [
    ['whole', true, 1],
    ['abandoned', true, 1],
    ['too slow', true, 1],
    ['abandoned', false, 0],
    ['failed', true, 0],
  ];
  for (const [end, hasBegun, units] of ends) {
    const { call, ended, giveBack, countReturned } = openCall();
    call.takeUnit(giveBack);
    call.hasBegun = hasBegun;
    call.finish(end);
    assert.deepEqual([ended[0]?.units, countReturned()], [units, 1 - units], `${end}, begun: ${hasBegun}`);
  }
});

test('a unit goes back once, also if it is taken for a caller who has gone [I-28, I-29]', async () => {
  const one = openCall();
  one.call.takeUnit(one.giveBack);
  await Promise.all([one.call.returnUnit(), one.call.returnUnit()]);
  one.call.finish('failed');
  assert.deepEqual([one.countReturned(), one.ended[0]?.units], [1, 0]);
  const gone = openCall();
  gone.call.finish('abandoned');
  gone.call.takeUnit(gone.giveBack);
  assert.equal(gone.countReturned(), 1);
});

test('a call ends once, is observed once, and is in flight until then', () => {
  const { call, traffic, ended } = openCall();
  const acts: string[] = [];
  call.whenSent(() => acts.push('sent'));
  call.whenOver((end) => acts.push(end));
  call.onGone(() => acts.push('gone'));
  assert.equal(traffic.inFlight, 1);
  call.noteSent();
  call.noteSent();
  call.refuse(apiError('not_found', 'There is none.'));
  call.finish('whole');
  call.finish('failed');
  call.whenSent(() => acts.push('late'));
  assert.deepEqual(acts, ['sent', 'whole', 'late']);
  assert.deepEqual([traffic.inFlight, ended.length, ended[0]?.end, ended[0]?.code], [0, 1, 'whole', 'not_found']);
});

test('a caller who goes away aborts what runs for it', () => {
  const { call } = openCall();
  const { signal } = call;
  call.finish('abandoned');
  assert.equal(signal.aborted, true);
});

test('a stage is measured whether it succeeds or fails, now or later', async () => {
  let nowMs = 0;
  const timing = new Timing({ monotonicMs: () => nowMs }, true);
  const work = (ms: number): void => {
    nowMs += ms;
  };
  timing.measure('parse', () => work(1));
  assert.throws(() =>
    timing.measure('plan', () => {
      work(2);
      throw new Error('no plan');
    }),
  );
  await timing.measure('store', async () => work(3));
  const failing = timing.measure('store', async () => {
    work(4);
    throw new Error('no store');
  });
  await assert.rejects(failing);
  assert.equal(timing.render(), 'parse;dur=1, plan;dur=2, store;dur=7');
  assert.deepEqual(
    timing.runs?.map(({ stage }) => stage),
    ['parse', 'plan', 'store', 'store'],
  );
});
