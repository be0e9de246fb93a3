/** `tmds key`, `tmds usage`, `tmds customer`: keys, their limits, what they used, and whose they are. */
import { userInfo } from 'node:os';
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { type Command, InvalidArgumentError } from 'commander';
import {
  addCustomer,
  findKeySummary,
  inviteCustomer,
  isProduct,
  issueKey,
  type KeyLimits,
  RATE_LIMIT_DEFAULT,
  revokeKey,
  rotateKey,
  setKey,
} from '../access/keys.ts';
import { parseEmail } from '../portal/frame/email.ts';
import { listAudit, listCustomers } from '../store/accounts/customers.ts';
import { type KeySummary, listKeys } from '../store/accounts/keys.ts';
import { listUsageDays } from '../store/accounts/usage.ts';
import type { CommandContext } from './context.ts';
import { renderTable } from './table.ts';

interface Printed {
  json?: boolean;
}

interface LimitOptions {
  rateLimit?: number;
  quota?: number | 'unlimited';
  product?: Product[];
}

export function registerKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('issue, list, show, rotate, revoke and change keys');
  registerIssue(key, context);
  registerRotate(key, context);
  registerSet(key, context);
  key
    .command('list')
    .description('every key with its products and limits')
    .option('--customer <name>', 'only the keys of this customer')
    .option('--json', 'print JSON')
    .action((options: Printed & { customer?: string }) => printKeys(context, options));
  key
    .command('show <id>')
    .description('one key and every change that was made to it')
    .option('--json', 'print JSON')
    .action((id: string, options: Printed) => printKey(context, id, options));
  key
    .command('revoke <id>')
    .description('end a key for good, in every process within a second')
    .option('--json', 'print JSON')
    .action((id: string, options: Printed) =>
      context.withDatabase('key revoke', async ({ database }) => {
        await revokeKey(database, { id, actor: findActor() });
        context.print(options.json ? JSON.stringify({ id, revoked: true }) : `key ${id} is revoked`);
      }),
    );
  registerUsageCommand(program, context);
  registerCustomerCommands(program, context);
}

function registerIssue(key: Command, context: CommandContext): void {
  addLimitOptions(key.command('issue'))
    .description('make a key; it is printed once and cannot be shown again')
    .requiredOption('--customer <name>', 'whose key it is; the customer is added when new', parseName)
    .option('--name <text>', 'what the key is for', parseName)
    .option('--json', 'print JSON')
    .action((options: LimitOptions & Printed & { customer: string; name?: string }) =>
      context.withDatabase('key issue', async ({ database }) => {
        const products = options.product ?? ['records'];
        const order = { customer: options.customer, name: options.name ?? null, products, actor: findActor() };
        const issued = await issueKey(database, { ...order, ...readLimits(options) });
        if (options.json) {
          const { customer, name } = order;
          const { rateLimitPerMinute = RATE_LIMIT_DEFAULT, quota = null } = readLimits(options);
          const limits = { rate_limit_per_minute: rateLimitPerMinute, quota };
          context.print(JSON.stringify({ ...issued, customer, name, products, ...limits }));
        } else context.print(`id   ${issued.id}\nkey  ${issued.key}\nIt is shown only now: keep it in a safe place.`);
      }),
    );
}

function registerRotate(key: Command, context: CommandContext): void {
  key
    .command('rotate <id>')
    .description('print a new key text; usage and limits stay with the key')
    .option('--grace <duration>', 'how long the old text works on, such as 30m, 24h or 7d', parseDuration, 0)
    .option('--json', 'print JSON')
    .action((id: string, options: Printed & { grace: number }) =>
      context.withDatabase('key rotate', async ({ database }) => {
        const rotated = await rotateKey(database, { id, graceSeconds: options.grace, actor: findActor() });
        if (options.json) context.print(JSON.stringify({ ...rotated, grace_seconds: options.grace }));
        else context.print(`id   ${rotated.id}\nkey  ${rotated.key}\nIt is shown only now: keep it in a safe place.`);
      }),
    );
}

function registerSet(key: Command, context: CommandContext): void {
  addLimitOptions(key.command('set <id>'))
    .description('change what a key carries; what is not named stays')
    .option('--name <text>', 'what the key is for', parseName)
    .option('--json', 'print JSON')
    .action((id: string, options: LimitOptions & Printed & { name?: string }) =>
      context.withDatabase('key set', async ({ database }) => {
        const name = options.name === undefined ? {} : { name: options.name };
        const products = options.product === undefined ? {} : { products: options.product };
        await setKey(database, { id, actor: findActor(), ...name, ...products, ...readLimits(options) });
        const summary = await findKeySummary(database, id);
        context.print(options.json ? JSON.stringify(summary) : renderKeys([summary]));
      }),
    );
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--product <list>', `products, any of ${PRODUCTS.join(', ')}, separated by commas`, parseProducts)
    .option('--rate-limit <calls>', 'most calls a minute, for each product', parseRateLimit)
    .option('--quota <calls>', 'most calls a month, for each product, or unlimited', parseQuota);
}

function readLimits({ rateLimit, quota }: LimitOptions): KeyLimits {
  return {
    ...(rateLimit === undefined ? {} : { rateLimitPerMinute: rateLimit }),
    ...(quota === undefined ? {} : { quota: quota === 'unlimited' ? null : quota }),
  };
}

