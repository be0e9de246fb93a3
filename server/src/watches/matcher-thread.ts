/** The thread that matches publishes against watches, so that calls never wait for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { buildLog } from '../base/log.ts';
import { lowerPriority } from '../base/threads.ts';
import { connectDatabase } from '../database/driver/db.ts';
import { runMatcher } from './matcher.ts';
import type { MatcherData, MatcherOrder, MatcherReport } from './start.ts';

const port = parentPort;
if (port === null) throw new Error('this file only runs as a worker thread');
let { url } = workerData as MatcherData;
let generation = 0;

const ACQUIRE_TIMEOUT_MS = 5_000;

/** The main thread writes the log. */
const say =
  (level: MatcherReport['level']) =>
  (about: object, text?: string): void => {
    const { err, ...rest } = about as { err?: Error };
    port.postMessage({ level, text: text ?? '', about: err === undefined ? rest : { ...rest, reason: err.message } });
  };

const ending = new AbortController();
port.on('message', (order: MatcherOrder) => {
  if (order.kind === 'moved') url = order.url;
  if (order.kind === 'reconnect') generation += 1;
  if (order.kind === 'close') ending.abort();
});
lowerPriority();
const database = await connectDatabase({
  url: () => url,
  generation: () => generation,
  // One holds the lock, one works.
  poolMax: 2,
  statementTimeoutMs: 0,
  applicationName: 'tmds watches',
  acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
  log: buildLog({ level: 'silent' }),
});
const log = { info: say('info'), warn: say('warn'), error: say('error') };
await runMatcher({ database, clock: systemClock, log, signal: ending.signal });
await database.close();
port.close();
