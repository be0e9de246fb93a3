/**
 * Real databases for tests, each cloned from one migrated template and dropped when its test ends. They live in the
 * cluster that the test runner started (its address is in TMDS_TEST_CLUSTER), or for a file run by hand in one under
 * `.cache`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import type { ApiError } from '../../src/base/errors.ts';
import { buildLog } from '../../src/base/log.ts';
import { connectDatabase, type Database } from '../../src/store/driver/db.ts';
import { identifier, sql } from '../../src/store/driver/sql.ts';
import { type AttachedDatabase, attachDatabase } from '../../src/store/embedded/attach.ts';
import type { ObjectStore } from '../../src/store/objects/object-store.ts';
import { type Migration, migrate, readMigrations } from '../../src/store/schema/migrate.ts';
import { CLUSTER_VARIABLE, TEST_SERVER_SETTINGS } from './cluster.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
}

export interface TestDatabaseOptions {
  /** Default 8. */
  poolMax?: number;
  /** Default 10 s. */
  statementTimeoutMs?: number;
  /** Default 10 s. */
  acquireTimeoutMs?: number;
  /** Default: wait for locks. */
  lockTimeoutMs?: number;
  /** Default: never. */
  closedBecause?: () => ApiError | null;
  /** Default none: only the server's searches and feeds set any. */
  settings?: Readonly<Record<string, string>>;
  /** Default: none. */
  objects?: ObjectStore | null;
  /** Default true; false creates an empty database. */
  migrated?: boolean;
}

export const testLog = buildLog({ level: 'silent' });

const TEMPLATE_LOCK = 11;

let attached: AttachedDatabase | undefined;
let cluster: Promise<{ admin: Database; url: string }> | undefined;

/** Clones the template; `t` is the context of a test or of a hook inside it, or absent for the whole file. */
export async function createTestDatabase(
  t?: { after?: (work: () => Promise<void>) => void },
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const { admin, url: clusterUrl } = await findCluster();
  const name = `test_${process.pid}_${randomBytes(5).toString('hex')}`;
  if (options.migrated === false) await admin.query(sql`create database ${identifier(name)}`, { prepare: false });
  else {
    const template = await findTemplate();
    await admin.query(sql`create database ${identifier(name)} template ${identifier(template)}`, { prepare: false });
  }
  const url = withDatabase(clusterUrl, name);
  const db = await connectTestDatabase(url, options);
  const drop = async (): Promise<void> => {
    await db.close();
    await admin.query(sql`drop database ${identifier(name)} with (force)`, { prepare: false });
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
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
    applicationName: 'tmds test',
    acquireTimeoutMs: options.acquireTimeoutMs ?? 10_000,
    log: testLog,
    lockTimeoutMs: options.lockTimeoutMs ?? 0,
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    objects: options.objects ?? null,
    ...(options.closedBecause === undefined ? {} : { closedBecause: options.closedBecause }),
  });
}

const remaining: (() => Promise<void>)[] = [];

after(async () => {
  for (const drop of remaining) await drop();
  await (await cluster)?.admin.close();
  await attached?.release();
});

async function findCluster(): Promise<{ admin: Database; url: string }> {
  cluster ??= (async () => {
    const url = process.env[CLUSTER_VARIABLE] ?? (await attachKeptCluster());
    return { url, admin: await connectTestDatabase(url, { poolMax: 4, statementTimeoutMs: 60_000 }) };
  })();
  return await cluster;
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

let template: Promise<string> | undefined;

function findTemplate(): Promise<string> {
  template ??= findCluster().then(async ({ admin, url }) => await prepareTemplate(admin, url));
  return template;
}

/** One template per state of the migrations, made under a lock, under another name until complete. */
async function prepareTemplate(admin: Database, clusterUrl: string): Promise<string> {
  const migrations = await readMigrations();
  const name = `template_${digestOf(migrations)}`;
  await admin.session(async (session) => {
    await session.query(sql`select pg_advisory_lock(${TEMPLATE_LOCK})`);
    try {
      const found = await session.query(sql`select 1 as one from pg_database where datname = ${name}`);
      if (found.length > 0) return;
      const unfinished = `${name}_new`;
      await session.query(sql`drop database if exists ${identifier(unfinished)} with (force)`, { prepare: false });
      await session.query(sql`create database ${identifier(unfinished)}`, { prepare: false });
      const database = await connectTestDatabase(withDatabase(clusterUrl, unfinished), { poolMax: 1 });
      await migrate(database, migrations).finally(() => database.close());
      await session.query(sql`alter database ${identifier(unfinished)} rename to ${identifier(name)}`, {
        prepare: false,
      });
    } finally {
      await session.query(sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
    }
  });
  return name;
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
