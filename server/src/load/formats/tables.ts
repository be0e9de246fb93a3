/**
 * Sets of joined tables: the columns of their tables, what a file of one has to have, and the cells of the rows of one
 * mark. Each read of a cell is noted, so that the rest of a row can go into the document.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Issue } from '../../record/document.ts';
import type { CountedRows, GroupRow } from '../kept/kept.ts';
import type { SourceEntry } from '../sources/files.ts';
import type { DateForm } from './dates.ts';
import { joinWords, splitWords } from './document.ts';
import { buildIssue, type IssueCode, type ReadContext, type RegisterItem } from './format.ts';

export interface TableColumns {
  /** In the order of the office's dictionary. */
  all: readonly string[];
  /** A file without them is not this table. */
  required: readonly string[];
  /** Columns that a set may lack without an issue. */
  newer: readonly string[];
}

/** Columns by table. A star marks a required column, a question mark one that a set may lack. */
export function parseTables(texts: Readonly<Record<string, string>>): ReadonlyMap<string, TableColumns> {
  return new Map(
    Object.entries(texts).map(([name, text]) => {
      const columns = splitWords(text);
      const marked = (mark: string): string[] =>
        columns.filter((column) => column.endsWith(mark)).map((column) => column.slice(0, -1));
      const all = columns.map((column) => column.replace(/[*?]$/, ''));
      return [name, { all, required: marked('*'), newer: marked('?') }];
    }),
  );
}

/**
 * Throws `OperatorError` for a file without the columns of its table. Reports columns that the table should have and
 * has not, and those that it does not know.
 */
export function checkColumns(
  columns: readonly string[],
  { entryName, table, known }: { entryName: string; table: string; known: TableColumns },
  context: ReadContext,
): void {
  const missing = known.required.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new OperatorError(`${entryName} is not the table ${table}: it has no column ${missing.join(', ')}`);
  }
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) throw new OperatorError(`${entryName} has the column ${repeated} twice`);
  for (const column of columns) {
    if (!known.all.includes(column)) context.noteIssue?.(buildIssue('unknown_element', `${table}.${column}`, ''), 1);
  }
  for (const column of known.all) {
    if (columns.includes(column) || known.newer.includes(column)) continue;
    context.noteIssue?.(buildIssue('missing_column', `${table}.${column}`, ''), 1);
  }
}

export function refuseEmptyTable(entryName: string): OperatorError {
  return new OperatorError(`${entryName} is empty: a table has its columns in the first line`);
}

/** Why a row has not the cells of its table; null if it has. */
export function findWrongLength(cells: number, columns: number): string | null {
  return cells === columns ? null : `the row has ${cells} columns, the table ${columns}`;
}

/** Reports rows of the same load of which a later one counts. */
export function noteSuperseded(superseded: readonly CountedRows[], context: ReadContext): void {
  for (const { source_table, rows, example } of superseded) {
    context.noteIssue?.({ code: 'superseded_row', path: source_table, value: example }, rows);
  }
}

/** PostgreSQL cannot store NUL in a text. */
export function keepable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** The reader of a file alone. */
// biome-ignore lint/correctness/useYield: a table alone holds no records
export async function* refuseTable(entry: SourceEntry): AsyncGenerator<RegisterItem> {
  throw new OperatorError(`${entry.name} is one table of a set: the tables of a set are read together`);
}

/** How the cells of an office's tables are read. */
export interface RowForm {
  /** Null where the table says nothing. */
  text(stated: string): string | null;
  /** Of a date of the record, and of a date of the document. */
  day: DateForm;
  statedDay: DateForm;
  /** Columns that are neither mapped nor kept with the rest. */
  isIgnored(column: string): boolean;
}

export class Row {
  readonly table: string;
  readonly part: string;
  /** The office has removed the row; the cells are its last content. */
  readonly removed: boolean;
  readonly cells: Readonly<Record<string, string>>;
  /** It stands for a row that the set does not have. */
  readonly isMissing: boolean;
  private readonly form: RowForm;
  private readonly issues: Issue[];
  private readonly read = new Set<string>();

  constructor(row: Omit<GroupRow, 'version'> | null, form: RowForm, issues: Issue[]) {
    this.isMissing = row === null;
    this.table = row?.table ?? '';
    this.part = row?.part ?? '';
    this.removed = row?.removed ?? true;
    this.cells = row?.cells ?? {};
    this.form = form;
    this.issues = issues;
  }

