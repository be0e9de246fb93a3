/** `search`, `get` and `export`: records. */
import { encodeRow } from '@tmds/contract/csv';
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
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
  if (register === undefined || rest.length > 0 || (uid === undefined) === (numbers === undefined)) {
    throw new UsageError('get takes REGISTER UID, or REGISTER --number NUMBER');
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

const FIELDS = [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS)] as (keyof TrademarkDetail)[];

interface Form {
  readonly head: string;
  readonly write: (record: TrademarkDetail) => string;
}

const FORMS: Readonly<Record<string, Form>> = {
  ndjson: { head: '', write: (record) => `${renderRecord(record)}\n` },
  csv: { head: encodeRow(FIELDS), write: (record) => encodeRow(FIELDS.map((field) => record[field])) },
};

/** All records of a search, in a file or on standard output. */
export async function runExport(call: ShellCall): Promise<void> {
  const { given, terminal } = call;
  const [file, ...rest] = given.positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('export takes a FILE, or - for standard output');
  const ending = /\.(csv)$/i.exec(file)?.[1]?.toLowerCase() ?? 'ndjson';
  const name = given.text('format') ?? ending;
  const form = FORMS[name];
  if (form === undefined) throw new UsageError(`--format takes ${Object.keys(FORMS).join(' or ')}, not "${name}"`);
  const search = readSearch(call);
  if (name === 'csv' && search.expand !== undefined)
    throw new UsageError('documents do not fit into CSV: use --format ndjson');
  const client = await call.client();
  const itemsMax = given.integer('max', 1, RECORDS_MAX) ?? RECORDS_MAX;
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
    for await (const { items } of client.searchAll(search, { ...call.options, itemsMax }).pages()) {
      await write(items.map(form.write).join(''));
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
