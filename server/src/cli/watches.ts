/** `tmds watch`: the watches of customers and their hits, as in the API. */
import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import {
  BODY_BYTES_MAX,
  HITS_PAGE_MAX,
  WATCH_ITEMS_TOTAL_MAX,
  WATCHES_MAX,
  type WatchHitItem,
} from '@tmds/contract/watches';
import type { Command } from 'commander';
import { ApiError, OperatorError } from '../base/errors.ts';
import type { Queryable } from '../database/driver/db.ts';
import { openLiveIndex } from '../follow/live-index.ts';
import { previewRecords, previewSearch, type WatchPreview } from '../http/preview-watch.ts';
import { checkDeclared } from '../parse/query.ts';
import { parseHits, parseWatchBody, parseWatchId } from '../parse/watches.ts';
import { planWatch, type WatchPlan } from '../plan/watches.ts';
import { findCustomer } from '../store/accounts/customers.ts';
import { findHits } from '../store/watches/hits.ts';
import {
  endWatch,
  findSubject,
  findWatch,
  listWatches,
  putWatch,
  type StoredWatch,
  type WatchSubject,
} from '../store/watches/watches.ts';
import { parseName } from './arguments.ts';
import { type Columns, type CommandContext, type CommandServices, renderTable } from './context.ts';

interface Flags {
  readonly customer: string;
  readonly json?: boolean;
}

interface PutFlags extends Flags {
  readonly name?: string;
  readonly reference?: string;
  readonly search?: string;
  readonly file?: string;
}

interface HitsFlags extends Flags {
  readonly since: string;
  readonly cursor?: string;
  readonly limit: string;
}

const LISTED_AT_ONCE = 1_000;

const COLUMNS: Columns<StoredWatch> = {
  id: 'id',
  kind: 'kind',
  name: 'name',
  reference: 'reference',
  listed: 'item_count',
  search: 'search',
  changed_at: 'changed_at',
  ended_at: 'ended_at',
};

const HIT_COLUMNS: Columns<WatchHitItem> = {
  version: 'version',
  register: 'jurisdiction_code',
  uid: 'uid',
  event: 'event',
  cause: 'cause',
  changes: (row) => row.changes.map(({ field }) => field).join(' '),
};

const NO_WATCH = 'nothing is watched; tmds watch put makes a watch';

export function registerWatchCommands(program: Command, context: CommandContext): void {
  const watch = program.command('watch').description('the watches of customers');
  const add = (name: string, description: string): Command =>
    watch
      .command(name)
      .description(description)
      .requiredOption('--customer <name>', 'whose watches', parseName)
      .option('--json', 'print JSON');
  add('list', 'the live watches of a customer').action((flags: Flags) =>
    context.withDatabase('watch list', async ({ database }) => {
      const watches = await listAll(database, await findCustomerId(database, flags));
      context.print(flags.json ? JSON.stringify(watches) : renderTable(COLUMNS, watches, NO_WATCH));
    }),
  );
  add('show', 'a watch with all that it lists')
    .argument('<id>', 'id of the watch')
    .action((id: string, flags: Flags) =>
      context.withDatabase('watch show', async ({ database }) => {
        const found = await findOwn(database, id, flags);
        const subject = await findSubject(database, found);
        context.print(flags.json ? JSON.stringify({ ...found, ...subject }) : describe(found, subject));
      }),
    );
  withSubject(add('preview', 'how many records match now, and how many events a month would have been hits for a year'))
    .argument('<id>', 'id of a watch; with --search or --file, of one that does not exist yet')
    .action((id: string, flags: PutFlags) =>
      context.withDatabase('watch preview', async (services) => {
        const isMade = flags.file === undefined && flags.search === undefined;
        const found = isMade ? await findOwn(services.database, id, flags) : null;
        const subject =
          found === null
            ? readWatch(id, await readBody({ name: id, ...flags })).subject
            : await findSubject(services.database, found);
        const preview = await previewAlone(services, subject, found?.watch_id ?? null);
        context.print(flags.json ? JSON.stringify(preview) : describePreview(preview));
      }),
    );
  withSubject(add('put', 'make a watch, change it, or make it live again'))
    .argument('<id>', 'id of the watch')
    .action((id: string, flags: PutFlags) =>
      context.withDatabase('watch put', async ({ database }) => {
        const plan = readWatch(id, await readBody(flags));
        const { outcome, watch: put } = await putWatch(database, await findCustomerId(database, flags), id, plan);
        if (put === null) {
          const most = `${WATCHES_MAX} watches, which list ${WATCH_ITEMS_TOTAL_MAX} records and owners in all`;
          throw new OperatorError(`a customer has at most ${most}: end one that is no longer needed`);
        }
        context.print(flags.json ? JSON.stringify(put) : `watch ${id} is ${outcome}`);
      }),
    );
  add('end', 'match nothing more; the hits stay')
    .argument('<id>', 'id of the watch')
    .action((id: string, flags: Flags) =>
      context.withDatabase('watch end', async ({ database }) => {
        const ended = await endWatch(database, await findCustomerId(database, flags), id);
        if (ended === null) throw noSuchWatch(id, flags);
        context.print(flags.json ? JSON.stringify(ended) : `watch ${id} ended at ${ended.ended_at}`);
      }),
    );
  add('hits', 'the hits of a watch, oldest first')
    .argument('<id>', 'id of the watch')
    .option('--since <instant>', 'hits with stamps at or after it', '1970-01-01')
    .option('--cursor <cursor>', 'the next_cursor of the page before, with the same --since')
    .option('--limit <count>', `1 to ${HITS_PAGE_MAX}`, '100')
    .action((id: string, flags: HitsFlags) =>
      context.withDatabase('watch hits', async ({ database }) => {
        const { watch_id, reference } = await findOwn(database, id, flags);
        const page = await findHits(database, watch_id, readHits(id, flags));
        const items = page.items.map((hit) => ({ ...hit, reference }));
        context.print(
          flags.json ? JSON.stringify({ ...page, items }) : renderTable(HIT_COLUMNS, items, 'no hit in this range'),
        );
      }),
    );
}

