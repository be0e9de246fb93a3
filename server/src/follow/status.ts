/** Where the indexes of the servers on a data folder stand, for operators: each server keeps a file of it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexStatus } from './messages.ts';

export interface ServerIndexStatus extends IndexStatus {
  readonly pid: number;
  readonly searchers: number;
}

/** Where `serve` keeps snapshots and status below its data folder. */
export function indexFolder(dataDir: string): string {
  return join(dataDir, 'index');
}

export function statusFile(folder: string, pid: number): string {
  return join(folder, `status-${pid}.json`);
}

/** Of the servers that run; what a killed one left behind is passed over. */
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
