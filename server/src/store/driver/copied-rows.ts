/**
 * Rows read by `COPY` in its binary form: every value arrives as the bytes that it is served as, where a row of a
 * statement would be decoded by the driver and encoded again. For pages of megabytes; a small row is cheaper prepared.
 * `COPY` takes no parameters, so values are written into its text as the hexadecimal digits of their UTF-8: nothing
 * that they contain can end the literal.
 */
import { to as copyTo } from 'pg-copy-streams';
import type { Connection } from './connection.ts';
import type { Statement } from './sql.ts';
import { encodeValue } from './values.ts';

/** The values of a row in the order of its columns, which have to be text, json or bytea. */
export type CopiedRow = (Buffer | null)[];

/** Signature, flags and the length of an extension that PostgreSQL leaves empty. */
const HEADER_BYTES = 19;
const END_OF_ROWS = -1;
const NULL_LENGTH = -1;

/** Rejects with the driver's error. */
export async function copyRows(connection: Connection, statement: Statement): Promise<CopiedRow[]> {
  const chunks: Buffer[] = [];
  const stream = connection.query(copyTo(`copy (${inlineValues(statement)}) to stdout (format binary)`));
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return parseRows(Buffer.concat(chunks));
}

function parseRows(bytes: Buffer): CopiedRow[] {
  const rows: CopiedRow[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const columns = bytes.readInt16BE(at);
    at += 2;
    if (columns === END_OF_ROWS) return rows;
    const row: CopiedRow = [];
    for (let column = 0; column < columns; column += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(length === NULL_LENGTH ? null : bytes.subarray(at, at + length));
      if (length > 0) at += length;
    }
    rows.push(row);
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
