/** `tmds migrate` brings the schema up to date, and `tmds roles` makes roles with no more rights than they need. */
import type { Command } from 'commander';
import { migrate } from '../database/schema/migrate.ts';
import { applyRoles, refreshGrants, renderRoles } from '../database/schema/roles.ts';
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

export function registerRolesCommand(program: Command, context: CommandContext): void {
  program
    .command('roles')
    .description('print the SQL for the roles tmds_serve and tmds_read, or with --apply run it; safe to repeat')
    .option('--apply', 'make the roles and give them their rights, as the owner of the tables', false)
    .option('--sql', 'print the SQL; this is the default', false)
    .action((flags: { apply: boolean }) => runRoles(context, flags.apply));
}

async function runRoles(context: CommandContext, applies: boolean): Promise<void> {
  await context.withDatabase('roles', async ({ config, database, connectUnlimited }) => {
    if (!applies) {
      context.print(await renderRoles(database));
      return;
    }
    const { created } = await applyRoles(await connectUnlimited(1));
    for (const role of created) context.print(`made ${role}`);
    context.print('tmds_serve and tmds_read have the rights that this version declares');
    if (config.databaseUrl === null) {
      context.note('the embedded database is used by one account; these roles are for your own PostgreSQL');
    }
  });
}
