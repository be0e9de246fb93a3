/**
 * A load in its own process that kills itself, as in a power cut, when it reaches a step for the n-th time. Arguments:
 * database address, file, step, n.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadStep } from '../../src/load/run.ts';
import { openSource } from '../../src/load/source.ts';
import { connectTestDatabase } from './database.ts';
import { loadSources } from './loads.ts';

const [url = '', path = '', wanted = '', times = '1'] = process.argv.slice(2);
const db = await connectTestDatabase(url, { statementTimeoutMs: 0 });
let seen = 0;
await loadSources(db, {
  sources: [await openSource(path)],
  rejectsPath: join(tmpdir(), 'tmds-test-{load}.txt'),
  onStep: async (step: LoadStep) => {
    if (step !== wanted) return;
    seen += 1;
    if (seen === Number(times)) process.kill(process.pid, 'SIGKILL');
  },
});
process.exit(0);