  text(column: string): string | null {
    this.read.add(column);
    const text = this.cells[column];
    return text === undefined ? null : this.form.text(text);
  }

  /** A date of the record. Anything but a calendar date is null and raises an issue. */
  day(column: string): string | null {
    const text = this.text(column);
    const date = text === null ? null : this.form.day(text);
    if (text !== null && date === null) this.raise('impossible_date', column, text);
    return date;
  }

  /** A date of the document; text that is not a date is kept unchanged. */
  statedDay(column: string): string | null {
    const text = this.text(column);
    return text === null ? null : (this.form.statedDay(text) ?? text);
  }

  isSet(column: string): boolean {
    return this.text(column) === '1';
  }

  /** Null for anything but true or false, which raises an issue. */
  flag(column: string): boolean | null {
    const text = this.text(column) ?? '';
    const word = text.toLowerCase();
    if (word === 'true' || word === '1' || word === 't') return true;
    if (word === 'false' || word === '0' || word === 'f') return false;
    this.raise('unmapped_indicator', column, text);
    return null;
  }

  /** Leaves columns out of the rest on purpose. */
  ignore(...columns: readonly string[]): void {
    for (const column of columns) this.read.add(column);
  }

  /** The stated values that nothing has read, by column; null when there are none. */
  rest(): Record<string, string> | null {
    const rest: Record<string, string> = {};
    for (const column of Object.keys(this.cells)) {
      if (this.read.has(column) || this.form.isIgnored(column)) continue;
      const text = this.text(column);
      if (text !== null) rest[column] = text;
    }
    return Object.keys(rest).length === 0 ? null : rest;
  }

  raise(code: IssueCode, column: string, value: string): void {
    this.issues.push(buildIssue(code, `${this.table}.${column}`, value));
  }
}

const BLANK = /^[0\s]*$/;

/** The rows of one mark, by table. Issues go to the record derived from them. */
export class Rows<Table extends string> {
  readonly byTable = new Map<string, Row[]>();
  readonly issues: Issue[] = [];
  private readonly form: RowForm;

  constructor(rows: readonly Omit<GroupRow, 'version'>[], form: RowForm) {
    this.form = form;
    for (const row of rows) {
      const opened = new Row(row, form, this.issues);
      const known = this.byTable.get(row.table);
      if (known === undefined) this.byTable.set(row.table, [opened]);
      else known.push(opened);
    }
  }

  /** The rows of a table that the office has not removed. */
  list(table: Table): readonly Row[] {
    return this.byTable.get(table)?.filter(({ removed }) => !removed) ?? [];
  }

  /** `path`: a table and its column. */
  raise(code: IssueCode, path: string, value: string): void {
    this.issues.push(buildIssue(code, path, value));
  }

  /** The cells of a column in every row of a table. */
  texts(table: Table, column: string): string[] {
    return this.list(table).flatMap((row) => row.text(column) ?? []);
  }

  /** The first row, or one that stands for it. */
  first(rows: readonly Row[]): Row {
    return rows[0] ?? new Row(null, this.form, this.issues);
  }

  /**
   * The row that describes a mark as a whole. Rows in force come before removed ones, rows of the whole right before
   * rows of a part of it. A removed row still describes the mark.
   */
  describing(table: Table): Row {
    const living = this.list(table);
    const candidates = living.length > 0 ? living : (this.byTable.get(table) ?? []);
    const whole = candidates.filter(({ cells }) => BLANK.test(cells.split_num ?? ''));
    return this.first(whole.length > 0 ? whole : candidates);
  }
}

/** A cell of the rows of a mark. */
export type Cell = readonly [row: Row, column: string];

/** The stated ones of some cells as one text, each after its column, as in `group_t_flg 1`; null for none. */
export function nameCells(cells: readonly Cell[]): string | null {
  return joinWords(
    cells.flatMap(([row, column]) => {
      const text = row.text(column);
      return text === null ? [] : [`${column} ${text}`];
    }),
  );
}

/** The first stated date. Later ones are not read, so they stay in the document. */
export function firstDay(...cells: readonly Cell[]): string | null {
  for (const [row, column] of cells) {
    const date = row.day(column);
    if (date !== null) return date;
  }
  return null;
}
