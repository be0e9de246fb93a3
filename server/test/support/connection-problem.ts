import { OperatorError } from '../../src/base/errors.ts';
import { checkConnection } from '../../src/upkeep/health/checks.ts';

/** What an operator reads about a database that cannot be used; null for one that can. */
export async function problemOf(url: string): Promise<string | null> {
  return await checkConnection(url).then(
    () => null,
    (error: unknown) => {
      if (error instanceof OperatorError) return error.message;
      throw error;
    },
  );
}
