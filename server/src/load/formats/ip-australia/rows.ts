/** The rows of one mark. The rest of their cells goes into the document. */
import { isRegisterDate } from '../../../record/dates.ts';
import type { RowGroup } from '../../kept/kept-rows.ts';
import { type RowForm, Rows } from '../tables.ts';
import { DAY_CELL, LOAD_CELL, type TableName } from './tables.ts';

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
