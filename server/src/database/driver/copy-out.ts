/** `COPY … TO STDOUT` as a stream: for backups and snapshots, which pass everything on. It keeps nothing. */
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Connection } from './connection.ts';
import type { Statement } from './sql.ts';
import { noteFailure } from './statements.ts';

/** `copy … to stdout`, whose bytes `take` consumes. Resolves to the number of rows. */
export async function copyOut(
  connection: Connection,
  statement: Statement,
  take: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<number> {
  if (statement.values.length > 0) throw new Error('a copy statement takes no values');
  const source = connection.query(copyTo(statement.text));
  let taken: { readonly failure: unknown } | null = null;
  const consume = (chunks: AsyncIterable<Buffer>): Promise<void> =>
    take(chunks).catch((failure: unknown) => {
      taken = { failure };
      throw failure;
    });
  await pipeline(source, consume).catch((error: unknown) => {
    // The rest of what is copied would come before the answer to anything else.
    if (taken !== null) connection.cutOff();
    throw taken === null ? noteFailure(connection, error) : taken.failure;
  });
  // The count comes after the last byte, and before the answer to whatever is asked next.
  await connection.query('select').catch((error: unknown) => {
    throw noteFailure(connection, error);
  });
  return source.rowCount;
}
