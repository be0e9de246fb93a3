/**
 * Reads the keys of one table of a TOML file strictly: every problem is noted with its line, and none ends the reading.
 */

export interface Problem {
  line: number;
  /** A sentence without the place. */
  text: string;
}

/** Its message is the rest of a sentence that begins with the key: `must be a text`. */
class WrongValue extends Error {}

type Reading<Value> = (value: unknown) => Value;

export interface TableReader {
  /** The value of a key, or `fallback` where it is absent or wrong. */
  optional<Value, Fallback>(key: string, read: Reading<Value>, fallback: Fallback): Value | Fallback;
  /** Notes a problem if the key is absent. Null if it is absent or wrong. */
  required<Value>(key: string, read: Reading<Value>): Value | null;
  has(key: string): boolean;
  /** Notes a problem of a key, or of the table where `key` is null. */
  refuse(key: string | null, text: string): void;
  /** Notes the keys that were not read. */
  end(known: readonly string[]): void;
  lineOf(key: string | null): number;
}

interface OpenTable {
  table: Readonly<Record<string, unknown>>;
  path: string;
  lines: ReadonlyMap<string, number>;
  problems: Problem[];
}

export function openTable({ table, path, lines, problems }: OpenTable): TableReader {
  const asked = new Set<string>();
  const lineOf = (key: string | null): number => {
    const own = lines.get(path) ?? firstBelow(lines, path);
    return key === null ? own : (lines.get(`${path}.${key}`) ?? own);
  };
  const refuse = (key: string | null, text: string): void => {
    problems.push({ line: lineOf(key), text: key === null ? `${path} ${text}` : `${path}: ${key} ${text}` });
  };
  const reader: TableReader = {
    lineOf,
    refuse,
    has: (key) => table[key] !== undefined,
    optional(key, read, fallback) {
      asked.add(key);
      const value = table[key];
      if (value === undefined) return fallback;
      try {
        return read(value);
      } catch (error) {
        refuse(key, (error as Error).message);
        return fallback;
      }
    },
    required(key, read) {
      if (table[key] === undefined) refuse(null, `has no ${key}`);
      return reader.optional(key, read, null);
    },
    end(known) {
      for (const key of Object.keys(table)) {
        if (asked.has(key)) continue;
        const why = known.includes(key) ? 'is of no use here' : `is not known; known: ${[...known].sort().join(', ')}`;
        refuse(key, why);
      }
    },
  };
  return reader;
}

function firstBelow(lines: ReadonlyMap<string, number>, path: string): number {
  for (const [each, line] of lines) if (each.startsWith(`${path}.`)) return line;
  return 1;
}

export function text(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw new WrongValue('must be a text');
  if (/[\0-\x1f]/.test(value)) throw new WrongValue('must not hold control characters');
  return value;
}

export function truth(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new WrongValue('must be true or false');
  return value;
}

export function choice<Value extends string>(...values: readonly Value[]): Reading<Value> {
  return (value) => {
    const chosen = values.find((each) => each === value);
    if (chosen === undefined) throw new WrongValue(`must be ${values.join(' or ')}, not ${JSON.stringify(value)}`);
    return chosen;
  };
}

export function list<Value>(read: Reading<Value>): Reading<Value[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new WrongValue('must be a list');
    return value.map(read);
  };
}

/** Text, a date or a whole number, as text: the forms in which an operator may write a period. */
export function periodText(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return text(value);
}

const DURATION_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `30m`, `24h`, `7d`, in milliseconds, from `minMs` to `maxMs`. */
export function duration(minMs: number, maxMs: number): Reading<number> {
  return (value) => {
    const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(String(value)) ?? [];
    const ms = Number(count) * (DURATION_MS[unit] ?? Number.NaN);
    if (Number.isNaN(ms)) throw new WrongValue(`must be a duration such as 90s, 30m, 24h or 7d`);
    if (ms < minMs || ms > maxMs) throw new WrongValue(`must be from ${show(minMs)} to ${show(maxMs)}`);
    return ms;
  };
}

function show(ms: number): string {
  const unit = ['d', 'h', 'm', 's'].find((each) => ms % (DURATION_MS[each] ?? 1) === 0) ?? 's';
  return `${ms / (DURATION_MS[unit] ?? 1)}${unit}`;
}

const SIZE_BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** `500 MB`, in bytes. */
export function size(value: unknown): number {
  const [, count, unit = ''] = /^(\d{1,6}) ?([KMGT]B)$/.exec(String(value)) ?? [];
  const bytes = Number(count) * (SIZE_BYTES[unit] ?? Number.NaN);
  if (!(bytes > 0)) throw new WrongValue('must be a size such as 500 MB or 20 GB');
  return bytes;
}

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
