/** `tmds customer`: customers, and invitations to the portal. */
import type { Command } from 'commander';
import { addCustomer, inviteCustomer } from '../access/keys.ts';
import { listCustomers } from '../store/accounts/customers.ts';
import { findActor, parseAddress, parseName } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { type Column, renderTable } from './table.ts';

interface Printed {
  json?: boolean;
}

interface CustomerRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly keys: number;
}

const COLUMNS: readonly Column<CustomerRow>[] = [
  { title: 'name', cell: (row) => row.name },
  { title: 'keys', cell: (row) => row.keys },
  { title: 'created_at', cell: (row) => row.created_at },
  { title: 'id', cell: (row) => row.id },
];

export function registerCustomerCommands(program: Command, context: CommandContext): void {
  const customer = program.command('customer').description('customers and their portal sign-ins');
  customer
    .command('add')
    .argument('<name>', 'name of the customer', parseName)
    .description('add a customer; does nothing if it exists')
    .option('--json', 'print JSON')
    .action((name: string, options: Printed) =>
      context.withDatabase('customer add', async ({ database }) => {
        const added = await database.transaction((tx) => addCustomer(tx, name, findActor()));
        const message = added.is_new ? `customer ${name} is added` : `customer ${name} exists already`;
        context.print(options.json ? JSON.stringify({ id: added.customer_id, name }) : message);
      }),
    );
  customer
    .command('list')
    .description('every customer with the number of its keys')
    .option('--json', 'print JSON')
    .action((options: Printed) =>
      context.withDatabase('customer list', async ({ database }) => {
        const customers = await listCustomers(database);
        const rows = customers.map(({ customer_id: id, name, created_at, keys }) => ({ id, name, created_at, keys }));
        context.print(options.json ? JSON.stringify(rows) : renderTable(COLUMNS, rows));
      }),
    );
  customer
    .command('invite')
    .argument('<email>', 'address of the person', parseAddress)
    .description('print a link that lets this person join the portal; it works once')
    .requiredOption('--customer <name>', 'which customer; added if it is new', parseName)
    .option('--json', 'print JSON')
    .action((email: string, options: Printed & { customer: string }) =>
      context.withDatabase('customer invite', async ({ database, config }) => {
        const { customer } = options;
        const { token, expires_at } = await inviteCustomer(database, { customer, email, actor: findActor() });
        const host = ['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host;
        const authority = host.includes(':') ? `[${host}]` : host;
        const origin = config.publicUrl ?? `http://${authority}:${config.port}`;
        const link = `${origin}/portal/invitation/${token}`;
        context.print(options.json ? JSON.stringify({ link, email, customer, expires_at }) : link);
      }),
    );
}
