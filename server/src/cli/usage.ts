/** `tmds usage`: units by key, product and day. */
import type { Command } from 'commander';
import { findKeySummary } from '../access/keys.ts';
import { listUsageDays } from '../store/accounts/usage.ts';
import { parseMonth } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { type Column, renderTable } from './output.ts';

type UsageDay = Awaited<ReturnType<typeof listUsageDays>>[number];

const COLUMNS: readonly Column<UsageDay>[] = [
  { title: 'key', cell: (row) => row.key_id },
  { title: 'product', cell: (row) => row.product },
  { title: 'day', cell: (row) => row.day },
  { title: 'units', cell: (row) => row.units },
];

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
