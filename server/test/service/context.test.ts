/** What commands are given: a database that is found again wherever it comes back. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../src/base/config.ts';
import { buildContext } from '../../src/cli/context.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { startGate } from '../support/gate.ts';
import { takePort } from '../trials/ports.ts';

async function findPort(db: Queryable): Promise<string> {
  const [row] = await db.query<{ port: string }>(sql`select current_setting('port') as port`);
  return row!.port;
}

test('a command whose connection is cut while it opens tries again instead of ending', async (t) => {
  const { url } = await createTestDatabase(t);
  // The first two belong to the check that a command begins with.
  const gate = await startGate(t, url, (place) => (place === 3 ? 'cut' : 'passed'));
  const { status, stderr } = await runHere(['registers'], { DATABASE_URL: gate.url });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.ok(gate.asked() > 3);
});

test('a command that runs on finds the embedded database again at another port, on every pool it has', async (t) => {
  const folder = makeFolder(t);
  // Too long for a socket, so that it listens on a port.
  const dataDir = join(folder, 'a'.repeat(100));
  await mkdir(dataDir);
  const context = buildContext('0.0.0');
  context.readConfig = () => readSettings({ TMDS_DATA_DIR: dataDir, TMDS_LOG_LEVEL: 'silent' }).config;
  const seen = await context.withDatabase(
    'test',
    async ({ database, connectUnlimited }) => {
      const unlimited = await connectUnlimited(1);
      const before = await findPort(unlimited);
      await database.query(sql`select 1 as one`);
      const wanted = await takePort();
      await writeFile(join(dataDir, 'postgres', 'port'), `${wanted}\n`);
      process.kill(Number.parseInt(await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10), 9);
      const after: string[] = [];
      for (const db of [database, unlimited]) {
        // A process of the dead database may answer once more before it ends as well.
        let port: string | undefined = before;
        while (port === undefined || port === before) port = await findPort(db).catch(() => undefined);
        after.push(port);
      }
      return { hasMoved: before !== String(wanted), after, wanted: String(wanted) };
    },
    { migrate: false },
  );
  assert.deepEqual(seen, { hasMoved: true, after: [seen.wanted, seen.wanted], wanted: seen.wanted });
});
