/** The outcomes of faults as the table of docs/faults.md. */
import type { Outcome } from './play.ts';

export interface Skipped {
  readonly name: string;
  readonly title: string;
  readonly reason: string;
}

/** One line of the table; the table of several runs is their lines below `renderHead`. */
export function renderOutcome(outcome: Outcome | Skipped): string {
  if ('reason' in outcome) return `| \`${outcome.name}\` | ${outcome.title} | skipped: ${outcome.reason} | | | | | |`;
  const cells = [
    `\`${outcome.name}\``,
    [outcome.title, ...outcome.notes].join('; '),
    [...outcome.ends].map(([end, count]) => `${end}: ${count}`).join(', '),
    seconds(outcome.troubledSeconds),
    seconds(outcome.wellAfterSeconds),
    seconds(outcome.slowestSeconds),
    `${outcome.published} published, ${outcome.delivered} delivered, ${outcome.units} units for ${outcome.served} calls`,
    outcome.losses.length === 0 ? 'nothing' : `**${outcome.losses.join('; ')}**`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

export function renderHead(): string {
  return [
    '| fault | what was done | what callers saw | troubled for | well after | slowest | what was checked | lost |',
    '|---|---|---|---:|---:|---:|---|---|',
  ].join('\n');
}
