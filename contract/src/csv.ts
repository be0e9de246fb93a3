/**
 * Reads and writes rows of CSV (RFC 4180). Spreadsheets run a text that looks like a formula, so such a cell is written
 * with a leading apostrophe, which marks it as text; nothing else is altered. Reading accepts any separator and any
 * line ending, and skips blank lines.
 */

/** Characters that spreadsheets take as the start of a formula, in both widths, also after blanks. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A list is one cell. */
function encodeCell(value: unknown): string {
  const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function encodeRow(values: readonly unknown[]): string {
  return `${values.map(encodeCell).join(',')}\r\n`;
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface CsvRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Upper limit on the characters of a row: an unclosed quote would swallow the whole file. */
export const ROW_CHARACTERS_MAX = 100_000;

/** The file cannot be read; the message says in which line, and what to change. */
export class CsvFault extends Error {}

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** Splits text that arrives in pieces into rows. */
export class RowSplitter {
  private readonly delimiter: number;
  private cells: string[] = [];
  /** The part of the current field that earlier pieces hold. */
  private field = '';
  /** `closing`: after a quote inside a quoted field, which ends it unless another quote follows. */
  private state: 'start' | 'plain' | 'quoted' | 'closing' = 'start';
  private afterCr = false;
  private line = 1;
  private rowLine = 1;
  private size = 0;

  constructor(delimiter: Delimiter) {
    this.delimiter = delimiter.charCodeAt(0);
  }

  /** The rows that end in this piece. Throws `CsvFault`. */
  push(text: string): CsvRow[] {
    const rows: CsvRow[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === LF && this.afterCr) {
        this.afterCr = false;
        from = at + 1;
        continue;
      }
      this.afterCr = code === CR && this.state !== 'quoted';
      if (this.state === 'quoted') {
        if (code === LF) this.line += 1;
        if (code !== QUOTE) continue;
        this.field += text.slice(from, at);
        this.state = 'closing';
        from = at + 1;
      } else if (this.state === 'closing' && code === QUOTE) {
        // A doubled quote: `from` stays at the second one, which belongs to the text.
        this.state = 'quoted';
        from = at;
      } else if (this.state === 'start' && code === QUOTE) {
        this.state = 'quoted';
        from = at + 1;
      } else if (code === this.delimiter || code === LF || code === CR) {
        this.endField(text.slice(from, at));
        from = at + 1;
        if (code !== this.delimiter) this.endRow(rows);
      } else if (this.state !== 'plain') this.state = 'plain';
    }
    this.field += text.slice(from);
    if (this.size + this.field.length > ROW_CHARACTERS_MAX) throw this.tooLong();
    return rows;
  }

  /** The last row, if the text does not end with the end of a line. Throws `CsvFault`. */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    if (this.state === 'quoted') {
      throw new CsvFault(`line ${this.rowLine}: a quoted field is not closed; add the quote at its end`);
    }
    if (this.field !== '' || this.cells.length > 0 || this.state !== 'start') {
      this.endField('');
      this.endRow(rows);
    }
    return rows;
  }

  private endField(rest: string): void {
    const cell = this.field + rest;
    this.size += cell.length;
    if (this.size > ROW_CHARACTERS_MAX) throw this.tooLong();
    this.cells.push(cell);
    this.field = '';
    this.state = 'start';
  }

  private endRow(rows: CsvRow[]): void {
    if (this.cells.some((cell) => cell.trim() !== '')) rows.push({ line: this.rowLine, cells: this.cells });
    this.cells = [];
    this.size = 0;
    this.line += 1;
    this.rowLine = this.line;
  }

  private tooLong(): CsvFault {
    return new CsvFault(
      `line ${this.rowLine}: the row is longer than ${ROW_CHARACTERS_MAX} characters; is a quote not closed?`,
    );
  }
}

/** The separator by which most of the first rows have the same number of cells; `,` if none does. */
export function guessDelimiter(head: string): Delimiter {
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreDelimiter(head, delimiter) }));
  const [best] = scored.sort((one, other) => other.score - one.score);
  return best!.delimiter;
}

const GUESSED_ROWS = 20;

function scoreDelimiter(head: string, delimiter: Delimiter): number {
  try {
    // The last row of a piece may be cut.
    const rows = new RowSplitter(delimiter).push(`${head}\n`).slice(0, GUESSED_ROWS);
    const widths = rows.map(({ cells }) => cells.length).filter((columns) => columns > 1);
    const countAlike = (columns: number): number => widths.filter((each) => each === columns).length;
    // Titles above a list have fewer cells than its rows.
    const scores = widths.map((columns) => (countAlike(columns) / rows.length) * 1000 + columns);
    return Math.max(0, ...scores);
  } catch {
    return 0;
  }
}
