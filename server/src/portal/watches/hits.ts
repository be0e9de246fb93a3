/**
 * Which hits the address of a watch's page asks for, by kind of change and by what was done about them; and hits with
 * what people need to see of them: the record as it is now, who handles them, and whether they are new to the reader.
 * Invariant: everything is read for the hits of one page, so a page reads a bounded number of rows.
 */
import type { ChangedField } from '@tmds/contract/history';
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import type { HitEvent } from '@tmds/contract/watches';
import type { Queryable } from '../../database/driver/db.ts';
import { listMembers, type PortalMember } from '../../store/accounts/portal.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';
import { type HitHandling, listHandling, nameHit } from '../../store/watches/hit-handling.ts';
import type { HitFilter, StoredHit } from '../../store/watches/hits.ts';
import type { EventPosition } from '../../store/watches/version-events.ts';
import { spellRecords } from '../frame/party-names.ts';
import { mayOpen, nameOfPerson } from '../frame/roles.ts';

interface HitKind {
  readonly title: string;
  readonly event: HitEvent;
  readonly fields: readonly ChangedField[] | null;
}

const DATES: readonly ChangedField[] = [
  'application_date',
  'registration_date',
  'publication_date',
  'expiry_date',
  'renewal_date',
  'termination_date',
  'opposition_period_end',
];

export const HIT_KINDS: Readonly<Record<string, HitKind>> = {
  match: { title: 'New match', event: 'begins', fields: null },
  status: { title: 'Status', event: 'changes', fields: ['status', 'tm5_status'] },
  owner: { title: 'Owner', event: 'changes', fields: ['owner_names', 'owner_countries'] },
  representative: { title: 'Representative', event: 'changes', fields: ['representative_names'] },
  mark: { title: 'Mark', event: 'changes', fields: ['mark_name', 'mark_feature', 'kind_of_mark', 'vienna_codes'] },
  classes: { title: 'Classes', event: 'changes', fields: ['nice_classes'] },
  dates: { title: 'Dates', event: 'changes', fields: DATES },
  stops: { title: 'No longer matches', event: 'stops', fields: null },
};

export const HIT_STATES = { new: 'New', seen: 'Seen', done: 'Done', mine: 'Assigned to me' } as const;
export type HitStateName = keyof typeof HIT_STATES;

export interface HitsAsked {
  readonly kind: string | null;
  readonly state: HitStateName | null;
  /** Up to where hits were seen when the reader came; null: as it is known. */
  readonly since: Instant | null;
}

const INSTANT = String.raw`20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{6}Z`;
const SINCE = new RegExp(`^${INSTANT}$`);
const HIT = new RegExp(`^(${INSTANT})_([A-Z0-9]{1,10})_([^\\0]{1,1000})$`, 'su');

/** Unknown names are left out. */
export function readHitsAsked(query: URLSearchParams): HitsAsked {
  const [kind, state, since] = [query.get('kind') ?? '', query.get('state') ?? '', query.get('since') ?? ''];
  return {
    kind: Object.hasOwn(HIT_KINDS, kind) ? kind : null,
    state: Object.hasOwn(HIT_STATES, state) ? (state as HitStateName) : null,
    since: SINCE.test(since) && isDay(since) ? since : null,
  };
}

/** The query of an address, with its question mark; empty if nothing is asked for. */
export function encodeHitsAsked(
  { kind, state, since }: HitsAsked,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(kind === null ? {} : { kind }),
    ...(state === null ? {} : { state }),
    // It says what was new, which only matters while the reader looks around.
    ...(since === null ? {} : { since }),
    ...more,
  }).toString();
  return query === '' ? '' : `?${query}`;
}

export function planHits({ kind, state }: HitsAsked, userId: string, seenThrough: Instant): HitFilter {
  const chosen = kind === null ? null : HIT_KINDS[kind]!;
  return {
    event: chosen?.event ?? null,
    fields: chosen?.fields ?? null,
    state:
      state === null
        ? null
        : state === 'done'
          ? { is: 'done' }
          : state === 'mine'
            ? { is: 'assigned', userId }
            : { is: state, seenThrough },
  };
}

/** The hit that an address or a field names (`nameHit`); null for any other text. */
export function parseHit(name: string): EventPosition | null {
  const [, stamp = '', jurisdiction_code = '', uid = ''] = HIT.exec(name) ?? [];
  return stamp === '' || !isDay(stamp) ? null : { stamp, jurisdiction_code, uid };
}

/** Whether the day of an instant is in the calendar; a 31 February is not. */
function isDay(instant: Instant): boolean {
  const atMs = Date.parse(instant);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(instant.slice(0, 10));
}

export interface ShownHit {
  readonly item: StoredHit;
  readonly name: string;
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

export async function joinHits(
  db: Queryable,
  { watchId, items, seenThrough }: { watchId: string; items: readonly StoredHit[]; seenThrough: Instant },
): Promise<ShownHit[]> {
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
