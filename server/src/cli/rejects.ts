/** `tmds rejects`: what loads could not store and no later load has stored, and closing it. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../base/errors.ts';
import type { Queryable } from '../database/driver/db.ts';
import { closeRejects, listOpenRejects, type OpenRejects } from '../store/publish/open-rejects.ts';
import { buildLimitParser, findActor, parseRegister } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { findLoad, parseIdStart } from './load-id.ts';
import { oneLine } from './printable.ts';
import { type Column, renderTable } from './table.ts';

const LIMIT_MAX = 100_000;
const ORDINAL_MAX = 2_147_483_647;

const COLUMNS: readonly Column<OpenRejects>[] = [
  { title: 'load', cell: (row) => row.load_id.slice(0, 8) },
  { title: 'ended', cell: (row) => row.finished_at },
  { title: 'format', cell: (row) => row.format },
  { title: 'open', cell: (row) => row.open },
  { title: 'source', cell: (row) => oneLine(row.source) },
];

export function registerRejectsCommands(program: Command, context: CommandContext): void {
  const rejects = program
    .command('rejects')
    .description('records and files that loads rejected and that no later load has stored');
  rejects
    .command('list')
    .description('list the loads with open rejects, newest first; "tmds issues LOAD" shows the rejects of one')
    .option('--register <code>', 'only loads of this register', parseRegister)
    .option('--limit <n>', 'show at most this many', buildLimitParser(LIMIT_MAX), 50)
    .option('--json', 'one JSON document instead of a table', false)
    .action(({ register, limit, json }: { register?: string; limit: number; json: boolean }) =>
      context.withDatabase('rejects list', async ({ database }) => {
        const loads = await listOpenRejects(database, { register: register ?? null, limitMax: limit });
        context.print(json ? JSON.stringify({ loads }) : renderTable(COLUMNS, loads, 'no reject is open'));
      }),
    );
  rejects
    .command('close')
    .description('close rejects of a load that need not be stored: the register counts as complete without them')
    .addArgument(new Argument('<load>', 'id of the load, or the beginning of it').argParser(parseIdStart))
    .addArgument(
      new Argument(
        '[ordinals...]',
        'numbers of the rejects as "tmds issues --json" shows them; default: all',
      ).argParser(parseOrdinal),
    )
    .option('--json', 'print JSON', false)
    .action((idStart: string, ordinals: readonly number[] | undefined, { json }: { json: boolean }) =>
      context.withDatabase('rejects close', async ({ database }) => {
        const closed = await close(database, idStart, ordinals ?? []);
        context.print(json ? JSON.stringify(closed) : `${closed.closed} closed`);
      }),
    );
}

async function close(
  db: Queryable,
  idStart: string,
  ordinals: readonly number[],
): Promise<{ load_id: string; closed: number }> {
  const load = await findLoad(db, idStart);
  if (load === null) throw new OperatorError('nothing has been loaded yet');
  const chosen = ordinals.length === 0 ? null : ordinals;
  const closed = await closeRejects(db, { loadId: load.load_id, ordinals: chosen, actor: findActor() });
  return { load_id: load.load_id, closed };
}

function parseOrdinal(text: string, before: readonly number[] = []): readonly number[] {
  const ordinal = Number(text);
  if (/^\d+$/.test(text) && ordinal >= 1 && ordinal <= ORDINAL_MAX) return [...before, ordinal];
  throw new InvalidArgumentError('Give the number of a reject, from 1.');
}
