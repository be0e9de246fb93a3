/** What a table shows of each kind of object, and how an object is written as a line of JSON. */
import type { HistoryEvent } from '@tmds/contract/history';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { WatchHitItem, WatchSummary } from '@tmds/contract/watches';
import { renderRecord } from '../payload-text.ts';
import { cleanCell, type TableColumn } from './table.ts';

export interface View<Item> {
  readonly columns: readonly TableColumn<Item>[];
  readonly json: (item: Item) => string;
}

const list = (values: readonly unknown[] | null): string => values?.join(', ') ?? '';
/** To the second; JSON has every digit. */
const shortInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)}`;

const identity: readonly TableColumn<{ jurisdiction_code: string; uid: string }>[] = [
  { head: 'REGISTER', cell: ({ jurisdiction_code: code }) => code },
  { head: 'UID', cell: ({ uid }) => uid },
];

const record: readonly TableColumn<TrademarkDetail>[] = [
  ...identity,
  { head: 'MARK', isCut: true, cell: ({ mark_name: name }) => name ?? '' },
  { head: 'STATUS', cell: ({ status }) => status },
  { head: 'CLASSES', isCut: true, cell: ({ nice_classes: classes }) => list(classes) },
  { head: 'OWNER', isCut: true, cell: ({ owner_names: names }) => names?.join('; ') ?? '' },
  { head: 'FILED', cell: ({ application_date: date }) => date ?? '' },
];

export const RECORDS: View<TrademarkDetail> = { columns: record, json: renderRecord };

export const CHANGES: View<TrademarkDetail> = {
  columns: [{ head: 'CHANGED', cell: ({ updated_at: stamp }) => shortInstant(stamp) }, ...record],
  json: renderRecord,
};

const showValue = (value: unknown): string =>
  value === null ? 'none' : Array.isArray(value) ? value.join(', ') : String(value);

function describeChanges({ changes, previous_version }: HistoryEvent): string {
  if (changes.length === 0) return previous_version === null ? 'first version' : '';
  return changes
    .map((change) =>
      change.field === 'payload'
        ? `document in ${change.paths.length + change.more_paths} places`
        : `${change.field} ${showValue(change.old)} → ${showValue(change.new)}`,
    )
    .join('; ');
}

const event: readonly TableColumn<HistoryEvent>[] = [
  { head: 'VERSION', cell: ({ version }) => shortInstant(version) },
  ...identity,
  { head: 'CAUSE', cell: ({ cause }) => cause },
  { head: 'WHAT', isCut: true, cell: describeChanges },
];

export const EVENTS: View<HistoryEvent> = { columns: event, json: (item) => JSON.stringify(item) };

export const HITS: View<WatchHitItem> = {
  columns: [{ head: 'EVENT', cell: (hit: WatchHitItem) => hit.event }, ...event],
  json: (item) => JSON.stringify(item),
};

export const WATCHES: View<WatchSummary> = {
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'NAME', isCut: true, cell: ({ name }) => name },
    { head: 'KIND', cell: ({ kind }) => kind },
    { head: 'WATCHES', isCut: true, cell: ({ search, item_count: count }) => search ?? String(count) },
    { head: 'SINCE', cell: ({ created_at: stamp }) => shortInstant(stamp) },
    { head: 'ENDED', cell: ({ ended_at: stamp }) => (stamp === null ? '' : shortInstant(stamp)) },
  ],
  json: (item) => JSON.stringify(item),
};

/** One object, a member on each line; what an object holds is written as JSON. */
export function describeObject(object: object): string {
  const entries = Object.entries(object);
  const width = Math.max(...entries.map(([name]) => name.length));
  const write = (value: unknown): string =>
    value === null ? '' : typeof value === 'object' && !isPlainList(value) ? JSON.stringify(value) : showValue(value);
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cleanCell(write(value))}`.trimEnd()).join('\n');
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each !== 'object');
}
