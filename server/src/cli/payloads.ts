/** `tmds payloads`: where the documents of records are held, and moving them. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { DAY_MS } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { PAYLOAD_PLACES, type PayloadPlace } from '../base/payload-places.ts';
import { openNotes, writeCount } from '../base/progress.ts';
import { ObjectStoreAway } from '../objects/object-store.ts';
import { countDocuments, type HeldCounts } from '../store/documents/check.ts';
import { movePayloads } from '../upkeep/retention/move-payloads.ts';
import { sweepObjects } from '../upkeep/retention/sweep-objects.ts';
import { type Columns, type CommandContext, renderTable } from './context.ts';

interface MoveFlags {
  readonly to: PayloadPlace;
  readonly json: boolean;
}

interface SweepFlags {
  readonly olderThanDays: number;
  readonly delete: boolean;
  readonly json: boolean;
}

const GRACE_DAYS = '30';

export function registerPayloadsCommand(program: Command, context: CommandContext): void {
  const payloads = program.command('payloads').description('where the payloads of records are held, and moving them');
  payloads
    .command('status', { isDefault: true })
    .description('how many payloads each place holds, and their size')
    .option('--json', 'print JSON', false)
    .action((flags: { json: boolean }) => runStatus(context, flags.json));
  payloads
    .command('move')
    .description(
      'move every payload, past versions included, while the service keeps running; a move that ended early resumes',
    )
    .addOption(new Option('--to <place>', 'where to').choices(PAYLOAD_PLACES).makeOptionMandatory())
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nSet TMDS_PAYLOADS to the same place first: loads keep putting payloads where it says.')
    .action((flags: MoveFlags) => runMove(context, flags));
  payloads
    .command('sweep')
    .description('remove objects that no record and no version names: first without --delete, which only counts')
    .addOption(
      new Option('--older-than-days <n>', 'objects that were written later stay, such as those that older backups name')
        .argParser(parseDays)
        .default(parseDays(GRACE_DAYS), GRACE_DAYS),
    )
    .option('--delete', 'take them away', false)
    .option('--json', 'print JSON', false)
    .action((flags: SweepFlags) => runSweep(context, flags));
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,5}$/.test(text) || days < 1) throw new InvalidArgumentError('It must be an integer from 1 to 99999.');
  return days;
}

const COLUMNS: Columns<HeldCounts> = {
  of: 'of',
  place: 'place',
  payloads: 'documents',
  bytes: 'bytes',
  'in the database': 'stored_bytes',
};

async function runStatus(context: CommandContext, json: boolean): Promise<void> {
  const status = await context.withDatabase(
    'payloads',
    async ({ config, connectUnlimited }) => {
      const db = await connectUnlimited(1);
      const objects = db.objects?.place ?? null;
      return { payloads: config.payloads, objects, ...(await countDocuments(db)) };
    },
    { create: false },
  );
  if (json) return context.print(JSON.stringify(status));
  context.print(renderTable(COLUMNS, status.held));
  const { dictionaries, bytes } = status.dictionaries;
  context.print(`${writeCount(dictionaries)} dictionaries, ${writeCount(bytes)} bytes`);
  context.print(`loads put payloads here: ${status.payloads}; store of objects: ${status.objects ?? 'none'}`);
}

async function runMove(context: CommandContext, { to, json }: MoveFlags): Promise<void> {
  const moved = await context.withDatabase(
    'payloads move',
    async ({ clock, config, connectUnlimited }) => {
      if (config.payloads !== to) context.note(`loads continue as before until TMDS_PAYLOADS=${to} is set`);
      const note = openNotes(clock, context.note);
      const db = await connectUnlimited(3);
      return await explained(() =>
        movePayloads({ db, to, onProgress: ({ documents }) => note(() => `${writeCount(documents)} payloads moved`) }),
      );
    },
    { create: false },
  );
  if (json) context.print(JSON.stringify({ to, ...moved }));
  else context.print(`${writeCount(moved.documents)} payloads moved, ${writeCount(moved.bytes)} bytes as served`);
}

async function runSweep(context: CommandContext, flags: SweepFlags): Promise<void> {
  const swept = await context.withDatabase(
    'payloads sweep',
    async ({ clock, connectUnlimited }) => {
      const note = openNotes(clock, context.note);
      return await explained(async () =>
        sweepObjects({
          db: await connectUnlimited(2),
          beforeMs: clock.nowMs() - flags.olderThanDays * DAY_MS,
          dryRun: !flags.delete,
          onProgress: ({ objects }) => note(() => `${writeCount(objects)} objects seen`),
        }),
      );
    },
    { create: false },
  );
  if (flags.json) return context.print(JSON.stringify({ dry_run: !flags.delete, ...swept }));
  const { objects, unnamed, unnamedBytes, younger } = swept;
  const what = flags.delete ? 'taken away' : 'to be taken away with --delete';
  context.print(
    `${writeCount(objects)} objects, ${writeCount(unnamed)} of them (${writeCount(unnamedBytes)} bytes) ${what}`,
  );
  const young = `too young for --older-than-days ${flags.olderThanDays}`;
  if (younger > 0) context.print(`${writeCount(younger)} more that nothing names are ${young}`);
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ObjectStoreAway)) throw error;
    const message = `${error.seen}; completed work is kept, and the same command continues from there`;
    throw new OperatorError(message, { cause: error });
  }
}
