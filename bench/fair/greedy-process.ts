/** Starts a customer that calls as fast as it can. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Rate } from '../access/callers.ts';
import type { GreedyCalls } from './greedy.ts';

/**
 * In a separate process, or the other customer would wait for what the greedy one reads. Resolves when it has begun,
 * to how it fared.
 */
export async function startGreedy(calls: GreedyCalls): Promise<{ fared: Promise<Rate> }> {
  const program = fileURLToPath(new URL('greedy.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(calls)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return { fared: lines.next().then(({ value }) => JSON.parse(value) as Rate) };
}
