/**
 * The command `tmds-replica`: reads its arguments, opens the sink, runs and reports. Exit status 0 = done, 1 = failed,
 * 2 = wrong usage, 3 = the replica differs, 4 = it could not be checked, 5 = someone has to act first. The key comes
 * from the environment or a file, because every user of the machine can see arguments.
 */
import { parseArgs } from 'node:util';
import { TrademarkClient } from '../client.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Environment } from '../config.ts';
import { VERSION } from '../version.ts';
import { DESTINATIONS, openDestination } from './destination.ts';
import { BLOCKED, isBlocked } from './faults.ts';
import { describeError, describeFields, formatCount, type LogEntry, renderEntry, type Terminal } from './progress.ts';
import { POLL_DEFAULT_MS, SEARCH_POLL_DEFAULT_MS } from './replicate.ts';
import { runSync, runVerify, type Session } from './runs.ts';
import { hasPassword, readSecret } from './settings.ts';
import { ReplicaError, type ReplicaSink, type StoredReplica } from './sink.ts';
import { describeOutcome, VERIFY_EVERY_MAX_MS, VERIFY_EVERY_MIN_MS, type VerifyRhythm } from './verify-rhythm.ts';

/** Exit status. */
const EXIT = { done: 0, failed: 1, usage: 2, differs: 3, unchecked: 4, blocked: BLOCKED } as const;

const POLL_DEFAULT_SECONDS = `${POLL_DEFAULT_MS / 1000}, with --search and --deltas ${SEARCH_POLL_DEFAULT_MS / 1000}`;

const USAGE = `tmds-replica [sync|verify|compact|status] --to PLACE [options]

  sync      fetch every change from the service (the default)
  verify    catch up, then prove that the replica equals the service, or list the records that differ
  compact   ndjson: remove from the log every line that a later one replaces
  status    show what the replica holds, and up to when

  --to PLACE            ${DESTINATIONS}; or TMDS_REPLICA_TO
  --base-url URL        the service, with the product's path; or TMDS_BASE_URL
  --once                sync: stop when caught up (the default)
  --follow              sync: keep polling until stopped, and wait out temporary failures
  --patience MINUTES    how long to wait out consecutive failures, default 5; no limit with --follow
  --faults-max N        how many consecutive failures to wait out; no limit by default
  --poll-seconds N      sync --follow: time between polls, default ${POLL_DEFAULT_SECONDS}
  --verify-every TIME   sync --follow: verify whenever this long has passed, such as 30m, 6h or 7d; --repair,
                        --no-payloads and --calls-max apply; status shows how it ended
  --jurisdiction CODES  one register, or several separated by commas; fixed for the life of a replica, as are the next
                        three
  --search QUERY        the records that a search matches, instead of registers: filters as in the URL of a search, such
                        as 'owner_name=acme%20inc.&status=Pending'; every refresh fetches all of them
  --since DATE          changes from this day on, default 1970-01-01: everything
  --expand payload      include the full document of every record
  --no-snapshot         sync: start from the feed, even if the service has files to start from
  --deltas              sync: take changes from the files of deltas, a day, a week or a month each, instead of the feed
  --limit N             records per page, up to 5000 (200 with --expand); with --search 500 (50)
  --repair              verify, --verify-every: fetch the records that differ, one call each, and verify again
  --no-payloads         the same: do not compare payloads, which takes a call for every 200 records
  --calls-max N         the same: the maximum number of calls, default 100000
  --json                verify, compact, status: print the result as one JSON object
  --log text|json       the format of the log; default text
  --quiet               no log
  --help, --version

Exit status: 0 done or equal, 1 failed, 2 wrong usage, 3 the replica differs, 4 it could not be checked, 5 it cannot go
on until somebody acts: a file is not there, the key is refused, the replica has another scope or is damaged.

The API key is read from TMDS_API_KEY, or from the file named by TMDS_API_KEY_FILE; TMDS_REPLICA_TO works the same way.
Do not put a PostgreSQL password into --to: set PGPASSWORD or PGPASSFILE.
`;

