/** The parties of a mark. Owners and their agents are parties of the document, all others take part in an event. */
import type { RecordContent } from '@tmds/contract/record';
import {
  type EventParty,
  listTexts,
  nameFields,
  type Party,
  type PartyRole,
  type RecordEvent,
  stated,
} from '../document.ts';
import { checkCountry, lookUp } from '../meanings.ts';
import type { Row } from '../tables.ts';
import type { MarkRows } from './tables.ts';
import { ACTIONS, ROLES } from './values.ts';

interface MarkParties extends Pick<RecordContent, 'owner_names' | 'owner_countries' | 'representative_names'> {
  parties: Party[];
  events: RecordEvent[];
}

const OWNERS = 'applicant';
const AGENTS = 'applicant_agent';

export function readParties(rows: MarkRows): MarkParties {
  const opened = rows.list('party_activity').map((row) => openParty(row));
  const owners = latestFirst(opened.filter(({ category }) => category === OWNERS));
  const agents = latestFirst(opened.filter(({ category }) => category === AGENTS));
  const parties = [
    ...owners.map((party) => describe(party, party.role === 'applicant' ? 'applicant' : 'owner')),
    ...agents.map((party) => describe(party, 'representative')),
  ];
  return {
    parties,
    events: opened.filter(({ category }) => category !== OWNERS && category !== AGENTS).map(readAction),
    ...nameFields(
      parties.map((party) => ({
        isOwner: party.role !== 'representative',
        names: listTexts(party),
        countries: checkCountry(rows, 'party_activity.country_code', party.address?.country),
      })),
    ),
  };
}

interface StatedParty {
  row: Row;
  role: string | null;
  category: string | null;
  isCurrent: boolean | null;
  since: string | null;
}

function openParty(row: Row): StatedParty {
  const role = row.text('party_role');
  const category = row.text('party_role_category')?.toLowerCase() ?? null;
  if (role === null || !ROLES.has(role.toLowerCase())) {
    row.raise('unmapped_party_type', 'party_role', role ?? '');
  }
  const isCurrent = row.flag('is_current');
  return { row, role, category, isCurrent, since: row.statedDay('effective_from_date') };
}

/** Those of today, then former ones; the latest of each first. Rows of one day keep their order. */
function latestFirst(parties: readonly StatedParty[]): StatedParty[] {
  const rank = ({ isCurrent, since }: StatedParty): string => `${isCurrent === false ? 0 : 1} ${since ?? ''}`;
  return [...parties].sort((one, other) => (rank(one) < rank(other) ? 1 : rank(one) > rank(other) ? -1 : 0));
}

function describe({ row, role, isCurrent, since }: StatedParty, as: PartyRole): Party {
  return stated<Party>({
    role: as,
    ...membersOf(row, role, isCurrent),
    details: stated({ effective_from_date: since, ...row.rest() }),
  });
}

const NAME_KINDS: Readonly<Record<string, 'organization' | 'person'>> = {
  organisation: 'organization',
  individual: 'person',
};

type Members = Omit<EventParty & Party, 'role' | 'details'>;

function membersOf(row: Row, role: string | null, isCurrent: boolean | null): Members {
  const name = row.text('party_name');
  const type = row.cells.party_type?.toLowerCase() ?? '';
  const kind = lookUp(NAME_KINDS, type);
  // A type that says no more than the kind of the name is not repeated.
  if (kind !== undefined && name !== null) row.ignore('party_type');
  const country = row.text('country_code');
  return stated<Members>({
    office_role: role,
    current: isCurrent,
    identifier: row.text('party_id'),
    names: name === null ? null : [stated({ text: name, kind })],
    address: stated({ region: row.text('state_code'), postcode: row.text('postcode'), country }),
  });
}

function readAction({ row, role, category, isCurrent, since }: StatedParty): RecordEvent {
  const kind = lookUp(ACTIONS, category);
  if (kind === undefined) row.raise('unmapped_party_type', 'party_role_category', category ?? '');
  const party = stated<EventParty>({ role: 'other', ...membersOf(row, role, isCurrent) });
  return stated<RecordEvent>({
    kind: kind ?? 'proceeding',
    type: category,
    date: since,
    parties: [party],
    details: row.rest(),
  });
}