function withSubject(command: Command): Command {
  return command
    .option('--name <name>', 'for people; with --search')
    .option('--reference <text>', 'of the customer, such as the number of a matter; with --search')
    .option('--search <query>', 'a search as a query string, such as "jurisdiction=US&owner_name=acme"')
    .option(
      '--file <file>',
      'a watch as the API takes it, in JSON: name and one of search, records, owners, similar; - = input',
    );
}

async function findCustomerId(db: Queryable, { customer }: Flags): Promise<string> {
  const found = await findCustomer(db, customer);
  if (found === null) throw new OperatorError(`there is no customer ${customer}; tmds customer list names all`);
  return found.customer_id;
}

function noSuchWatch(id: string, { customer }: Flags): OperatorError {
  return new OperatorError(`${customer} has no watch ${id}; tmds watch list names the live ones`);
}

async function findOwn(db: Queryable, id: string, flags: Flags): Promise<StoredWatch> {
  const found = await findWatch(db, await findCustomerId(db, flags), id);
  if (found === null) throw noSuchWatch(id, flags);
  return found;
}

async function listAll(db: Queryable, customerId: string): Promise<StoredWatch[]> {
  const all: StoredWatch[] = [];
  for (;;) {
    const page = await listWatches(db, customerId, { after: all.at(-1)?.id ?? null, limit: LISTED_AT_ONCE });
    all.push(...page);
    if (page.length < LISTED_AT_ONCE) return all;
  }
}

function describe(watch: StoredWatch, subject: WatchPlan['subject']): string {
  const head = renderTable(COLUMNS, [watch]);
  if ('search' in subject) return head;
  const listed =
    subject.kind === 'owners' ? subject.owners : subject.records.map((each) => Object.values(each).join(' '));
  return [head, '', ...listed].join('\n');
}

async function readBody({ name, reference, search, file }: PutFlags): Promise<string> {
  if ((file === undefined) === (search === undefined)) {
    throw new OperatorError('give either --search with --name, or --file', { exitStatus: 2 });
  }
  if (file === undefined) return JSON.stringify({ name, reference, search });
  const text = file === '-' ? await readText(process.stdin) : await readFile(file, 'utf8').catch(refuseFile(file));
  if (text.length > BODY_BYTES_MAX) throw new OperatorError('the watch is too long', { exitStatus: 2 });
  return text;
}

const refuseFile =
  (file: string) =>
  (cause: unknown): never => {
    throw new OperatorError(`${file} cannot be read`, { exitStatus: 2, cause });
  };

function readWatch(id: string, body: string): WatchPlan {
  return asUsage(() => {
    parseWatchId(id);
    return planWatch(parseWatchBody(Buffer.from(body), 'application/json'));
  });
}

function readHits(id: string, { since, cursor, limit }: HitsFlags): ReturnType<typeof parseHits> {
  const pairs = Object.entries({ since, cursor, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, fault: null }],
  );
  return asUsage(() => parseHits(checkDeclared('watch_hits', pairs), id));
}

/** A definition that the API would refuse is a wrong use of the command. */
function asUsage<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) throw new OperatorError(error.message, { exitStatus: 2, cause: error });
    throw error;
  }
}

/** The largest register of all takes minutes to read. */
const READY_MS_MAX = 3_600_000;
/** Nobody else waits for a thread of this process. */
const COUNT_MS_MAX = 60_000;
const LOOK = { events: 1_000_000, ms: COUNT_MS_MAX, stepEvents: 5_000 } as const;

/** `watchId`: null for a watch that does not exist yet. */
export async function previewAlone(
  { url, database, clock, log }: CommandServices,
  subject: WatchSubject,
  watchId: string | null,
): Promise<WatchPreview> {
  if (subject.kind === 'records') return await previewRecords({ database, clock }, subject.records, watchId);
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock, log });
  const late = new AbortController();
  try {
    const isLate = clock.sleep(READY_MS_MAX, late.signal).then(() => {
      throw new OperatorError(`the search index was not ready in time: ${index.status.fault ?? 'too many records'}`);
    });
    await Promise.race([index.ready, isLate]);
    const limits = { deadlineMs: clock.monotonicMs() + 2 * COUNT_MS_MAX };
    return await previewSearch({ index, database, clock }, subject, watchId, limits, LOOK);
  } finally {
    late.abort();
    await index.close();
  }
}

const MONTH_COLUMNS: Columns<WatchPreview['months'][number]> = {
  month: 'month',
  events: (row) => row.events ?? 'not counted',
  last_changed: 'last_changed',
  hits: 'hits',
};

export function describePreview({ matches_now, months, counted_from }: WatchPreview): string {
  const head = `${matches_now} match now; events are counted from ${counted_from} on`;
  return [head, '', renderTable(MONTH_COLUMNS, months)].join('\n');
}
