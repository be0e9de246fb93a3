/** A snapshot in its own process that kills itself, as in a power cut, at a step. Arguments: address, folder, step. */
import { connectTestDatabase } from './database.ts';
import { makeSnapshot } from './snapshots.ts';

const [url = '', folder = '', wanted = ''] = process.argv.slice(2);
const db = await connectTestDatabase(url, { statementTimeoutMs: 0 });
await makeSnapshot(db, folder, {
  keep: 1,
  onStep: (step) => {
    if (step === wanted) process.kill(process.pid, 'SIGKILL');
  },
});
process.exit(0);
