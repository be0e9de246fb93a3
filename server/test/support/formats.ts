/** Runs a format over text as the load does, and finds the real register files if they lie beside the checkout. */
import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Format, FormatItem, ReadContext } from '../../src/load/formats/format.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { checkDocument } from './document.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

export const REAL_DATA = process.env.TMDS_REAL_DATA ?? resolve(ROOT, '../shared/data');

/** Why a test over real files is skipped; false when the files are there. */
export function skipWithout(...parts: string[]): string | false {
  const path = join(REAL_DATA, ...parts);
  return existsSync(path) ? false : `no real register files at ${path} (set TMDS_REAL_DATA)`;
}

export async function takeAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads a source; every record of it must have a document of the schema, except lines, which bring their own. */
export async function listItems(
  format: Format,
  source: string | Readable,
  context: ReadContext = { register: null },
  name = 'fixture.xml',
): Promise<FormatItem[]> {
  const stream = typeof source === 'string' ? Readable.from([Buffer.from(source)]) : source;
  const items = await takeAll(format.read({ name, stream }, context));
  for (const item of items) if (item.kind === 'record' && format.name !== 'ndjson') checkDocument(item.record);
  return items;
}

export interface ReadResult {
  record: SourceRecord;
  issues: Issue[];
}

/** The only record in a text, with the issues of the file after its own; throws when there is anything else. */
export async function readOne(format: Format, source: string): Promise<ReadResult> {
  const ofFile: Issue[] = [];
  const noteIssue = (issue: Issue): void => void ofFile.push(issue);
  const [item, ...others] = await listItems(format, source, { register: null, noteIssue });
  if (item?.kind !== 'record' || others.length > 0) {
    throw new Error(`expected one record, got ${JSON.stringify([item, ...others])}`);
  }
  return { record: item.record, issues: [...item.issues, ...ofFile] };
}

/** A record compared by hand: the words of the source, verbatim, and the values of the record. */
export interface Comparison {
  file: string;
  /** As the file states them, ignoring spaces between elements. */
  source: readonly string[];
  record: Partial<SourceRecord> & Pick<SourceRecord, 'application_number'>;
}

/** Reads the file of a comparison; throws unless its source has the quoted words and the record's fields agree. */
export async function checkComparison(format: Format, { file, source, record }: Comparison): Promise<void> {
  const items = await listItems(format, createReadStream(join(REAL_DATA, file)), { register: null }, file);
  const found = items.filter(
    (item) => item.kind === 'record' && item.record.application_number === record.application_number,
  );
  assert.equal(found.length, 1, `${file} holds ${record.application_number} once`);
  const item = found[0];
  assert.ok(item?.kind === 'record');
  const raw = String(item.raw?.() ?? '')
    .replace(/>\s+/g, '>')
    .replace(/\s+</g, '<');
  for (const words of source) assert.ok(raw.includes(words), `the source of ${record.application_number} has ${words}`);
  const fields = Object.keys(record) as (keyof SourceRecord)[];
  assert.deepEqual(Object.fromEntries(fields.map((field) => [field, item.record[field]])), record);
}
