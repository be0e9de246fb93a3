/** `tmds prune`: removes what has outlived the rules of retention, as servers do every hour. */
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { rejectsFolder } from '../load/places.ts';
import { ATTEMPT_WINDOW_SECONDS } from '../portal/sign-in/passwords.ts';
import { SESSION_TERMS } from '../portal/sign-in/sessions.ts';
import { prune, type RetentionOutcome } from '../upkeep/retention/retention.ts';
import { removeRejectFiles } from '../upkeep/retention/retention-watch.ts';
import { type Columns, type CommandContext, renderTable } from './context.ts';

export function registerPruneCommand(program: Command, context: CommandContext): void {
  program
    .command('prune')
    .description('remove calls, refusals, usage, audit, issues and rejects that were kept long enough (TMDS_KEEP_…)')
    .option('--dry-run', 'only count what would be removed', false)
    .option('--json', 'print JSON', false)
    .action((flags: PruneFlags) => runPrune(context, flags));
}

interface PruneFlags {
  dryRun: boolean;
  json: boolean;
}

/** Counts of removed rows; for the call log days, for the files of rejects files. */
const COLUMNS: Columns<Omit<RetentionOutcome, 'isDone'>> = {
  rule: 'rule',
  kept: ({ days, rule }) => (days === null ? describeLimit(rule) : `${days} ${days === 1 ? 'day' : 'days'}`),
  removed: 'removed',
};

function describeLimit(rule: string): string {
  return rule === 'sign-in' ? 'while valid' : 'unlimited';
}

async function runPrune(context: CommandContext, { dryRun, json }: PruneFlags): Promise<void> {
  const outcomes = await context.withDatabase('prune', async ({ config, clock, connectUnlimited }) => {
    const rules = { days: config, sessions: SESSION_TERMS.people, attemptSeconds: ATTEMPT_WINDOW_SECONDS };
    const rows = await prune(await connectUnlimited(2), { ...rules, dryRun });
    if (rows === null) throw new OperatorError('a server or another tmds prune is at it; try again when it is done');
    const days = config.keepFindingsDays;
    const folder = rejectsFolder(config.dataDir);
    const files = await removeRejectFiles({ folder, days, nowMs: clock.nowMs(), dryRun });
    return [...rows.map(({ isDone: _, ...row }) => row), { rule: 'rejects files', days, removed: files, withheld: [] }];
  });
  if (json) context.print(JSON.stringify({ dry_run: dryRun, rules: outcomes }));
  else context.print(renderTable(COLUMNS, outcomes));
  if (dryRun && !json) context.print('nothing was removed: a dry run');
  const withheld = outcomes.flatMap((outcome) => outcome.withheld);
  if (withheld.length > 0) {
    throw new OperatorError(`this role may not remove rows of ${withheld.join(', ')}; run tmds prune as their owner`);
  }
}
