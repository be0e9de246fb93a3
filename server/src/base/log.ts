/**
 * Structured logs on standard error: one JSON object per line for programs, text for a person at a terminal. Secrets
 * never reach a line: keys and authorization headers are not logged at all, the members named below are removed in case
 * someone logs a whole object, and anything that looks like a key is masked wherever it appears.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { buildLineReader } from './log-text.ts';
import { maskLine } from './mask.ts';
import { NoAnswer } from './no-answer.ts';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: `text` if standard error is a terminal, otherwise `json`. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

const SECRET_NAMES = ['password', 'key', 'secret', 'token', 'cookie', 'authorization', 'headers', 'url'];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`]);

export interface LogOptions {
  readonly level: LogLevel;
  /** Default `auto`. */
  readonly format?: LogFormat;
  /** Whether lines go to a terminal; default: whether standard error is one. */
  readonly isTerminal?: boolean;
  /** Default: standard error. */
  readonly destination?: DestinationStream;
  /** Called when a line cannot be written. Logging does not throw, and nothing can be logged after this. */
  readonly onUnwritable?: (error: NodeJS.ErrnoException) => void;
}

export function buildLog(options: LogOptions): Log {
  const { format = 'auto', isTerminal = options.destination === undefined && process.stderr.isTTY === true } = options;
  const target = options.destination ?? openStandardError(options.onUnwritable ?? endUnlogged);
  const isText = format === 'text' || (format === 'auto' && isTerminal);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, remove: true },
      hooks: { streamWrite: maskLine },
      serializers: { err: describeError },
    },
    isText ? writeAsText(target, isTerminal) : target,
  );
}

/**
 * The same log, for lines that hold no objects: their members are not searched for what has to be removed, which costs
 * as much as everything else about a line. Keys are masked in them too.
 */
export function buildFlatLog(log: Log): Log {
  return log.child({}, { redact: [] });
}

/** SQLSTATEs of a database that is away, full or stopping. */
const AWAY = /^(08|53|57P)/;

/** Omits the stack when the cause is outside this program: an outage produces many such lines. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described = pino.stdSerializers.err(error);
  const { code, syscall, cause } = error as NodeJS.ErrnoException;
  const reason = cause instanceof Error ? cause : null;
  const isOutside = error instanceof NoAnswer || syscall !== undefined || (code !== undefined && AWAY.test(code));
  if (!isOutside) return described;
  return {
    type: described.type,
    code,
    message: reason === null ? error.message : `${error.message}: ${reason.message}`,
  };
}

function writeAsText(target: DestinationStream, isTerminal: boolean): DestinationStream {
  const read = buildLineReader({ isTerminal });
  return { write: (line) => target.write(read(line)) };
}

function openStandardError(onUnwritable: (error: NodeJS.ErrnoException) => void): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: false });
  stream.removeAllListeners('error');
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // It is normal for a reader such as `head` to close the pipe; a full or failing disk is a fault.
    stream.write = () => true;
    stream.flushSync = () => undefined;
    stream.end = () => undefined;
    if (error.code !== 'EPIPE') onUnwritable(error);
  });
  return stream;
}

/** Serving without a log would hide every other fault. Reports on standard output, because standard error is broken. */
function endUnlogged(error: NodeJS.ErrnoException): void {
  process.stdout.write(
    `tmds: the log cannot be written (${error.code ?? error.message}); free some disk space or redirect the log\n`,
  );
  process.exit(1);
}
