/**
 * `ndjson`: one record in the service's own model per line (docs/loading.md). Every name and type is checked, and a
 * line that does not fit is rejected unchanged. No value is changed here, including numbers of a payload;
 * `normalizeRecord` makes the stored form.
 */
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { CONTENT_FIELDS, type Payload, SERVICE_FIELDS } from '@tmds/contract/record';
import { PAYLOAD_DEPTH_MAX, parseExactly, renderExactly } from '../../record/digest.ts';
import type { Issue, SourceRecord } from '../../record/document.ts';
import { RecordRejection } from '../../record/normalize.ts';
import type { LineFormat, ReadContext, RecordIdentity, RegisterItem } from './format.ts';
import { JSON_BLANKS, type Line, listLines, readBlocks } from './lines.ts';

export const ndjsonFormat: LineFormat = {
  name: 'ndjson',
  title: 'One normalized record a line, as JSON',
  register: null,
  reading: '0005',
  accepts: (entryName) => /\.(ndjson|jsonl|json)$/i.test(entryName),
  async *read(entry, context) {
    for await (const block of readBlocks(entry.stream)) {
      for (const line of listLines(block, JSON_BLANKS)) {
        const item = readLine(line, entry.name, context);
        if (item !== null) yield item;
      }
    }
  },
  findIdentity,
  readLine,
};

/** How most lines begin, including those the API delivers. Nothing in it is escaped. */
const IDENTITY = /^\{ ?"jurisdiction_code": ?"([A-Z0-9]{2,5})", ?"uid": ?"([ !#-[\]-~]+)"/;
const IDENTITY_BYTES_MAX = 160;

function findIdentity(line: Buffer): RecordIdentity | null {
  const [, jurisdiction_code, uid] = IDENTITY.exec(line.toString('latin1', 0, IDENTITY_BYTES_MAX)) ?? [];
  return jurisdiction_code === undefined || uid === undefined ? null : { jurisdiction_code, uid };
}

const BYTE_ORDER_MARK = '\ufeff';

function readLine(line: Line, entryName: string, context: ReadContext): RegisterItem | null {
  const position = `${entryName}, line ${line.number}`;
  const raw = (): Buffer => Buffer.from(line.bytes);
  const reject = (reason: string): RegisterItem => {
    const source = raw();
    return { kind: 'reject', raw: source, reason, position, record: findIdentity(source) };
  };
  if (line.cut) return reject(`the line is longer than ${line.bytes.length} bytes; the rest of it is not kept`);
  if (!line.isUtf8) return reject('the line is not valid UTF-8');
  const stated = line.bytes.toString('utf8');
  const text = line.number === 1 && stated.startsWith(BYTE_ORDER_MARK) ? stated.slice(1) : stated;
  if (text.trim() === '') return null;
  try {
    const issues: Issue[] = [];
    const record = parseRecordLine(text, context, issues);
    return { kind: 'record', record, issues, position, raw };
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
 * Throws `RecordRejection` when the text is not a record. Enum values may be in any letter case. The service's own
 * fields, which the API delivers too, are dropped and reported as an issue.
 */
function parseRecordLine(text: string, context: ReadContext, issues: Issue[]): SourceRecord {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RecordRejection('the line is JSON but not an object');
  }
  const record = value as Record<string, unknown>;
  const { payload = null } = record;
  const kept = isObject(payload) ? keepPayload(text, record, payload) : { payload: null };
  if (payload !== null && kept.payload === null) throw new RecordRejection('payload must be an object');
  let members = 0;
  for (const name in record) {
    members += 1;
    if (RECORD_FIELDS.has(name)) continue;
    if (!Object.hasOwn(SERVICE_FIELDS, name)) throw new RecordRejection(`unknown field ${JSON.stringify(name)}`);
    issues.push({ code: 'service_field', path: name, value: '' });
  }
  refuseRepeats(text, record, members, kept.payload_text);
  for (const name of Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[]) {
    const stated = record[name];
    if (typeof stated === 'string') record[name] = SPELLINGS[name].get(stated.toLowerCase()) ?? stated;
  }
  checkRegister(record.jurisdiction_code, context.register);
  // The parsed object itself: copying it would cost as much as all the checks.
  record.mark_name_variants ??= null;
  Object.assign(record, kept);
  record.source_version = null;
  return record as unknown as SourceRecord;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message differs between versions and quotes the input; ours is always the same.
    throw new RecordRejection('the line is not valid JSON');
  }
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Throws `RecordRejection` when the line states a name twice with different values, of which JSON.parse would keep the
 * last. `members`: how many were read. The first count clears most lines; it is not exact, because a text may hold
 * something that looks like a name.
 */
function refuseRepeats(text: string, record: Record<string, unknown>, members: number, payloadText = ''): void {
  if (countNames(text) - countNames(payloadText) === members) return;
  try {
    if (countQuotes(JSON.stringify(record)) !== countQuotes(text)) parseExactly(text);
  } catch (error) {
    // The call stack overflowed.
    if (!(error instanceof RangeError)) throw error;
    throw new RecordRejection(`the line is nested deeper than ${PAYLOAD_DEPTH_MAX} levels`);
  }
}

const NAME_END = '":';

function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf(NAME_END); at !== -1; at = text.indexOf(NAME_END, at + NAME_END.length)) count += 1;
  return count;
}

const PAYLOAD_NAME = '"payload":';

/** Matches any number that a double might not reproduce: one of 16 or more characters, or with an exponent. */
const UNSURE_NUMBER = /[:[,\s]-?(?:\d[\d.]{15}|\d[\d.]*[eE])/;

/**
 * The payload and its text, unaltered (rule I-38). If rendering the parsed payload gives the same text, nothing was
 * lost. Otherwise, if JSON.parse may have changed a number or dropped a duplicate member, the line is parsed exactly.
 */
function keepPayload(
  text: string,
  record: Record<string, unknown>,
  payload: Payload,
): Pick<SourceRecord, 'payload' | 'payload_text'> {
  try {
    const payload_text = JSON.stringify(payload);
    const start = text.indexOf(PAYLOAD_NAME) + PAYLOAD_NAME.length;
    // Comparing a slice takes a tenth of what startsWith takes.
    if (text.slice(start, start + payload_text.length) === payload_text) return { payload, payload_text };
    const isWhole = !UNSURE_NUMBER.test(text) && countQuotes(text) === countQuotes(JSON.stringify(record));
    if (isWhole) return { payload, payload_text };
    const exact = (parseExactly(text) as { payload: Payload }).payload;
    return { payload: exact, payload_text: renderExactly(exact) };
  } catch (error) {
    // The call stack overflowed.
    if (!(error instanceof RangeError)) throw error;
    throw new RecordRejection(`payload is nested deeper than ${PAYLOAD_DEPTH_MAX} levels`);
  }
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The quotes that delimit strings in a JSON text: two for each name or text. */
function countQuotes(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) count += 1;
    else if (character === BACKSLASH) at += 1;
  }
  return count;
}

function checkRegister(stated: unknown, wanted: string | null): void {
  if (wanted === null || typeof stated !== 'string' || stated.trim().toUpperCase() === wanted) return;
  throw new RecordRejection(`the record is of register ${JSON.stringify(stated)}, not of ${wanted}`);
}
