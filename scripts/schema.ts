/** Writes `server/migrations/schema.sql` from a freshly migrated database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../server/src/base/clock.ts';
import { buildLog } from '../server/src/base/log.ts';
import { connectDatabase } from '../server/src/database/driver/db.ts';
import { attachDatabase } from '../server/src/database/embedded/attach.ts';
import { MIGRATIONS_FOLDER, migrate } from '../server/src/database/schema/migrate.ts';
import { TEST_SERVER_SETTINGS } from '../server/test/support/cluster.ts';
import { printSchema } from '../server/test/support/schema.ts';

const log = buildLog({ level: 'warn' });
const dataDir = await mkdtemp(join(tmpdir(), 'tmds-schema-'));
const cluster = await attachDatabase({
  dataDir,
  databaseUrl: null,
  applicationName: 'tmds schema',
  clock: systemClock,
  log,
  serverSettings: TEST_SERVER_SETTINGS,
});
try {
  const applicationName = 'tmds schema';
  const limits = { poolMax: 1, statementTimeoutMs: 0, acquireTimeoutMs: 10_000 };
  const database = await connectDatabase({ url: cluster.url, applicationName, ...limits, log });
  await migrate(database);
  await writeFile(join(MIGRATIONS_FOLDER, 'schema.sql'), await printSchema(database));
  await database.close();
} finally {
  await cluster.release();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
