/**
 * How values of a result arrive: as the text that PostgreSQL prints, except for the few types that JavaScript holds
 * without loss. Dates, timestamps, 8-byte integers and numerics stay text, so that no day shifts and no microsecond is
 * lost.
 */

const parseBool = (text: string): boolean => text === 't';
const parseBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
const keepText = (text: string): string => text;
const encodeText = (text: string): Buffer => Buffer.from(text);

/** By type OID; other types stay text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: parseBool,
  17: parseBytes,
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
  1005: (text) => parseArray(text, Number),
  1007: (text) => parseArray(text, Number),
  1009: (text) => parseArray(text, keepText),
  1015: (text) => parseArray(text, keepText),
};

/** As JavaScript values, or as the bytes of the text, whatever the type. */
export type RowReading = 'values' | 'bytes';

/** What the driver asks for each column that is not null. */
type Reader = (oid: number) => (text: string) => unknown;

export const READERS: Readonly<Record<RowReading, Reader>> = {
  values: (oid) => PARSERS[oid] ?? keepText,
  bytes: () => encodeText,
};

/** A value of a statement as PostgreSQL reads it: text, or bytes as they are; an object becomes JSON. */
export function encodeValue(value: unknown): string | Buffer | null {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return encodeElement(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** An element of an array in PostgreSQL's text form. */
function encodeElement(element: unknown): string {
  if (Array.isArray(element)) return `{${element.map(encodeElement).join(',')}}`;
  if (element === null || element === undefined) return 'NULL';
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`;
  return `"${String(encodeValue(element)).replace(/["\\]/g, '\\$&')}"`;
}

/** One-dimensional arrays of PostgreSQL in their text form, `{1,2,NULL}` or `{"a b",c}`. */
function parseArray<T>(text: string, parse: (element: string) => T): (T | null)[] {
  if (text === '{}') return [];
  const elements: (T | null)[] = [];
  let at = 1;
  while (at < text.length) {
    if (text[at] === '"') {
      let element = '';
      for (at += 1; text[at] !== '"'; at += 1) {
        if (text[at] === '\\') at += 1;
        element += text[at];
      }
      elements.push(parse(element));
      at += 1;
    } else {
      let end = at;
      while (text[end] !== ',' && text[end] !== '}') end += 1;
      const element = text.slice(at, end);
      elements.push(element === 'NULL' ? null : parse(element));
      at = end;
    }
    at += 1;
  }
  return elements;
}
