/** `tmds clock repair`: the change feed goes on after a clock that was fast has been corrected. */
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { checkClock } from '../store/health/checks.ts';
import { type ClockRepair, repairClock } from '../store/publish/clock-repair.ts';
import type { CommandContext } from './context.ts';

export function registerClockCommands(program: Command, context: CommandContext): void {
  const clock = program.command('clock').description('the clock that changes are stamped by');
  clock
    .command('repair')
    .description('let the change feed go on after the clock of the database was fast and has been corrected')
    .option('--json', 'print the repair as JSON', false)
    .addHelpText('after', '\nRun it only while the clock of the database is right: look at it first.')
    .action((flags: { json: boolean }) => runRepair(context, flags.json));
}

async function runRepair(context: CommandContext, asJson: boolean): Promise<void> {
  const repair = await context.withDatabase(
    'clock repair',
    async ({ clock, database, connectUnlimited }) => {
      const difference = await checkClock(database, clock);
      if (difference.remedy !== null) {
        throw new OperatorError(`${difference.seen}: one of them is wrong; correct it, then repair`);
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
    `the clock reads ${repairedAt}, the last stamp was ${ahead} s ahead; what was stamped up to ${stamp} is ` +
    'delivered once the horizon of the change feed has passed, and stamps rise slowly until the clock has come up to them'
  );
}
