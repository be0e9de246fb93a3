/**
 * What a load reads: the entries of its sources, through its format, as encoded rows. Supplements go to where they are
 * kept; once every source has been read to its end, the stored records that they change follow the records that were
 * read. It publishes nothing.
 */
import type { Instant } from '@tmds/contract/record';
import type { Issue } from '../record/document.ts';
import type { Database } from '../store/driver/db.ts';
import { type Delivery, listLineFiles, readDelivery, readSet } from './delivery.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { NoteFile } from './file-digest.ts';
import type { Format, FormatItem, RegisterItem } from './formats/format.ts';
import type { IssueCode } from './formats/issues.ts';
import type { Frontier } from './frontier.ts';
import { openKeptRows } from './kept-rows.ts';
import type { KeptSupplements } from './kept-supplements.ts';
import { readLines } from './parallel.ts';
import { type RejoinItem, readRecords } from './records.ts';
import { isLineFormat, isSetFormat } from './registry.ts';
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

/** The destinations of what is read. */
export interface ReadTarget {
  loadId: string;
  startedAt: Instant;
  target: StageTarget;
  frontier: Frontier;
  supplements: KeptSupplements;
  noteFile: NoteFile;
  /** Notes a period of the file that is being read. */
  notePeriod: (label: string) => void;
}

export function encodeSources(options: ReadOptions, into: ReadTarget): AsyncGenerator<EncodedRows> {
  const { db, format, sources, register, allowEmpty = false } = options;
  const { loadId, startedAt, target, frontier, noteFile, notePeriod } = into;
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
    noteIssue: (issue, times, place) => target.findings.issues.note(issue, times, place ?? null),
  };
  if (isLineFormat(format)) return readLines(target, format, listLineFiles(delivery), register);
  if (isSetFormat(format)) {
    const kinds = {
      format: format.name,
      root: format.rootPart,
      chained: format.chainedPart,
      ordered: format.ordersRows,
    };
    return readRecords(target, readSet(delivery, format, openKeptRows(db, loadId, kinds)));
  }
  const items = readDelivery(delivery, (...file) => format.read(...file));
  return readRecords(target, keepSupplements(items, into));
}

/** Passes records and rejects on; adds the records to join again. */
async function* keepSupplements(
  items: AsyncIterable<FormatItem>,
  { target, supplements }: ReadTarget,
): AsyncGenerator<RegisterItem | RejoinItem> {
  const note = (issue: Issue, times: number): void => target.findings.issues.note(issue, times, null);
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
