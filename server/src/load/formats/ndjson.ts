/**
 * `ndjson`: one record in the service's own model a line (docs/loading.md). It decides what such a line is, strictly:
 * every name and type is checked, and a line that is anything else is rejected as it stands. It changes no value; the
 * stored form is `normalizeRecord`'s affair.
 */
import { isUtf8 } from 'node:buffer';
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { CONTENT_FIELDS, SERVICE_FIELDS } from '@tmds/contract/record';
import type { Issue, SourceRecord } from '../../record/document.ts';
import { RecordRejection } from '../../record/normalize.ts';
import type { FormatItem, LineFormat, ReadContext, RecordIdentity } from './format.ts';
import { type Line, type LineBlock, listLines, readBlocks } from './lines.ts';

export const ndjsonFormat: LineFormat = {
  name: 'ndjson',
  title: 'One normalized record a line, as JSON',
  reading: '0001',
  accepts: (entryName) => /\.(ndjson|jsonl|json)$/i.test(entryName),
  async *read(entry, context) {
    for await (const block of readBlocks(entry.stream)) yield* readBlock(block, entry.name, context);
  },
  findIdentity,
  readBlock,
};

/** How the lines of most files begin, the API's own among them; nothing in it is escaped. */
const IDENTITY = /^\{ ?"jurisdiction_code": ?"([A-Z0-9]{2,5})", ?"uid": ?"([ !#-[\]-~]+)"/;
const IDENTITY_BYTES_MAX = 160;

function findIdentity(line: Buffer): RecordIdentity | null {
  const [, jurisdiction_code, uid] = IDENTITY.exec(line.toString('latin1', 0, IDENTITY_BYTES_MAX)) ?? [];
  return jurisdiction_code === undefined || uid === undefined ? null : { jurisdiction_code, uid };
}

const BYTE_ORDER_MARK = '\ufeff';

/** The records and rejects of whole lines, in order. Blank lines are passed over. */
function* readBlock(block: LineBlock, entryName: string, context: ReadContext): Generator<FormatItem> {
  const valid = isUtf8(block.bytes);
  for (const line of listLines(block)) {
    const item = readLine(line, valid, `${entryName}, line ${line.number}`, context);
    if (item !== null) yield item;
  }
}

function readLine(line: Line, blockIsUtf8: boolean, position: string, context: ReadContext): FormatItem | null {
  const raw = (): Buffer => Buffer.from(line.bytes);
  const reject = (reason: string): FormatItem => ({ kind: 'reject', raw: raw(), reason, position });
  if (line.cut) return reject(`the line is longer than ${line.bytes.length} bytes; the rest of it is not kept`);
  if (!blockIsUtf8 && !isUtf8(line.bytes)) return reject('the line is not valid UTF-8');
  const stated = line.bytes.toString('utf8');
  const text = line.number === 1 && stated.startsWith(BYTE_ORDER_MARK) ? stated.slice(1) : stated;
  if (text.trim() === '') return null;
  try {
    const issues: Issue[] = [];
    const record = parseRecordLine(text, context, issues);
    return { kind: 'record', record, issues, position, raw, line: line.bytes };
  } catch (error) {
    if (error instanceof RecordRejection) return reject(error.message);
    throw error;
  }
}

const RECORD_FIELDS: ReadonlySet<string> = new Set([...Object.keys(CONTENT_FIELDS), 'mark_name_variants', 'payload']);
const SPELLINGS = {
  status: buildSpellings(STATUSES),
  kind_of_mark: buildSpellings(KINDS_OF_MARK),
  mark_feature: buildSpellings(MARK_FEATURES),
} as const;

function buildSpellings(values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(values.map((value) => [value.toLowerCase(), value]));
}

/**
 * Throws `RecordRejection` when the text is no record. Enum values are taken in any letter case; the service's own
 * fields, present in what the API delivers, are left out and reported as an issue.
 */
export function parseRecordLine(text: string, context: ReadContext, issues: Issue[]): SourceRecord {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RecordRejection('the line is JSON but not an object');
  }
  const record = value as Record<string, unknown>;
  for (const name in record) {
    if (RECORD_FIELDS.has(name)) continue;
    if (!Object.hasOwn(SERVICE_FIELDS, name)) throw new RecordRejection(`unknown field ${JSON.stringify(name)}`);
    issues.push({ code: 'service_field', path: name, value: '' });
  }
  for (const name of Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[]) {
    const stated = record[name];
    if (typeof stated === 'string') record[name] = SPELLINGS[name].get(stated.toLowerCase()) ?? stated;
  }
  const { payload = null } = record;
  if (payload !== null && (typeof payload !== 'object' || Array.isArray(payload))) {
    throw new RecordRejection('payload must be an object');
  }
  checkRegister(record.jurisdiction_code, context.register);
  // The parsed object itself: a copy would cost as much as all the checks.
  record.mark_name_variants ??= null;
  record.payload = payload;
  record.source_version = null;
  return record as unknown as SourceRecord;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message differs between versions and quotes the input; ours says the same everywhere.
    throw new RecordRejection('the line is not valid JSON');
  }
}

function checkRegister(stated: unknown, wanted: string | null): void {
  if (wanted === null || typeof stated !== 'string' || stated.trim().toUpperCase() === wanted) return;
  throw new RecordRejection(`the record is of register ${JSON.stringify(stated)}, not of ${wanted}`);
}
