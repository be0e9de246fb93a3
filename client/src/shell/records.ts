/** `search`, `get` and `export`: records. */
import type { AskedRegister, NumbersPage } from '@tmds/contract/asked';
import { encodeRow } from '@tmds/contract/csv';
import { EXPORT_FIELDS, type ExportedRecord, type ExportField } from '@tmds/contract/export';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { TrademarkClient } from '../client.ts';
import type { CallOptions } from '../config.ts';
import { UsageError } from '../docket/options.ts';
import { renderRecord } from '../payload-text.ts';
import type { SearchParameters } from '../query.ts';
import { formatCount } from '../replica/progress.ts';
import { note, openList, type ShellCall, writeObject } from './call.ts';
import { EXPAND_FLAG, FILTER_FLAGS, SEARCH_FLAGS } from './flags.ts';
import { openFileTarget, type Target } from './target.ts';
import { RECORDS } from './views.ts';

const countRecords = (count: number): string => `${formatCount(count)} ${count === 1 ? 'record' : 'records'}`;

const SHOWN_DEFAULT = 100;
const RECORDS_MAX = 100_000_000;

function readSearch({ given }: ShellCall): SearchParameters {
  return { ...given.pick(FILTER_FLAGS), ...given.pick(SEARCH_FLAGS), ...given.pick(EXPAND_FLAG) } as SearchParameters;
}

function refuseArguments({ given }: ShellCall, command: string): void {
  const [first] = given.positionals;
  if (first === undefined) return;
  throw new UsageError(`${command} takes filters, such as --mark-name "${first}", and no other argument`);
}

export async function runSearch(call: ShellCall): Promise<void> {
  refuseArguments(call, 'search');
  const client = await call.client();
  const itemsMax = call.given.integer('max', 1, RECORDS_MAX) ?? SHOWN_DEFAULT;
  const cursor = call.given.text('cursor') ?? null;
  const write = openList(call, RECORDS);
  const walk = client.searchAll({ ...readSearch(call), cursor }, { ...call.options, itemsMax });
  const pages = walk.pages();
  let items = 0;
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    await write(step.value.items);
    items += step.value.items.length;
  }
  if (items === 0) note(call, 'no record matches');
  if (walk.matchedCount !== null) {
    note(call, `${walk.matchedCountCapped === true ? 'more than ' : ''}${formatCount(walk.matchedCount)} match`);
  }
  const { next_cursor: next } = step.value;
  if (next !== null) note(call, `there are more: --max, export, or continue with --cursor ${next}`);
}

export async function runGet(call: ShellCall): Promise<void> {
  const { given, options } = call;
  const [register, uid, ...rest] = given.positionals;
  const numbers = given.text('number');
  const [listedNumbers, ids] = [given.text('numbers'), given.text('ids')];
  if (listedNumbers !== undefined || ids !== undefined) {
    const others = [register, numbers, given.text('version'), given.text('expand')];
    if (others.some((each) => each !== undefined) || (listedNumbers !== undefined && ids !== undefined)) {
      throw new UsageError('get takes --numbers or --ids alone');
    }
    return await getSeveral(call, (listedNumbers ?? ids)!.split(','), ids === undefined ? findByNumbers : findByIds);
  }
  if (register === undefined || rest.length > 0 || (uid === undefined) === (numbers === undefined)) {
    throw new UsageError('get takes REGISTER UID, REGISTER --number NUMBER, --numbers or --ids');
  }
  const client = await call.client();
  const expand = given.pick(EXPAND_FLAG) as { expand?: 'payload' };
  const version = given.text('version');
  if (uid === undefined) {
    if (version !== undefined || expand.expand !== undefined) {
      throw new UsageError('--version and --expand need the UID, which --number shows');
    }
    const { items } = await client.findNumbers({ jurisdiction_code: register, numbers: numbers ?? '' }, options);
    if (items.length === 0) throw new Error(`no record of ${register} has the number ${numbers}`);
    await (items.length === 1 ? writeObject(call, items[0]!, renderRecord) : openList(call, RECORDS)(items));
    return;
  }
  const record =
    version === undefined
      ? await client.get(register, uid, expand, options)
      : await client.recordVersion(register, uid, version, expand, options);
  await writeObject(call, record, renderRecord);
}

/** The service takes this many in a call. */
const LIST_MAX = 500;

/** Records of several registers, in calls of as many as the service takes; what is not found is a failure. */
async function getSeveral(call: ShellCall, texts: readonly string[], find: FindSeveral): Promise<void> {
  const wrong = texts.find((text) => !/^[A-Za-z0-9]{1,5}:./.test(text));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" has no register; write it as US:97123456`);
  const client = await call.client();
  const write = openList(call, RECORDS);
  const missing: string[] = [];
  const unserved = new Set<string>();
  for (let from = 0; from < texts.length; from += LIST_MAX) {
    const found = await find(client, texts.slice(from, from + LIST_MAX), call.options);
    await write(found.items);
    missing.push(...found.missing);
    for (const { jurisdiction_code: code, searched } of found.coverage ?? []) if (!searched) unserved.add(code);
  }
  for (const code of unserved) note(call, `no register here has the code ${code}; nothing was searched for it`);
  if (missing.length > 0) throw new Error(`not found: ${missing.join(', ')}`);
}

