/**
 * Structured logs on standard error, one JSON object a line. Secrets never reach a line: keys and authorization
 * headers are not serialized at all, and the paths below are cut should someone pass such an object whole.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SECRET_NAMES = ['password', 'key', 'secret', 'token', 'cookie', 'authorization', 'headers', 'url'];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`]);

export function buildLog(options: { level: LogLevel; destination?: DestinationStream }): Log {
  const destination = options.destination ?? pino.destination({ dest: 2, sync: false });
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, remove: true },
    },
    destination,
  );
}
