/**
 * One statement through the extended protocol, as the driver takes it from cursors and copies: an object with `submit`
 * and a method for each answer. The driver's own query writes every message separately and has the result described
 * with every execution; this one writes once, and has a prepared statement described once on each connection. Look-ups
 * become a tenth faster by it (docs/design/postgresql.md). It knows no limits and no failures.
 * Values of a result arrive as the text that PostgreSQL prints, except for the few types that JavaScript holds without
 * loss: dates, timestamps, 8-byte integers and numerics stay text, so that no day shifts and no microsecond is lost.
 * Invariant: a name is parsed on a connection at most once, even if the first execution fails.
 */
import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from './sql.ts';

/** What a prepared statement returns. */
export interface Shape {
  readonly names: readonly string[];
  readonly oids: readonly number[];
}

/** What statements of one connection share. */
export interface PreparedShapes {
  /** By name, as soon as the server has parsed it; without columns until the server has described it. */
  readonly shapes: Map<string, Shape>;
  /** Called when the server has parsed the statement that runs. */
  onParsed: (() => void) | null;
}

const NO_COLUMNS: Shape = { names: [], oids: [] };

type Settle = (error: Error | null, rows: unknown[]) => void;

export class RowQuery implements pg.Submittable {
  /** Empty if it is not prepared. */
  readonly name: string;
  readonly text: string;
  private readonly values: readonly unknown[];
  private readonly as: RowReading;
  private readonly prepared: PreparedShapes;
  private readonly settle: Settle;
  private readonly rows: unknown[] = [];
  private columns: readonly string[] = [];
  private parsers: readonly ((text: string) => unknown)[] = [];

  constructor({ text, values }: Statement, name: string, as: RowReading, prepared: PreparedShapes, settle: Settle) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.as = as;
    this.prepared = prepared;
    this.settle = settle;
  }

  /** An error that it returns is passed to `handleError` by the driver. */
  submit({ stream }: pg.Connection): Error | null {
    const { name, text, prepared } = this;
    const known = name === '' ? undefined : prepared.shapes.get(name);
    try {
      const bound = serialize.bind({ statement: name, values: this.values as unknown[], valueMapper: encodeValue });
      const messages = [bound, serialize.execute(), serialize.sync()];
      if (known === undefined) {
        messages.unshift(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
        prepared.onParsed = () => this.note(NO_COLUMNS);
      } else this.take(known);
      stream.write(Buffer.concat(messages));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.note({ names: fields.map(({ name }) => name), oids: fields.map(({ dataTypeID }) => dataTypeID) });
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { columns, parsers } = this;
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const text = fields[index]!;
      row[columns[index]!] = text === null ? null : parsers[index]!(text);
    }
    this.rows.push(row);
  }

  handleReadyForQuery(): void {
    this.settle(null, this.rows);
  }

  handleError(error: Error): void {
    this.prepared.onParsed = null;
    this.settle(error, []);
  }

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('this statement copies nothing');
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyData(): void {}

  private note(shape: Shape): void {
    this.prepared.onParsed = null;
    if (this.name !== '') this.prepared.shapes.set(this.name, shape);
    this.take(shape);
  }

  private take({ names, oids }: Shape): void {
    this.columns = names;
    this.parsers = oids.map(READERS[this.as]);
  }
}

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

const READERS: Readonly<Record<RowReading, Reader>> = {
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
  const text = String(encodeValue(element));
  return `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`;
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
