import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrademarkApiError } from '../src/errors.ts';
import { planFaultWait } from '../src/replica/faults.ts';
import {
  planStep,
  type ReplicaEvent,
  type ReplicaPosition,
  type ReplicaState,
  START,
  transition,
} from '../src/replica/states.ts';

const FAULTS_MAX = 2;
const BOUNDS = { faultsMax: FAULTS_MAX, patienceMs: 10_000 };
const error = new Error('why');
const next: ReplicaPosition = { cursor: 'c_2', complete_to: '2026-01-01T00:00:00.000000Z', delivered: 7 };

const STATES: Record<ReplicaState['kind'], ReplicaState> = {
  syncing: { kind: 'syncing', position: START, faults: 1, fault: error, faultSinceMs: 5_000, waitMs: 1 },
  caught_up: {
    kind: 'caught_up',
    position: START,
    pollAfterMs: 1,
    faults: 1,
    fault: error,
    faultSinceMs: 5_000,
    waitMs: 1,
  },
  failed: { kind: 'failed', position: START, error },
};
const EVENTS: { [Kind in ReplicaEvent['kind']]: Extract<ReplicaEvent, { kind: Kind }> } = {
  page_saved: { kind: 'page_saved', position: next },
  end_saved: { kind: 'end_saved', position: next, pollAfterMs: 5_000 },
  fault: { kind: 'fault', error, atMs: 6_000, waitMs: 700 },
  refusal: { kind: 'refusal', error },
};

const afresh = { position: next, faults: 0, fault: null, faultSinceMs: null, waitMs: 0 };
const worse = { position: START, faults: 2, fault: error, faultSinceMs: 5_000, waitMs: 700 };
const failed: ReplicaState = { kind: 'failed', position: START, error };

/** The table of SPEC.md. */
const TABLE: Record<ReplicaState['kind'], Record<ReplicaEvent['kind'], ReplicaState>> = {
  syncing: {
    page_saved: { kind: 'syncing', ...afresh },
    end_saved: { kind: 'caught_up', pollAfterMs: 5_000, ...afresh },
    fault: { kind: 'syncing', ...worse },
    refusal: failed,
  },
  caught_up: {
    page_saved: { kind: 'syncing', ...afresh },
    end_saved: { kind: 'caught_up', pollAfterMs: 5_000, ...afresh },
    fault: { kind: 'caught_up', pollAfterMs: 1, ...worse },
    refusal: failed,
  },
  failed: { page_saved: failed, end_saved: failed, fault: failed, refusal: failed },
};

test('moves between the three states by the table of the specification, for every state and event', () => {
  for (const state of Object.values(STATES)) {
    for (const event of Object.values(EVENTS)) {
      const label = `${state.kind} on ${event.kind}`;
      assert.deepEqual(transition(state, event, BOUNDS), TABLE[state.kind][event.kind], label);
    }
  }
});

test('fails on the fault after the last one that is borne, and on one whose wait would outlast the patience', () => {
  const worn: ReplicaState = { kind: 'caught_up', pollAfterMs: 0, ...worse };
  assert.deepEqual(transition(worn, EVENTS.fault, BOUNDS), failed);
  const once: ReplicaState = { ...worn, faults: 1 };
  const late = (atMs: number): ReplicaEvent => ({ kind: 'fault', error, atMs, waitMs: 1_000 });
  assert.equal(transition(once, late(14_000), BOUNDS).kind, 'caught_up');
  assert.deepEqual(transition(once, late(14_001), BOUNDS), failed);
});

test('asks at once while syncing, waits a poll when caught up, and stops there in a single run', () => {
  const syncing: ReplicaState = { kind: 'syncing', ...afresh };
  const caughtUp: ReplicaState = { kind: 'caught_up', pollAfterMs: 0, ...afresh };
  assert.deepEqual(planStep(syncing, null), { kind: 'fetch', waitMs: 0 });
  assert.deepEqual(planStep(caughtUp, 60_000), { kind: 'fetch', waitMs: 60_000 });
  assert.deepEqual(planStep(caughtUp, null), { kind: 'stop' });
  assert.deepEqual(planStep(failed, 60_000), { kind: 'stop' });
});

test('polls no earlier than the service says anything can have come, its horizon at most', () => {
  const told = (pollAfterMs: number): ReplicaState => ({ kind: 'caught_up', pollAfterMs, ...afresh });
  const waits = [0, 61_000, 9_000_000].map((ms) => planStep(told(ms), 60_000));
  assert.deepEqual(
    waits,
    [60_000, 61_000, 300_000].map((waitMs) => ({ kind: 'fetch', waitMs })),
  );
});

test('waits longer with every fault in a row, a minute at most, and as long as the service asks, an hour at most', () => {
  const waits = [1, 2, 3, 8, 50].map((faults) => planFaultWait(error, faults, 0, 0));
  assert.deepEqual(waits, [250, 500, 1000, 30_000, 30_000]);
  const asked = (retryAfterMs: number): number => planFaultWait(buildRefused('rate_limited', retryAfterMs), 1, 0, 0);
  assert.deepEqual([asked(41_000), asked(9_000_000)], [41_000, 3_600_000]);
});

test('waits for the month to end when the quota is used up, asking once an hour whether it was raised [I-25]', () => {
  const quota = buildRefused('quota_exceeded', null);
  const waitFrom = (now: string): number => planFaultWait(quota, 1, 0, Date.parse(now));
  assert.equal(waitFrom('2026-11-10T00:00:00Z'), 3_600_000);
  assert.equal(waitFrom('2026-11-30T23:50:00Z'), 600_000);
  assert.equal(waitFrom('2026-12-31T23:59:59Z'), 1_000);
});

function buildRefused(code: string, retryAfterMs: number | null): TrademarkApiError {
  const refusal = {
    status: 429,
    code,
    message: '',
    param: null,
    detail: [],
    requestId: null,
    headers: {},
    coverage: null,
  };
  return new TrademarkApiError({ ...refusal, retryAfterMs });
}
