import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrademarkApiError } from '../src/errors.ts';
import {
  planStep,
  type ReplicaEvent,
  type ReplicaPosition,
  type ReplicaState,
  START,
  transition,
} from '../src/replica/states.ts';

const FAULTS_MAX = 2;
const error = new Error('why');
const next: ReplicaPosition = { cursor: 'c_2', complete_to: '2026-01-01T00:00:00.000000Z', delivered: 7 };

const STATES: Record<ReplicaState['kind'], ReplicaState> = {
  syncing: { kind: 'syncing', position: START, faults: 1, fault: error },
  caught_up: { kind: 'caught_up', position: START, pollAfterMs: 1, faults: 1, fault: error },
  failed: { kind: 'failed', position: START, error },
};
const EVENTS: { [Kind in ReplicaEvent['kind']]: Extract<ReplicaEvent, { kind: Kind }> } = {
  page_saved: { kind: 'page_saved', position: next },
  end_saved: { kind: 'end_saved', position: next, pollAfterMs: 5_000 },
  fault: { kind: 'fault', error },
  refusal: { kind: 'refusal', error },
};

const afresh = { position: next, faults: 0, fault: null };
const failed: ReplicaState = { kind: 'failed', position: START, error };

/** The table of SPEC.md. */
const TABLE: Record<ReplicaState['kind'], Record<ReplicaEvent['kind'], ReplicaState>> = {
  syncing: {
    page_saved: { kind: 'syncing', ...afresh },
    end_saved: { kind: 'caught_up', pollAfterMs: 5_000, ...afresh },
    fault: { kind: 'syncing', position: START, faults: 2, fault: error },
    refusal: failed,
  },
  caught_up: {
    page_saved: { kind: 'syncing', ...afresh },
    end_saved: { kind: 'caught_up', pollAfterMs: 5_000, ...afresh },
    fault: { kind: 'caught_up', position: START, pollAfterMs: 1, faults: 2, fault: error },
    refusal: failed,
  },
  failed: { page_saved: failed, end_saved: failed, fault: failed, refusal: failed },
};

test('moves between the three states by the table of the specification, for every state and event', () => {
  for (const state of Object.values(STATES)) {
    for (const event of Object.values(EVENTS)) {
      const label = `${state.kind} on ${event.kind}`;
      assert.deepEqual(transition(state, event, FAULTS_MAX), TABLE[state.kind][event.kind], label);
    }
  }
});

test('fails on the fault after the last one that is borne', () => {
  const worn: ReplicaState = {
    kind: 'caught_up',
    position: START,
    pollAfterMs: 0,
    faults: FAULTS_MAX,
    fault: error,
  };
  assert.deepEqual(transition(worn, EVENTS.fault, FAULTS_MAX), failed);
});

test('asks at once while syncing, waits a poll when caught up, and stops there in a single run', () => {
  const syncing: ReplicaState = { kind: 'syncing', ...afresh };
  const caughtUp: ReplicaState = { kind: 'caught_up', pollAfterMs: 0, ...afresh };
  assert.deepEqual(planStep(syncing, null, 0), { kind: 'fetch', waitMs: 0 });
  assert.deepEqual(planStep(caughtUp, 60_000, 0), { kind: 'fetch', waitMs: 60_000 });
  assert.deepEqual(planStep(caughtUp, null, 0), { kind: 'stop' });
  assert.deepEqual(planStep(failed, 60_000, 0), { kind: 'stop' });
});

test('polls no earlier than the service says anything can have come, its horizon at most', () => {
  const told = (pollAfterMs: number): ReplicaState => ({ kind: 'caught_up', pollAfterMs, ...afresh });
  const waits = [0, 61_000, 9_000_000].map((ms) => planStep(told(ms), 60_000, 0));
  assert.deepEqual(
    waits,
    [60_000, 61_000, 300_000].map((waitMs) => ({ kind: 'fetch', waitMs })),
  );
});

test('waits longer with every fault in a row, a minute at most, and as long as the service asks', () => {
  const worn = (faults: number, fault: unknown = error): ReplicaState => ({
    kind: 'syncing',
    position: START,
    faults,
    fault,
  });
  const waits = [1, 2, 3, 8, 50].map((faults) => planStep(worn(faults), null, 0));
  assert.deepEqual(
    waits,
    [250, 500, 1000, 30_000, 30_000].map((waitMs) => ({ kind: 'fetch', waitMs })),
  );
  const refusal = {
    status: 429,
    code: 'rate_limited',
    message: '',
    param: null,
    detail: [],
    requestId: null,
    headers: {},
  };
  const asked = new TrademarkApiError({ ...refusal, retryAfterMs: 41_000 });
  assert.deepEqual(planStep(worn(1, asked), null, 0), { kind: 'fetch', waitMs: 41_000 });
});
