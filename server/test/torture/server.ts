/** The real application on a fixed port, and the matching of watches, to be killed and started again. */

import { buildApp } from '../../src/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { startJob } from '../../src/store/duties/jobs.ts';
import { buildLook, feedIntervalMs } from '../../src/upkeep/health/feed-watch.ts';
import { startMatching } from '../../src/watches/start.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { connectTortured, readAssignment, silentLog } from './world.ts';

const { databaseUrl, horizonSeconds, port } = readAssignment();
const database = await connectTortured(databaseUrl, 12);
const look = buildLook({ database, clock: systemClock, log: silentLog, horizonSeconds });
startJob(systemClock, 'feed', look, feedIntervalMs(horizonSeconds));
const app = buildApp({
  database,
  index: openLocalIndex(database),
  clock: systemClock,
  config: { recordPrefix: 'records', analyticsPrefix: 'analytics', changeHorizonSeconds: horizonSeconds },
  log: silentLog,
  version: '0.0.0-torture',
});
startMatching({ url: databaseUrl, clock: systemClock, log: silentLog });
await app.listen({ host: '127.0.0.1', port });
