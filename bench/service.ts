/** The compiled service, for the benchmarks: running the TypeScript sources makes every closure slower. */
import { systemClock } from '../server/dist/base/clock.js';
import { buildLog } from '../server/dist/base/log.js';
import { connectDatabase, type Database } from '../server/dist/database/driver/db.js';
import { READING_SESSION_SETTINGS } from '../server/dist/database/driver/session-settings.js';
import { type LiveIndex, openLiveIndex } from '../server/dist/follow/live-index.js';

export { buildApp } from '../server/dist/app.js';
export { systemClock };

export const log = buildLog({ level: 'warn' });

const LIMITS = { statementTimeoutMs: 10_000, acquireTimeoutMs: 60_000, applicationName: 'tmds bench', log };

/** Opens what a server needs: connections for records and for access, and an index that is ready. */
export async function connectService(
  url: string,
  poolMax: number,
  indexFolder: string | null,
  searchers?: number,
): Promise<{ database: Database; accessDatabase: Database; index: LiveIndex }> {
  const threads = searchers === undefined ? {} : { searchers };
  const index = openLiveIndex({ url, folder: indexFolder, clock: systemClock, log, ...threads });
  await index.ready;
  return {
    index,
    database: await connectDatabase({
      ...LIMITS,
      url,
      poolMax,
      settings: READING_SESSION_SETTINGS,
      isDistributed: false,
    }),
    accessDatabase: await connectDatabase({ ...LIMITS, url, poolMax: 2 }),
  };
}

/** The folder for snapshots of the index. */
export function indexFolderOf(dataDir: string): string {
  return `${dataDir}/index`;
}
