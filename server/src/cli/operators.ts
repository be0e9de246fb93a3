/** `tmds operator`: who may use the operators' pages of the portal. */
import type { Command } from 'commander';
import { inviteOperator, removeOperator } from '../access/operators.ts';
import { findServer } from '../database/embedded/attach.ts';
import { listOperators, type OperatorRow } from '../store/accounts/operators.ts';
import { findActor, linkInvitation, parseAddress } from './arguments.ts';
import { type Columns, type CommandContext, renderTable } from './context.ts';

interface Printed {
  json?: boolean;
}

const COLUMNS: Columns<OperatorRow> = {
  email: 'email',
  state: 'state',
  created: 'created_at',
  'signed in': 'signed_in_at',
};

const NO_OPERATOR = 'there is no operator yet; tmds operator invite ADDRESS makes one';

export function registerOperatorCommands(program: Command, context: CommandContext): void {
  const operator = program.command('operator').description("who may use the operators' pages of the portal");
  operator
    .command('invite')
    .argument('<email>', 'address of the person', parseAddress)
    .description("print a link that makes this person an operator, or sets an operator's new password; it works once")
    .option('--json', 'print JSON')
    .action((email: string, options: Printed) =>
      context.withDatabase('operator invite', async ({ database, config }) => {
        const { token, expires_at } = await database.transaction((tx) =>
          inviteOperator(tx, { email, actor: findActor() }),
        );
        const link = linkInvitation(config, token, await findServer(database));
        context.print(options.json ? JSON.stringify({ link, email, expires_at }) : link);
      }),
    );
  operator
    .command('list')
    .description('every operator, and the invited ones')
    .option('--json', 'print JSON')
    .action((options: Printed) =>
      context.withDatabase('operator list', async ({ database }) => {
        const operators = await listOperators(database);
        context.print(options.json ? JSON.stringify(operators) : renderTable(COLUMNS, operators, NO_OPERATOR));
      }),
    );
  operator
    .command('remove')
    .argument('<email>', 'address of the person', parseAddress)
    .description('end the account of an operator and all its sessions, at once')
    .option('--json', 'print JSON')
    .action((email: string, options: Printed) =>
      context.withDatabase('operator remove', async ({ database }) => {
        await database.transaction((tx) => removeOperator(tx, { email, actor: findActor() }));
        context.print(options.json ? JSON.stringify({ email, removed: true }) : `${email} is no longer an operator`);
      }),
    );
}
