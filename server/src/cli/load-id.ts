/** Finds the load that a command is about, by its id or the beginning of it. */
import { InvalidArgumentError } from 'commander';
import { OperatorError } from '../base/errors.ts';
import type { Queryable } from '../database/driver/db.ts';
import { findLoads, type LoadSummary } from '../store/publish/loads.ts';

export function parseIdStart(text: string): string {
  if (/^[0-9a-f][0-9a-f-]{3,35}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('Give an id as "tmds loads" shows it, or at least its first four characters.');
}

/** Null when no load was named and there is none yet. */
export async function findLoad(db: Queryable, idStart: string): Promise<LoadSummary | null> {
  const [load, other] = await findLoads(db, { idStart, limitMax: 2 });
  if (load === undefined && idStart === '') return null;
  if (load === undefined) throw new OperatorError(`there is no load ${idStart}; "tmds loads" lists them`);
  if (other !== undefined && idStart !== '') {
    throw new OperatorError(`more than one load begins with ${idStart}; give more characters of its id`);
  }
  return load;
}
