import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when the test ends, unless `within` is given in the temporary folder. */
export function makeFolder(t: { after: (work: () => Promise<void>) => void }, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, 'tmds-test-'));
  // A thread or a process that has just ended may have left a file open.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
