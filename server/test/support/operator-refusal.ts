import assert from 'node:assert/strict';
import { OperatorError } from '../../src/base/errors.ts';

/** What an operator reads about work that is refused. */
export async function operatorRefusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof OperatorError, String(error));
  return error.message;
}
