/**
 * A call, from its arrival to the end of its answer: who asks, how long each stage takes, what it costs, how it ends.
 * The log, the call log, traces and metrics observe it once it has ended, and see neither a request nor a response. It
 * does not know whether a connection (`wire-call.ts`) or a page of the portal (`page-calls.ts`) waits for the answer.
 * Invariants: an act runs exactly once, at once if the call has ended; a unit is returned at most once.
 */
import type { Product } from '@tmds/contract/enums';
import { QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import type { Instant } from '@tmds/contract/record';
import type { Caller } from '../access/authenticate.ts';
import type { RateState, Verdict } from '../access/verdict.ts';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import type { Answer } from '../render/answer.ts';
import { renderFailure } from '../render/failure.ts';
import type { Asker } from '../store/records/records.ts';

/**
 * `abandoned`: the connection was closed by the caller, or because it was idle for too long. `too slow`: reading the
 * answer took longer than allowed. `failed`: the source of the answer failed while it was being sent.
 */
export type CallEnd = 'whole' | 'abandoned' | 'too slow' | 'failed';

/** What observers get. */
export type EndedCall = Call & { readonly end: CallEnd };
export type CallObserver = (call: EndedCall) => void;

/** What is known of a call when it arrives. */
export interface CallHead {
  readonly requestId: string;
  readonly method: string;
  /** Path and query as requested. */
  readonly target: string;
  /** The W3C header `traceparent` of the caller, as it came. */
  readonly parent: string | undefined;
}

interface TrafficOptions {
  readonly clock: Clock;
  /** Whether each run of a stage is noted, for traces. */
  readonly keepsRuns: boolean;
  readonly observers: readonly CallObserver[];
}

/** The calls of a process. */
export class Traffic {
  readonly clock: Clock;
  readonly keepsRuns: boolean;
  /** Calls that have not ended, probes included. */
  inFlight = 0;
  /** Whether the server is stopping: it still serves, and every answer ends its connection. */
  isStopping = false;
  private readonly observers: readonly CallObserver[];

  constructor({ clock, keepsRuns, observers }: TrafficOptions) {
    this.clock = clock;
    this.keepsRuns = keepsRuns;
    this.observers = observers;
  }

  observe(call: EndedCall): void {
    this.inFlight -= 1;
    for (const observe of this.observers) observe(call);
  }
}

interface SearchSettings {
  readonly clock: Clock;
  /** Time limit of a whole search; default: the published limit. */
  readonly config: { readonly queryTimeoutSeconds?: number };
}

export interface PageLimits extends SearchLimits {
  /**
   * The last stamp at some moment after the search began, if a statement reads it that the call waits for in any case.
   * Null: it does not. Never rejects.
   */
  readonly lastStamp?: (() => Promise<Instant | null>) | undefined;
}

export class Call implements Asker {
  readonly requestId: string;
  readonly method: string;
  readonly target: string;
  readonly parent: string | undefined;
  readonly clock: Clock;
  /** On the monotonic clock. */
  readonly startedMs: number;
  readonly timing: Timing;
  /** The name of a declared endpoint, or one of the few names for all other paths. */
  endpoint = 'unknown';
  /** The path of the route, with its parameters; undefined for a path that does not exist. */
  route: string | undefined = undefined;
  isProbe = false;
  /** Whose agreement the call needs and whose units it costs. */
  product: Product = 'records';
  /** Null without a known key. */
  caller: Caller | null = null;
  refusal: ApiError | null = null;
  /** The header that says how complete the registers are which the answer covers. */
  coverage: Readonly<Record<string, string>> | null = null;
  /** Null if the call is not metered, or not yet. */
  judging: Promise<Verdict> | null = null;
  /** The caller's limit after this call; null until there is a verdict, and if none applies. */
  rate: RateState | null = null;
  /** Null until the call has ended. */
  end: CallEnd | null = null;
  /** Whether any of the answer was given to the caller. Set when the call has ended. */
  hasBegun = false;
  /** Null if no answer was begun. */
  status: number | null = null;
  sentBytes = 0;
  /** Why the answer broke off, if its source failed. */
  failure: unknown = undefined;
  durationMs = 0;
  readonly traffic: Traffic;
  private acts: ((end: CallEnd) => void)[] | null = null;
  private actsWhenSent: (() => void)[] | null = null;
  private leaving: AbortController | null = null;
  private giveBack: (() => Promise<void>) | null = null;
  private givenBack: Promise<void> | null = null;

  constructor({ requestId, method, target, parent }: CallHead, traffic: Traffic) {
    this.requestId = requestId;
    this.method = method;
    this.target = target;
    this.parent = parent;
    this.traffic = traffic;
    this.clock = traffic.clock;
    this.startedMs = traffic.clock.monotonicMs();
    this.timing = new Timing(traffic.clock, traffic.keepsRuns);
    traffic.inFlight += 1;
  }

  /** The key that asks. Only for endpoints that take one. */
  get key(): Caller {
    return this.caller!;
  }

  /** The code of the refusal. */
  get code(): ApiError['code'] | null {
    return this.refusal?.code ?? null;
  }

  /** Milliseconds by stage. */
  get stages(): Timing['durationsMs'] {
    return this.timing.durationsMs;
  }

  /** Each run of a stage, if traces are kept. */
  get runs(): NonNullable<Timing['runs']> {
    return this.timing.runs ?? [];
  }

  /** Aborted when the caller has gone. Created on first use: look-ups do not need it, and take only microseconds. */
  get signal(): AbortSignal {
    if (this.leaving === null) {
      const leaving = new AbortController();
      this.leaving = leaving;
      this.onGone((reason) => leaving.abort(reason));
    }
    return this.leaving.signal;
  }

  /** The limits of a search by this call: its time and its turn, which ends when its page has been sent. */
  limitSearch({ clock, config }: SearchSettings): PageLimits {
    const deadlineMs = clock.monotonicMs() + (config.queryTimeoutSeconds ?? QUERY_TIMEOUT_SECONDS) * 1000;
    const turn = this.caller === null ? undefined : { customer: this.caller.customerId, key: this.caller.keyId };
    const { judging } = this;
    const lastStamp = judging === null ? undefined : () => judging.then(lastStampOf, () => null);
    return { deadlineMs, signal: this.signal, turn, holdTurn: (endTurn) => this.whenSent(endTurn), lastStamp };
  }

  /** The answer that refuses the call. */
  refuse(refusal: ApiError): Answer {
    this.refusal = refusal;
    return renderFailure(refusal);
  }

  /** The call has taken a unit, which it keeps unless it fails (docs/design/access.md). */
  takeUnit(giveBack: () => Promise<void>): void {
    this.giveBack = giveBack;
    if (this.end !== null && !this.keepsUnit) void this.returnUnit();
  }

  /** What the call costs. */
  get units(): 0 | 1 {
    return this.giveBack !== null && this.givenBack === null && this.keepsUnit ? 1 : 0;
  }

  /** Returns the unit, if the call has taken one. */
  returnUnit(): Promise<void> {
    this.givenBack ??= this.giveBack?.() ?? null;
    return this.givenBack ?? Promise.resolve();
  }

  /** A call whose answer was not begun, or broke off through a fault of the service, costs nothing. */
  private get keepsUnit(): boolean {
    return this.end === null || this.end === 'whole' || (this.hasBegun && this.end !== 'failed');
  }

  whenOver(act: (end: CallEnd) => void): void {
    if (this.end !== null) act(this.end);
    else if (this.acts === null) this.acts = [act];
    else this.acts.push(act);
  }

  onGone(act: (reason: unknown) => void): void {
    this.whenOver((end) => {
      if (end !== 'whole') act(apiError('unavailable', 'The caller went away before the answer.'));
    });
  }

  whenSent(act: () => void): void {
    if (this.end !== null) act();
    else if (this.actsWhenSent === null) this.actsWhenSent = [act];
    else this.actsWhenSent.push(act);
  }

  /** The answer has been handed to the caller: whole, or as a stream that is read as the caller reads. */
  noteSent(): void {
    const acts = this.actsWhenSent;
    this.actsWhenSent = null;
    if (acts !== null) for (const act of acts) act();
  }

  /** Does nothing if the call has ended. */
  finish(end: CallEnd): void {
    if (this.end !== null) return;
    this.end = end;
    this.durationMs = this.clock.monotonicMs() - this.startedMs;
    this.noteSent();
    this.traffic.observe(this as EndedCall);
    if (!this.keepsUnit) void this.returnUnit();
    const { acts } = this;
    this.acts = null;
    if (acts !== null) for (const act of acts) act(end);
  }
}

const lastStampOf = ({ lastStamp }: Verdict): Instant | null => lastStamp;

const STAGES = ['parse', 'plan', 'access', 'match', 'store', 'render'] as const;
type Stage = (typeof STAGES)[number];

/** One run of a stage, on the monotonic clock. */
interface StageRun {
  readonly stage: Stage;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** How long each stage of a call takes, for the `Server-Timing` header, metrics and traces. */
export class Timing {
  /** In milliseconds; without the stages that did not run. */
  readonly durationsMs = new Map<Stage, number>();
  /** In the order in which they ended; null if they are not kept. */
  readonly runs: StageRun[] | null;
  private readonly clock: Pick<Clock, 'monotonicMs'>;

  constructor(clock: Pick<Clock, 'monotonicMs'>, keepsRuns = false) {
    this.clock = clock;
    this.runs = keepsRuns ? [] : null;
  }

  /** Runs `work` and adds its duration to the stage, whether it succeeds or fails, now or later. */
  measure<T>(stage: Stage, work: () => T): T {
    const startedMs = this.clock.monotonicMs();
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.add(stage, startedMs);
      throw error;
    }
    if (result instanceof Promise) return this.measureRest(stage, startedMs, result) as T;
    this.add(stage, startedMs);
    return result;
  }

  private async measureRest<T>(stage: Stage, startedMs: number, rest: Promise<T>): Promise<T> {
    try {
      return await rest;
    } finally {
      this.add(stage, startedMs);
    }
  }

  private add(stage: Stage, startedMs: number): void {
    const endedMs = this.clock.monotonicMs();
    this.durationsMs.set(stage, (this.durationsMs.get(stage) ?? 0) + endedMs - startedMs);
    this.runs?.push({ stage, startedMs, endedMs });
  }

  /** `parse;dur=0.1, store;dur=2.3` in milliseconds; stages that did not run are left out. */
  render(): string {
    let text = '';
    for (const stage of STAGES) {
      const duration = this.durationsMs.get(stage);
      if (duration !== undefined) text += `${text === '' ? '' : ', '}${stage};dur=${Math.round(duration * 100) / 100}`;
    }
    return text;
  }
}
