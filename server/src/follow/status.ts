/** The index status of every server on a data folder, for operators. Each server keeps its own in a file. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { isAlive } from '../base/processes.ts';
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
