/** `tmds roles`: roles of PostgreSQL with no more rights than they need (docs/design/operations.md). */
import type { Command } from 'commander';
import { applyRoles, renderRoles } from '../database/schema/roles.ts';
import type { CommandContext } from './context.ts';

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
