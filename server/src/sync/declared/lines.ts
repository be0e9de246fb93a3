/**
 * Finds the lines of tables and keys in a TOML file, so that a problem can name its line: the TOML library reports
 * lines of syntax errors only. The file has been parsed before, so its syntax is valid.
 */

/** `source.uspto` and `source.uspto.format`, each with its line from 1. */
export function findLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let table = '';
  let depth = 0;
  let quotes: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (depth === 0 && quotes === null) {
      const [, header] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line) ?? [];
      const [, key] = /^([\s\w.\-"']+)=/.exec(line) ?? [];
      if (header !== undefined) table = plain(header);
      const path =
        header !== undefined ? table : key !== undefined ? [table, plain(key)].filter(Boolean).join('.') : null;
      if (path !== null && !lines.has(path)) lines.set(path, index + 1);
    }
    ({ depth, quotes } = scan(line, { depth, quotes }));
  }
  return lines;
}

function plain(key: string): string {
  return key
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');
}

interface Open {
  /** Brackets of a value that are open at the end of the line. */
  depth: number;
  /** The quotes of a text of several lines that is open at the end of the line. */
  quotes: string | null;
}

function scan(line: string, { depth, quotes }: Open): Open {
  let open = depth;
  let within = quotes;
  const isValue = depth > 0 || quotes !== null || /^[^#]*=/.test(line);
  if (!isValue) return { depth, quotes };
  // A text that its line does not close cannot occur: it is read to the end, so that no part is read twice.
  const tokens = /"""|'''|"(?:\\.?|[^"\\])*(?:"|$)|'[^']*(?:'|$)|[#[\]{}]/g;
  for (let at = 0; at < line.length; ) {
    if (within !== null) {
      const end = line.indexOf(within, at);
      if (end < 0) break;
      at = end + within.length;
      within = null;
      continue;
    }
    tokens.lastIndex = at;
    const [token] = tokens.exec(line) ?? [];
    if (token === undefined || token === '#') break;
    at = tokens.lastIndex;
    if (token === '"""' || token === "'''") within = token;
    else if (token === '[' || token === '{') open += 1;
    else if (token === ']' || token === '}') open -= 1;
  }
  return { depth: Math.max(0, open), quotes: within };
}
