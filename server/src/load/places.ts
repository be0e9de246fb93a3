/** Where a load writes its files by default. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Holds the rejected records of each load. */
export function rejectsFolder(dataDir: string): string {
  return join(dataDir, 'rejects');
}

/** Only the temporary file may fall back to another folder. `{load}` stands for the id of the load. */
export function placesIn(dataDir: string): { spoolFolders: readonly string[]; rejectsPath: string } {
  return { spoolFolders: [dataDir, tmpdir()], rejectsPath: join(rejectsFolder(dataDir), '{load}.txt') };
}
