/**
 * Rows read by `COPY` in its binary form: every value arrives as the bytes that it is served as, where a row of a
 * statement would be decoded by the driver and encoded again. For pages of megabytes; a small row is cheaper prepared.
 * `COPY` takes no parameters, so values are written into its text as the hexadecimal digits of their UTF-8: nothing
 * that they contain can end the literal.
 */
import { to as copyTo } from 'pg-copy-streams';
import type { Connection } from './connection.ts';
import { encodeValue } from './row-query.ts';
import type { Statement } from './sql.ts';

/** The values of a row in the order of its columns, which have to be text, json or bytea. */
export type CopiedRow = (Buffer | null)[];

/** Texts that lie in one buffer: an object for each would cost more than to copy its bytes. */
export interface Texts {
  readonly bytes: Buffer;
  /** Where each begins, and where it ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export function textAt({ bytes, starts, ends }: Texts, index: number): string {
  return bytes.toString('utf8', starts[index], ends[index]);
}

/** Signature, flags and the length of an extension that PostgreSQL leaves empty. */
const HEADER_BYTES = 19;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const END_OF_ROWS = -1;
const NULL_LENGTH = -1;

/** Rejects with the driver's error. */
export async function copyRows(connection: Connection, statement: Statement): Promise<CopiedRows> {
  const chunks: Buffer[] = [];
  const stream = connection.query(copyTo(`copy (${inlineValues(statement)}) to stdout (format binary)`));
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return new CopiedRows(Buffer.concat(chunks));
}

/** Rows where they lie in the bytes that `COPY` sent. */
export class CopiedRows implements Iterable<CopiedRow> {
  private readonly bytes: Buffer;
  private readonly view: DataView;
  /** Where the first value of each row has its length. */
  private readonly starts: number[] = [];
  private columns = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = HEADER_BYTES;
    for (;;) {
      const columns = this.view.getInt16(at);
      if (columns === END_OF_ROWS) break;
      this.columns = columns;
      this.starts.push(at + COUNT_BYTES);
      at = this.findValue(at + COUNT_BYTES, columns);
    }
  }

  *[Symbol.iterator](): Generator<CopiedRow> {
    for (const start of this.starts) {
      const row: CopiedRow = [];
      for (let at = start; row.length < this.columns; at = this.findValue(at, 1)) {
        const length = this.view.getInt32(at);
        row.push(length === NULL_LENGTH ? null : this.bytes.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
      }
      yield row;
    }
  }

  /** A column whose values are not null, from a row on. */
  textsOf(column: number, fromRow: number): Texts {
    const starts: number[] = [];
    const ends: number[] = [];
    for (let row = fromRow; row < this.starts.length; row += 1) {
      const at = this.findValue(this.starts[row]!, column);
      starts.push(at + LENGTH_BYTES);
      ends.push(at + LENGTH_BYTES + this.view.getInt32(at));
    }
    return { bytes: this.bytes, starts, ends };
  }

  /** From the length of one value to that of another, or to the end of the row. */
  private findValue(from: number, skipped: number): number {
    let at = from;
    for (let column = 0; column < skipped; column += 1) at += LENGTH_BYTES + Math.max(0, this.view.getInt32(at));
    return at;
  }
}

function inlineValues({ text, values }: Statement): string {
  const literals = values.map(literalOf);
  return text.replace(/\$(\d+)/g, (_, number: string) => literals[Number(number) - 1]!);
}

function literalOf(value: unknown): string {
  if (value === null) return 'null';
  return `convert_from('\\x${Buffer.from(encodeValue(value)!).toString('hex')}', 'UTF8')`;
}
