/** Runs a format over text as the load does, and finds the real register files if they are next to the checkout. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readDelivery } from '../../src/load/delivery/delivery.ts';
import type { NormalizedDocument } from '../../src/load/formats/document.ts';
import type { Format, FormatItem, ReadContext, RegisterItem, SupplementItem } from '../../src/load/formats/format.ts';
import type { SourceEntry } from '../../src/load/sources/files.ts';
import type { Issue, NormalizedRecord, SourceRecord } from '../../src/record/document.ts';
import { checkDocument } from './document.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

export const REAL_DATA = process.env.TMDS_REAL_DATA ?? resolve(ROOT, '../shared/data');

/** Paths below `REAL_DATA`: the file, or those in a folder, whose path ends with a slash. */
export function listFilesBelow(path: string): string[] {
  if (!path.endsWith('/')) return [path];
  return readdirSync(join(REAL_DATA, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(REAL_DATA, join(entry.parentPath, entry.name)))
    .sort();
}

/** Why a test over real files is skipped; false when the files are there. */
export function skipWithout(...parts: string[]): string | false {
  const path = join(REAL_DATA, ...parts);
  return existsSync(path) ? false : `no real register files at ${path} (set TMDS_REAL_DATA)`;
}

export function documentOf({ payload }: Pick<SourceRecord, 'payload'>): NormalizedDocument {
  return payload as unknown as NormalizedDocument;
}

/** The fields that have a value, without the document. */
export function statedOf({ payload: _, payload_text: __, ...fields }: NormalizedRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** Every text in a document. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

export async function takeAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The records and rejects of a text; throws when it holds supplements. */
export async function listItems(
  format: Format,
  source: string | Readable,
  context: ReadContext = { register: null },
  name = 'fixture.xml',
): Promise<RegisterItem[]> {
  const { items, supplements } = await readAll(format, source, context, name);
  assert.deepEqual(supplements, [], `${name} holds no supplements`);
  return items;
}

export async function readAll(
  format: Format,
  source: string | Readable,
  context: ReadContext = { register: null },
  name = 'fixture.xml',
): Promise<{ items: RegisterItem[]; supplements: SupplementItem[] }> {
  const stream = typeof source === 'string' ? Readable.from([Buffer.from(source)]) : source;
  const all = await takeAll(readEntries(format, [{ name, stream }], context));
  // Lines bring their own documents.
  for (const item of all) if (item.kind === 'record' && format.name !== 'ndjson') checkDocument(item.record);
  return {
    items: all.filter((item) => item.kind !== 'supplement'),
    supplements: all.filter((item) => item.kind === 'supplement'),
  };
}

/** What a load with `--allow-empty` reads from these entries of one source. */
export function readEntries(
  format: Format,
  entries: Iterable<SourceEntry>,
  context: ReadContext,
): AsyncGenerator<FormatItem> {
  async function* list(accepts: (name: string) => boolean): AsyncGenerator<SourceEntry> {
    for (const entry of entries) if (entry.isMember !== true || accepts(entry.name)) yield entry;
  }
  const { register, noteFrontier = () => {}, noteIssue = () => {} } = context;
  const source = { name: 'source', totalBytes: null, readBytes: () => 0, entries: list };
  const delivery = { sources: [source], format, register, allowEmpty: true, noteFrontier, noteIssue };
  return readDelivery(delivery, (entry, inner) => {
    const noteNoRecords = (): void => {
      inner.noteNoRecords?.();
      context.noteNoRecords?.();
    };
    return format.read(entry, { ...inner, noteNoRecords });
  });
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
