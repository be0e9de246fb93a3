/** The outcomes of hostile cases as a table. */
import type { Outcome } from './play.ts';
import type { FeltTimes } from './quiet-caller.ts';

export function renderHead(): string {
  return [
    '| case | what is sent | longest pause, ms | in | memory, MB | others felt, ms | answers | broken |',
    '|---|---|---:|---|---:|---:|---|---|',
  ].join('\n');
}

export function renderOutcome(outcome: Outcome): string {
  const { name, title, pauseMs, seconds, worst, memoryMb, felt, statuses, broken, bound } = outcome;
  const cells = [
    `\`${name}\``,
    title,
    pauseMs === null
      ? `${(seconds ?? 0).toFixed(1)} s of ${bound.seconds} s`
      : `${pauseMs.toFixed(0)} of ${bound.pauseMs}`,
    worst.replaceAll('|', '\\|'),
    `${memoryMb.toFixed(0)} of ${bound.memoryMb}`,
    felt === null ? '' : renderFelt(felt),
    Object.entries(statuses)
      .map(([status, count]) => `${status === '0' ? 'closed' : status}: ${count}`)
      .join(', '),
    broken.length === 0 ? '' : `**${broken.join('; ')}**`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The median and the slowest. */
export function renderFelt({ medianMs, slowestMs }: FeltTimes): string {
  return `${medianMs.toFixed(0)}, ${slowestMs.toFixed(0)}`;
}
