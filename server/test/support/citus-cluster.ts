/** A Citus cluster of a test's own, whose nodes it kills and starts again: a coordinator, two workers, one database. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { migrate } from '../../src/database/schema/migrate.ts';
import { findFolder } from './cluster.ts';
import { connectTestDatabase } from './database.ts';
import { createOnNodes, joinNodes, listWorkerUrls, type TestNode } from './nodes.ts';
import { isAlive } from './process.ts';

const START = fileURLToPath(new URL('../../../ops/citus/start.sh', import.meta.url));
const NAME = 'killed';
const LOOK_MS = 50;

export const NODES = ['coordinator', 'worker1', 'worker2'] as const;
export type NodeName = (typeof NODES)[number];

export interface OwnCluster {
  /** The address of the migrated database. */
  readonly url: string;
  /** Kills the server of a node as a power failure would, and resolves once it is gone. */
  kill(node: NodeName): Promise<void>;
  /** Starts what does not run. */
  start(): Promise<void>;
}

const run = promisify(execFile);

export async function startCluster(t: { after(work: () => Promise<void>): void }): Promise<OwnCluster> {
  const folder = await mkdtemp(join(findFolder(), 'tmds-citus-'));
  const cluster = join(folder, 'cluster');
  t.after(async () => {
    await run(START, ['stop', '--folder', cluster]);
    await rm(folder, { recursive: true, force: true });
  });
  await run('chmod', ['0755', folder]);
  const { stdout } = await run(START, ['start', '--folder', cluster]);
  const url = await makeDatabase(stdout.trim());
  return {
    url,
    kill: (node) => killNode(join(cluster, node, 'postmaster.pid')),
    start: async () => {
      await run(START, ['start', '--folder', cluster]);
    },
  };
}

async function makeDatabase(url: string): Promise<string> {
  const admin = await connectTestDatabase(url, { poolMax: 2 });
  const nodes: TestNode[] = [{ url, admin }];
  for (const worker of await listWorkerUrls(admin, url)) {
    nodes.push({ url: worker, admin: await connectTestDatabase(worker, { poolMax: 1 }) });
  }
  await createOnNodes(nodes, NAME);
  const place = (of: string): string => of.replace(/\/postgres$/, `/${NAME}`);
  const connect = (node: { url: string }): Promise<Database> =>
    connectTestDatabase(place(node.url), { statementTimeoutMs: 60_000 });
  const db = await connect({ url });
  await joinNodes(db, nodes, connect);
  await migrate(db);
  await db.close();
  for (const { admin: used } of nodes) await used.close();
  return place(url);
}

async function killNode(pidFile: string): Promise<void> {
  const [pid] = (await readFile(pidFile, 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await until(() => !isAlive(Number(pid)));
}

export async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await systemClock.sleep(LOOK_MS);
}
