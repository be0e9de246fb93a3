/**
 * Real databases for tests, each cloned from one migrated template and dropped when its test ends. They live in the
 * cluster that the test runner started (its address is in TMDS_TEST_CLUSTER), or for a file run by hand in one under
 * `.cache`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import type { NoAnswer } from '../../src/base/no-answer.ts';
import { connectDatabase, type Database, type Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { type AttachedDatabase, attachDatabase } from '../../src/database/embedded/attach.ts';
import { type Migration, migrate, readMigrations } from '../../src/database/schema/migrate.ts';
import type { ObjectStore } from '../../src/objects/object-store.ts';
import { CITUS_VARIABLE, CLUSTER_VARIABLE, TEST_SERVER_SETTINGS } from './cluster.ts';
import { createOnNodes, dropOnNodes, joinNodes, listWorkerUrls, renameOnNodes, type TestNode } from './nodes.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
}

export interface TestDatabaseOptions {
  /** Default 8. */
  poolMax?: number;
  /** Default a minute, which nothing takes, however busy the machine is. */
  statementTimeoutMs?: number;
  /** Default a minute. */
  acquireTimeoutMs?: number;
  /** Default: the driver's. */
  connectTimeoutMs?: number;
  /** Default: wait for locks. */
  lockTimeoutMs?: number;
  /** Default: of the machine. */
  clock?: Clock;
  /** Default: never. */
  closedBecause?: () => NoAnswer | null;
  /** Default: always the same. */
  generation?: () => number;
  /** Default none: only the server's searches and feeds set any. */
  settings?: Readonly<Record<string, string>>;
  /** Default: none. */
  objects?: ObjectStore | null;
  /** Default: nobody has looked. */
  isDistributed?: boolean;
  /** Default true; false creates an empty database, of several nodes where a Citus cluster is named. */
  migrated?: boolean;
  /** On one server, also where a Citus cluster is named. Default false. */
  isSingle?: boolean;
}

export const testLog = buildLog({ level: 'silent' });

const TEMPLATE_LOCK = 11;

let attached: AttachedDatabase | undefined;
/** By whether it is a single server. */
const clusters = new Map<boolean, Promise<TestNode[]>>();

/** Clones the template; `t` is the context of a test or of a hook inside it, or absent for the whole file. */
export async function createTestDatabase(
  t?: { after?: (work: () => Promise<void>) => void },
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const isSingle = options.isSingle === true || process.env[CITUS_VARIABLE] === undefined;
  const nodes = await findNodes(isSingle);
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`;
  await createOnNodes(nodes, name, options.migrated === false ? undefined : await findTemplate(isSingle));
  const url = withDatabase(nodes[0]!.url, name);
  const db = await connectTestDatabase(url, options);
  if (options.migrated === false && nodes.length > 1) await joinNodes(db, nodes, connectTo(name));
  const drop = async (): Promise<void> => {
    await db.close();
    await dropOnNodes(nodes, name);
  };
  if (t?.after === undefined) remaining.push(drop);
  else t.after(drop);
  return { url, db };
}

/** A second pool on a test's database; the test closes it. */
export async function connectTestDatabase(url: string, options: TestDatabaseOptions = {}): Promise<Database> {
  return await connectDatabase({
    url,
    poolMax: options.poolMax ?? 8,
    statementTimeoutMs: options.statementTimeoutMs ?? 60_000,
    applicationName: 'tmds test',
    acquireTimeoutMs: options.acquireTimeoutMs ?? 60_000,
    log: testLog,
    lockTimeoutMs: options.lockTimeoutMs ?? 0,
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    objects: options.objects ?? null,
    ...(options.isDistributed === undefined ? {} : { isDistributed: options.isDistributed }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.closedBecause === undefined ? {} : { closedBecause: options.closedBecause }),
    ...(options.generation === undefined ? {} : { generation: options.generation }),
  });
}

const remaining: (() => Promise<void>)[] = [];

after(async () => {
  for (const drop of remaining) await drop();
  for (const cluster of clusters.values()) for (const { admin } of await cluster) await admin.close();
  await attached?.release();
});

/** On a Citus cluster there are several. */
function findNodes(isSingle: boolean): Promise<TestNode[]> {
  const known = clusters.get(isSingle);
  if (known !== undefined) return known;
  const found = isSingle ? connectSingle() : connectCitus(process.env[CITUS_VARIABLE]!);
  clusters.set(isSingle, found);
  return found;
}

const connectAdmin = (url: string): Promise<Database> => connectTestDatabase(url, { poolMax: 4 });

async function connectSingle(): Promise<TestNode[]> {
  const url = process.env[CLUSTER_VARIABLE] ?? (await attachKeptCluster());
  return [{ url, admin: await connectAdmin(url) }];
}

async function connectCitus(url: string): Promise<TestNode[]> {
  const coordinator: TestNode = { url, admin: await connectAdmin(url) };
  const workers = await listWorkerUrls(coordinator.admin, url);
  return [
    coordinator,
    ...(await Promise.all(workers.map(async (worker) => ({ url: worker, admin: await connectAdmin(worker) })))),
  ];
}

async function attachKeptCluster(): Promise<string> {
  attached = await attachDatabase({
    dataDir: fileURLToPath(new URL('../../../.cache/test', import.meta.url)),
    databaseUrl: null,
    applicationName: 'tmds test',
    clock: systemClock,
    log: testLog,
    serverSettings: TEST_SERVER_SETTINGS,
  });
  return attached.url;
}

const templates = new Map<boolean, Promise<string>>();

function findTemplate(isSingle: boolean): Promise<string> {
  const known = templates.get(isSingle);
  if (known !== undefined) return known;
  const made = findNodes(isSingle).then(prepareTemplate);
  templates.set(isSingle, made);
  return made;
}

/** One template per state of the migrations, made under a lock, under another name until complete. */
async function prepareTemplate(nodes: readonly TestNode[]): Promise<string> {
  const migrations = await readMigrations();
  const name = `template_${digestOf(migrations)}`;
  const { admin, url } = nodes[0]!;
  await admin.session(async (session) => {
    await session.query(sql`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    try {
      const found = await session.query(sql`select 1 as one from pg_database where datname = ${name}`);
      if (found.length > 0) return;
      const unfinished = `${name}_new`;
      for (const leftover of [unfinished, name]) await dropOnNodes(nodes, leftover);
      await createOnNodes(nodes, unfinished);
      const connect = connectTo(unfinished);
      const database = await connect({ url });
      if (nodes.length > 1) await joinNodes(database, nodes, connect);
      await migrate(database, migrations).finally(() => database.close());
      // The coordinator last: its database says that the template is complete.
      await renameOnNodes([...nodes].reverse(), unfinished, name);
    } finally {
      await session.query(sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
    }
  });
  return name;
}

function connectTo(name: string): (node: { url: string }) => Promise<Database> {
  return ({ url }) => connectTestDatabase(withDatabase(url, name), { poolMax: 1 });
}

function digestOf(migrations: readonly Migration[]): string {
  const hash = createHash('sha256');
  for (const { name, text } of migrations) hash.update(`${name}\n${text}\n`);
  return hash.digest('hex').slice(0, 16);
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Until something in the database waits for a lock. */
export async function untilBlocked(db: Queryable, sessions = 1): Promise<void> {
  for (let blocked = 0; blocked < sessions; ) {
    const [row] = await db.query<{ blocked: number }>(sql`
      select count(*)::int as blocked from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`);
    blocked = row!.blocked;
  }
}
