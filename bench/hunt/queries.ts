/**
 * Random searches that a person could make: one to four filters with the values of an existing record, sorted by any
 * field in either direction. So the combinations of filters are realistic.
 */
import { FILTER_DATES, ORDERS, SORTS } from '@tmds/contract/enums';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import type { Texts } from '../search/pool.ts';

/** A record as delivered. */
type Delivered = Readonly<Record<string, unknown>>;
type Draw = () => number;

const DAY_MS = 86_400_000;
/** How many days before and after the record's date an interval may extend. */
const SPANS = [0, 1, 7, 31, 92, 366, 1_000, 4_000, 9_000];
const PARTS = ['mark_name', 'owner_name', 'representative_name'] as const;
const DELIVERED_NAMES = {
  mark_name: 'mark_name',
  owner_name: 'owner_names',
  representative_name: 'representative_names',
};

/** Records from the whole table, the same ones each time. */
export async function drawRecords(db: Database, records: number): Promise<Delivered[]> {
  const percent = Math.min(100, (100 * 4_000) / records);
  const rows = await db.query<{ detail: string }>(
    sql`select detail from record tablesample system (${percent}::float4) repeatable (0) limit 4000`,
  );
  return rows.map(({ detail }) => JSON.parse(detail) as Delivered);
}

export function drawQuery(records: readonly Delivered[], draw: Draw): Texts {
  const record = oneOf(records, draw);
  const texts: Texts = {};
  for (let filters = 1 + Math.floor(draw() * 4); filters > 0; filters -= 1) {
    Object.assign(texts, oneOf(FILTERS, draw)(record, draw, records));
  }
  texts.sort = oneOf(SORTS, draw);
  texts.order = oneOf(ORDERS, draw);
  if (draw() < 0.2) texts.count = 'capped';
  return texts;
}

function oneOf<Value>(values: readonly Value[], draw: Draw): Value {
  return values[Math.floor(draw() * values.length)]!;
}

function valuesOf(record: Delivered, field: string): string[] {
  const value = record[field];
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

type Filter = (record: Delivered, draw: Draw, records: readonly Delivered[]) => Texts;

/** A value of the record and, in two of five cases, one of another record too. */
function filterBy(name: string, field: string): Filter {
  return (record, draw, records) => {
    const own = valuesOf(record, field);
    if (own.length === 0) return {};
    const others = draw() < 0.4 ? valuesOf(oneOf(records, draw), field) : [];
    return { [name]: [...new Set([oneOf(own, draw), ...others.slice(0, 1)])].join(',') };
  };
}

const FILTERS: readonly Filter[] = [
  filterBy('status', 'status'),
  filterBy('nice_class', 'nice_classes'),
  filterBy('owner_country', 'owner_countries'),
  filterBy('designated_country', 'designated_countries'),
  filterBy('kind_of_mark', 'kind_of_mark'),
  filterBy('mark_feature', 'mark_feature'),
  filterBy('office', 'office'),
  filterBy('vienna_code', 'vienna_codes'),
  filterBy('jurisdiction', 'jurisdiction_code'),
  (record, draw) => {
    const classes = valuesOf(record, 'nice_classes').slice(0, 1 + Math.floor(draw() * 3));
    return classes.length === 0 ? {} : { nice_class_all: classes.join(',') };
  },
  filterByDate,
  filterByDate,
  filterByName,
  filterByPart,
  filterByPart,
];

function filterByDate(record: Delivered, draw: Draw): Texts {
  const fields = FILTER_DATES.filter((field) => typeof record[field] === 'string');
  if (fields.length === 0) return {};
  const field = oneOf(fields, draw);
  const date = record[field] as string;
  const span = oneOf(SPANS, draw);
  const form = draw();
  return {
    ...(form < 0.67 ? { [`${field}_from`]: shiftDate(date, -Math.floor(draw() * (span + 1))) } : {}),
    ...(form > 0.33 ? { [`${field}_to`]: shiftDate(date, Math.floor(draw() * (span + 1))) } : {}),
  };
}

function shiftDate(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

function filterByName(record: Delivered, draw: Draw): Texts {
  const kind = oneOf(PARTS, draw);
  const names = valuesOf(record, DELIVERED_NAMES[kind]);
  return names.length === 0 ? {} : { [kind]: oneOf(names, draw) };
}

/** A part of a name needs a search of few registers (rule I-13). */
function filterByPart(record: Delivered, draw: Draw): Texts {
  const kind = oneOf(PARTS, draw);
  const names = valuesOf(record, DELIVERED_NAMES[kind]);
  if (names.length === 0) return {};
  const characters = [...oneOf(names, draw)];
  const length = Math.min(characters.length, 3 + Math.floor(draw() * 6));
  const isStart = draw() < 0.3;
  const from = isStart ? 0 : Math.floor(draw() * (characters.length - length + 1));
  const part = characters
    .slice(from, from + length)
    .join('')
    .trim();
  return { [`${kind}_${isStart ? 'startswith' : 'contains'}`]: part, jurisdiction: String(record.jurisdiction_code) };
}
