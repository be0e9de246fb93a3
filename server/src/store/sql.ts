/**
 * Statements as values: a tag that turns interpolations into numbered parameters and splices nested statements.
 * It knows no connection, so every statement can be rendered and reviewed without a database.
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

/** A quoted identifier; only for names from constant tables of this code, never from outside. */
export function identifier(name: string): Statement {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`not an identifier: ${name}`);
  return buildStatement([`"${name}"`], []);
}

/** False for text that PostgreSQL cannot hold as a value; nothing stored has it for a name. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isStatement(part: unknown): part is Statement {
  return typeof part === 'object' && part !== null && fragment in part;
}

function buildStatement(strings: readonly string[], parts: readonly unknown[]): Statement {
  let text = '';
  const values: unknown[] = [];
  const append = (sourceStrings: readonly string[], sourceParts: readonly unknown[]): void => {
    sourceStrings.forEach((string, position) => {
      text += string;
      if (position >= sourceParts.length) return;
      const part = sourceParts[position];
      if (isStatement(part)) append(part[fragment].strings, part[fragment].parts);
      else {
        if (part === undefined) throw new Error(`undefined value in a statement after: ${string.slice(-60)}`);
        values.push(part);
        text += `$${values.length}`;
      }
    });
  };
  append(strings, parts);
  return { [fragment]: { strings, parts }, text, values };
}
