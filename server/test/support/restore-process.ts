/** A restore in its own process that kills itself, as in a power cut, at a step. Arguments: address, folder, step. */

import { restoreFolder } from './backups.ts';
import { connectTestDatabase } from './database.ts';

const [url = '', folder = '', wanted = ''] = process.argv.slice(2);
const db = await connectTestDatabase(url, { statementTimeoutMs: 0 });
await restoreFolder(db, folder, {
  replace: true,
  onStep: async (step) => {
    if (step === wanted) process.kill(process.pid, 'SIGKILL');
  },
});
process.exit(0);
