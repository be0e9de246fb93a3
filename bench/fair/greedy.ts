/** The greedy customer of `bench -- fair`, in a separate process: reports when it begins, and its figures at the end. */
import { measureRate } from '../access/callers.ts';

export interface GreedyCalls {
  readonly port: number;
  /** Header lines. */
  readonly headers: string;
  readonly targets: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

const { port, headers, targets, ...options } = JSON.parse(process.argv[2] ?? '') as GreedyCalls;
process.stdout.write('begins\n');
process.stdout.write(`${JSON.stringify(await measureRate(port, headers, targets, options))}\n`);
