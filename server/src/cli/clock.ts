/** `tmds clock repair`: resumes the change feed after a fast clock has been corrected. */
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { type ClockRepair, repairClock } from '../store/publish/clock-repair.ts';
import { checkClock } from '../upkeep/health/checks.ts';
import type { CommandContext } from './context.ts';

export function registerClockCommands(program: Command, context: CommandContext): void {
  const clock = program.command('clock').description('the clock of the change feed');
  clock
    .command('repair')
    .description('resume the change feed after the clock of the database was fast and has been corrected')
    .option('--json', 'print the repair as JSON', false)
    .addHelpText('after', '\nCheck first that the clock of the database is right.')
    .action((flags: { json: boolean }) => runRepair(context, flags.json));
}

async function runRepair(context: CommandContext, asJson: boolean): Promise<void> {
  const repair = await context.withDatabase(
    'clock repair',
    async ({ clock, database, connectUnlimited }) => {
      const difference = await checkClock(database, clock);
      if (difference.remedy !== null) {
        throw new OperatorError(`${difference.seen}: one of the clocks is wrong; correct it, then run this again`);
      }
      return await repairClock(await connectUnlimited(1));
    },
    { create: false },
  );
  if (asJson) context.print(JSON.stringify({ repair }));
  else
    context.print(repair === null ? 'the last stamp is not ahead of the clock; nothing to repair' : describe(repair));
}

function describe({ repairedAt, stamp, aheadSeconds }: ClockRepair): string {
  const ahead = Math.round(aheadSeconds).toLocaleString('en-US');
  return (
    `the clock reads ${repairedAt}; the last stamp was ${ahead} s ahead. Changes stamped up to ${stamp} are delivered ` +
    'after the horizon of the change feed, and stamps advance slowly until the clock has caught up with them'
  );
}
