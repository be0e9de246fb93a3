/**
 * Structured logs on standard error, one JSON object a line. Secrets never reach a line: keys and authorization
 * headers are not serialized at all, the paths below are cut should someone pass such an object whole, and what looks
 * like the text of a key is masked wherever it stands.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { maskLine } from './mask.ts';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SECRET_NAMES = ['password', 'key', 'secret', 'token', 'cookie', 'authorization', 'headers', 'url'];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`]);

export interface LogOptions {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
  /** Told, instead of throwing, that a line could not be written; nothing can be logged any more. */
  readonly onUnwritable?: (error: NodeJS.ErrnoException) => void;
}

export function buildLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, remove: true },
      hooks: { streamWrite: maskLine },
    },
    options.destination ?? openStandardError(options.onUnwritable ?? endUnlogged),
  );
}

function openStandardError(onUnwritable: (error: NodeJS.ErrnoException) => void): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: false });
  stream.removeAllListeners('error');
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has gone, such as `head`, is no fault; a full or failing disk is.
    stream.write = () => true;
    stream.flushSync = () => undefined;
    stream.end = () => undefined;
    if (error.code !== 'EPIPE') onUnwritable(error);
  });
  return stream;
}

/** Serving without a log would hide every other fault. Said on standard output, since standard error is what fails. */
function endUnlogged(error: NodeJS.ErrnoException): void {
  process.stdout.write(`tmds: the log cannot be written (${error.code ?? error.message}); make room or redirect it\n`);
  process.exit(1);
}
