/**
 * A primary and streaming standbys of it, on the programs the service ships: the standby is a copy of the primary's
 * folder taken between backup start and stop, which then follows on its own. Replay can be stopped and released, and
 * each server stopped, killed and started again.
 */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { type AttachedDatabase, attachDatabase } from '../../src/database/embedded/attach.ts';
import { migrate } from '../../src/database/schema/migrate.ts';
import { findFolder, TEST_SERVER_SETTINGS } from '../support/cluster.ts';
import { connectTestDatabase, testLog } from '../support/database.ts';
import { isAlive, readPostmasterPid, waitFor } from '../support/process.ts';
import { takePort } from '../trials/ports.ts';

export interface Node {
  readonly url: string;
  readonly db: Database;
  readonly dataDir: string;
  stop(): Promise<void>;
  /** Every process of it at once, by SIGKILL. */
  kill(): Promise<void>;
  /** After it was stopped or killed, at the same address. */
  start(): Promise<void>;
}

export interface Primary extends Node {
  addStandby(): Promise<Standby>;
  /** Commits wait from now on until this many standbys have them on their disk. */
  waitForStandbys(count: number): Promise<void>;
}

export interface Standby extends Node {
  /** Resolves when everything the primary has committed so far can be read here. */
  catchUp(): Promise<void>;
  /** Stops replaying what arrives, as if the standby lagged. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  promote(): Promise<void>;
  /** Receives from another server from now on. */
  follow(node: Node): Promise<void>;
}

type Context = { after(work: () => Promise<void>): void };

const run = promisify(execFile);

type Settings = Record<string, string | number>;

export async function startPrimary(t: Context, more: Settings = {}): Promise<Primary> {
  const dataDir = await mkdtemp(join(findFolder(), 'tmds-primary-'));
  const port = await takePort();
  const settings = {
    ...TEST_SERVER_SETTINGS,
    shared_buffers: '64MB',
    synchronous_commit: 'local',
    wal_level: 'replica',
    max_wal_senders: 4,
    max_prepared_transactions: 4,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...more,
    port,
  };
  const node = await attach(t, dataDir, settings);
  const { db } = node;
  await migrate(db);
  await appendFile(join(dataDir, 'postgres/cluster/pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n');
  await db.query(sql`select pg_reload_conf()`);
  const primary: Primary = {
    ...node,
    addStandby: () => addStandby(t, primary, settings),
    waitForStandbys: (count) => setSetting(db, 'synchronous_standby_names', `${count} (*)`),
  };
  return primary;
}

async function setSetting(db: Database, name: string, value: string): Promise<void> {
  await db.session((session) => session.runScript(`alter system set ${name} = '${value}'`));
  await db.query(sql`select pg_reload_conf()`);
}

async function attach(t: Context, dataDir: string, serverSettings: Settings): Promise<Node> {
  const start = (): Promise<AttachedDatabase> =>
    attachDatabase({
      dataDir,
      databaseUrl: null,
      applicationName: 'tmds test',
      clock: systemClock,
      log: testLog,
      serverSettings,
    });
  let attached = await start();
  const db = await connectTestDatabase(attached.url);
  t.after(async () => {
    await db.close();
    await attached.release();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    url: attached.url,
    db,
    dataDir,
    stop: () => attached.release(),
    kill: async () => {
      const pid = await readPostmasterPid(dataDir);
      if (pid === null) throw new Error('it does not run');
      // So that it has no more children than are read.
      process.kill(pid, 'SIGSTOP');
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
      // An attached process would start it again.
      const released = attached.release();
      for (const each of [pid, ...children]) process.kill(each, 'SIGKILL');
      await released;
      await waitFor(async () => ![pid, ...children].some(isAlive));
    },
    start: async () => {
      attached = await start();
    },
  };
}

async function addStandby(t: Context, primary: Primary, settings: Settings): Promise<Standby> {
  const dataDir = await mkdtemp(join(findFolder(), 'tmds-standby-'));
  await copyCluster(primary, dataDir);
  const own = join(dataDir, 'postgres/cluster/postgresql.auto.conf');
  await appendFile(own, `primary_conninfo = '${conninfoOf(primary)}'\n`);
  const node = await attach(t, dataDir, {
    ...settings,
    port: await takePort(),
    hot_standby: 'on',
    max_standby_streaming_delay: '100ms',
    wal_receiver_status_interval: '1s',
  });
  const { db } = node;
  // A standby stops statements that are in the way of its replay: asked again.
  const ask = (statement: ReturnType<typeof sql>): Promise<boolean> =>
    db.query<{ answer: boolean }>(statement).then(
      (rows) => rows[0]!.answer,
      (error: unknown) => {
        if (((error as Error).cause as { code?: string } | undefined)?.code === '40001') return false;
        throw error;
      },
    );
  return {
    ...node,
    catchUp: async () => {
      const [at] = await primary.db.query<{ lsn: string }>(sql`select pg_current_wal_lsn()::text as lsn`);
      await waitFor(() => ask(sql`select pg_last_wal_replay_lsn() >= ${at!.lsn}::pg_lsn as answer`));
    },
    pauseReplay: async () => {
      await waitFor(() => ask(sql`select pg_wal_replay_pause() is not null as answer`));
      await waitFor(() => ask(sql`select pg_get_wal_replay_pause_state() = 'paused' as answer`));
    },
    resumeReplay: () => waitFor(() => ask(sql`select pg_wal_replay_resume() is not null as answer`)),
    promote: async () => void (await db.query(sql`select pg_promote(true, 60)`)),
    follow: (node) => setSetting(db, 'primary_conninfo', conninfoOf(node)),
  };
}

function conninfoOf({ url }: Node): string {
  const { port, username, password } = new URL(url);
  return `host=127.0.0.1 port=${port} user=${username} password=${password}`;
}

/** The copy keeps the owners of the files, which PostgreSQL insists on. */
async function copyCluster(primary: Primary, dataDir: string): Promise<void> {
  const from = join(primary.dataDir, 'postgres');
  const to = join(dataDir, 'postgres');
  await primary.db.session(async (session) => {
    await session.query(sql`select pg_backup_start('standby', true)`);
    await run('cp', ['-a', from, to]);
    const [stopped] = await session.query<{ labelfile: string }>(sql`select labelfile from pg_backup_stop(false)`);
    await writeFile(join(to, 'cluster/backup_label'), stopped!.labelfile);
  });
  await rm(join(to, 'cluster/postmaster.pid'), { force: true });
  await writeFile(join(to, 'cluster/standby.signal'), '');
  const owner = await stat(join(to, 'cluster'));
  for (const name of ['backup_label', 'standby.signal']) await chown(join(to, 'cluster', name), owner.uid, owner.gid);
}
