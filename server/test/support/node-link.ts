/**
 * A link between the coordinator and a worker of a Citus cluster that can be held: what would commit a prepared
 * transaction on the worker waits, or is cut off, while everything else passes.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';

export interface NodeLink {
  /** Holds commits of prepared transactions from now on. */
  hold(): void;
  /** From now on, cuts off every connection that is about to commit a prepared transaction. */
  cut(): void;
  /** Lets everything pass, what was held included. */
  release(): void;
  /** Resolves when a commit was held or cut off. */
  readonly reached: Promise<void>;
}

const COMMIT = Buffer.from('COMMIT PREPARED');

/** Puts a link before the last worker that `db` knows, while `work` runs. */
export async function withLinkedWorker(db: Database, work: (link: NodeLink) => Promise<void>): Promise<void> {
  const [worker] = await db.query<{ id: number; host: string; port: number }>(sql`
    select nodeid as id, nodename as host, nodeport as port from pg_dist_node where groupid <> 0
    order by nodeid desc limit 1`);
  const { id, host, port } = worker!;
  let mode: 'pass' | 'hold' | 'cut' = 'pass';
  let markReached = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    markReached = resolve;
  });
  const held: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect({ host, port });
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
    target.pipe(client);
    client.on('data', (bytes: Buffer) => {
      if (mode === 'pass' || !bytes.includes(COMMIT)) target.write(bytes);
      else if (mode === 'cut') client.destroy();
      else held.push(() => target.write(bytes));
      if (mode !== 'pass' && bytes.includes(COMMIT)) markReached();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const moveTo = async (toHost: string, toPort: number): Promise<void> => {
    await db.query(sql`select citus_update_node(${id}::int, ${toHost}, ${toPort}::int)`);
    // The other nodes learn of it too.
    await db.query(sql`select start_metadata_sync_to_all_nodes()`);
  };
  const release = (): void => {
    mode = 'pass';
    for (const pass of held.splice(0)) pass();
  };
  const hold = (): void => {
    mode = 'hold';
  };
  const cut = (): void => {
    mode = 'cut';
  };
  try {
    await moveTo('127.0.0.1', (server.address() as AddressInfo).port);
    await work({ hold, cut, release, reached });
  } finally {
    release();
    await moveTo(host, port);
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
