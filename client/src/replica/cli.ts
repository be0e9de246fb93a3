/**
 * The command `tmds-replica`: reads arguments, opens the sink, runs, and tells. Exit status 0 done, 1 failed or
 * different, 2 wrong usage. The key comes from the environment only: arguments are seen by everyone on the machine.
 */
import { parseArgs } from 'node:util';
import { TrademarkClient } from '../client.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Environment } from '../config.ts';
import { VERSION } from '../version.ts';
import { DESTINATIONS, openDestination } from './destination.ts';
import { describeError, formatCount, renderProgress, renderStep } from './progress.ts';
import { EPOCH, POLL_DEFAULT_MS, type ReplicateOptions, replicate } from './replicate.ts';
import { ReplicaError, type ReplicaSink } from './sink.ts';
import { CALLS_DEFAULT, type Verification, verify } from './verify.ts';

const USAGE = `tmds-replica [sync|verify|status] --to PLACE [options]

  sync      take every change the service has for the replica (the default)
  verify    catch up, then prove that the replica equals the service, or name the records that differ
  status    what the replica holds and up to when

  --to PLACE            ${DESTINATIONS}
  --base-url URL        the service, with the product's path; or TMDS_BASE_URL
  --once                sync: stop when caught up (the default)
  --follow              sync: poll on until stopped
  --poll-seconds N      sync --follow: time between polls, default ${POLL_DEFAULT_MS / 1000}
  --jurisdiction CODE   one register; fixed for the life of a replica, like the next two
  --since DATE          changes from this day on, default ${EPOCH}: everything
  --expand payload      with the full document of every record
  --limit N             records a page, up to 5000 (200 with --expand)
  --calls-max N         verify: calls to spend on naming differences, default ${CALLS_DEFAULT}
  --json                verify, status: the result as one JSON object
  --quiet               no progress
  --help, --version

The API key is read from TMDS_API_KEY.
`;

const OPTIONS = {
  to: { type: 'string' },
  'base-url': { type: 'string' },
  once: { type: 'boolean' },
  follow: { type: 'boolean' },
  'poll-seconds': { type: 'string' },
  jurisdiction: { type: 'string' },
  since: { type: 'string' },
  expand: { type: 'string' },
  limit: { type: 'string' },
  'calls-max': { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** True where a line can be drawn over. */
  readonly live: boolean;
}

class UsageError extends Error {}

type Flags = ReturnType<typeof parseFlags>['values'];

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs one command; never throws. @param signal stops a sync at the next safe point */
export async function runReplicaCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<number> {
  try {
    const { values, positionals } = parseFlags(args);
    if (values.help) {
      terminal.out(USAGE);
      return 0;
    }
    if (values.version) {
      terminal.out(`${VERSION}\n`);
      return 0;
    }
    const [command = 'sync', ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one argument too many`);
    if (command !== 'sync' && command !== 'verify' && command !== 'status') {
      throw new UsageError(`"${command}" is no command`);
    }
    if (values.to === undefined) throw new UsageError(`--to is missing: ${DESTINATIONS}`);
    const sink = await openDestination(values.to);
    try {
      if (command === 'status') return await runStatus(sink, values, terminal);
      const client = buildClient(values, environment);
      return command === 'sync'
        ? await runSync(client, sink, values, terminal, signal, clock)
        : await runVerify(client, sink, values, terminal, signal, clock);
    } finally {
      await sink.close();
    }
  } catch (error) {
    terminal.err(`tmds-replica: ${describeError(error)}\n`);
    if (!(error instanceof UsageError || error instanceof TypeError)) return 1;
    terminal.err('Try: tmds-replica --help\n');
    return 2;
  }
}

function buildClient(values: Flags, environment: Environment): TrademarkClient {
  return new TrademarkClient({
    apiKey: environment.TMDS_API_KEY,
    baseUrl: values['base-url'] ?? environment.TMDS_BASE_URL,
  });
}

function parseCount(values: Flags, name: 'limit' | 'poll-seconds' | 'calls-max'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}"`);
  return Number(text);
}

async function runSync(
  client: TrademarkClient,
  sink: ReplicaSink,
  values: Flags,
  terminal: Terminal,
  signal: AbortSignal,
  clock: Clock,
): Promise<number> {
  if (values.once && values.follow) throw new UsageError('--once and --follow exclude each other');
  if (values.expand !== undefined && values.expand !== 'payload') throw new UsageError('--expand takes payload');
  const pollSeconds = parseCount(values, 'poll-seconds');
  const mode = values.follow ? 'follow' : 'once';
  const state = await replicate({
    client,
    sink,
    since: values.since,
    jurisdiction_code: values.jurisdiction,
    expand: values.expand,
    limit: parseCount(values, 'limit'),
    mode,
    pollMs: pollSeconds === undefined ? undefined : pollSeconds * 1000,
    signal,
    clock,
    ...(values.quiet
      ? {}
      : { onStep: buildReporter(terminal, clock, await findExpected(client, sink, values, terminal)) }),
  });
  return mode === 'once' && state.kind !== 'caught_up' ? 1 : 0;
}

/** How many records a first run has before it, for the progress bar: asked for only where a bar is drawn. One unit. */
async function findExpected(
  client: TrademarkClient,
  sink: ReplicaSink,
  values: Flags,
  terminal: Terminal,
): Promise<number | null> {
  if (!terminal.live || values.since !== undefined) return null;
  const stored = await sink.find();
  if (stored !== null && stored.position.complete_to !== null) return null;
  const { items } = await client.jurisdictions({ maxRetries: 0 });
  const code = values.jurisdiction?.toUpperCase();
  const total = items
    .filter((item) => code === undefined || item.jurisdiction_code === code)
    .reduce((sum, item) => sum + item.record_count, 0);
  return Math.max(0, total - (stored?.position.delivered ?? 0));
}

/** Draws over one line while pages come, and writes a line whenever the end is reached or a call failed. */
function buildReporter(
  terminal: Terminal,
  clock: Clock,
  expected: number | null,
): NonNullable<ReplicateOptions['onStep']> {
  const startMs = clock.monotonicMs();
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
      if (terminal.live)
        terminal.err(`${clear}${renderProgress(caughtUpOnce ? sinceLine : records, shown, perSecond)}`);
      return;
    }
    terminal.err(`${clear}${renderStep(step, sinceLine, POLL_DEFAULT_MS)}\n`);
    if (step.event.kind === 'end_saved') {
      caughtUpOnce = true;
      sinceLine = 0;
    }
  };
}

