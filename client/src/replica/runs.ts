/** Runs `tmds-replica sync` and `verify`, once arguments, client and sink are ready, and reports on them. */
import type { TrademarkClient } from '../client.ts';
import type { Clock } from '../clock.ts';
import { normalizeRegisters } from './feeds.ts';
import { describeStep, formatCount, type LogEntry, renderProgress, type Terminal } from './progress.ts';
import { runProof } from './proof-run.ts';
import { type ReplicaStep, type ReplicateOptions, replicate } from './replicate.ts';
import { type DerivedTable, ReplicaError, type ReplicaSink, type StoredReplica } from './sink.ts';
import { checkProvable, isWrong, type Verification } from './verify.ts';

/** What a run of the command works with. */
export interface Session {
  readonly client: TrademarkClient;
  readonly sink: ReplicaSink;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly bounds: Pick<ReplicateOptions, 'limit' | 'faultsMax' | 'patienceMs'>;
  readonly log: (entry: LogEntry) => void;
}

export interface SyncOptions
  extends Pick<ReplicateOptions, 'since' | 'expand' | 'mode' | 'pollMs' | 'search' | 'snapshot' | 'deltas' | 'verify'> {
  readonly jurisdiction_code: string | undefined;
  readonly quiet: boolean;
}

/** The time between progress lines when a line cannot be overwritten. */
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
  const onNote = quiet ? {} : { onNote: (message: string) => session.log({ level: 'info', event: 'note', message }) };
  const state = await replicate({ client, sink, ...asked, ...bounds, signal, clock, ...onStep, ...onNote });
  if (options.mode === 'follow' || state.kind === 'caught_up') return 'done';
  session.log({
    level: 'warn',
    event: 'stopped',
    message: 'stopped before it had caught up; run it again to continue',
  });
  return 'failed';
}

/**
 * How many records a first run has to fetch, for the progress bar. Costs one unit, so it is asked only when there is a
 * bar. Null when it cannot be determined; the run goes on without it.
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

/** Overwrites one line while pages arrive, and logs a line at the end of the feed and after each failure. */
function buildReporter(
  { terminal, clock, log }: Session,
  expected: number | null,
  kind: 'feed' | 'search',
): (step: ReplicaStep) => void {
  const startMs = clock.monotonicMs();
  let loggedMs = startMs;
  let records = 0;
  let sinceLine = 0;
  let hasCaughtUp = false;
  const clear = terminal.live ? '\r\x1b[2K' : '';
  return (step) => {
    records += step.records;
    sinceLine += step.records;
    if (step.event.kind === 'page_saved') {
      const perSecond = (records * 1000) / Math.max(1, clock.monotonicMs() - startMs);
      const shown = hasCaughtUp ? null : expected;
      const line = renderProgress(hasCaughtUp ? sinceLine : records, shown, perSecond);
      if (terminal.live) terminal.err(`${clear}${line}`);
      else if (clock.monotonicMs() - loggedMs >= PROGRESS_MS) {
        loggedMs = clock.monotonicMs();
        log({ level: 'info', event: 'progress', message: line, fields: { changes: sinceLine } });
      }
      return;
    }
    const entry = describeStep(step, sinceLine, kind);
    if (entry === null) return;
    if (clear !== '') terminal.err(clear);
    log(entry);
    if (step.event.kind === 'end_saved') {
      hasCaughtUp = true;
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
  const {
    last: result,
    derived,
    repaired,
  } = await runProof({
    ...{ client, sink, callsMax, payloads, signal, repair: options.repair },
  });
  const reported = options.repair ? { ...result, repaired: repaired ?? 0 } : result;
  terminal.out(options.json ? `${JSON.stringify(reported)}\n` : renderVerification(result, repaired, derived));
  if (!result.equal) return 'differs';
  return result.payloads.state === 'partly' ? 'unchecked' : 'done';
}

/** A follower may keep running in parallel: each rereads the position when the other has moved it. */
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
  if (state.kind === 'caught_up') return;
  throw new ReplicaError('stopped before the replica had caught up', { retryable: true });
}

const PAYLOADS = {
  compared: (compared: number) => `payloads of ${formatCount(compared)} records compared`,
  partly: (compared: number) => `payloads of only ${formatCount(compared)} records compared: raise --calls-max`,
  left_out: () => 'payloads not compared: left out by --no-payloads',
  not_replicated: () => 'payloads not compared: the replica holds none',
} as const satisfies Record<Verification['payloads']['state'], (compared: number) => string>;

/** @param derived tables that were made again */
function renderVerification(result: Verification, repaired: number | null, derived: readonly string[]): string {
  const lines = result.differences.map(
    ({ jurisdiction_code, uid, difference }) => `${difference}\t${jurisdiction_code}\t${uid}`,
  );
  if (result.unnamedBuckets > 0) {
    lines.push(`${result.unnamedBuckets} more groups of records differ and are not listed`);
  } else if (result.differencesCapped) lines.push('more records differ and are not listed');
  for (const { table, missing, extra } of result.derived.filter(isWrong)) {
    lines.push(`${table}: ${formatCount(missing)} rows missing, ${formatCount(extra)} rows that no record has`);
  }
  if (repaired !== null) lines.push([`repaired: ${formatCount(repaired)} records`, ...derived].join(', '));
  const verdict = result.equal ? 'equal' : 'different';
  const left = result.unsettled === 0 ? '' : `, ${formatCount(result.unsettled)} changed since and left out`;
  const calls = result.calls === 1 ? '1 call' : `${formatCount(result.calls)} calls`;
  const payloads = PAYLOADS[result.payloads.state](result.payloads.compared);
  const head = `${verdict}: ${formatCount(result.records)} records as of ${result.as_of}${left}, ${calls}`;
  lines.push(`${head}; ${payloads}${describeDerived(result.derived)}`);
  return `${lines.join('\n')}\n`;
}

function describeDerived(derived: readonly DerivedTable[]): string {
  if (derived.length === 0) return '';
  const rows = derived.reduce((sum, table) => sum + table.rows, 0);
  const names = derived.map(({ table }) => table);
  const last = names.pop();
  const listed = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return `; ${listed} compared, ${formatCount(rows)} rows`;
}
