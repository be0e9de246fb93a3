/** `tmds key`: issues, lists, shows, rotates, revokes and changes keys; `tmds usage`: what they used. */
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import type { Command } from 'commander';
import {
  findKeySummary,
  issueKey,
  type KeyLimits,
  RATE_LIMIT_DEFAULT,
  revokeKey,
  rotateKey,
  setKey,
} from '../access/keys.ts';
import { listAudit } from '../store/accounts/customers.ts';
import { type KeySummary, listKeys } from '../store/accounts/keys.ts';
import { listUsageDays } from '../store/accounts/usage.ts';
import {
  findActor,
  parseDuration,
  parseMonth,
  parseName,
  parseProducts,
  parseQuota,
  parseRateLimit,
} from './arguments.ts';
import { type Columns, type CommandContext, renderTable } from './context.ts';

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
    .description('one key and all its changes')
    .option('--json', 'print JSON')
    .action((id: string, options: Printed) => printKey(context, id, options));
  key
    .command('revoke <id>')
    .description('end a key permanently; every process refuses it within a second')
    .option('--json', 'print JSON')
    .action((id: string, options: Printed) =>
      context.withDatabase('key revoke', async ({ database }) => {
        await revokeKey(database, { id, actor: findActor() });
        context.print(options.json ? JSON.stringify({ id, revoked: true }) : `key ${id} is revoked`);
      }),
    );
}

function registerIssue(key: Command, context: CommandContext): void {
  addLimitOptions(key.command('issue'))
    .description('issue a key; its text is printed once and cannot be shown again')
    .requiredOption('--customer <name>', 'whose key it is; the customer is added if it is new', parseName)
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
        } else context.print(`id   ${issued.id}\nkey  ${issued.key}\nIt is shown only once: keep it in a safe place.`);
      }),
    );
}

function registerRotate(key: Command, context: CommandContext): void {
  key
    .command('rotate <id>')
    .description('print a new secret; usage and limits stay with the key')
    .option('--grace <duration>', 'how long the old secret keeps working, such as 30m, 24h or 7d', parseDuration, 0)
    .option('--json', 'print JSON')
    .action((id: string, options: Printed & { grace: number }) =>
      context.withDatabase('key rotate', async ({ database }) => {
        const rotated = await rotateKey(database, { id, graceSeconds: options.grace, actor: findActor() });
        if (options.json) context.print(JSON.stringify({ ...rotated, grace_seconds: options.grace }));
        else context.print(`id   ${rotated.id}\nkey  ${rotated.key}\nIt is shown only once: keep it in a safe place.`);
      }),
    );
}

function registerSet(key: Command, context: CommandContext): void {
  addLimitOptions(key.command('set <id>'))
    .description('change the name, products or limits of a key; the others stay')
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
    .option(
      '--product <list>',
      `products, any of ${PRODUCTS.join(', ')}, separated by commas or given one by one`,
      parseProducts,
    )
    .option('--rate-limit <calls>', 'maximum calls a minute, for each product', parseRateLimit)
    .option('--quota <calls>', 'maximum calls a month, for each product, or unlimited', parseQuota);
}

function readLimits({ rateLimit, quota }: LimitOptions): KeyLimits {
  return {
    ...(rateLimit === undefined ? {} : { rateLimitPerMinute: rateLimit }),
    ...(quota === undefined ? {} : { quota: quota === 'unlimited' ? null : quota }),
  };
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
    {
      id: ({ key }) => key.id,
      customer: ({ key }) => key.customer,
      name: ({ key }) => key.name,
      product: ({ product }) => product?.product ?? null,
      'calls/min': ({ product }) => product?.rate_limit_per_minute ?? null,
      'calls/month': ({ product }) => (product === null ? null : (product.quota ?? 'unlimited')),
      created: ({ key }) => key.created_at,
      revoked: ({ key }) => key.revoked_at,
    },
    rows,
    'there is no key yet; tmds key issue makes one',
  );
}

type UsageDay = Awaited<ReturnType<typeof listUsageDays>>[number];

const COLUMNS: Columns<UsageDay> = { key: 'key_id', product: 'product', day: 'day', units: 'units' };

export function registerUsageCommand(program: Command, context: CommandContext): void {
  program
    .command('usage')
    .description('units by key, product and UTC day')
    .option('--key <id>', 'only this key')
    .option('--month <yyyy-mm>', 'which month; default: the current one', parseMonth)
    .option('--json', 'print JSON')
    .action((flags: { key?: string; month?: string; json?: boolean }) =>
      context.withDatabase('usage', async ({ database }) => {
        const filter = { keyId: flags.key ?? null, month: flags.month ?? null };
        if (filter.keyId !== null) await findKeySummary(database, filter.keyId);
        const days = await listUsageDays(database, filter);
        context.print(flags.json ? JSON.stringify(days) : renderTable(COLUMNS, days, 'no unit was used'));
      }),
    );
}
