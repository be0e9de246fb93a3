/**
 * Defines what traces report about calls and loads. Invariant: it comes from declared tables and counts, never from the
 * content of a call or a file: no key, no customer, no query, no name.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

/** A part of a call, on the monotonic clock. */
export interface TracedStage {
  readonly stage: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface TracedCall {
  /** The name of a declared endpoint, or one of the few names for all other paths. */
  readonly endpoint: string;
  readonly method: string;
  /** Null if no answer was begun. */
  readonly status: number | null;
  /** A code of the error table; null if the call was served. */
  readonly code: string | null;
  /** How its delivery ended; `whole` if all of the answer was sent. */
  readonly end: string;
  readonly requestId: string;
  /** On the monotonic clock; it ends now. */
  readonly startedMs: number;
  /** The W3C header `traceparent` of the caller, as it came. */
  readonly parent: string | undefined;
  readonly runs: readonly TracedStage[];
}

/** What a load reports when it has ended. */
export interface TracedLoad {
  readonly load_id: string;
  readonly read: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** The observer that a load takes; absent if nobody observes it. */
export interface WatchedSteps {
  /** Called between the steps of the load. */
  readonly onStep?: (step: string) => Promise<void>;
}

export interface LoadTrace extends Required<WatchedSteps> {
  /** Null if it failed. Called once. */
  end(load: TracedLoad | null): void;
}

export interface Traces {
  noteCall(call: TracedCall): void;
  startLoad(format: string): LoadTrace;
  /** Sends the pending spans. Never rejects. */
  close(): Promise<void>;
}

export interface TracesOptions {
  /** Where a collector takes OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** The share of traces that are kept, from 0 to 1. */
  readonly share: number;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}
