/**
 * Statements as values: a template tag that turns interpolated values into numbered parameters and splices nested
 * statements. It needs no connection, so every statement can be rendered and reviewed without a database.
 */

const fragment = Symbol('statement');

export interface Statement {
  readonly [fragment]: { readonly strings: readonly string[]; readonly parts: readonly unknown[] };
  /** The text with `$1 …` in place of the values. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Interpolated values become parameters; interpolated statements are spliced in with their own parameters. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Statement {
  return buildStatement(strings, parts);
}

/** Statements joined by a constant separator such as `' and '`; none gives the empty statement. */
export function joinSql(statements: readonly Statement[], separator: string): Statement {
  if (statements.length === 0) return buildStatement([''], []);
  const strings = ['', ...Array<string>(statements.length - 1).fill(separator), ''];
  return buildStatement(strings, statements);
}

/** A quoted identifier; only for constants of this code, never for input. */
export function identifier(name: string): Statement {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`not an identifier: ${name}`);
  return buildStatement([`"${name}"`], []);
}

/** False for text that PostgreSQL cannot store, which therefore identifies nothing. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isStatement(part: unknown): part is Statement {
  return typeof part === 'object' && part !== null && fragment in part;
}

function buildStatement(strings: readonly string[], parts: readonly unknown[]): Statement {
  if (parts.some(holdsDate)) throw new TypeError('pass instants and dates as text');
  const undefinedAt = parts.indexOf(undefined);
  if (undefinedAt >= 0) throw new Error(`undefined value in a statement after: ${strings[undefinedAt]!.slice(-60)}`);
  return new SplicedStatement(strings, parts);
}

/** The driver would write it in the time zone of this process. */
function holdsDate(part: unknown): boolean {
  return part instanceof Date || (Array.isArray(part) && part.some(holdsDate));
}

/** Rendered on demand, since most statements are only parts of others. */
class SplicedStatement implements Statement {
  readonly [fragment]: Statement[typeof fragment];
  private rendered: { readonly text: string; readonly values: readonly unknown[] } | undefined;

  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this[fragment] = { strings, parts };
  }

  get text(): string {
    this.rendered ??= render(this);
    return this.rendered.text;
  }

  get values(): readonly unknown[] {
    this.rendered ??= render(this);
    return this.rendered.values;
  }
}

/** Texts of templates with the same constants in them each time: the same string, so that its name costs no hash. */
const knownTexts = new WeakMap<readonly string[], { readonly text: string; readonly parts: readonly unknown[] }>();

function render(statement: Statement): { text: string; values: readonly unknown[] } {
  const { strings, parts } = statement[fragment];
  const known = knownTexts.get(strings);
  if (known?.parts.every((part, place) => (isStatement(part) ? part === parts[place] : !isStatement(parts[place])))) {
    return { text: known.text, values: parts.filter((part) => !isStatement(part)) };
  }
  const rendered = renderSpliced(statement);
  const constants = parts.map((part) => (isStatement(part) ? part : null));
  // What is spliced in has no values of its own.
  if (rendered.values.length === constants.filter((part) => part === null).length) {
    knownTexts.set(strings, { text: rendered.text, parts: constants });
  }
  return rendered;
}

function renderSpliced(statement: Statement): { text: string; values: readonly unknown[] } {
  let text = '';
  const values: unknown[] = [];
  const append = ({ [fragment]: { strings, parts } }: Statement): void => {
    text += strings[0];
    for (let position = 0; position < parts.length; position += 1) {
      const part = parts[position];
      if (isStatement(part)) append(part);
      else text += `$${values.push(part)}`;
      text += strings[position + 1];
    }
  };
  append(statement);
  return { text, values };
}

/**
 * `2026-11-21T09:00:00.123456Z` of a timestamptz expression, under any session time zone: the wire's form (rule I-31),
 * rendered by PostgreSQL so that no digit is lost.
 */
export function instantText(expression: Statement): Statement {
  return sql`to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/**
 * Whether a column holds a text, in whatever case either is written. What is upper and lower case is decided here, the
 * same on every server: PostgreSQL's own `lower` depends on the locale of its cluster, and in a Turkish one `I` is no
 * upper case of `i`.
 */
export function containsAnyCase(column: Statement, text: string): Statement {
  const wanted = [...text].map(foldLetter);
  // Only the letters that are looked for have to be brought to lower case.
  const pairs = [...new Set(wanted)].flatMap((lower) => {
    const upper = lower.toUpperCase();
    return upper !== lower && foldLetter(upper) === lower ? [{ upper, lower }] : [];
  });
  const from = pairs.map(({ upper }) => upper).join('');
  const to = pairs.map(({ lower }) => lower).join('');
  return sql`strpos(translate(${column}, ${from}, ${to}), ${wanted.join('')}) > 0`;
}

/** One character for one, so that `translate` can do the same. */
function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return [...lower].length === 1 ? lower : letter;
}