function registerUsageCommand(program: Command, context: CommandContext): void {
  program
    .command('usage')
    .description('units by key, product and UTC day')
    .option('--key <id>', 'only this key')
    .option('--month <yyyy-mm>', 'which month; the running one unless given', parseMonth)
    .option('--json', 'print JSON')
    .action((options: Printed & { key?: string; month?: string }) =>
      context.withDatabase('usage', async ({ database }) => {
        const only = { keyId: options.key ?? null, month: options.month ?? null };
        if (only.keyId !== null) await findKeySummary(database, only.keyId);
        const days = await listUsageDays(database, only);
        if (options.json) context.print(JSON.stringify(days));
        else {
          const columns = [
            { title: 'key', cell: (row: (typeof days)[number]) => row.key_id },
            { title: 'product', cell: (row: (typeof days)[number]) => row.product },
            { title: 'day', cell: (row: (typeof days)[number]) => row.day },
            { title: 'units', cell: (row: (typeof days)[number]) => row.units },
          ];
          context.print(renderTable(columns, days));
        }
      }),
    );
}

function registerCustomerCommands(program: Command, context: CommandContext): void {
  const customer = program.command('customer').description('customers and their portal sign-ins');
  customer
    .command('add')
    .argument('<name>', 'what the customer is called', parseName)
    .description('add a customer; harmless when it exists')
    .option('--json', 'print JSON')
    .action((name: string, options: Printed) =>
      context.withDatabase('customer add', async ({ database }) => {
        const added = await database.transaction((tx) => addCustomer(tx, name, findActor()));
        const told = added.is_new ? `customer ${name} is added` : `customer ${name} exists already`;
        context.print(options.json ? JSON.stringify({ id: added.customer_id, name }) : told);
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
        const columns = (['name', 'keys', 'created_at', 'id'] as const).map((title) => ({
          title,
          cell: (row: (typeof rows)[number]) => row[title],
        }));
        context.print(options.json ? JSON.stringify(rows) : renderTable(columns, rows));
      }),
    );
  customer
    .command('invite')
    .argument('<email>', 'who signs in', parseAddress)
    .description('print a link with which this person signs in to the portal once')
    .requiredOption('--customer <name>', 'which customer; it is added when new', parseName)
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

function printKeys(context: CommandContext, options: Printed & { customer?: string }): Promise<void> {
  return context.withDatabase('key list', async ({ database }) => {
    const keys = await listKeys(database, options.customer === undefined ? {} : { customer: options.customer });
    context.print(options.json ? JSON.stringify(keys) : renderKeys(keys));
  });
}

function printKey(context: CommandContext, id: string, options: Printed): Promise<void> {
  return context.withDatabase('key show', async ({ database }) => {
    const summary = await findKeySummary(database, id);
    const audit = await listAudit(database, id);
    const changes = audit.map(({ at, actor, action, change }) => ({ at, actor, action, change }));
    if (options.json) context.print(JSON.stringify({ ...summary, changes }));
    else {
      const lines = changes.map(
        ({ at, actor, action, change }) => `${at} ${actor} ${action} ${JSON.stringify(change)}`,
      );
      context.print([renderKeys([summary]), '', ...lines].join('\n'));
    }
  });
}

function renderKeys(keys: readonly KeySummary[]): string {
  const rows = keys.flatMap((key) =>
    (key.products.length === 0 ? [null] : key.products).map((product) => ({ key, product })),
  );
  return renderTable(
    [
      { title: 'id', cell: ({ key }) => key.id },
      { title: 'customer', cell: ({ key }) => key.customer },
      { title: 'name', cell: ({ key }) => key.name },
      { title: 'product', cell: ({ product }) => product?.product ?? null },
      { title: 'calls/min', cell: ({ product }) => product?.rate_limit_per_minute ?? null },
      { title: 'calls/month', cell: ({ product }) => (product === null ? null : (product.quota ?? 'unlimited')) },
      { title: 'created', cell: ({ key }) => key.created_at },
      { title: 'revoked', cell: ({ key }) => key.revoked_at },
    ],
    rows,
  );
}

/** Who makes the change, for the audit. */
function findActor(): string {
  try {
    return `operator ${userInfo().username}`;
  } catch {
    return 'operator';
  }
}

const NAME_CHARACTERS_MAX = 200;

/** Of a customer or a key, without outer blanks. */
function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX) {
    throw new InvalidArgumentError(`It is a text of 1 to ${NAME_CHARACTERS_MAX} characters.`);
  }
  return name;
}

function parseAddress(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new InvalidArgumentError('It is an e-mail address.');
  return email;
}

function parseProducts(text: string): Product[] {
  const products = [...new Set(text.split(',').map((element) => element.trim()))];
  const unknown = products.find((product) => !isProduct(product));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${PRODUCTS.join(', ')}.`);
  return products.filter(isProduct);
}

function parseRateLimit(text: string): number {
  const calls = Number(text);
  if (!/^\d{1,10}$/.test(text) || calls < 1 || calls > 2_147_483_647) {
    throw new InvalidArgumentError('It is an integer of at least 1.');
  }
  return calls;
}

/** Null would arrive as an empty text. */
function parseQuota(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is an integer of at least 0, or unlimited.');
  return Number(text);
}

function parseMonth(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It is a month such as 2026-11.');
  return text;
}

const DURATION_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `30m`, `24h`, `7d`; in seconds. */
function parseDuration(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It is a duration such as 90s, 30m, 24h or 7d.');
  return Number(match[1]) * DURATION_SECONDS[match[2]!]!;
}
