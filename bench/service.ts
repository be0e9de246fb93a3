/** The service as it is built, for the benches: run from its TypeScript sources, every closure would cost extra. */
import { systemClock } from '../server/dist/base/clock.js';
import { buildLog } from '../server/dist/base/log.js';
import { type LiveIndex, openLiveIndex } from '../server/dist/follow/live-index.js';
import { connectDatabase, type Database } from '../server/dist/store/driver/db.js';
import { READING_SESSION_SETTINGS } from '../server/dist/store/driver/sessions.js';

export { buildApp } from '../server/dist/app.js';
export { systemClock };

export const log = buildLog({ level: 'warn' });

const LIMITS = { statementTimeoutMs: 10_000, acquireTimeoutMs: 60_000, applicationName: 'tmds bench', log };

/** What a server has: connections to fetch records, those of access, and an index that is ready. */
export async function connectService(
  url: string,
  poolMax: number,
  indexFolder: string | null,
): Promise<{ database: Database; accessDatabase: Database; index: LiveIndex }> {
  const index = openLiveIndex({ url, folder: indexFolder, clock: systemClock, log });
  await index.ready;
  return {
    index,
    database: await connectDatabase({ ...LIMITS, url, poolMax, settings: READING_SESSION_SETTINGS }),
    accessDatabase: await connectDatabase({ ...LIMITS, url, poolMax: 2 }),
  };
}

/** Where the snapshot of a bench's index is kept: beside its database. */
export function indexFolderOf(dataDir: string): string {
  return `${dataDir}/index`;
}
