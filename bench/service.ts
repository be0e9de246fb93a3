/** The service as it is built, for the benches: run from its TypeScript sources, every closure would cost extra. */
import { buildLog } from '../server/dist/base/log.js';
import { connectDatabase, type Database } from '../server/dist/store/db.js';
import { SEARCH_SESSION_SETTINGS } from '../server/dist/store/search-statements.js';

export { buildApp } from '../server/dist/app.js';
export { systemClock } from '../server/dist/base/clock.js';

export const log = buildLog({ level: 'warn' });

const LIMITS = { statementTimeoutMs: 10_000, acquireTimeoutMs: 60_000, applicationName: 'tmds bench', log };

/** Connections as a server has them: those of searches, and those of access. */
export async function connectService(
  url: string,
  poolMax: number,
): Promise<{ database: Database; accessDatabase: Database }> {
  return {
    database: await connectDatabase({ ...LIMITS, url, poolMax, settings: SEARCH_SESSION_SETTINGS }),
    accessDatabase: await connectDatabase({ ...LIMITS, url, poolMax: 2 }),
  };
}
