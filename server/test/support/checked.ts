/**
 * Real records read by hand: quotes from each source, and what the record must say because of them. The record may say
 * nothing else. Names are looked up in the source when a test runs, and are not repeated in the tests.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import type { Format } from '../../src/load/formats/format.ts';
import { unescapeText } from '../../src/load/formats/st66/dialects.ts';
import { openSource } from '../../src/load/sources/source.ts';
import type { Issue, NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { listItems, REAL_DATA } from './formats.ts';

type NameField = 'mark_name' | 'mark_name_variants' | 'owner_names' | 'representative_names';

export interface CheckedMark {
  file: string;
  /** For an archive: how the name of the member ends. */
  member?: string;
  /** The application number, where the file holds several marks. */
  number?: string;
  /** Quotes from the source, and the fields that follow from them. */
  facts: readonly (readonly [quote: string, fields: Partial<NormalizedRecord>])[];
  /** Where names are in the source; the groups of one expression form one name. */
  names: Partial<Record<NameField, readonly RegExp[]>>;
  issues?: readonly Issue[];
}

/** The source with nothing between its tags but what it says. */
export const tighten = (source: string): string => source.replace(/>\s+/g, '>').replace(/\s+</g, '<');

/** The record and what its source says of it; fails unless there is exactly one of that number. */
async function findMark(
  format: Format,
  { file, member, number }: CheckedMark,
): Promise<{ record: NormalizedRecord; issues: readonly Issue[]; source: string }> {
  const found: { record: NormalizedRecord; issues: readonly Issue[]; source: string }[] = [];
  const source = await openSource(join(REAL_DATA, file));
  for await (const { name, stream } of source.entries(
    (entryName) => member === undefined || entryName.endsWith(member),
  )) {
    const whole = await text(stream);
    for (const item of await listItems(format, whole, { register: null }, name)) {
      assert.ok(item.kind === 'record', `${name}: ${item.kind === 'reject' ? item.reason : ''}`);
      if (number !== undefined && item.record.application_number !== number) continue;
      // What an office says of a mark may also be outside it.
      const own = number === undefined ? whole : String(item.raw?.());
      found.push({ record: normalizeRecord(item.record), issues: item.issues, source: own });
    }
  }
  assert.equal(found.length, 1, `${file} holds ${number ?? 'a mark'} once`);
  return found[0] as (typeof found)[number];
}

/** Fails unless the source has every quote, and the record says what follows from them and nothing else. */
export async function checkMark(format: Format, mark: CheckedMark): Promise<void> {
  const { record, issues, source } = await findMark(format, mark);
  const words = tighten(source);
  const expected: Record<string, unknown> = {};
  for (const [quote, fields] of mark.facts) {
    assert.ok(words.includes(quote), `${mark.file} does not say ${quote}`);
    Object.assign(expected, fields);
  }
  for (const [field, expressions] of Object.entries(mark.names)) {
    const names = expressions.map((expression) => findName(words, expression));
    expected[field] =
      field === 'mark_name'
        ? names[0]
        : names.map((name) => (field === 'mark_name_variants' ? name : name.toLowerCase()));
  }
  buildRow(record);
  const stated = [...Object.keys(CONTENT_FIELDS), 'mark_name_variants']
    .map((field) => [field, record[field as keyof NormalizedRecord]])
    .filter(([, value]) => value !== null);
  assert.deepEqual(Object.fromEntries(stated), expected);
  assert.deepEqual(issues, mark.issues ?? []);
}

function findName(source: string, expression: RegExp): string {
  const found = expression.exec(source);
  assert.ok(found !== null, `${expression} is not in the source`);
  return unescapeText(found.slice(1).join(' '));
}
