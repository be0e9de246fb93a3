/** A database that dies, stops, hangs, loses its connections, has none left, or has a wrong clock. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { sql } from '../../../src/database/driver/sql.ts';
import { repairClock } from '../../../src/store/publish/clock-repair.ts';
import { untilAnswered } from '../../torture/kept.ts';
import { stepClock } from '../../torture/skew.ts';
import type { Fault } from './fault.ts';
import type { World } from './world.ts';

const STOPPED_MS = 10_000;
const PAUSED_MS = 30_000;
const SILENT_MS = 15_000;
const RESTARTS = 3;
const CUTS = 5;
const BETWEEN_MS = 1_000;
const NO_CONNECTIONS_MS = 10_000;
const FAST_SECONDS = 86_400;

async function cutConnections({ db }: World): Promise<void> {
  await untilAnswered(() =>
    db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name ~ '^tmds (serve|index)'`),
  );
}

/** Takes every connection that there is, and every one that is released. */
async function takeConnections(url: string): Promise<{ taken: () => number; release: () => Promise<void> }> {
  const held = new Set<pg.Client>();
  let isWanted = true;
  const taking = (async () => {
    while (isWanted) {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => held.delete(client));
      await client.connect().then(
        () => held.add(client),
        () => delay(20),
      );
    }
  })();
  const release = async (): Promise<void> => {
    isWanted = false;
    await taking;
    await Promise.all([...held].map((client) => client.end().catch(() => undefined)));
  };
  return { taken: () => held.size, release };
}

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'backend-killed',
    title: 'kill -9 of one process of the database, which makes it recover from its log',
    strike: async ({ db }) => {
      const [backend] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      process.kill(backend!.pid, 'SIGKILL');
    },
  },
  {
    name: 'database-killed',
    title: 'kill -9 of every process of the database, started again after 3 s',
    strike: async ({ postgres }) => {
      await postgres.stop('kill');
      await delay(3 * BETWEEN_MS);
      await postgres.start();
    },
  },
  {
    name: 'database-stopped',
    title: `database stopped for ${STOPPED_MS / 1000} s`,
    strike: async ({ postgres }) => {
      await postgres.stop('fast');
      await delay(STOPPED_MS);
      await postgres.start();
    },
  },
  {
    name: 'database-paused',
    title: `database paused for ${PAUSED_MS / 1000} s (SIGSTOP of every process)`,
    strike: async ({ postgres }) => {
      await postgres.pause();
      await delay(PAUSED_MS);
      await postgres.resume();
    },
  },
  {
    name: 'database-restarted',
    title: `database restarted ${RESTARTS} times`,
    strike: async ({ postgres }) => {
      for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
        await postgres.stop('fast');
        await postgres.start();
        await delay(BETWEEN_MS);
      }
    },
  },
  {
    name: 'connections-cut',
    title: `every connection of the servers ended by the database, ${CUTS} times`,
    strike: async (world) => {
      for (let cuts = 0; cuts < CUTS; cuts += 1) {
        await cutConnections(world);
        await delay(BETWEEN_MS);
      }
    },
  },
  {
    name: 'no-connections',
    title: `database without a free connection for ${NO_CONNECTIONS_MS / 1000} s`,
    strike: async (world, { note }) => {
      const taking = await takeConnections(world.postgres.url);
      await delay(BETWEEN_MS);
      // The servers have to connect again, and find nothing.
      for (let cuts = 0; cuts < NO_CONNECTIONS_MS / BETWEEN_MS; cuts += 1) {
        await cutConnections(world);
        await delay(BETWEEN_MS);
      }
      note(`${taking.taken()} connections were taken`);
      await taking.release();
    },
  },
  {
    name: 'database-silent',
    title: `network to the database silent for ${SILENT_MS / 1000} s, then cut`,
    strike: async ({ databaseWire }) => {
      databaseWire.silence();
      await delay(SILENT_MS);
      databaseWire.restore();
    },
  },
  {
    name: 'database-cut',
    title: `network to the database cut in the middle of answers, ${CUTS} times`,
    strike: async ({ databaseWire }) => {
      for (let cuts = 0; cuts < CUTS; cuts += 1) {
        databaseWire.cut();
        await delay(BETWEEN_MS);
      }
    },
  },
  {
    name: 'clock-stepped',
    title: 'clock of the database stepped by 3 s either way, a day ahead, corrected and repaired',
    strike: async ({ db }, { note }) => {
      for (const seconds of [3, -3, -3, 3]) {
        await stepClock(db, seconds);
        await delay(2 * BETWEEN_MS);
      }
      await stepClock(db, FAST_SECONDS);
      await delay(3 * BETWEEN_MS);
      await stepClock(db, -FAST_SECONDS);
      const repaired = await repairClock(db);
      note(repaired === null ? 'nothing was stamped ahead' : 'changes stamped a day ahead were repaired');
    },
  },
];
