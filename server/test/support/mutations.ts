/** Changes to a source text, one at a time, that a reader must notice. */

export interface Mutation {
  /** The change, and the element it was made to. */
  name: string;
  text: string;
}

/** An element with text and without children. */
const LEAF = /<([\w-]+)(?: [^<>]*)?>([^<>]*[^<>\s][^<>]*)<\/\1>/g;

/**
 * Each element with text inside a record is removed, doubled, emptied, misspelt, and moved out of its record, one at a
 * time. `record`: the name of the record's element; the text holds exactly one.
 */
export function listMutations(text: string, record: string, ignored: readonly string[] = []): Mutation[] {
  const [, before = '', body = '', after = ''] =
    new RegExp(`^([\\s\\S]*<${record}(?: [^>]*)?>)([\\s\\S]*)(</${record}>[\\s\\S]*)$`).exec(text) ?? [];
  return [...body.matchAll(LEAF)].flatMap((match): Mutation[] => {
    const [element, name = ''] = match;
    if (ignored.includes(name)) return [];
    const replaced = (by: string): string => body.slice(0, match.index) + by + body.slice(match.index + element.length);
    const renamed = element.replace(`<${name}`, `<${name}x`).replace(`</${name}>`, `</${name}x>`);
    const gone = before + replaced('') + after;
    return [
      { name: `${name} removed`, text: gone },
      { name: `${name} doubled`, text: before + replaced(element + element) + after },
      { name: `${name} emptied`, text: before + replaced(`<${name}></${name}>`) + after },
      { name: `${name} misspelt`, text: before + replaced(renamed) + after },
      { name: `${name} moved`, text: before + replaced('') + after.replace(`</${record}>`, `</${record}>${element}`) },
    ];
  });
}
