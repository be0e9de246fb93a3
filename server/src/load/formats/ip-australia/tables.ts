/**
 * The tables of a set with their columns, as the office's data dictionary names them. A star marks a column without
 * which a file is not this table; a question mark one that earlier sets do not have. A column that is not listed here
 * raises an issue.
 */

import { isRegisterDate } from '../../../record/dates.ts';
import type { RowGroup } from '../../kept/kept.ts';
import { parseTables, type RowForm, Rows } from '../tables.ts';

const COLUMNS = {
  application: `
    ip_right_type* application_number* ip_right_sub_type status* application_date earliest_filed_date priority_date
    gained_registration_status_date gained_enforceable_status_date enforceable_from_date deemed_retired_date`,
  party_activity: `
    ip_right_type* application_number* party_id party_role* party_role_category* party_type party_name* abn country_code
    state_code postcode effective_from_date effective_to_date is_current* is_founding?`,
  application_links: `
    ip_right_type* application_number* link_type* linked_application_number* linked_application_country link_date`,
  application_events: `
    ip_right_type* application_number* event_type* event_category* event_effective_date event_declared_date
    is_standing*`,
  application_classification: `
    ip_right_type* application_number* classification_system* classification* classification_importance
    classification_inventiveness classification_source classifying_country_code classification_date
    classification_removal_date classification_system_version is_current* classification_area?
    coarse_classification_area?`,
  application_description: 'ip_right_type* application_number* description_type* description_value*',
} as const;

export type TableName = keyof typeof COLUMNS;

export const TABLE_NAMES = Object.keys(COLUMNS) as TableName[];

export const TABLES = parseTables(COLUMNS);

/** `application_events.csv` of the weekly set, `trade-mark-application-events.csv` of the yearly ones. */
const TABLE_FILE = /(?:^|\/)(?:trade[-_]mark[-_])?((?:party|application)(?:[-_][a-z]+)?)\.csv$/i;

/** Null for any other file. */
export function findTable(entryName: string): TableName | null {
  const name = TABLE_FILE.exec(entryName)?.[1]?.toLowerCase().replaceAll('-', '_');
  return TABLE_NAMES.find((table) => table === name) ?? null;
}

/**
 * Rows of a set join by the number of the mark. A set states its register as a whole, so only the rows of the load that
 * is running describe a mark; rows of earlier loads are never joined to them. One more part says which tables that load
 * has read.
 */
export const ROOT_PART = 'mark ';
/** No part leads on to others. */
export const CHAINED_PART = 'none ';

/** Comes before the parts of all marks: a number does not begin with this character. */
export const SET_PART = `${ROOT_PART}#`;

/** Cells of kept rows that no table states: the load that brought the row, and the day of its set. */
export const LOAD_CELL = '#load';
export const DAY_CELL = '#day';

export const markPart = (number: string): string => `${ROOT_PART}${number}`;

export type MarkRows = Rows<TableName>;

export interface OpenedRows {
  readonly rows: MarkRows;
  /** What the set states about the mark: its cells, by table. */
  readonly stated: readonly ({ table: string } & Readonly<Record<string, string>>)[];
  /** The day of the set. */
  readonly day: string | null;
}

/** A date may have the time of midnight after it. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T]00:00:00(?:\.0+)?Z?)?$/;

function parseDate(text: string): string | null {
  const date = DATE.exec(text)?.[1];
  return date !== undefined && isRegisterDate(date) ? date : null;
}

/** The columns by which rows join. */
const KEYS: ReadonlySet<string> = new Set(['ip_right_type', 'application_number']);

const FORM: RowForm = {
  text: (text) => text,
  day: parseDate,
  statedDay: parseDate,
  isIgnored: (column) => KEYS.has(column),
};

/** The rows that this load has brought, in one order whatever the order of the tables. */
export function openRows({ rows }: RowGroup, loadId: string): OpenedRows {
  const current = rows.filter(({ cells }) => cells[LOAD_CELL] === loadId);
  const ordered = current
    .map(({ cells: { [LOAD_CELL]: _, [DAY_CELL]: __, ...cells }, ...row }) => ({ ...row, cells }))
    .map((row) => ({ row, order: JSON.stringify(row.cells) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ row }) => row);
  return {
    rows: new Rows(ordered, FORM),
    stated: ordered.map(({ table, cells }) => ({ table, ...cells })),
    day: current.find(({ table }) => table === 'application')?.cells[DAY_CELL] ?? null,
  };
}
