/**
 * The index status of every server on a data folder, for operators, and whether it is level with the database. Each
 * server keeps its own in a file.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { microsOf } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Observation } from '../base/observation.ts';
import { isAlive } from '../base/processes.ts';
import type { Queryable } from '../database/driver/db.ts';
import { readDiskSpace } from '../database/embedded/disk-space.ts';
import { findPublishState } from '../database/readers/publish-state.ts';
import type { IndexStatus } from './messages.ts';

export interface ServerIndexStatus extends IndexStatus {
  readonly pid: number;
  readonly searchers: number;
}

/** The folder below the data folder in which `serve` keeps snapshots and status files. */
export function indexFolder(dataDir: string): string {
  return join(dataDir, 'index');
}

/** The status file of this server. */
export class StatusFile {
  private readonly folder: string;
  private readonly path: string;
  private readonly searchers: number;
  private readonly log: Log;
  private isBusy = false;
  /** The code of the failure that was logged last; null while it can be written. */
  private failed: string | null = null;
  private isRemoved = false;

  constructor(folder: string, searchers: number, log: Log) {
    this.folder = folder;
    this.path = join(folder, `status-${process.pid}.json`);
    this.searchers = searchers;
    this.log = log;
  }

  /** Skips a status that arrives while another one is being written. A failure is only logged, once. */
  async write(status: IndexStatus): Promise<void> {
    if (this.isBusy || this.isRemoved) return;
    this.isBusy = true;
    const content: ServerIndexStatus = { pid: process.pid, searchers: this.searchers, ...status };
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(`${this.path}.new`, JSON.stringify(content));
      await rename(`${this.path}.new`, this.path);
      this.failed = null;
    } catch (error) {
      const { code = 'unknown', message } = error as NodeJS.ErrnoException;
      if (code !== this.failed) {
        this.log.warn(
          { reason: message },
          'the status of the search index cannot be written: tmds doctor sees an old one',
        );
      }
      this.failed = code;
    }
    this.isBusy = false;
  }

  async remove(): Promise<void> {
    this.isRemoved = true;
    await rm(this.path, { force: true });
  }
}

/** Lists the servers that are running; skips files left behind by killed ones. */
export async function listStatuses(folder: string): Promise<ServerIndexStatus[]> {
  const names = await readdir(folder).catch(() => []);
  const statuses: ServerIndexStatus[] = [];
  for (const name of names.filter((each) => /^status-\d+\.json$/.test(each)).sort()) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => null);
    if (text === null) continue;
    const status = JSON.parse(text) as ServerIndexStatus;
    if (isAlive(status.pid)) statuses.push(status);
  }
  return statuses;
}

/** An index that is further behind has stopped following. */
const LAG_MS_MAX = 5_000;

export async function checkSearchIndexes(db: Queryable, dataDir: string): Promise<Observation[]> {
  const { lastStamp } = await findPublishState(db);
  const statuses = await listStatuses(indexFolder(dataDir));
  if (statuses.length === 0) return [{ seen: 'no server uses this data folder', remedy: null }];
  const isFull = (await readDiskSpace(dataDir))?.isFull === true;
  return statuses.map((status) => judge(status, lastStamp, isFull ? dataDir : null));
}

/** `fullDisk`: the folder where servers write their status, if its disk takes nothing more. */
function judge(status: ServerIndexStatus, lastStamp: string, fullDisk: string | null): Observation {
  const server = `server ${status.pid}`;
  if (status.state === 'failed') {
    return { seen: `${server}: ${status.fault}`, remedy: 'see the log of the server; it retries automatically' };
  }
  if (status.state === 'starting' || status.stamp === null) {
    const { done, total } = status.progress ?? { done: 0, total: 0 };
    const share = total === 0 ? '' : `, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} records`;
    return { seen: `${server}: being built${share}; searches answer 503 until it is ready`, remedy: null };
  }
  const lagMs = (microsOf(lastStamp) - microsOf(status.stamp)) / 1000;
  const seen = `${server}: ${describe(status)}, ${lagMs <= 0 ? 'level with the database' : `${lagMs} ms behind`}`;
  const differing = status.compared?.differences ?? [];
  if (differing.length > 0) {
    const registers = differing.map(({ jurisdiction_code }) => jurisdiction_code).join(', ');
    return { seen: `${seen}; differs from the database in ${registers}`, remedy: 'restart the server' };
  }
  if (lagMs > LAG_MS_MAX && fullDisk !== null) {
    const remedy = `make room on the disk of ${fullDisk}: it is full, and the server cannot say there how far it is`;
    return { seen: `${server}: up to ${status.stamp} when it could last write its status`, remedy };
  }
  if (lagMs > LAG_MS_MAX)
    return { seen, remedy: `see the log of the server: ${status.fault ?? 'it does not follow the database'}` };
  return { seen, remedy: null };
}

function describe({ records, segments, bytes, stamp, searchers, compared }: ServerIndexStatus): string {
  const parts = Object.entries(bytes).sort(([, one], [, other]) => other - one);
  const total = parts.reduce((sum, [, size]) => sum + size, 0);
  const listed = parts.map(([part, size]) => `${part} ${megabytes(size)}`).join(', ');
  const checked = compared === null ? 'not compared yet' : `equal to the table at ${compared.at}`;
  return (
    `${records.toLocaleString('en')} records in ${segments} segments, ${megabytes(total)} MB (${listed}), ` +
    `${searchers} search threads, up to ${stamp}, ${checked}`
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(bytes < 10 * 1024 ** 2 ? 1 : 0);
}
