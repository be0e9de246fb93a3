/**
 * One statement on one connection: prepared or not, abandoned by its caller or at its deadline. It knows no pool and no
 * transaction. Invariant: a caller that abandons it gets its answer at once, and the server stops the statement too.
 */
import { systemClock } from '../../base/clock.ts';
import type { Connection } from './connection.ts';
import { type CopiedRows, copyRows } from './copied-rows.ts';
import { isConnectionFailure, isOutdatedPlan, StatementOverTime, saysOnlyEnded, translateFailure } from './failures.ts';
import type { Patience } from './pool.ts';
import { RowQuery, type RowReading } from './row-query.ts';
import type { Statement } from './sql.ts';

/** The name under which a text is prepared, the same on every connection of a pool; empty: it is not prepared. */
export type StatementNames = (text: string) => string;

/** Distinct texts to prepare; later ones run unprepared, so that connections do not accumulate statements. */
const PREPARED_TEXTS_MAX = 256;

export function buildStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= PREPARED_TEXTS_MAX) return '';
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

interface RunOptions extends Patience {
  readonly prepare?: boolean;
}

/** Rejects with what a caller sees, and marks a connection whose state is unknown. `isAlone`: outside a transaction. */
export function runStatement(
  connection: Connection,
  nameOf: StatementNames,
  as: RowReading,
  statement: Statement,
  options: RunOptions = {},
  isAlone = false,
): Promise<unknown[]> {
  const name = options.prepare === false ? '' : nameOf(statement.text);
  return runWithin(connection, options, (settle) => {
    const settleRows = (error: Error | null, rows: unknown[]): void => {
      // A migration has changed what the prepared statement returns. Outside a transaction it can simply run again.
      if (isAlone && error !== null && isOutdatedPlan(error)) {
        connection.dirty = true;
        settle(null, runStatement(connection, nameOf, as, statement, { ...options, prepare: false }));
      } else settle(error, rows);
    };
    connection.query(new RowQuery(statement, name, as, connection.prepared, settleRows));
  });
}

/** The rows of a statement read by `COPY`; rejects as `runStatement`. */
export function runCopy(connection: Connection, statement: Statement, limits: Patience = {}): Promise<CopiedRows> {
  return runWithin(connection, limits, (settle) => {
    copyRows(connection, statement).then(
      (rows) => settle(null, rows),
      (error: Error) => settle(error),
    );
  });
}

/** What the driver calls when a statement has ended; without an error, with its rows. */
type Settle<Rows> = (error: Error | null, rows?: Rows | Promise<Rows>) => void;

/** Runs a statement until it ends, its deadline passes, or its caller gives it up. */
function runWithin<Rows>(
  connection: Connection,
  { signal, deadlineMs }: Patience,
  run: (settle: Settle<Rows>) => void,
): Promise<Rows> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const startedMs = systemClock.monotonicMs();
    if (deadlineMs !== undefined && deadlineMs <= startedMs) return reject(new StatementOverTime());
    let resolveStopped: (() => void) | undefined;
    const giveUp = (reason: unknown): void => {
      forget();
      const ended = new Promise<void>((resolveEnded) => {
        resolveStopped = resolveEnded;
      });
      connection.stopping ??= connection.stopStatement(ended);
      reject(reason);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const stopTimer =
      deadlineMs === undefined
        ? undefined
        : systemClock.callAfter(deadlineMs - startedMs, () => giveUp(new StatementOverTime()));
    const forget = (): void => {
      signal?.removeEventListener('abort', onAbort);
      stopTimer?.();
    };
    connection.statementSinceMs = startedMs;
    run((error, rows) => {
      connection.statementSinceMs = 0;
      forget();
      if (resolveStopped !== undefined) resolveStopped();
      else if (error === null) resolve(rows!);
      else reject(noteFailure(connection, error));
    });
  });
}

/** What to throw instead of `error`. Marks a connection that cannot be used again. */
export function noteFailure(connection: Connection, error: unknown): unknown {
  // The driver reports the end of the connection after the error; until then it would be lent to the next caller.
  if (isConnectionFailure(error) || isOutdatedPlan(error)) connection.dirty = true;
  return translateFailure(saysOnlyEnded(error) ? (connection.brokenBy ?? error) : error);
}