type FindSeveral = (client: TrademarkClient, texts: readonly string[], options: CallOptions) => Promise<FoundSeveral>;

interface FoundSeveral {
  readonly items: readonly TrademarkDetail[];
  readonly missing: readonly string[];
  readonly coverage: readonly AskedRegister[] | null;
}

const findByIds: FindSeveral = async (client, ids, options) => {
  const { items, asked, coverage } = await client.many.findIdentities(ids, options);
  return { items, missing: ids.filter((_, place) => asked[place]?.position === null), coverage };
};

const findByNumbers: FindSeveral = async (client, numbers, options) => {
  const items: TrademarkDetail[] = [];
  const found = new Set<number>();
  let page: NumbersPage | null = null;
  while (page === null || page.next_cursor !== null) {
    page = await client.many.findNumbers({ numbers, cursor: page?.next_cursor ?? null }, options);
    items.push(...page.items);
    for (const [place, { positions }] of page.asked.entries()) if (positions.length > 0) found.add(place);
  }
  return { items, missing: numbers.filter((_, place) => !found.has(place)), coverage: page.coverage };
};

interface Form {
  readonly head: string;
  readonly write: (record: ExportedRecord) => string;
}

/** `fields`: null for whole records. */
const FORMS: Readonly<Record<string, (fields: readonly ExportField[] | null) => Form>> = {
  ndjson: () => ({ head: '', write: (record) => `${renderRecord(record as TrademarkDetail)}\n` }),
  csv: (chosen) => {
    const fields = chosen ?? EXPORT_FIELDS;
    return { head: encodeRow(fields), write: (record) => encodeRow(fields.map((field) => record[field])) };
  },
};

/** In the order of a record, as the service has them. */
function readFields({ given }: ShellCall): ExportField[] | null {
  const texts = given.text('fields')?.split(',');
  if (texts === undefined) return null;
  const unknown = texts.find((text) => !(EXPORT_FIELDS as string[]).includes(text));
  if (unknown !== undefined) {
    throw new UsageError(`"${unknown}" is not a field; --fields takes ${EXPORT_FIELDS.join(', ')}`);
  }
  return EXPORT_FIELDS.filter((field) => texts.includes(field));
}

type Pages = AsyncIterable<{ readonly items: readonly ExportedRecord[] }>;

/** One stream; or pages of the search, for documents, and where a stream would send more than is wanted. */
function openPages(
  client: TrademarkClient,
  { given, options, ...call }: ShellCall,
  fields: ExportField[] | null,
): Pages {
  const search = readSearch({ given, options, ...call });
  const itemsMax = given.integer('max', 1, RECORDS_MAX);
  if (search.expand === undefined && search.count === undefined && itemsMax === undefined) {
    return client.many.export({ ...search, ...(fields === null ? {} : { fields }) }, options).pages();
  }
  return client.searchAll(search, { ...options, itemsMax: itemsMax ?? RECORDS_MAX }).pages();
}

/** Pages of a search have whole records. */
function pickFields(record: ExportedRecord, fields: readonly ExportField[] | null): ExportedRecord {
  return fields === null ? record : Object.fromEntries(fields.map((field) => [field, record[field]]));
}

/** All records of a search, in a file or on standard output. */
export async function runExport(call: ShellCall): Promise<void> {
  const { given, terminal } = call;
  const [file, ...rest] = given.positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('export takes a FILE, or - for standard output');
  const ending = /\.(csv)$/i.exec(file)?.[1]?.toLowerCase() ?? 'ndjson';
  const name = given.text('format') ?? ending;
  const fields = readFields(call);
  const form = Object.hasOwn(FORMS, name) ? FORMS[name]!(fields) : undefined;
  if (form === undefined) throw new UsageError(`--format takes ${Object.keys(FORMS).join(' or ')}, not "${name}"`);
  const { expand } = readSearch(call);
  if (name === 'csv' && expand !== undefined)
    throw new UsageError('documents do not fit into CSV: use --format ndjson');
  if (fields !== null && expand !== undefined) throw new UsageError('--fields and --expand exclude each other');
  const pages = openPages(await call.client(), call, fields);
  const target: Target =
    file === '-'
      ? { write: (text) => terminal.write(text), keep: async () => {}, discard: async () => {} }
      : await openFileTarget(file);
  let records = 0;
  let bytes = 0;
  const write = async (text: string): Promise<void> => {
    bytes += Buffer.byteLength(text);
    await target.write(text);
  };
  try {
    await write(form.head);
    for await (const { items } of pages) {
      await write(items.map((record) => form.write(pickFields(record, fields))).join(''));
      records += items.length;
      if (terminal.live && !given.has('quiet')) terminal.err(`\r${countRecords(records)}`);
    }
    if (terminal.live && !given.has('quiet')) terminal.err('\n');
    await target.keep();
  } catch (error) {
    await target.discard();
    throw error;
  }
  const summary = { file, format: name, records, bytes };
  if (file === '-') note(call, countRecords(records));
  else await writeObject(call, summary);
}
