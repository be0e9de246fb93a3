/** Python as text: names, types from schemas, comments and docstrings within the width of a line. */

const WIDTH = 110;

/** The part of a JSON Schema that the interface description uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly (string | null)[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

export function toPascal(name: string): string {
  return name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

export function wrap(text: string, indent: string, hanging = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const start = indent + (lines.length === 0 ? '' : hanging);
    if (line !== '' && start.length + line.length + 1 + word.length > WIDTH) {
      lines.push(start + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + (lines.length === 0 ? '' : hanging) + line];
}

/** The comment that documentation tools read as the description of the member below. */
export function renderComment(text: string, indent = '    '): string[] {
  return wrap(text, '').flatMap((line) => `${indent}#: ${line}`);
}

export function renderLiteral(values: readonly string[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}

/** A function's head or a call, an argument on each line. */
export function renderList(open: string, entries: readonly string[], close: string, indent: string): string[] {
  return [`${indent}${open}`, ...entries.map((entry) => `${indent}    ${entry},`), `${indent}${close}`];
}

/** `from` is a word of the language; an underscore follows it, as PEP 8 says. */
export function nameAttribute(member: string): string {
  return member === 'from' ? 'from_' : member;
}
