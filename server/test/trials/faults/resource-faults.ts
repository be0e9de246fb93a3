/** A disk that fills up and a server with little memory. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from '../../../src/database/driver/sql.ts';
import { type CallEnd, startCallers } from '../callers.ts';
import { type Fault, NotHere } from './fault.ts';

const run = promisify(execFile);

const DISK_MEGABYTES = 400;
const FULL_MS = 15_000;
const FULL_ROUNDS = 5;
const FILL_BYTES = 64 * 1024;
const HEAP_MEGABYTES = 96;
const GREEDY_CALLERS = 24;
const GREEDY_MS = 20_000;

/** Writes until there is no room at all. */
async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let size = FILL_BYTES; size >= 1; ) {
      const written = await file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      );
      if (!written) size = Math.floor(size / 2);
    }
  } finally {
    await file.close();
  }
}

export const RESOURCE_FAULTS: readonly Fault[] = [
  {
    name: 'disk-full',
    title: `disk of the database full for ${FULL_MS / 1000} s, then freed`,
    prepare: async (t) => {
      const within = await mkdtemp(join(tmpdir(), 'tmds-disk-'));
      await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m,mode=755`, 'tmpfs', within]).catch(() => {
        throw new NotHere('a small disk can only be mounted by root');
      });
      t.after(async () => {
        await run('umount', ['-l', within]);
        await rm(within, { recursive: true, force: true });
      });
      return { within };
    },
    strike: async ({ postgres }, { note }) => {
      const filler = join(dirname(postgres.dataDir), 'filler');
      for (let rounds = 0; rounds < FULL_ROUNDS; rounds += 1) {
        await fillDisk(filler);
        // Now the log is full as well: before, it had room in the file that it has begun.
        if (rounds === 1) await postgres.db.query(sql`select pg_switch_wal()`).catch(() => undefined);
        await delay(FULL_MS / FULL_ROUNDS);
      }
      const { bavail, bsize } = await statfs(postgres.dataDir);
      note(`${bavail * bsize} bytes were free`);
      await rm(filler);
      // A full disk may have ended PostgreSQL; its operator starts it again.
      await postgres.start();
    },
  },
  {
    name: 'little-memory',
    title: `servers with ${HEAP_MEGABYTES} MB of heap, and ${GREEDY_CALLERS} callers that ask for pages of payloads`,
    prepare: async () => ({ nodeOptions: `--max-old-space-size=${HEAP_MEGABYTES}` }),
    strike: async ({ servers, random, otherKey }, { note }) => {
      const path = '/v1/XS/changes?since=2026-01-01&expand=payload&limit=200';
      const ends: CallEnd[] = [];
      const greedy = startCallers({
        portOf: (caller) => servers[caller % servers.length]!.port,
        callers: GREEDY_CALLERS,
        kinds: [{ name: 'greedy', metered: true, path: () => path }],
        key: otherKey,
        random,
        everyMs: 0,
        onCall: ({ end }) => void ends.push(end),
      });
      await delay(GREEDY_MS);
      await greedy.stop();
      const served = ends.filter((end) => end === 200).length;
      const deaths = servers.reduce((sum, server) => sum + server.deaths(), 0);
      note(`${served} of ${ends.length} pages of 1 MB served, ${deaths} servers died`);
    },
  },
];
