/**
 * Hits as a file for spreadsheets: a row for each, with what changed as a sentence. Invariant: no more than a page of
 * hits is held at a time, and a file that ends early says so in its last row.
 */
import { encodeRow } from '@tmds/contract/csv';
import { writeXlsxStream } from 'hucre/xlsx';
import type { Queryable } from '../../store/driver/db.ts';
import { nameHit } from '../../store/watches/hit-handling.ts';
import { findLatestHits, type HitFilter } from '../../store/watches/hits.ts';
import type { EventPosition } from '../../store/watches/version-events.ts';
import type { Download } from '../frame/call.ts';
import { registerName } from '../frame/registers.ts';
import { describeChange } from '../history/change-view.ts';
import { meaningOf } from '../history/words.ts';
import { EVENTS, hitPath } from './hits-view.ts';
import { type Handlers, joinHits, type ShownHit } from './shown-hits.ts';

const ROWS_MAX = 10_000;
const PAGE_ROWS = 250;
/** Pages that are read, since a filter may leave pages empty. */
const PAGES_MAX = 200;
/** What Excel keeps of a text in a cell. */
const CELL_CHARACTERS_MAX = 32_767;

export interface FileOrder {
  readonly watchId: string;
  /** Chosen by the customer. */
  readonly id: string;
  readonly filter: HitFilter;
  readonly seenThrough: string;
  readonly handlers: Handlers;
  /** Scheme and authority of the portal as the browser reaches it. */
  readonly origin: string;
}

interface FileColumn {
  readonly header: string;
  readonly width: number;
  readonly cell: (hit: ShownHit, order: FileOrder) => string | null;
}

const COLUMNS: readonly FileColumn[] = [
  { header: 'Mark', width: 28, cell: ({ record }) => record?.mark_name ?? null },
  { header: 'Register', width: 18, cell: ({ item }) => registerName(item.jurisdiction_code) },
  {
    header: 'Number',
    width: 18,
    cell: ({ record, item }) => record?.application_number ?? record?.registration_number ?? item.uid,
  },
  { header: 'Owner', width: 28, cell: ({ record }) => (record?.owner_names ?? []).join('; ') },
  { header: 'Classes', width: 12, cell: ({ record }) => (record?.nice_classes ?? []).join('; ') },
  { header: 'Status now', width: 14, cell: ({ record }) => record?.status ?? null },
  { header: 'What', width: 16, cell: ({ item }) => EVENTS[item.event][1] },
  { header: 'What changed', width: 60, cell: ({ item }) => item.changes.map(describeChange).join('\n') },
  { header: 'Why', width: 24, cell: ({ item }) => meaningOf(item.cause) },
  {
    header: 'When (UTC)',
    width: 18,
    cell: ({ item: { version } }) => `${version.slice(0, 10)} ${version.slice(11, 16)}`,
  },
  { header: 'State', width: 8, cell: ({ state }) => state },
  {
    header: 'Person',
    width: 18,
    cell: ({ handling }, { handlers }) =>
      handling?.assigned_to == null ? null : handlers.nameOf(handling.assigned_to),
  },
  {
    header: 'Done by',
    width: 18,
    cell: ({ handling }, { handlers }) => (handling?.done_by == null ? null : handlers.nameOf(handling.done_by)),
  },
  { header: 'Note', width: 40, cell: ({ handling }) => handling?.note ?? null },
  { header: 'Link', width: 40, cell: ({ name }, { origin, id }) => `${origin}${hitPath(id, name)}` },
];

type Cells = readonly (string | null)[];

async function* listRows(db: Queryable, order: FileOrder): AsyncGenerator<readonly Cells[]> {
  let before: EventPosition | null = null;
  let rows = 0;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const limit = Math.min(PAGE_ROWS, ROWS_MAX - rows);
    const found = await findLatestHits(db, order.watchId, { before, limit, filter: order.filter });
    const hits = await joinHits(db, { ...order, items: found.items });
    yield hits.map((hit) => COLUMNS.map(({ cell }) => cell(hit, order)));
    rows += hits.length;
    if (found.olderThan === null) return;
    before = found.olderThan;
    if (rows >= ROWS_MAX) break;
  }
  const continueAt =
    before === null ? '' : `${order.origin}/portal/watches/${order.id}?before=${encodeURIComponent(nameHit(before))}`;
  yield [[`There are older hits. Continue at ${continueAt}`]];
}

async function* encodeCsv(db: Queryable, order: FileOrder): AsyncGenerator<string> {
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  yield `\uFEFF${encodeRow(COLUMNS.map(({ header }) => header))}`;
  for await (const rows of listRows(db, order)) yield rows.map(encodeRow).join('');
}

async function* listExcelRows(db: Queryable, order: FileOrder): AsyncGenerator<(string | null)[]> {
  for await (const rows of listRows(db, order)) {
    for (const cells of rows) yield cells.map((cell) => cell?.slice(0, CELL_CHARACTERS_MAX) ?? null);
  }
}

/** Null for a format that is not known. */
export function buildHitsFile(format: string, db: Queryable, order: FileOrder): Download | null {
  if (format === 'csv') {
    return { download: 'hits.csv', type: 'text/csv; charset=utf-8', chunks: encodeCsv(db, order) };
  }
  if (format !== 'excel') return null;
  const columns = COLUMNS.map(({ header, width }) => ({ header, width }));
  return {
    download: 'hits.xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    chunks: writeXlsxStream(listExcelRows(db, order), { name: 'Hits', columns, freezePane: { rows: 1 } }),
  };
}
