/** The real application on a fixed port, and the matching of watches, to be killed and started again. */
import { startMatching } from '../../src/alert/start.ts';
import { buildApp } from '../../src/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { startFeedWatch } from '../../src/store/health/feed-watch.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { connectTortured, readAssignment, silentLog } from './world.ts';

const { databaseUrl, horizonSeconds, port } = readAssignment();
const database = await connectTortured(databaseUrl, 12);
startFeedWatch({ database, clock: systemClock, log: silentLog, horizonSeconds });
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
