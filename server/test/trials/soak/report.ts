/** What a soak saw, as tables, and what of it is wrong. */
import type { SoakReport, SoakWindow } from './soak.ts';

/** By how much memory may grow from the first window after the warm-up to the last. */
const GROWTH_MAX = 0.05;
/** Windows in which caches and the index reach their size. */
const WARM_UP_WINDOWS = 2;
/** By how much the slowest of a hundred calls of a kind may take longer in the last windows than in the first ones. */
const SLOWDOWN_MAX = 0.5;
/** Connections to the database come and go within the bound of the pool. */
const DESCRIPTORS_GROWTH_MAX = 16;

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);

export function renderSoak({ capacity, windows, loads, replicas, restart }: SoakReport): string {
  const kinds = [...new Set(windows.flatMap(({ p99Ms }) => [...p99Ms.keys()]))];
  const servers = windows[0]?.servers.map((_, index) => index + 1) ?? [];
  const held = servers.flatMap((server) => [`heap ${server}, MB`, `resident ${server}, MB`, `descriptors ${server}`]);
  const head = ['window', 'calls', 'not 200', ...kinds.map((kind) => `p99 ${kind}, ms`), ...held];
  const lines = windows.map((window, index) => [
    String(index + 1),
    String(window.calls),
    String(window.failed),
    ...kinds.map((kind) => (window.p99Ms.get(kind) ?? 0).toFixed(0)),
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
  const first = windows[WARM_UP_WINDOWS];
  const last = windows.at(-1);
  if (first === undefined || last === undefined || windows.length < WARM_UP_WINDOWS + 2) return findings;
  const settled = windows.slice(WARM_UP_WINDOWS);
  const half = Math.floor(settled.length / 2);
  for (const kind of last.p99Ms.keys()) {
    const [before, after] = [settled.slice(0, half), settled.slice(-half)].map((part) => medianP99(part, kind));
    if (after! > before! * (1 + SLOWDOWN_MAX)) {
      findings.push(`${kind}: p99 rose from ${before!.toFixed(0)} to ${after!.toFixed(0)} ms`);
    }
  }
  for (const [index, end] of last.servers.entries()) {
    const start = first.servers[index];
    if (start === null || start === undefined || end === null) continue;
    for (const name of ['heapBytes', 'residentBytes'] as const) {
      const growth = end[name] / start[name] - 1;
      if (growth > GROWTH_MAX) findings.push(`server ${index + 1}: ${name} grew by ${(growth * 100).toFixed(1)} %`);
    }
    const more = end.descriptorsMin - start.descriptorsMin;
    if (more > DESCRIPTORS_GROWTH_MAX) findings.push(`server ${index + 1}: ${more} more descriptors`);
  }
  return findings;
}

function medianP99(windows: readonly SoakWindow[], kind: string): number {
  const seen = windows.map(({ p99Ms }) => p99Ms.get(kind) ?? 0).sort((one, other) => one - other);
  return seen[Math.floor(seen.length / 2)]!;
}