const OPTIONS = {
  to: { type: 'string' },
  'base-url': { type: 'string' },
  once: { type: 'boolean' },
  follow: { type: 'boolean' },
  patience: { type: 'string' },
  'faults-max': { type: 'string' },
  'poll-seconds': { type: 'string' },
  'verify-every': { type: 'string' },
  jurisdiction: { type: 'string' },
  search: { type: 'string' },
  since: { type: 'string' },
  expand: { type: 'string' },
  'no-snapshot': { type: 'boolean' },
  deltas: { type: 'boolean' },
  limit: { type: 'string' },
  repair: { type: 'boolean' },
  'no-payloads': { type: 'boolean' },
  'calls-max': { type: 'string' },
  json: { type: 'boolean' },
  log: { type: 'string' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

class UsageError extends Error {}

export type Flags = ReturnType<typeof parseFlags>['values'];

const COMMANDS = ['sync', 'verify', 'compact', 'status'] as const;
type CommandName = (typeof COMMANDS)[number];

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs a command; never throws. @param signal stops a sync at the next safe point */
export async function runReplicaCommand(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<number> {
  let command: CommandName = 'sync';
  let form: 'text' | 'json' = 'text';
  try {
    const { values, positionals } = parseFlags(args);
    if (values.help || values.version) {
      terminal.out(values.help ? USAGE : `${VERSION}\n`);
      return EXIT.done;
    }
    command = readCommand(positionals);
    form = readLogForm(values.log);
    checkFlags(values);
    const log = (entry: LogEntry): void => terminal.err(renderEntry(entry, clock.nowMs(), form));
    const sink = await openDestination(await readPlace(values.to, environment, log));
    try {
      return await runCommand(command, { values, environment, sink, terminal, signal, clock, log });
    } finally {
      await sink.close();
    }
  } catch (error) {
    return reportFailure(error, command, form, terminal, clock);
  }
}

function reportFailure(
  error: unknown,
  command: CommandName,
  form: 'text' | 'json',
  terminal: Terminal,
  clock: Clock,
): number {
  const usage = !isBlocked(error) && (error instanceof UsageError || error instanceof TypeError);
  const message = `tmds-replica: ${describeError(error)}`;
  const entry: LogEntry = { level: 'error', event: 'failed', message, fields: describeFields(error) };
  terminal.err(usage ? `${message}\nTry: tmds-replica --help\n` : renderEntry(entry, clock.nowMs(), form));
  if (isBlocked(error)) return EXIT.blocked;
  if (usage) return EXIT.usage;
  return command === 'verify' ? EXIT.unchecked : EXIT.failed;
}

function readCommand([command = 'sync', ...rest]: readonly string[]): CommandName {
  if (rest.length > 0) throw new UsageError(`unexpected argument "${rest[0]}"`);
  const known = COMMANDS.find((name) => name === command);
  if (known === undefined) throw new UsageError(`"${command}" is not a command`);
  return known;
}

function readLogForm(form: string | undefined): 'text' | 'json' {
  if (form === undefined || form === 'text') return 'text';
  if (form === 'json') return 'json';
  throw new UsageError('--log takes text or json');
}

function checkFlags(values: Flags): void {
  if (values.once && values.follow) throw new UsageError('use either --once or --follow');
  if (values.expand !== undefined && values.expand !== 'payload') throw new UsageError('--expand takes payload');
}

async function readPlace(
  to: string | undefined,
  environment: Environment,
  log: (entry: LogEntry) => void,
): Promise<string> {
  const place = to ?? (await readSecret(environment, 'TMDS_REPLICA_TO'));
  if (place === undefined) throw new UsageError(`--to is missing: ${DESTINATIONS}`);
  if (to !== undefined && hasPassword(to)) {
    const message = 'other users of this machine can read a password in --to: use TMDS_REPLICA_TO or PGPASSWORD';
    log({ level: 'warn', event: 'note', message });
  }
  return place;
}

interface Invocation extends Omit<Session, 'client' | 'bounds'> {
  readonly values: Flags;
  readonly environment: Environment;
}

async function runCommand(command: CommandName, invocation: Invocation): Promise<number> {
  const { values, environment, sink, terminal } = invocation;
  if (command === 'status') return await runStatus(sink, values, terminal);
  if (command === 'compact') return await runCompact(sink, values, terminal);
  const client = new TrademarkClient({
    apiKey: await readSecret(environment, 'TMDS_API_KEY'),
    baseUrl: values['base-url'] ?? environment.TMDS_BASE_URL,
  });
  const patience = parseCount(values, 'patience');
  const bounds = {
    limit: parseCount(values, 'limit'),
    faultsMax: parseCount(values, 'faults-max'),
    patienceMs: patience === undefined ? undefined : patience * 60_000,
  };
  const session: Session = { ...invocation, client, bounds };
  if (command === 'verify') {
    const callsMax = parseCount(values, 'calls-max');
    const { repair = false, json = false } = values;
    return EXIT[await runVerify(session, { callsMax, repair, json, payloads: values['no-payloads'] !== true })];
  }
  const pollSeconds = parseCount(values, 'poll-seconds');
  const stopped = await runSync(session, {
    search: values.search,
    since: values.since,
    jurisdiction_code: values.jurisdiction,
    expand: values.expand === 'payload' ? values.expand : undefined,
    mode: values.follow ? 'follow' : 'once',
    pollMs: pollSeconds === undefined ? undefined : pollSeconds * 1000,
    snapshot: values['no-snapshot'] !== true,
    deltas: values.deltas === true,
    verify: readRhythm(values),
    quiet: values.quiet === true,
  });
  return EXIT[stopped];
}

function parseCount(
  values: Flags,
  name: 'limit' | 'poll-seconds' | 'calls-max' | 'faults-max' | 'patience',
): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}"`);
  return Number(text);
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function readRhythm(values: Flags): VerifyRhythm | undefined {
  const text = values['verify-every'];
  if (text === undefined) return undefined;
  if (values.follow !== true) throw new UsageError('--verify-every needs --follow; tmds-replica verify verifies once');
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const everyMs = Number(count) * (UNIT_MS[unit] ?? 0);
  if (everyMs < VERIFY_EVERY_MIN_MS || everyMs > VERIFY_EVERY_MAX_MS) {
    throw new UsageError(`--verify-every takes a time from 5m to 31d, such as 30m, 6h or 7d, not "${text}"`);
  }
  return {
    everyMs,
    repair: values.repair === true,
    callsMax: parseCount(values, 'calls-max'),
    payloads: values['no-payloads'] !== true,
  };
}

async function runCompact(sink: ReplicaSink, values: Flags, terminal: Terminal): Promise<number> {
  if (sink.compact === undefined) {
    throw new UsageError(`${sink.label} needs no compaction: its database replaces records in place`);
  }
  const { bytesBefore, bytesAfter } = await sink.compact();
  terminal.out(
    values.json
      ? `${JSON.stringify({ bytes_before: bytesBefore, bytes_after: bytesAfter })}\n`
      : `${sink.label}: ${formatCount(bytesBefore)} bytes before, ${formatCount(bytesAfter)} now\n`,
  );
  return EXIT.done;
}

async function runStatus(sink: ReplicaSink, values: Flags, terminal: Terminal): Promise<number> {
  const stored = await sink.find();
  if (stored === null) throw new ReplicaError(`${sink.label} holds no replica`);
  const records = await sink.countRecords();
  if (values.json) {
    terminal.out(`${JSON.stringify({ ...stored, records, verification: stored.verification ?? null })}\n`);
    return EXIT.done;
  }
  terminal.out(renderStatus(sink.label, stored, records));
  return EXIT.done;
}

function renderStatus(label: string, { scope, position, verification }: StoredReplica, records: number): string {
  const [what, done] =
    scope.search === null
      ? [`${scope.jurisdiction_code ?? 'every register'} since ${scope.since}`, 'complete up to']
      : [`the search ${scope.search}`, 'refreshed at'];
  const state = position.complete_to === null ? 'not caught up yet' : `${done} ${position.complete_to}`;
  const verified = verification === undefined ? '' : `${verification.verified_at} ${describeOutcome(verification)}\n`;
  return `${label}: ${formatCount(records)} records of ${what}, ${state}\n${verified}`;
}
