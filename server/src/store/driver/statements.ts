/**
 * One statement on one connection: prepared or not, given up by its caller or at its deadline. It knows no pool and no
 * transaction. Invariant: a caller who gives up gets its answer at once, and the server stops the statement too.
 */
import type pg from 'pg';
import { systemClock } from '../../base/clock.ts';
import type { Connection } from './connection.ts';
import { isConnectionFailure, isOutdatedPlan, StatementOverTime, translateFailure } from './failures.ts';
import type { Patience } from './pool.ts';
import type { Statement } from './sql.ts';
import type { StatementNames } from './statement-names.ts';
import { READERS, type RowReading } from './values.ts';

interface RunOptions extends Patience {
  readonly prepare?: boolean;
}

interface StatementConfig extends pg.QueryConfig {
  /** Refuses several statements in one text, even without values. */
  readonly queryMode: 'extended';
}

function configOf({ text, values }: Statement, name: string, as: RowReading): StatementConfig {
  return { text, values: values as unknown[], name, types: { getTypeParser: READERS[as] }, queryMode: 'extended' };
}

/** Rejects with what a caller is told, and marks a connection whose state is unknown. `isAlone`: outside a transaction. */
export function runStatement(
  connection: Connection,
  nameOf: StatementNames,
  as: RowReading,
  statement: Statement,
  options: RunOptions = {},
  isAlone = false,
): Promise<unknown[]> {
  const name = options.prepare === false ? '' : nameOf(statement.text);
  const { signal, deadlineMs } = options;
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
    const settle = (error: Error | null, result: pg.QueryResult): void => {
      connection.statementSinceMs = 0;
      forget();
      if (resolveStopped !== undefined) resolveStopped();
      else if (error === null) resolve(result.rows);
      else {
        const failure = noteFailure(connection, error);
        // A migration has changed what the prepared statement returns. Outside a transaction it can simply run again.
        if (isAlone && isOutdatedPlan(error)) {
          runStatement(connection, nameOf, as, statement, { ...options, prepare: false }).then(resolve, reject);
        } else reject(failure);
      }
    };
    connection.statementSinceMs = startedMs;
    connection.query(configOf(statement, name, as), settle);
  });
}

/** What to throw instead of `error`. Marks a connection that cannot be used again. */
export function noteFailure(connection: Connection, error: unknown): unknown {
  // The driver reports the end of the connection after the error; until then it would be lent to the next caller.
  if (isConnectionFailure(error) || isOutdatedPlan(error)) connection.dirty = true;
  return translateFailure(error);
}
