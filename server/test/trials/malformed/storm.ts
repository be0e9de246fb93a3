/** Sends malformed requests to a running service and counts the answers by path and status. */
import { exchange } from './exchange.ts';
import type { ServedPath } from './paths.ts';
import { type Credentials, generateVolleys, type Volley } from './requests.ts';

export interface StormOptions {
  readonly seed: number;
  /** Requests. */
  readonly count: number;
  readonly callers: number;
  readonly ports: Readonly<Record<Volley['port'], number>>;
  readonly paths: readonly ServedPath[];
  readonly credentials: Credentials;
  readonly onProgress?: (sent: number) => void;
}

export interface StormReport {
  readonly sent: number;
  /** By path, then by status; status 0 = the connection was broken before an answer. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Requests that were answered with a 5xx, as they were sent; at most `FAULTS_KEPT_MAX`. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

const FAULTS_KEPT_MAX = 20;
const FAULT_LENGTH_MAX = 1500;

/** Rejects when the service cannot be reached any more. */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const answers = new Map<string, Map<number, number>>();
  const faults: string[] = [];
  let [sent, faultCount] = [0, 0];
  const volleys = generateVolleys(options.seed, options.count, options.paths, options.credentials);
  const call = async (): Promise<void> => {
    for (const volley of volleys) {
      const bytes = Buffer.concat(volley.requests.map((request) => request.bytes));
      const statuses = await exchange(options.ports[volley.port], bytes, volley.requests.length, volley.hangsUp);
      for (const [place, request] of volley.requests.entries()) {
        const status = statuses[place] ?? 0;
        const counts = answers.get(request.path) ?? new Map<number, number>();
        answers.set(request.path, counts.set(status, (counts.get(status) ?? 0) + 1));
        if (status < 500) continue;
        faultCount += 1;
        if (faults.length < FAULTS_KEPT_MAX) faults.push(`${status} ${spell(request.bytes)}`);
      }
      sent += volley.requests.length;
      options.onProgress?.(sent);
    }
  };
  await Promise.all(Array.from({ length: options.callers }, call));
  return { sent, answers, faults, faultCount };
}

function spell(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1')).slice(0, FAULT_LENGTH_MAX);
}

/** A table of the answers: a line for each path, a column for each status. */
export function renderStorm({ answers }: StormReport): string {
  const statuses = [...new Set([...answers.values()].flatMap((counts) => [...counts.keys()]))].sort((a, b) => a - b);
  const head = statuses.map((status) => (status === 0 ? 'closed' : String(status)));
  const line = (name: string, counts: ReadonlyMap<number, number>): string =>
    `| ${name} | ${statuses.map((status) => counts.get(status) ?? '').join(' | ')} |`;
  const total = new Map<number, number>();
  for (const counts of answers.values()) {
    for (const [status, count] of counts) total.set(status, (total.get(status) ?? 0) + count);
  }
  return [
    `| path | ${head.join(' | ')} |`,
    `|---|${head.map(() => '---:|').join('')}`,
    ...[...answers]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, counts]) => line(`\`${path}\``, counts)),
    line('**all**', total),
  ].join('\n');
}
