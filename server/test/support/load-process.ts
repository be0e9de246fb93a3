/**
 * A load in its own process that kills itself, as in a power cut, when it reaches a step for the n-th time. Arguments:
 * database address, file, step, n, and `whole` if the file states its whole register.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadStep } from '../../src/load/run.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { connectTestDatabase } from './database.ts';
import { loadSources } from './loads.ts';

const [url = '', path = '', wanted = '', times = '1', whole = ''] = process.argv.slice(2);
const db = await connectTestDatabase(url, { statementTimeoutMs: 0 });
let seen = 0;
await loadSources(db, {
  sources: [await openSource(path)],
  ...(whole === '' ? {} : { whole: true, acceptAbsent: true, currentThrough: '2026-03-01T00:00:00.000000Z' }),
  rejectsPath: join(tmpdir(), 'tmds-test-{load}.txt'),
  onStep: async (step: LoadStep) => {
    if (step !== wanted) return;
    seen += 1;
    if (seen === Number(times)) process.kill(process.pid, 'SIGKILL');
  },
});
process.exit(0);
