/** `tmds migrate`: brings the schema up to date, from nothing or from any older version. */
import type { Command } from 'commander';
import { migrate } from '../database/schema/migrate.ts';
import { refreshGrants } from '../database/schema/roles.ts';
import { describePlace } from '../upkeep/health/checks.ts';
import { holdPseudoMarks } from '../upkeep/retention/hold-pseudo-marks.ts';
import type { CommandContext } from './context.ts';

export function registerMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the schema up to date; safe to repeat and to run from several processes at once')
    .action(() => runMigrate(context));
}

async function runMigrate(context: CommandContext): Promise<void> {
  await context.withDatabase(
    'migrate',
    async ({ config, connectUnlimited }) => {
      const database = await connectUnlimited(2);
      const applied = await migrate(database, undefined, describePlace(config), context.clock, context.note);
      for (const name of applied) context.print(`applied ${name}`);
      if (applied.length > 0 && (await refreshGrants(database)))
        context.print('tmds_serve and tmds_read have their rights');
      if (applied.length === 0) context.print('the schema is up to date');
      const outcome = await holdPseudoMarks({ db: database, clock: context.clock, isPatient: false });
      if (outcome.kind === 'done' && outcome.read > 0) {
        const { read, changed } = outcome;
        context.print(
          `read ${read.toLocaleString('en')} payloads: ${changed.toLocaleString('en')} records have pseudo marks`,
        );
      }
    },
    { migrate: false },
  );
}
