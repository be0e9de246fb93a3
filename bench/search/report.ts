/** What the search benchmark measures, and how it reports it. */
import { cpus, totalmem } from 'node:os';
import { CALLERS } from './callers.ts';
import { QUERY_KINDS, type QueryKind } from './queries.ts';

/** Every kind of query is measured at least this often; some of the peer's take ten seconds each. */
export const CALLS_MIN = 5;

export interface Measured {
  readonly millis: number[];
  /** The part of it in the index, including the way to its thread, from Server-Timing. */
  readonly matchMillis: number[];
  /** Processor time of the database in steps of 10 ms, which is steadier than the clock on a busy machine. */
  cpuMillis: number;
  items: number;
  timeouts: number;
}
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const show = (millis: number): string => (millis < 10 ? millis.toFixed(2) : millis.toFixed(0));

/** A line after each kind, because a whole run takes minutes. */
export function describeKind(kind: QueryKind, measured: readonly Measured[]): void {
  const cells = measured.map(
    ({ millis, matchMillis, timeouts }) =>
      `${show(median(millis))}${matchMillis.length > 0 ? ` (index ${show(median(matchMillis))})` : ''} / ${show(Math.max(...millis))}${timeouts > 0 ? ` (${timeouts} timeouts)` : ''}`,
  );
  const items = measured.map((each) => Math.round(each.items / each.millis.length));
  console.error(`${kind.group}: ${kind.name}: ${cells.join(' | ')} (${items.join(', ')} items)`);
}

/** How many times faster than the usual way this service is, with keys and without them. */
function ratiosOf(measured: readonly Measured[]): number[] {
  const [ours, usual, open] = measured.map(({ millis }) => median(millis));
  if (ours === undefined || usual === undefined || open === undefined) return [];
  return [usual / ours, usual / open];
}

/** The kinds of query that the usual way answers more than a fifth faster. */
function describeSlower(results: Results): string[] {
  return ['With', 'Without'].map((word, index) => {
    const slower = results.filter(({ measured }) => ratiosOf(measured)[index]! < 1 / 1.2);
    const names = slower.map(({ kind }) => kind.name).join('; ');
    return `${word} keys more than 1.2 times slower: ${names || 'none'}.`;
  });
}

export type Results = readonly { kind: QueryKind; measured: readonly Measured[] }[];

export function renderReport(
  { records, calls, warmUp }: { records: number; calls: number; warmUp: number },
  services: readonly { readonly name: string }[],
  results: Results,
  rates: readonly string[],
  database: string[],
): string {
  const medians = services.map((_, index) => results.map(({ measured }) => median(measured[index]!.millis)));
  const geometric = medians.map((values) =>
    Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length),
  );
  const rows = results.map(({ kind, measured }) => {
    const cells = measured.map(
      ({ millis, timeouts, cpuMillis }) =>
        `${show(median(millis))} | ${show(Math.max(...millis))}${timeouts > 0 ? ` (${timeouts} timed out)` : ''} | ${show(cpuMillis / millis.length)}`,
    );
    const ratios = ratiosOf(measured).map((ratio) => ` ${ratio.toFixed(1)} |`);
    const queries = measured[0]!.millis.length;
    return `| ${kind.group} | ${kind.name} | ${queries} | ${cells.join(' | ')} |${ratios.join('')}`;
  });
  const heads = services.flatMap(({ name }) => [`${name}: median ms`, 'max ms', 'database CPU ms']);
  if (services.length > 1) heads.push('times faster', 'without keys');
  const slowest = medians[0]!;
  const matched = results.map(({ measured }) => median(measured[0]!.matchMillis));
  const matchMean = Math.exp(matched.reduce((sum, value) => sum + Math.log(Math.max(value, 0.01)), 0) / matched.length);
  return `${[
    `# Search: ${records.toLocaleString('en')} generated records, ${QUERY_KINDS.length} kinds of query`,
    '',
    `${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB; Node.js ${process.version}; the services and their caller, each in a separate process, and the database on this machine.`,
    ...database,
    `Up to ${calls} different queries of each kind (${CALLS_MIN} of one that takes long), each once unmeasured and once measured, the services in turn, over HTTP: this service with keys and metering, the usual way, which has none, and this service without them. Before that, ${warmUp} calls to each.`,
    '',
    `| group | kind | queries | ${heads.join(' | ')} |`,
    `|${' --- |'.repeat(3 + heads.length)}`,
    ...rows,
    '',
    ...services.map(
      (service, index) => `Geometric mean of the medians, ${service.name}: ${geometric[index]!.toFixed(2)} ms.`,
    ),
    ...(services.length > 1 ? describeSlower(results) : []),
    `This service: median of the medians ${show(median(slowest))} ms, largest median ${show(Math.max(...slowest))} ms, largest call ${show(Math.max(...results.flatMap(({ measured }) => measured[0]!.millis)))} ms, ${slowest.filter((value) => value < 10).length} kinds under 10 ms, ${results.reduce((sum, { measured }) => sum + measured[0]!.timeouts, 0)} timeouts.`,
    `Of which in the index (Server-Timing: match), geometric mean of the medians: ${matchMean.toFixed(2)} ms.`,
    ...(rates.length > 0
      ? [`${CALLERS} callers at a time, the kinds in turn, answers a second: ${rates.join(', ')}.`]
      : []),
  ].join('\n')}\n`;
}
