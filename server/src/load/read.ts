/**
 * What a load reads: the entries of its sources, through its format, as encoded rows. Supplements go to where they are
 * kept; once every source has been read to its end, the stored records that they change follow the records that were
 * read. It stages and publishes nothing.
 */
import type { Instant } from '@tmds/contract/record';
import type { Database } from '../database/driver/db.ts';
import type { Issue } from '../record/document.ts';
import { type Delivery, listLineFiles, readDelivery, readSet } from './delivery/delivery.ts';
import type { Frontier } from './delivery/frontier.ts';
import type { Findings } from './findings/report.ts';
import type { Format, FormatItem, LineFormat, RegisterItem } from './formats/format.ts';
import type { IssueCode } from './formats/issues.ts';
import { isLineFormat, isSetFormat } from './formats/registry.ts';
import { openKeptRows } from './kept/kept-rows.ts';
import type { KeptSupplements } from './kept/kept-supplements.ts';
import type { RejoinItem } from './rows/comparable.ts';
import { encodeGroups, type Stored } from './rows/compare.ts';
import type { EncodedRows } from './rows/encoded-rows.ts';
import { groupLines, LINE_BOUNDS } from './rows/line-groups.ts';
import { groupRecords, RECORD_BOUNDS } from './rows/records.ts';
import { openLineReader } from './rows/workers.ts';
import type { NoteFile } from './sources/file-digest.ts';
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
export interface ReadTarget {
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
  const reader = openLineReader(format);
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