async function runVerify(
  client: TrademarkClient,
  sink: ReplicaSink,
  values: Flags,
  terminal: Terminal,
  signal: AbortSignal,
  clock: Clock,
): Promise<number> {
  const stored = await sink.find();
  if (stored === null) throw new ReplicaError(`${sink.label} holds no replica yet: run tmds-replica sync first`);
  const { since, jurisdiction_code, expand } = stored.scope;
  const scope = { since, jurisdiction_code: jurisdiction_code ?? undefined, expand: expand ?? undefined };
  const limit = parseCount(values, 'limit');
  const state = await replicate({ client, sink, ...scope, limit, signal, clock });
  if (state.kind !== 'caught_up') throw new ReplicaError('stopped before the replica was caught up');
  const result = await verify({ client, sink, callsMax: parseCount(values, 'calls-max'), signal });
  terminal.out(values.json ? `${JSON.stringify(result)}\n` : renderVerification(result));
  return result.equal ? 0 : 1;
}

function renderVerification(result: Verification): string {
  const lines = result.differences.map(
    ({ jurisdiction_code, uid, difference }) => `${difference}\t${jurisdiction_code}\t${uid}`,
  );
  if (result.unnamedBuckets > 0) {
    lines.push(`${result.unnamedBuckets} more groups of records differ: raise --calls-max`);
  }
  const verdict = result.equal ? 'equal' : 'different';
  const left = result.unsettled === 0 ? '' : `, ${formatCount(result.unsettled)} changed since and left out`;
  const calls = result.calls === 1 ? '1 call' : `${result.calls} calls`;
  lines.push(`${verdict}: ${formatCount(result.records)} records as of ${result.as_of}${left}, ${calls}`);
  return `${lines.join('\n')}\n`;
}

async function runStatus(sink: ReplicaSink, values: Flags, terminal: Terminal): Promise<number> {
  const stored = await sink.find();
  if (stored === null) throw new ReplicaError(`${sink.label} holds no replica`);
  const records = await sink.countRecords();
  if (values.json) {
    terminal.out(`${JSON.stringify({ ...stored, records })}\n`);
    return 0;
  }
  const { scope, position } = stored;
  terminal.out(
    `${sink.label}: ${formatCount(records)} records of ${scope.jurisdiction_code ?? 'every register'} ` +
      `since ${scope.since}, ` +
      `${position.complete_to === null ? 'not caught up yet' : `complete up to ${position.complete_to}`}\n`,
  );
  return 0;
}
