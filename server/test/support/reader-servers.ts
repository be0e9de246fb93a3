/** Readers of a primary and its standbys as a server process opens them, with a sign of which server answered. */
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { buildLog, type Log } from '../../src/base/log.ts';
import { connectDatabase, type Database, type Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { openReaders, type Readers } from '../../src/database/readers/readers.ts';
import { buildRecordReader } from '../../src/store/records/records.ts';
import { testLog } from './database.ts';
import type { ServingProcess } from './process.ts';

type Context = { after(work: () => Promise<void>): void };

interface Server {
  readonly url: string;
  readonly db: Database;
}

/** Connections count by the clock of the machine, so their deadlines are a minute later for a slow one. */
const UNHURRIED: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + 60_000 };

/** `primary` is asked for its address before each connection: it may move. */
export async function openTestReaders(
  t: Context,
  primary: Server,
  standbys: readonly { readonly url: string }[],
  { log = testLog, clock = UNHURRIED }: { readonly log?: Log; readonly clock?: Clock } = {},
): Promise<Readers> {
  const opened: Database[] = [];
  const readers = await openReaders({
    standbys: standbys.map(({ url }) => ({ url, place: portOf(url) })),
    primary: primary.db,
    connect: async (url, order) => {
      const database = await connectDatabase({
        ...order,
        url: () => url ?? primary.url,
        acquireTimeoutMs: 60_000,
        connectTimeoutMs: 60_000,
        log: testLog,
      });
      opened.push(database);
      return database;
    },
    poolMax: 4,
    statementTimeoutMs: 10_000,
    preferred: 0,
    clock,
    log,
  });
  t.after(async () => {
    await readers.close();
    for (const database of opened) await database.close();
  });
  return readers;
}

export function portOf(url: string): string {
  return new URL(url).port;
}

/** As operators see it. */
export function placeOf({ url }: { readonly url: string }): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** Statements that read records, by the server that answered, as a serving process reports in its metrics. */
export async function countReads(server: Pick<ServingProcess, 'stderr'>): Promise<Map<string, number>> {
  const [, address] = /"address":"(http:[^"]*\/metrics)"/.exec(server.stderr()) ?? [];
  if (address === undefined) throw new Error('metrics are not served');
  const text = await (await fetch(address)).text();
  const lines = text.matchAll(/^tmds_reads_total\{server="([^"]*)"\} (\d+)$/gm);
  return new Map([...lines].map(([, place, count]) => [place!, Number(count)]));
}

/** The port of the server that answers a statement. */
export async function findServer(db: Queryable): Promise<string> {
  const [server] = await db.query<{ port: string }>(sql`select current_setting('port') as port`);
  return server!.port;
}

/** Collects `standby: message` of what is logged. */
export function collectStandbyLog(): { readonly log: Log; readonly lines: () => string[] } {
  const lines: string[] = [];
  const log = buildLog({
    level: 'info',
    destination: {
      write: (line: string) => {
        const { standby, msg, reason } = JSON.parse(line);
        if (standby !== undefined) lines.push([standby, msg, ...(reason === undefined ? [] : [reason])].join(': '));
      },
    },
  });
  return { log, lines: () => lines };
}

/** Its name as a reader finds it. */
export async function findMark(db: Queryable, uid: string): Promise<string | null> {
  const reader = buildRecordReader(db, db, systemClock);
  // Two at once share a statement.
  const [found] = await Promise.all([reader.find('XA', uid, false), reader.find('XA', 'another', false)]);
  return found === null ? null : JSON.parse(found.toString()).mark_name;
}

export function faultsOf(readers: Readers): (string | null)[] {
  return readers.figures().standbys.map(({ fault }) => fault);
}

export async function listServers(readers: Readers): Promise<string[]> {
  const found = new Set<string>();
  for (let tries = 0; tries < 12; tries += 1) found.add(await findServer(readers.database));
  return [...found].sort();
}
