/** A server whose metrics port is taken. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { startServing } from '../support/process.ts';

test('a metrics port in use costs the metrics and nothing else', async (t) => {
  const { url } = await createTestDatabase(t);
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  t.after(async () => void holder.close());
  const { port } = holder.address() as { port: number };
  const server = await startServing(t, { DATABASE_URL: url, TMDS_METRICS_PORT: String(port) });
  assert.equal((await fetch(`${server.address}/livez`)).status, 200);
  assert.match(server.stderr(), /metrics are not served/);
  assert.match(server.stderr(), /TMDS_METRICS_PORT/);
});
