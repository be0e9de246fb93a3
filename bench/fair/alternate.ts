/** What a customer that calls as fast as it can does to the calls of another: both, and the other alone, in alternation. */
import { issueKey } from '../../server/src/access/keys.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { measureRate, type Rate } from '../access/callers.ts';
import { type DataOptions, folderOf } from '../options.ts';
import { startServer } from '../server-process.ts';
import { indexFolderOf } from '../service.ts';
import { startGreedy } from './greedy-process.ts';

/** Connections of the customer whose calls are measured. */
export const OTHERS = 2;

/** A customer, by a header line with its key. */
export type KeyHeader = string;

export async function issueBenchKey(
  db: Database,
  customer: string,
  product: 'records' | 'analytics',
): Promise<KeyHeader> {
  const order = { customer, name: null, products: [product], actor: 'bench' };
  const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 100_000_000, quota: null });
  return `x-api-key: ${key}\r\n`;
}

export interface Alternation<Asked extends string> {
  readonly greedy: { readonly headers: KeyHeader; readonly targets: readonly string[]; readonly connections: number };
  readonly other: { readonly headers: KeyHeader; readonly targets: Readonly<Record<Asked, readonly string[]>> };
  readonly seconds: number;
  readonly rounds: number;
}

/** Rates by what was asked, and those of the greedy customer; one for each round. */
export interface Alternated<Asked extends string> {
  readonly alone: ReadonlyMap<Asked, readonly Rate[]>;
  readonly crowded: ReadonlyMap<Asked, readonly Rate[]>;
  readonly greedy: readonly Rate[];
}

/** Runs `work` with the port of a server that meters. */
export async function withServer<Result>(
  url: string,
  options: DataOptions,
  work: (port: number) => Promise<Result>,
): Promise<Result> {
  const { child, port } = await startServer(url, 'metered', indexFolderOf(folderOf(options)));
  try {
    return await work(port);
  } finally {
    child.kill();
  }
}

export async function alternate<Asked extends string>(
  port: number,
  { greedy, other, seconds, rounds }: Alternation<Asked>,
): Promise<Alternated<Asked>> {
  const asked = Object.keys(other.targets) as Asked[];
  const alone = new Map<Asked, Rate[]>(asked.map((each) => [each, []]));
  const crowded = new Map<Asked, Rate[]>(asked.map((each) => [each, []]));
  const greedyRates: Rate[] = [];
  // Round 0 warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of asked) {
      const call = (): Promise<Rate> =>
        measureRate(port, other.headers, other.targets[each], { connections: OTHERS, seconds });
      const quiet = await call();
      const { fared } = await startGreedy({ port, ...greedy, seconds });
      const [searched, called] = await Promise.all([fared, call()]);
      if (round === 0) continue;
      alone.get(each)!.push(quiet);
      crowded.get(each)!.push(called);
      greedyRates.push(searched);
    }
  }
  return { alone, crowded, greedy: greedyRates };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** A table of milliseconds. `together`: how the heads of its columns name the calls that are not alone. */
export function renderAlternated<Asked extends string>(
  { alone, crowded }: Alternated<Asked>,
  together: string,
): string[] {
  const rows = [...alone.keys()].map((asked) => {
    const of = (pick: (rate: Rate) => number): [number, number] => [
      median(alone.get(asked)!.map(pick)),
      median(crowded.get(asked)!.map(pick)),
    ];
    const p50 = of(({ p50Ms }) => p50Ms);
    const p99 = of(({ p99Ms }) => p99Ms);
    const shown = [...p50, ...p99].map((ms) => ms.toFixed(2));
    return `| ${asked} | ${shown.join(' | ')} | ${(p99[1] / p99[0]).toFixed(2)} |`;
  });
  return [
    `| calls of the other | p50 alone | p50 ${together} | p99 alone | p99 ${together} | times |`,
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ];
}
