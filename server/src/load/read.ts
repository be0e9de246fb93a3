/**
 * What a load reads: the entries of its sources, through its format, as encoded rows. Supplements go to where they are
 * kept; once every source has been read to its end, the stored records that they change follow the records that were
 * read. It publishes nothing.
 */
import type { Issue } from '../record/document.ts';
import type { Database } from '../store/driver/db.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { Format, FormatItem, ReadContext, RegisterItem, SourceEntry } from './formats/format.ts';
import type { IssueCode } from './formats/issues.ts';
import { type Contents, checkContents, checkMembers, type Frontier, watchLines, watchMembers } from './frontier.ts';
import { type KeptRows, openKeptRows } from './kept-rows.ts';
import type { KeptSupplements } from './kept-supplements.ts';
import { readLines } from './parallel.ts';
import { type RejoinItem, readRecords } from './records.ts';
import { isLineFormat, isSetFormat } from './registry.ts';
import { countIssues } from './report.ts';
import type { Source } from './source.ts';
import type { StageTarget } from './stage.ts';

export interface ReadOptions {
  db: Database;
  format: Format;
  sources: readonly Source[];
  /** `--register CODE`, upper case. */
  register: string | null;
  /** Accepts a source without any record. */
  allowEmpty?: boolean;
}

/** Where what is read goes. */
export interface ReadTarget {
  loadId: string;
  target: StageTarget;
  frontier: Frontier;
  supplements: KeptSupplements;
}

export function encodeSources(options: ReadOptions, into: ReadTarget): AsyncGenerator<EncodedRows> {
  const { db, format, register } = options;
  const { loadId, target, frontier } = into;
  const contents: Contents = { hasRecords: false, saysNone: false };
  const entries = listEntries(options, contents);
  if (isLineFormat(format)) return readLines(target, format, entries, register);
  const context: ReadContext = {
    register,
    noteFrontier: (instant) => frontier.note(instant),
    noteNoRecords: () => {
      contents.saysNone = true;
    },
    noteContent: () => {
      contents.hasRecords = true;
    },
    noteIssue: (issue, times) => countIssues(target.findings, [issue], times),
  };
  if (isSetFormat(format)) {
    const kinds = { format: format.name, root: format.rootPart, chained: format.chainedPart };
    const items = readSetItems(openKeptRows(db, loadId, kinds), (kept) => format.readSet(entries, context, kept));
    return readRecords(target, items);
  }
  return readRecords(target, keepSupplements(readItems(format, entries, context, contents), into));
}

async function* listEntries(
  { sources, format, allowEmpty = false }: ReadOptions,
  contents: Contents,
): AsyncGenerator<SourceEntry> {
  for (const source of sources) {
    Object.assign(contents, { hasRecords: false, saysNone: false });
    const members = watchMembers(format);
    for await (const entry of source.entries(members.accepts)) {
      members.read += 1;
      yield isLineFormat(format) ? watchLines(entry, contents) : entry;
    }
    checkMembers(source.name, format, members);
    checkContents(source.name, contents, allowEmpty);
  }
}

async function* readSetItems(
  opening: Promise<KeptRows>,
  read: (kept: KeptRows) => AsyncIterable<RegisterItem>,
): AsyncGenerator<RegisterItem> {
  yield* read(await opening);
}

async function* readItems(
  format: Format,
  entries: AsyncIterable<SourceEntry>,
  context: ReadContext,
  contents: Contents,
): AsyncGenerator<FormatItem> {
  for await (const entry of entries) {
    for await (const item of format.read(entry, context)) {
      contents.hasRecords = true;
      yield item;
    }
  }
}

/** Passes records and rejects on; adds the records to join anew. */
async function* keepSupplements(
  items: AsyncIterable<FormatItem>,
  { target, supplements }: ReadTarget,
): AsyncGenerator<RegisterItem | RejoinItem> {
  const note = (issues: readonly Issue[], times?: number): void => countIssues(target.findings, issues, times);
  for await (const item of items) {
    if (item.kind !== 'supplement') {
      yield item;
      continue;
    }
    note(item.issues);
    for (const row of item.rows) await supplements.add(row);
  }
  for (const { kind, count, example } of await supplements.keep()) {
    note([{ code: 'waiting_supplement' satisfies IssueCode, path: kind, value: example }], count);
  }
  for await (const record of supplements.listRejoins()) yield { kind: 'rejoin', record };
}
