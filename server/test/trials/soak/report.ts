/** What a soak saw, as tables, and what of it is wrong. */
import type { SoakReport, SoakWindow } from './soak.ts';
import { median } from './watch.ts';

/** By how much memory may be more in the last third of the windows after the warm-up than in the first. */
const GROWTH_MAX = 0.05;
/** Windows in which caches and the index reach their size. */
const WARM_UP_WINDOWS = 2;
/** By how much the p99 of a kind may be longer in the last third of those windows than in the first. */
const SLOWDOWN_MAX = 0.5;
/** Connections to the database come and go within the bound of the pool. */
const DESCRIPTORS_GROWTH_MAX = 16;

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);

export function renderSoak({ capacity, windows, loads, replicas, restart }: SoakReport): string {
  const kinds = [...new Set(windows.flatMap(({ p99Ms }) => Object.keys(p99Ms)))];
  const servers = windows[0]?.servers.map((_, index) => index + 1) ?? [];
  const held = servers.flatMap((server) => [`heap ${server}, MB`, `resident ${server}, MB`, `descriptors ${server}`]);
  const head = ['window', 'calls', 'not 200', ...kinds.map((kind) => `p99 ${kind}, ms`), ...held];
  const lines = windows.map((window, index) => [
    String(index + 1),
    String(window.calls),
    String(window.failed),
    ...kinds.map((kind) => (window.p99Ms[kind] ?? 0).toFixed(0)),
    ...window.servers.flatMap((seen) =>
      seen === null
        ? ['', '', '']
        : [megabytes(seen.heapBytes), megabytes(seen.residentBytes), `${seen.descriptorsMin}–${seen.descriptorsMax}`],
    ),
  ]);
  const equal = replicas.filter((status) => status === 0).length;
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---:|').join('')}`,
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Capacity ${capacity.toFixed(0)} calls a second; ${loads.finished} loads; ${equal} of ${replicas.length} replicas equal; ` +
      `${restart.failed} of ${restart.calls} calls failed while each server was restarted.`,
  ].join('\n');
}

/** Sentences; empty if all is well. */
export function findFindings({ windows, loads, replicas, restart }: SoakReport): string[] {
  const findings: string[] = loads.failures.map((failure) => `a load failed: ${failure}`);
  const failed = windows.reduce((sum, window) => sum + window.failed, 0);
  if (failed > 0) findings.push(`${failed} calls were not answered with 200`);
  if (restart.failed > 0) findings.push(`${restart.failed} calls failed while servers were restarted`);
  if (replicas.some((status) => status !== 0)) findings.push(`replicas ended with ${replicas.join(', ')}`);
  const settled = windows.slice(WARM_UP_WINDOWS);
  if (settled.length < 2) return findings;
  const third = Math.max(1, Math.floor(settled.length / 3));
  const parts = [settled.slice(0, third), settled.slice(-third)];
  /** The middle window of each part: single windows differ by more than the growth in question. */
  const compare = (measure: (window: SoakWindow) => number | undefined): { start: number; end: number } => {
    const [start, end] = parts.map((part) => median(part.map(measure).filter((value) => value !== undefined)));
    return { start: start!, end: end! };
  };
  for (const kind of Object.keys(settled[0]!.p99Ms)) {
    const { start, end } = compare(({ p99Ms }) => p99Ms[kind]);
    if (end > start * (1 + SLOWDOWN_MAX)) {
      findings.push(`${kind}: p99 rose from ${start.toFixed(0)} to ${end.toFixed(0)} ms`);
    }
  }
  for (const index of settled[0]!.servers.keys()) {
    for (const name of ['heapBytes', 'residentBytes'] as const) {
      const { start, end } = compare(({ servers }) => servers[index]?.[name]);
      const growth = end / start - 1;
      if (growth > GROWTH_MAX) findings.push(`server ${index + 1}: ${name} grew by ${(growth * 100).toFixed(1)} %`);
    }
    const { start, end } = compare(({ servers }) => servers[index]?.descriptorsMin);
    if (end - start > DESCRIPTORS_GROWTH_MAX) findings.push(`server ${index + 1}: ${end - start} more descriptors`);
  }
  return findings;
}
