/**
 * From source files to what a format reads in them, for loads and inspections alike. It opens one entry after the
 * other, and judges whether each source holds anything. It stores nothing and knows no database.
 */
import type { Instant } from '@tmds/contract/record';
import type { Issue } from '../record/document.ts';
import type { IssueExample } from '../store/publish/findings.ts';
import type { Format, FormatItem, ReadContext, SourceEntry } from './formats/format.ts';
import { type Contents, checkContents, checkMembers, watchLines, watchMembers } from './frontier.ts';
import { placeOf } from './issue-counter.ts';
import { isLineFormat } from './registry.ts';
import type { Source } from './source.ts';

export interface ReadOptions {
  format: Format;
  sources: readonly Source[];
  /** `--register CODE`, upper case. */
  register: string | null;
  /** Accepts a source without any record. */
  allowEmpty?: boolean;
}

/** Who reads is told what the files say about themselves. */
export interface ReadWatch {
  noteFrontier(instant: Instant): void;
  noteIssue(issue: Issue, times: number, place: IssueExample | null): void;
}

export interface Reading {
  /** The entries of all sources, in order. A format of lines or of a set reads them itself. */
  entries: AsyncIterable<SourceEntry>;
  context: ReadContext;
  /** What a format finds that reads entries one by one. */
  listItems(): AsyncGenerator<FormatItem>;
}

export function openReading(options: ReadOptions, watch: ReadWatch): Reading {
  const contents: Contents = { hasRecords: false, saysNone: false };
  let reading: string | null = null;
  const entries = watchEntries(listEntries(options, contents), (name) => {
    reading = name;
  });
  const context: ReadContext = {
    register: options.register,
    noteFrontier: (instant) => watch.noteFrontier(instant),
    noteNoRecords: () => {
      contents.saysNone = true;
    },
    noteContent: () => {
      contents.hasRecords = true;
    },
    noteIssue: (issue, times) => watch.noteIssue(issue, times, reading === null ? null : placeOf(reading)),
  };
  return { entries, context, listItems: () => readItems(options.format, entries, context, contents) };
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

/** Tells which entry is being read; null after the last one. */
async function* watchEntries(
  entries: AsyncIterable<SourceEntry>,
  tell: (name: string | null) => void,
): AsyncGenerator<SourceEntry> {
  for await (const entry of entries) {
    tell(entry.name);
    yield entry;
  }
  tell(null);
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
