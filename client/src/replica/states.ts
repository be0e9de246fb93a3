/**
 * The replica's three states and their transitions, as pure functions, so that tests can check SPEC.md's table row by
 * row. Knows no network, storage or clock; `replicate` carries out what is decided here.
 */
import { CHANGE_HORIZON_SECONDS } from '@tmds/contract/limits';
import type { Instant } from '@tmds/contract/record';

/** A replica's position in the feed. Saved in one transaction with its records. */
export interface ReplicaPosition {
  /** The latest `next_cursor`; null before the first page. */
  readonly cursor: string | null;
  /** Every change up to this instant is in the replica; null until it has caught up for the first time. */
  readonly complete_to: Instant | null;
  /** Records delivered since the beginning, counting a record again each time it changed. */
  readonly delivered: number;
  /**
   * The lineage of the service from which the replica was made, or to which it was last proven equal (I-47); absent:
   * not known.
   */
  readonly lineage?: string | null;
}

export const START: ReplicaPosition = { cursor: null, complete_to: null, delivered: 0 };

interface Running {
  readonly position: ReplicaPosition;
  /** Failed attempts since the last success. */
  readonly faults: number;
  /** The latest failure; null when there is none. */
  readonly fault: unknown;
  /** When the first of them occurred, on the monotonic clock; null when there is none. */
  readonly faultSinceMs: number | null;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}

/** How long a run waits out failures before it fails. */
export interface FaultBounds {
  /** Consecutive faults. */
  readonly faultsMax: number;
  /** Milliseconds from the first of them to the next attempt. */
  readonly patienceMs: number;
}

export const UNBOUNDED: FaultBounds = {
  faultsMax: Number.POSITIVE_INFINITY,
  patienceMs: Number.POSITIVE_INFINITY,
};

export type ReplicaState =
  | ({ readonly kind: 'syncing' } & Running)
  | ({ readonly kind: 'caught_up'; readonly pollAfterMs: number } & Running)
  | { readonly kind: 'failed'; readonly position: ReplicaPosition; readonly error: unknown };

export type ReplicaEvent =
  /** A page with records was saved. */
  | { readonly kind: 'page_saved'; readonly position: ReplicaPosition }
  /** An empty page arrived: there is nothing more up to the horizon, and that was saved. */
  | { readonly kind: 'end_saved'; readonly position: ReplicaPosition; readonly pollAfterMs: number }
  /** A temporary failure; `atMs` on the monotonic clock, `waitMs` until the next attempt. */
  | { readonly kind: 'fault'; readonly error: unknown; readonly atMs: number; readonly waitMs: number }
  /** A lasting failure: a refusal, a page that breaks the feed's contract, a place that is not a replica. */
  | { readonly kind: 'refusal'; readonly error: unknown };

type StateOf<Kind extends ReplicaState['kind']> = Extract<ReplicaState, { kind: Kind }>;
type EventOf<Kind extends ReplicaEvent['kind']> = Extract<ReplicaEvent, { kind: Kind }>;

type Transitions = {
  [S in ReplicaState['kind']]: {
    [E in ReplicaEvent['kind']]: (state: StateOf<S>, event: EventOf<E>, bounds: FaultBounds) => ReplicaState;
  };
};

const NO_FAULTS = { faults: 0, fault: null, faultSinceMs: null, waitMs: 0 } as const;

const running = {
  page_saved: (_state: Running, event: EventOf<'page_saved'>): ReplicaState => buildSyncing(event.position),
  end_saved: (_state: Running, event: EventOf<'end_saved'>): ReplicaState => ({
    kind: 'caught_up',
    position: event.position,
    pollAfterMs: event.pollAfterMs,
    ...NO_FAULTS,
  }),
  fault: (state: StateOf<'syncing' | 'caught_up'>, event: EventOf<'fault'>, bounds: FaultBounds): ReplicaState => {
    const faultSinceMs = state.faultSinceMs ?? event.atMs;
    const isExhausted =
      state.faults >= bounds.faultsMax || event.atMs + event.waitMs - faultSinceMs > bounds.patienceMs;
    return isExhausted
      ? { kind: 'failed', position: state.position, error: event.error }
      : { ...state, faults: state.faults + 1, fault: event.error, faultSinceMs, waitMs: event.waitMs };
  },
  refusal: (state: Running, event: EventOf<'refusal'>): ReplicaState => ({
    kind: 'failed',
    position: state.position,
    error: event.error,
  }),
};

const stay = (state: ReplicaState): ReplicaState => state;

/** The type is complete: a new state or event does not compile until every pair has a transition. */
const TRANSITIONS: Transitions = {
  syncing: running,
  caught_up: running,
  failed: { page_saved: stay, end_saved: stay, fault: stay, refusal: stay },
};

export function transition(state: ReplicaState, event: ReplicaEvent, bounds: FaultBounds): ReplicaState {
  const decide = TRANSITIONS[state.kind][event.kind] as (
    state: ReplicaState,
    event: ReplicaEvent,
    bounds: FaultBounds,
  ) => ReplicaState;
  return decide(state, event, bounds);
}

export function buildSyncing(position: ReplicaPosition): ReplicaState {
  return { kind: 'syncing', position, ...NO_FAULTS };
}

/** How long the service may ask a follower to wait: as long as the feed's horizon. */
const POLL_AFTER_MAX_MS = CHANGE_HORIZON_SECONDS * 1000;

export type Step = { readonly kind: 'fetch'; readonly waitMs: number } | { readonly kind: 'stop' };

/**
 * The next step: fetch a page after `waitMs`, or stop.
 *
 * @param pollMs the shortest wait between polls once caught up; null = stop then
 */
export function planStep(state: ReplicaState, pollMs: number | null): Step {
  if (state.kind === 'failed') return { kind: 'stop' };
  if (state.faults > 0) return { kind: 'fetch', waitMs: state.waitMs };
  if (state.kind === 'syncing') return { kind: 'fetch', waitMs: 0 };
  if (pollMs === null) return { kind: 'stop' };
  return { kind: 'fetch', waitMs: Math.max(pollMs, Math.min(state.pollAfterMs, POLL_AFTER_MAX_MS)) };
}
