/** PostgreSQL crashes while several processes count calls of one key: what was answered is counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey } from '../../src/access/keys.ts';
import { buildMeter } from '../../src/access/meter.ts';
import type { MeteredCall } from '../../src/access/verdict.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { attachDatabase } from '../../src/database/embedded/attach.ts';
import { migrate } from '../../src/database/schema/migrate.ts';
import { listUsageDays } from '../../src/store/accounts/usage.ts';
import { connectTestDatabase, testLog } from '../support/database.ts';
import { patientClock } from '../support/patient-clock.ts';
import { createDataFolder } from '../support/process.ts';

/** Nothing reaches the log of the database but what somebody waits for. */
const SERVER_SETTINGS = { fsync: 'off', wal_writer_delay: '10s', shared_buffers: '64MB' };
const METERS = 4;
const CALLERS = 6;
const CALLS_BEFORE = 600;

test('a crash of the database loses no unit of a call that was answered, with one key in many processes [I-28, I-29]', async (t) => {
  const attached = await attachDatabase({
    dataDir: await createDataFolder(t),
    databaseUrl: null,
    applicationName: 'tmds test',
    clock: systemClock,
    log: testLog,
    serverSettings: SERVER_SETTINGS,
  });
  t.after(() => attached.release());
  const pools = await Promise.all(
    Array.from({ length: METERS + 1 }, () => connectTestDatabase(attached.url, { poolMax: 2 })),
  );
  t.after(async () => {
    for (const pool of pools) await pool.close();
  });
  const [db, ...databases] = pools;
  await migrate(db!);
  const order = { customer: 'c', name: null, products: ['records'] as const, actor: 'test' };
  const { id } = await issueKey(db!, { ...order, rateLimitPerMinute: 1_000_000, quota: null });
  const call: MeteredCall = { keyId: id, secretNumber: 1, product: 'records', takesUnit: true };
  const meters = databases.map((database) => buildMeter({ database, clock: patientClock, log: testLog }));
  let [answered, unanswered] = [0, 0];
  let crash: Promise<unknown> | null = null;
  const caller = async (meter: (typeof meters)[number]): Promise<void> => {
    while (unanswered === 0) {
      await meter.judge(call).then(
        () => {
          answered += 1;
        },
        () => {
          unanswered += 1;
        },
      );
      // One killed process of the database makes it drop every connection and recover from its log.
      if (answered >= CALLS_BEFORE) {
        crash ??= db!
          .query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          .then(([backend]) => process.kill(backend!.pid, 'SIGKILL'));
      }
    }
  };
  await Promise.all(meters.flatMap((meter) => Array.from({ length: CALLERS }, () => caller(meter))));
  await crash;
  let days: Awaited<ReturnType<typeof listUsageDays>> | undefined;
  while (days === undefined) days = await listUsageDays(db!, { keyId: id, month: null }).catch(() => undefined);
  const stored = days.reduce((sum, { units }) => sum + units, 0);
  t.diagnostic(`${answered} calls answered, ${unanswered} not, ${stored} units stored`);
  assert.ok(answered >= CALLS_BEFORE);
  assert.ok(stored >= answered, `${stored} units for ${answered} answers`);
  assert.ok(stored <= answered + METERS * CALLERS, `${stored} units for ${answered} answers`);
  for (const meter of meters) await meter.close();
});
