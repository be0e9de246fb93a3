/**
 * Turns the records of a docket into a watch, or into several if they are too many for one. The ids of the watches
 * follow from the docket, so doing it again changes nothing.
 */
import { WATCH_ITEMS_MAX, WATCH_NAME_MAX } from '@tmds/contract/watches';
import type { Database } from '../../database/driver/db.ts';
import { type Actor, insertAudit } from '../../store/accounts/customers.ts';
import { putWatchWithin } from '../../store/watches/watches.ts';
import { listFound } from './found-records.ts';
import type { Docket } from './stored-docket.ts';

/** Room for the number of a watch behind the name of the file, in code points. */
const NUMBER_LENGTH = 12;

/** The watches that a docket makes; more than one if its records are too many for one. */
function countWatches(records: number): number {
  return Math.ceil(records / WATCH_ITEMS_MAX);
}

/** `full`: the customer has as many watches, or as many listed records, as it may. The docket has been compared. */
export async function watchDocket(
  database: Database,
  { customerId, actor }: { customerId: string; actor: Actor },
  docket: Docket,
): Promise<'made' | 'full'> {
  const records = await listFound(database, docket);
  const watches = countWatches(records.length);
  const name = [...docket.name].slice(0, WATCH_NAME_MAX - NUMBER_LENGTH).join('');
  for (let at = 0; at < watches; at += 1) {
    const listed = records.slice(at * WATCH_ITEMS_MAX, (at + 1) * WATCH_ITEMS_MAX);
    const id = `docket-${docket.docket_id}-${at + 1}`;
    const watchName = watches === 1 ? name : `${name} (${at + 1} of ${watches})`;
    const outcome = await database.transaction(async (tx) => {
      const definition = { name: watchName, subject: { kind: 'records', records: listed } } as const;
      const { outcome: done } = await putWatchWithin(tx, customerId, id, definition);
      if (done === 'created' || done === 'changed') {
        const action = done === 'created' ? 'watch.make' : 'watch.change';
        const change = { watch: id, name: watchName, records: listed.length };
        await insertAudit(tx, { actor, action, customer_id: customerId, key_id: null, change });
      }
      return done;
    });
    if (outcome === 'full') return 'full';
  }
  return 'made';
}
