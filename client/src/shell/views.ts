/** What a table shows of each kind of object, and how an object is written as a line of JSON. */
import type { DateInfo, DueItem } from '@tmds/contract/dates';
import type { HistoryEvent } from '@tmds/contract/history';
import type { SimilarEntry } from '@tmds/contract/likeness';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { WatchHitItem, WatchSummary } from '@tmds/contract/watches';
import type { WebhookDelivery, WebhookInfo } from '@tmds/contract/webhooks';
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

/** What an office states, or what follows. */
const dayOf = ({ stated, computed }: DateInfo): string => stated ?? computed?.due_on ?? '';
const sayAgreement = ({ agreement, missing }: DateInfo): string =>
  agreement?.replaceAll('_', ' ') ?? (missing === null ? '' : `not known without ${missing.join(', ')}`);

export const DATES: View<DateInfo> = {
  columns: [
    { head: 'EVENT', cell: ({ event: name }) => name },
    { head: 'DAY', cell: dayOf },
    { head: 'STATED', cell: ({ stated }) => stated ?? '' },
    { head: 'COMPUTED', cell: ({ computed }) => computed?.ends_on ?? '' },
    { head: 'OPENS', cell: ({ computed }) => computed?.opens_on ?? '' },
    { head: 'LATE UNTIL', cell: ({ computed }) => computed?.late_until ?? '' },
    { head: 'RULE', cell: ({ computed }) => computed?.rule ?? '' },
    { head: 'AGREEMENT', isCut: true, cell: sayAgreement },
  ],
  json: (item) => JSON.stringify(item),
};

export const DUE: View<DueItem> = {
  columns: [
    { head: 'DUE', cell: ({ due_on: day }) => day },
    ...identity,
    { head: 'MARK', isCut: true, cell: ({ mark_name: name }) => name ?? '' },
    { head: 'WHAT', cell: ({ dates }) => dates.map(({ event: name }) => name).join(', ') },
    { head: 'AGREEMENT', cell: ({ dates }) => dates.map(sayAgreement).join(', ') },
  ],
  json: (item) => JSON.stringify(item),
};

export const SIMILAR: View<SimilarEntry> = {
  columns: [
    { head: 'TIER', cell: ({ tier }) => tier },
    { head: 'NAME', isCut: true, cell: ({ name }) => name },
    { head: 'HELD AS', cell: ({ held_as }) => held_as },
    { head: 'REGISTER', cell: ({ record: { jurisdiction_code: code } }) => code },
    { head: 'UID', cell: ({ record: { uid } }) => uid },
    { head: 'STATUS', cell: ({ record: { status } }) => status },
    { head: 'CLASSES', isCut: true, cell: ({ record: { nice_classes: classes } }) => list(classes) },
    { head: 'ALIKE BY', isCut: true, cell: ({ evidence }) => evidence.map(({ strategy }) => strategy).join(', ') },
  ],
  json: (item) => JSON.stringify(item),
};

export const WATCHES: View<WatchSummary> = {
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'NAME', isCut: true, cell: ({ name }) => name },
    { head: 'REFERENCE', isCut: true, cell: ({ reference }) => reference ?? '' },
    { head: 'KIND', cell: ({ kind }) => kind },
    { head: 'WATCHES', isCut: true, cell: ({ search, item_count: count }) => search ?? String(count) },
    { head: 'SINCE', cell: ({ created_at: stamp }) => shortInstant(stamp) },
    { head: 'ENDED', cell: ({ ended_at: stamp }) => (stamp === null ? '' : shortInstant(stamp)) },
  ],
  json: (item) => JSON.stringify(item),
};

export const WEBHOOKS: View<WebhookInfo> = {
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'URL', isCut: true, cell: ({ url }) => url },
    { head: 'WATCH', cell: ({ watch }) => watch ?? 'all' },
    { head: 'STATE', cell: describeWebhook },
    { head: 'WAITING', cell: ({ waiting }) => String(waiting) },
    { head: 'DELIVERED', cell: ({ delivered_at: at }) => (at === null ? '' : shortInstant(at)) },
  ],
  json: (item) => JSON.stringify(item),
};

function describeWebhook({ off_reason: reason, failures }: WebhookInfo): string {
  if (reason !== null) return reason === 'customer' ? 'off' : `off: ${reason}`;
  return failures === 0 ? 'on' : 'failing';
}

export const DELIVERIES: View<WebhookDelivery> = {
  columns: [
    { head: 'CREATED', cell: ({ created_at: at }) => shortInstant(at) },
    { head: 'EVENT', cell: ({ event: name }) => name },
    { head: 'WATCH', cell: ({ watch }) => watch ?? '' },
    { head: 'STATE', cell: ({ state }) => state },
    { head: 'ATTEMPTS', cell: ({ attempts }) => String(attempts) },
    { head: 'ANSWER', isCut: true, cell: ({ status, failure }) => failure ?? (status === null ? '' : String(status)) },
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
