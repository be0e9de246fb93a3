/** Duties whose holder falls silent: PostgreSQL takes a minute to notice, and a holder speaks before that. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { connectDatabase } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { holdDuty, listHolders } from '../../src/store/duties/duties.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { findPid, openTwo } from '../support/duty-holders.ts';
import { waitFor } from '../support/process.ts';

/** A connection to the database that can be cut without either end noticing. */
async function openVanishing(
  t: { after(work: () => Promise<void>): void },
  url: string,
): Promise<{ url: string; vanish(): void }> {
  const address = new URL(url);
  const folder = address.searchParams.get('host');
  const sockets = new Set<Socket>();
  let isGone = false;
  const proxy = createServer((client) => {
    const server =
      folder === null
        ? connect(Number(address.port || 5432), address.hostname)
        : connect(`${folder}/.s.PGSQL.${address.searchParams.get('port') ?? (address.port || 5432)}`);
    for (const [one, another] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => void (isGone || another.write(bytes)));
      one.on('error', () => undefined);
      one.on('close', () => void (isGone || another.destroy()));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const { port } = proxy.address() as { port: number };
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  through.searchParams.delete('host');
  through.searchParams.delete('port');
  return { url: through.href, vanish: () => (isGone = true) };
}

test('a holder of which nothing is heard any more loses its duty, although no connection was closed', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const way = await openVanishing(t, url);
  const away = await connectDatabase({
    url: way.url,
    poolMax: 1,
    statementTimeoutMs: 1_000,
    acquireTimeoutMs: 10_000,
    applicationName: 'tmds far away',
    log: testLog,
  });
  const held = holdDuty(away, 'webhooks', async ({ isHeld }) => {
    way.vanish();
    assert.deepEqual(
      (await listHolders(db)).map(({ program }) => program),
      ['tmds far away'],
    );
    await waitFor(async () => (await holdDuty(db, 'webhooks', async () => undefined)).held);
    return await isHeld();
  });
  assert.deepEqual(await held, { held: true, result: false });
  await away.close();
});

test('a duty is held for longer than PostgreSQL keeps a silent connection', async (t) => {
  const { db, other } = await openTwo(t);
  await holdDuty(db, 'sync', async ({ isHeld }) => {
    const pid = await findPid(other);
    const spoken = new Set<string>();
    await waitFor(async () => {
      const [row] = await other.query<{ at: string }>(
        sql`select state_change::text as at from pg_stat_activity where pid = ${pid}::int`,
      );
      return spoken.add(row!.at).size > 3;
    });
    assert.equal(await isHeld(), true);
  });
});
