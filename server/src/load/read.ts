/**
 * What a load reads: the entries of its sources, through its format, as encoded rows. Supplements go to where they are
 * kept; once every source has been read to its end, the stored records that they change follow the records that were
 * read. The files with their periods are stored before any of their content is published, in pages, so that memory
 * stays bounded. It stages and publishes nothing.
 */
import type { Instant } from '@tmds/contract/record';
import type { Database, Queryable } from '../database/driver/db.ts';
import type { Issue } from '../record/document.ts';
import { insertLoadFiles, type LoadFile } from '../store/publish/loads.ts';
import { type Delivery, listLineFiles, readDelivery, readSet } from './delivery/delivery.ts';
import type { Findings } from './findings/report.ts';
import {
  type Format,
  type FormatItem,
  type IssueCode,
  isLineFormat,
  isSetFormat,
  type LineFormat,
  type RegisterItem,
  type RejectItem,
} from './formats/format.ts';
import { readBlocks } from './formats/lines.ts';
import { type KeptSupplements, openKeptRows } from './kept/kept.ts';
import {
  encodeGroups,
  type Group,
  type GroupBounds,
  groupRecords,
  openComparable,
  RECORD_BOUNDS,
  type RejoinItem,
  type Stored,
} from './rows/compare.ts';
import type { EncodedRows } from './rows/encode.ts';
import { type LineReader, openLineReader, THREADS } from './rows/workers.ts';
import type { DeliveredFile, NoteFile, SourceEntry } from './sources/files.ts';
import type { Source } from './sources/source.ts';

export interface ReadOptions {
  db: Database;
  format: Format;
  sources: readonly Source[];
  /** `--register CODE`, upper case. */
  register: string | null;
  /** Accepts a source without any record. */
  allowEmpty?: boolean;
}

/** The destinations of what is read. */
interface ReadTarget {
  loadId: string;
  startedAt: Instant;
  /** Registers that hold records. */
  stocked: ReadonlySet<string>;
  findings: Findings;
  frontier: Frontier;
  supplements: KeptSupplements;
  noteFile: NoteFile;
  /** Notes a period of the file that is being read. */
  notePeriod: (label: string) => void;
}

export function encodeSources(options: ReadOptions, into: ReadTarget): AsyncGenerator<EncodedRows> {
  const { db, format, sources, register, allowEmpty = false } = options;
  const { loadId, startedAt, stocked, findings, frontier, noteFile, notePeriod } = into;
  const delivery: Delivery = {
    format,
    sources,
    register,
    allowEmpty,
    loadId,
    startedAt,
    noteFrontier: (instant) => frontier.note(instant),
    notePeriod,
    noteFile,
    noteIssue: (issue, times, place) => findings.issues.note(issue, times, place ?? null),
  };
  const stored = { db, stocked };
  if (isLineFormat(format)) return encodeLines(stored, format, delivery);
  return encodeGroups(stored, groupRecords(listItems(options, delivery, into)), RECORD_BOUNDS);
}

async function* encodeLines(stored: Stored, format: LineFormat, delivery: Delivery): AsyncGenerator<EncodedRows> {
  const reader = openLineReader(
    format,
    delivery.sources.reduce((sum, { totalBytes }) => sum + (totalBytes ?? 0), 0),
  );
  try {
    const groups = groupLines(listLineFiles(delivery), { format, register: delivery.register, reader });
    yield* encodeGroups(stored, groups, LINE_BOUNDS);
  } finally {
    await reader.close();
  }
}

function listItems(
  { db, format }: ReadOptions,
  delivery: Delivery,
  into: ReadTarget,
): AsyncGenerator<RegisterItem | RejoinItem> {
  if (!isSetFormat(format)) {
    return keepSupplements(
      readDelivery(delivery, (...file) => format.read(...file)),
      into,
    );
  }
  const { rootPart: root, chainedPart: chained, ordersRows: ordered } = format;
  return readSet(delivery, format, openKeptRows(db, into.loadId, { format: format.name, root, chained, ordered }));
}

/** Passes records and rejects on; adds the records to join again. */
async function* keepSupplements(
  items: AsyncIterable<FormatItem>,
  { findings, supplements }: ReadTarget,
): AsyncGenerator<RegisterItem | RejoinItem> {
  const note = (issue: Issue, times: number): void => findings.issues.note(issue, times, null);
  for await (const item of items) {
    if (item.kind !== 'supplement') {
      yield item;
      continue;
    }
    for (const issue of item.issues) note(issue, 1);
    for (const row of item.rows) await supplements.add(row);
  }
  for (const { kind, count, example } of await supplements.keep()) {
    note({ code: 'waiting_supplement' satisfies IssueCode, path: kind, value: example }, count);
  }
  for await (const record of supplements.listRejoins()) yield { kind: 'rejoin', record };
}

/** For each thread one block in work, the others queued or being compared, so that no thread waits. */
const BLOCKS_PER_THREAD = 5;

const LINE_BOUNDS: GroupBounds = { groupsMax: THREADS * BLOCKS_PER_THREAD, bytesMax: 8 * 1024 * 1024 };

async function* groupLines(
  files: AsyncIterable<SourceEntry | RejectItem>,
  { format, register, reader }: { format: LineFormat; register: string | null; reader: LineReader },
): AsyncGenerator<Group> {
  for await (const entry of files) {
    if ('reason' in entry) {
      yield { recordsMax: 0, bytes: entry.raw.length, open: async (seq) => openComparable([entry], seq, 0) };
      continue;
    }
    for await (const { runs, firstLine, lineCount, cut } of readBlocks(entry.stream)) {
      const task = { format: format.name, entryName: entry.name, register, firstLine, cut, runs };
      const bytes = runs.reduce((sum, run) => sum + run.length, 0);
      yield { recordsMax: lineCount, bytes, open: (seq) => reader.prepare({ ...task, seq }) };
    }
  }
}

interface DeliveredFiles {
  /** A period that the file being read says it is of. */
  notePeriod(label: string): void;
  /** Called for each file once it has been read, before the next one is. */
  note(file: DeliveredFile): Promise<void>;
  /** Stores the files that are not stored yet. */
  flush(): Promise<void>;
}

const PAGE_ROWS = 500;

/** `declared`: the period of all files, whatever they state; null if none is declared. */
export function openDeliveredFiles(db: Queryable, loadId: string, declared: string | null): DeliveredFiles {
  let page: LoadFile[] = [];
  const stated = new Set<string>();
  let stored = 0;
  const flush = async (): Promise<void> => {
    if (page.length === 0) return;
    await insertLoadFiles(db, { loadId, firstNumber: stored + 1, files: page });
    stored += page.length;
    page = [];
  };
  /** A file of several periods, such as an archive of journals, has no single period. */
  const takePeriod = (): string | null => {
    const [label = null] = stated.size === 1 ? stated : [];
    stated.clear();
    return declared ?? label;
  };
  return {
    notePeriod(label) {
      if (stated.size < 2) stated.add(label);
    },
    async note(file) {
      page.push({ ...file, period: takePeriod() });
      if (page.length >= PAGE_ROWS) await flush();
    },
    flush,
  };
}

/** The frontier of a load: the operator's, or else the latest that the files state. */
interface Frontier {
  instant: Instant | null;
  note(instant: Instant): void;
}

export function openFrontier(stated: Instant | null): Frontier {
  return {
    instant: stated,
    note(instant) {
      if (stated === null && (this.instant === null || instant > this.instant)) this.instant = instant;
    },
  };
}
