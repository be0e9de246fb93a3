/**
 * Hits with what people need to see of them: the record as it is now, who handles them, and whether they are new to the
 * reader. Invariant: everything is read for the hits of one page, so a page reads a bounded number of rows.
 */

import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { listMembers, type PortalMember } from '../../store/accounts/portal.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';
import { type HitHandling, listHandling, nameHit } from '../../store/watches/hit-handling.ts';
import type { StoredHit } from '../../store/watches/hits.ts';
import { spellRecords } from '../frame/party-names.ts';
import { mayOpen, nameOfPerson } from '../frame/roles.ts';

export interface ShownHit {
  readonly item: StoredHit;
  /** Its name in addresses and forms. */
  readonly name: string;
  /** The record as it is now; null if no register has it. */
  readonly record: TrademarkDetail | null;
  /** Null if nobody took it up. */
  readonly handling: HitHandling | null;
  readonly state: 'new' | 'seen' | 'done';
}

/** The people of a team who may handle hits, and the names of all its people. */
export interface Handlers {
  readonly assignable: readonly PortalMember[];
  /** How colleagues know a person; somebody who left the team is a former colleague. */
  readonly nameOf: (userId: string) => string;
}

interface ItemsOfWatch {
  readonly watchId: string;
  readonly items: readonly StoredHit[];
  readonly seenThrough: Instant;
}

export async function joinHits(db: Queryable, { watchId, items, seenThrough }: ItemsOfWatch): Promise<ShownHit[]> {
  const positions = items.map(({ version, jurisdiction_code, uid }) => ({ stamp: version, jurisdiction_code, uid }));
  const [records, handlings] = await Promise.all([
    listCurrentRecords(db, positions).then((found) => spellRecords(db, found)),
    listHandling(db, watchId, positions),
  ]);
  const byRecord = new Map(records.map((record) => [`${record.jurisdiction_code} ${record.uid}`, record]));
  return items.map((item, at) => {
    const name = nameHit(positions[at]!);
    const handling = handlings.get(name) ?? null;
    const open = item.version > seenThrough ? 'new' : 'seen';
    return {
      item,
      name,
      record: byRecord.get(`${item.jurisdiction_code} ${item.uid}`) ?? null,
      handling,
      state: handling?.done_at != null ? 'done' : open,
    };
  });
}

export async function readHandlers(db: Queryable, customerId: string): Promise<Handlers> {
  const members = await listMembers(db, customerId);
  const names = new Map(members.map((member) => [member.user_id, nameOfPerson(member)]));
  return {
    assignable: members.filter(({ role }) => mayOpen({ role, is_operator: false }, 'watches')),
    nameOf: (userId) => names.get(userId) ?? 'a former colleague',
  };
}
