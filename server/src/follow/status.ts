/** The index status of every server on a data folder, for operators. Each server keeps its own in a file. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexStatus } from './messages.ts';

export interface ServerIndexStatus extends IndexStatus {
  readonly pid: number;
  readonly searchers: number;
}

/** The folder below the data folder in which `serve` keeps snapshots and status files. */
export function indexFolder(dataDir: string): string {
  return join(dataDir, 'index');
}

export function statusFile(folder: string, pid: number): string {
  return join(folder, `status-${pid}.json`);
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
