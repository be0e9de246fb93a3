/** One server process for tests that kill it: serves the database given as argument and prints its port. */
import type { AddressInfo } from 'node:net';
import { buildApp } from '../../src/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { connectDatabase } from '../../src/database/driver/db.ts';
import { openLocalIndex } from './local-index.ts';

const log = buildLog({ level: 'silent' });
const database = await connectDatabase({
  url: process.argv[2]!,
  poolMax: 8,
  statementTimeoutMs: 10_000,
  applicationName: 'tmds metered process',
  acquireTimeoutMs: 10_000,
  log,
});
const app = buildApp({
  database,
  index: openLocalIndex(database),
  clock: systemClock,
  config: { recordPrefix: 'records', analyticsPrefix: 'analytics', changeHorizonSeconds: 0, corsOrigins: [] },
  log,
  version: '0.0.0-test',
});
await app.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => '' });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
