/** Connects a thread of the index to its database. */
import { buildLog } from '../base/log.ts';
import { connectDatabase, type Database } from '../store/driver/db.ts';

const ACQUIRE_TIMEOUT_MS = 5_000;

/** `url` is a function if the address can change. Statements have no time limit, because a build reads for minutes. */
export async function connectFollower(url: string | (() => string)): Promise<Database> {
  return await connectDatabase({
    url,
    poolMax: 2,
    statementTimeoutMs: 0,
    applicationName: 'tmds index',
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    log: buildLog({ level: 'silent' }),
  });
}
