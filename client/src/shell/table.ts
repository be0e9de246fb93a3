/**
 * Tables for a terminal. Texts of registers are not trusted: what would move the cursor, change colours or turn the
 * direction of a line is left out of the picture. JSON lines have everything.
 */

export interface TableColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** Whether it may be cut off to fit into a line; what people copy is not. */
  readonly isCut?: boolean;
}

const GAP = '  ';
/** No column is made narrower than this to fit into a line. */
const WIDTH_MIN = 8;
/** Controls, marks of direction and other characters that are not drawn. */
const UNDRAWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** Characters of two columns. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Emoji_Presentation}]/u;
/** Their punctuation, and letters in their width. */
const WIDE_FORMS = /[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const COMBINING = /\p{M}/u;

export function cleanCell(text: string): string {
  return text.replace(UNDRAWN, ' ').trim();
}

function widthOfCharacter(character: string): number {
  return COMBINING.test(character) ? 0 : WIDE.test(character) || WIDE_FORMS.test(character) ? 2 : 1;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function fit(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let kept = '';
  let left = width - 1;
  for (const character of text) {
    left -= widthOfCharacter(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…${' '.repeat(width - 1 - widthOf(kept))}`;
}

/** Takes from the widest of the columns that may be cut, until the line fits. */
function shrink(widths: number[], isCut: readonly boolean[], room: number): number[] {
  const gaps = GAP.length * (widths.length - 1);
  for (let over = widths.reduce((sum, width) => sum + width, gaps) - room; over > 0; over -= 1) {
    const widest = Math.max(...widths.filter((_width, index) => isCut[index]));
    if (widest <= WIDTH_MIN) break;
    widths[widths.findIndex((width, index) => isCut[index] === true && width === widest)] = widest - 1;
  }
  return widths;
}

/** A table that may come in parts: the head is before the first one, and columns only become wider. */
export class Table<Row> {
  readonly #columns: readonly TableColumn<Row>[];
  readonly #room: number;
  #widths: number[] | null = null;

  constructor(columns: readonly TableColumn<Row>[], room: number) {
    this.#columns = columns;
    this.#room = room;
  }

  render(rows: readonly Row[]): string {
    const cells = rows.map((row) => this.#columns.map(({ cell }) => cleanCell(cell(row))));
    const heads = this.#columns.map(({ head }) => head);
    const isFirst = this.#widths === null;
    const before = this.#widths ?? heads.map(widthOf);
    const wanted = before.map((width, index) => Math.max(width, ...cells.map((row) => widthOf(row[index] ?? ''))));
    const isCut = this.#columns.map((column) => column.isCut === true);
    const widths = shrink(wanted, isCut, this.#room);
    this.#widths = widths;
    const lines = (isFirst ? [heads, ...cells] : cells).map((row) =>
      row.map((cell, index) => fit(cell, widths[index] ?? 0)).join(GAP),
    );
    return lines.map((line) => `${line.trimEnd()}\n`).join('');
  }
}
