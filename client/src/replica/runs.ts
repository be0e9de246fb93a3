/** What `tmds-replica sync` and `verify` do once arguments, client and sink are at hand, and what they tell. */
import type { TrademarkClient } from '../client.ts';
import type { Clock } from '../clock.ts';
import { normalizeRegisters } from './feeds.ts';
import { describeStep, formatCount, type LogEntry, renderProgress, type Terminal } from './progress.ts';
import { repair } from './repair.ts';
import { type ReplicaStep, type ReplicateOptions, replicate } from './replicate.ts';
import { ReplicaError, type ReplicaSink, type StoredReplica } from './sink.ts';
import { checkProvable, type Verification, verify } from './verify.ts';

/** What a run of the command has at hand. */
export interface Session {
  readonly client: TrademarkClient;
  readonly sink: ReplicaSink;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly bounds: Pick<ReplicateOptions, 'limit' | 'faultsMax' | 'patienceMs'>;
  readonly log: (entry: LogEntry) => void;
}

export interface SyncOptions extends Pick<ReplicateOptions, 'since' | 'expand' | 'mode' | 'pollMs' | 'search'> {
  readonly jurisdiction_code: string | undefined;
  readonly quiet: boolean;
}

/** Where lines cannot be drawn over, one says how far it is, so often at most. */
const PROGRESS_MS = 60_000;

export async function runSync(session: Session, options: SyncOptions): Promise<'done' | 'failed'> {
  const { client, sink, signal, clock, bounds } = session;
  const { quiet, ...asked } = options;
  const onStep = quiet
    ? {}
    : {
        onStep: buildReporter(
          session,
          await findExpected(session, options),
          options.search === undefined ? 'feed' : 'search',
        ),
      };
  const state = await replicate({ client, sink, ...asked, ...bounds, signal, clock, ...onStep });
  if (options.mode === 'follow' || state.kind === 'caught_up') return 'done';
  session.log({ level: 'warn', event: 'stopped', message: 'stopped before it was caught up; run it again to go on' });
  return 'failed';
}

/**
 * How many records a first run has before it, for the progress bar: asked for only where a bar is drawn. One unit. Null
 * when it cannot be known, and that is no reason to stop.
 */
async function findExpected({ client, sink, terminal }: Session, options: SyncOptions): Promise<number | null> {
  if (!terminal.live || options.since !== undefined || options.search !== undefined) return null;
  try {
    const stored = await sink.find();
    if (stored !== null && stored.position.complete_to !== null) return null;
    const { items } = await client.jurisdictions({ maxRetries: 0 });
    const codes = normalizeRegisters(options.jurisdiction_code)?.split(',');
    const total = items
      .filter((item) => codes?.includes(item.jurisdiction_code) ?? true)
      .reduce((sum, item) => sum + item.record_count, 0);
    return Math.max(0, total - (stored?.position.delivered ?? 0));
  } catch {
    return null;
  }
}

/** Draws over one line while pages come, and writes a line whenever the end is reached or a call failed. */
function buildReporter(
  { terminal, clock, log }: Session,
  expected: number | null,
  kind: 'feed' | 'search',
): (step: ReplicaStep) => void {
  const startMs = clock.monotonicMs();
  let toldMs = startMs;
  let records = 0;
  let sinceLine = 0;
  let caughtUpOnce = false;
  const clear = terminal.live ? '\r\x1b[2K' : '';
  return (step) => {
    records += step.records;
    sinceLine += step.records;
    if (step.event.kind === 'page_saved') {
      const perSecond = (records * 1000) / Math.max(1, clock.monotonicMs() - startMs);
      const shown = caughtUpOnce ? null : expected;
      const line = renderProgress(caughtUpOnce ? sinceLine : records, shown, perSecond);
      if (terminal.live) terminal.err(`${clear}${line}`);
      else if (clock.monotonicMs() - toldMs >= PROGRESS_MS) {
        toldMs = clock.monotonicMs();
        log({ level: 'info', event: 'progress', message: line, fields: { changes: sinceLine } });
      }
      return;
    }
    const entry = describeStep(step, sinceLine, kind);
    if (entry === null) return;
    if (clear !== '') terminal.err(clear);
    log(entry);
    if (step.event.kind === 'end_saved') {
      caughtUpOnce = true;
      sinceLine = 0;
    }
  };
}

export interface VerifyRunOptions {
  readonly callsMax: number | undefined;
  readonly payloads: boolean;
  readonly repair: boolean;
  readonly json: boolean;
}

export async function runVerify(
  session: Session,
  options: VerifyRunOptions,
): Promise<'done' | 'differs' | 'unchecked'> {
  const { client, sink, signal, terminal } = session;
  const stored = await sink.find();
  if (stored === null) throw new ReplicaError(`${sink.label} holds no replica yet: run tmds-replica sync first`);
  checkProvable(sink.label, stored.scope);
  await catchUp(session, stored);
  const { callsMax, payloads } = options;
  const check = (): Promise<Verification> => verify({ client, sink, callsMax, payloads, signal });
  let result = await check();
  let repaired: number | null = null;
  if (options.repair && result.differences.length > 0) {
    repaired = await repair({ client, sink, differences: result.differences, signal });
    result = await check();
  }
  const told = options.repair ? { ...result, repaired: repaired ?? 0 } : result;
  terminal.out(options.json ? `${JSON.stringify(told)}\n` : renderVerification(result, repaired));
  if (!result.equal) return 'differs';
  return result.payloads.state === 'partly' ? 'unchecked' : 'done';
}

/** A follower beside this goes on: each reads the position anew when the other has moved it. */
async function catchUp({ client, sink, signal, clock, bounds }: Session, { scope }: StoredReplica): Promise<void> {
  const state = await replicate({
    client,
    sink,
    since: scope.since,
    jurisdiction_code: scope.jurisdiction_code ?? undefined,
    expand: scope.expand ?? undefined,
    ...bounds,
    signal,
    clock,
  });
  if (state.kind !== 'caught_up') throw new ReplicaError('stopped before the replica was caught up');
}

const PAYLOADS = {
  compared: (compared: number) => `payloads of ${formatCount(compared)} records compared`,
  partly: (compared: number) => `payloads of only ${formatCount(compared)} records compared: raise --calls-max`,
  left_out: () => 'payloads not compared: left out by --no-payloads',
  not_replicated: () => 'payloads not compared: the replica holds none',
} as const satisfies Record<Verification['payloads']['state'], (compared: number) => string>;

function renderVerification(result: Verification, repaired: number | null): string {
  const lines = result.differences.map(
    ({ jurisdiction_code, uid, difference }) => `${difference}\t${jurisdiction_code}\t${uid}`,
  );
  if (result.unnamedBuckets > 0) {
    lines.push(`${result.unnamedBuckets} more groups of records differ that are not named`);
  } else if (result.differencesCapped) lines.push('more records differ that are not named');
  if (repaired !== null) lines.push(`repaired: ${formatCount(repaired)} records`);
  const verdict = result.equal ? 'equal' : 'different';
  const left = result.unsettled === 0 ? '' : `, ${formatCount(result.unsettled)} changed since and left out`;
  const calls = result.calls === 1 ? '1 call' : `${formatCount(result.calls)} calls`;
  const payloads = PAYLOADS[result.payloads.state](result.payloads.compared);
  lines.push(`${verdict}: ${formatCount(result.records)} records as of ${result.as_of}${left}, ${calls}; ${payloads}`);
  return `${lines.join('\n')}\n`;
}
