/**
 * Hits as a file for spreadsheets: a row for each, with what changed as a sentence. Invariant: no more than a page of
 * hits is held at a time, and a file that ends early says so in its last row.
 */

import type { Queryable } from '../../database/driver/db.ts';
import { nameHit } from '../../store/watches/hit-handling.ts';
import { findLatestHits, type HitFilter } from '../../store/watches/hits.ts';
import type { EventPosition } from '../../store/watches/version-events.ts';
import type { Download } from '../frame/call.ts';
import { registerName } from '../frame/registers.ts';
import { describeChange } from '../history/change-view.ts';
import { meaningOf } from '../history/words.ts';
import type { SheetCell } from '../spreadsheet/excel.ts';
import { findFileForm } from '../spreadsheet/table-file.ts';
import { EVENTS, hitPath, listWhy } from './hits-view.ts';
import { type Handlers, joinHits, type ShownHit } from './shown-hits.ts';

const ROWS_MAX = 10_000;
const PAGE_ROWS = 250;
/** Pages that are read, since a filter may leave pages empty. */
const PAGES_MAX = 200;

export interface FileOrder {
  readonly watchId: string;
  /** Chosen by the customer. */
  readonly id: string;
  /** The customer's own, of the watch; null: none. */
  readonly reference: string | null;
  readonly filter: HitFilter;
  readonly seenThrough: string;
  readonly handlers: Handlers;
  /** Scheme and authority of the portal as the browser reaches it. */
  readonly origin: string;
}

interface FileColumn {
  readonly head: string;
  readonly width: number;
  readonly cell: (hit: ShownHit, order: FileOrder) => SheetCell;
}

const COLUMNS: readonly FileColumn[] = [
  { head: 'Mark', width: 28, cell: ({ record }) => record?.mark_name ?? null },
  { head: 'Register', width: 18, cell: ({ item }) => registerName(item.jurisdiction_code) },
  {
    head: 'Number',
    width: 18,
    cell: ({ record, item }) => record?.application_number ?? record?.registration_number ?? item.uid,
  },
  { head: 'Owner', width: 28, cell: ({ record }) => (record?.owner_names ?? []).join('; ') },
  { head: 'Classes', width: 12, cell: ({ record }) => (record?.nice_classes ?? []).join('; ') },
  { head: 'Status now', width: 14, cell: ({ record }) => record?.status ?? null },
  { head: 'What', width: 16, cell: ({ item }) => EVENTS[item.event][1] },
  { head: 'What changed', width: 60, cell: ({ item }) => item.changes.map(describeChange).join('\n') },
  { head: 'Why', width: 24, cell: ({ item }) => meaningOf(item.cause) },
  {
    head: 'Alike',
    width: 40,
    cell: ({ item }) => (item.likeness === null ? null : listWhy(item.likeness).join('\n')),
  },
  { head: 'When', width: 14, cell: ({ item: { version } }) => ({ day: version.slice(0, 10) }) },
  { head: 'State', width: 8, cell: ({ state }) => state },
  {
    head: 'Person',
    width: 18,
    cell: ({ handling }, { handlers }) =>
      handling?.assigned_to == null ? null : handlers.nameOf(handling.assigned_to),
  },
  {
    head: 'Done by',
    width: 18,
    cell: ({ handling }, { handlers }) => (handling?.done_by == null ? null : handlers.nameOf(handling.done_by)),
  },
  { head: 'Your reference', width: 18, cell: (_hit, { reference }) => reference },
  { head: 'Note', width: 40, cell: ({ handling }) => handling?.note ?? null },
  {
    head: 'Link',
    width: 14,
    cell: ({ name }, { origin, id }) => ({ text: 'Open hit', href: `${origin}${hitPath(id, name)}` }),
  },
];

async function* listPortions(db: Queryable, order: FileOrder): AsyncGenerator<readonly ShownHit[] | string> {
  let before: EventPosition | null = null;
  let rows = 0;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const limit = Math.min(PAGE_ROWS, ROWS_MAX - rows);
    const found = await findLatestHits(db, order.watchId, { before, limit, filter: order.filter });
    const hits = await joinHits(db, { ...order, items: found.items });
    yield hits;
    rows += hits.length;
    if (found.olderThan === null) return;
    before = found.olderThan;
    if (rows >= ROWS_MAX) break;
  }
  const continueAt =
    before === null ? '' : `${order.origin}/portal/watches/${order.id}?before=${encodeURIComponent(nameHit(before))}`;
  yield `There are older hits. Continue at ${continueAt}`;
}

/** Null for a form that is not known. */
export function buildHitsFile(name: string, db: Queryable, order: FileOrder): Download | null {
  const form = findFileForm(name);
  if (form === undefined) return null;
  const columns = COLUMNS.map(({ cell, ...column }) => ({ ...column, cell: (hit: ShownHit) => cell(hit, order) }));
  return {
    download: `hits.${form.extension}`,
    type: form.type,
    chunks: form.write({ name: 'Hits', columns, portions: listPortions(db, order) }),
  };
}
