/** The index status of every server on a data folder, for operators. Each server keeps its own in a file. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
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
  private isRemoved = false;

  constructor(folder: string, searchers: number, log: Log) {
    this.folder = folder;
    this.path = join(folder, `status-${process.pid}.json`);
    this.searchers = searchers;
    this.log = log;
  }

  /** Skips a status that arrives while another one is being written. A failure is only logged. */
  async write(status: IndexStatus): Promise<void> {
    if (this.isBusy || this.isRemoved) return;
    this.isBusy = true;
    const content: ServerIndexStatus = { pid: process.pid, searchers: this.searchers, ...status };
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(`${this.path}.new`, JSON.stringify(content));
      await rename(`${this.path}.new`, this.path);
    } catch (error) {
      this.log.debug({ err: error }, 'the status of the search index could not be written');
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
    if (isRunning(status.pid)) statuses.push(status);
  }
  return statuses;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
