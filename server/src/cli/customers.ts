/** `tmds customer`: customers, their standing, and invitations to the portal. */
import type { Command } from 'commander';
import { removeCustomer, renameCustomer, resumeCustomer, suspendCustomer } from '../access/customers.ts';
import { addCustomer, inviteCustomer } from '../access/keys.ts';
import type { Queryable } from '../database/driver/db.ts';
import { findServer } from '../database/embedded/attach.ts';
import { type Customer, countLiveKeys, findCustomer, listCustomers } from '../store/accounts/customers.ts';
import { askToConfirm, findActor, linkInvitation, parseAddress, parseName, parseReason } from './arguments.ts';
import { type Columns, type CommandContext, renderTable } from './context.ts';

interface Printed {
  json?: boolean;
}

interface CustomerRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly keys: number;
  readonly state: CustomerState;
}

type CustomerState = 'active' | 'suspended' | 'removed';

function stateOf({ suspended_at, removed_at }: Customer): CustomerState {
  if (removed_at !== null) return 'removed';
  return suspended_at === null ? 'active' : 'suspended';
}

const COLUMNS: Columns<CustomerRow> = { name: 'name', keys: 'keys', state: 'state', created: 'created_at', id: 'id' };

const NO_CUSTOMER = 'there is no customer yet; tmds customer add NAME makes one';

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
        const rows = customers.map((each) => {
          const { customer_id: id, name, created_at, keys } = each;
          return { id, name, created_at, keys, state: stateOf(each) };
        });
        context.print(options.json ? JSON.stringify(rows) : renderTable(COLUMNS, rows, NO_CUSTOMER));
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
        const order = { customer, email, actor: findActor() };
        const { token, expires_at, isCustomerNew } = await inviteCustomer(database, order);
        if (isCustomerNew) context.note(`added the customer ${customer}`);
        const link = linkInvitation(config, token, await findServer(database));
        context.print(options.json ? JSON.stringify({ link, email, customer, expires_at }) : link);
      }),
    );
  registerRename(customer, context);
  registerSuspension(customer, context);
  registerRemove(customer, context);
}

function registerRename(customer: Command, context: CommandContext): void {
  customer
    .command('rename')
    .argument('<name>', 'name of the customer', parseName)
    .argument('<new-name>', 'its new name', parseName)
    .description('give a customer another name; its keys, people and usage stay')
    .option('--json', 'print JSON')
    .action((name: string, newName: string, options: Printed) =>
      context.withDatabase('customer rename', async ({ database }) => {
        const order = { customer: name, name: newName, actor: findActor() };
        await database.transaction((tx) => renameCustomer(tx, order));
        context.print(options.json ? JSON.stringify({ name: newName }) : `customer ${name} is now ${newName}`);
      }),
    );
}

function registerSuspension(customer: Command, context: CommandContext): void {
  customer
    .command('suspend')
    .argument('<name>', 'name of the customer', parseName)
    .description('refuse all keys and people of a customer until it is resumed; every process does so within a second')
    .option('--reason <text>', 'shown to its people when they sign in', parseReason)
    .option('--yes', 'do it without asking')
    .option('--json', 'print JSON')
    .action((name: string, options: Printed & { reason?: string; yes?: boolean }) =>
      context.withDatabase('customer suspend', async ({ database }) => {
        await confirm(database, name, options, 'all calls with %d would be refused');
        const order = { customer: name, reason: options.reason ?? null, actor: findActor() };
        await database.transaction((tx) => suspendCustomer(tx, order));
        context.print(options.json ? JSON.stringify({ name, state: 'suspended' }) : `customer ${name} is suspended`);
      }),
    );
  customer
    .command('resume')
    .argument('<name>', 'name of the customer', parseName)
    .description('end a suspension; does nothing if there is none')
    .option('--json', 'print JSON')
    .action((name: string, options: Printed) =>
      context.withDatabase('customer resume', async ({ database }) => {
        const wasSuspended = await database.transaction((tx) =>
          resumeCustomer(tx, { customer: name, actor: findActor() }),
        );
        const message = wasSuspended ? `customer ${name} is resumed` : `customer ${name} was not suspended`;
        context.print(options.json ? JSON.stringify({ name, state: 'active' }) : message);
      }),
    );
}

function registerRemove(customer: Command, context: CommandContext): void {
  customer
    .command('remove')
    .argument('<name>', 'name of the customer', parseName)
    .description(
      'permanently revoke the keys of a customer and erase its name, its people and the names of its keys; ' +
        'usage and audit stay under a neutral name',
    )
    .option('--yes', 'do it without asking')
    .option('--json', 'print JSON')
    .action((name: string, options: Printed & { yes?: boolean }) =>
      context.withDatabase('customer remove', async ({ database }) => {
        await confirm(database, name, options, '%d would be permanently revoked and its people erased');
        const kept = await database.transaction((tx) => removeCustomer(tx, { customer: name, actor: findActor() }));
        const message = `customer ${name} is removed; its usage is kept as: ${kept}`;
        context.print(options.json ? JSON.stringify({ name: kept, state: 'removed' }) : message);
      }),
    );
}

/** `effect` has `%d` where the keys belong. */
async function confirm(db: Queryable, name: string, { yes }: { yes?: boolean }, effect: string): Promise<void> {
  const customer = await findCustomer(db, name);
  if (yes === true || customer === null) return;
  const keys = await countLiveKeys(db, customer.customer_id);
  askToConfirm(`customer ${name}: ${effect.replace('%d', keys === 1 ? 'its key' : `its ${keys} keys`)}`);
}
