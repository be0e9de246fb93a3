/** The parties of a mark. Owners and their agents are parties of the document, all others take part in an event. */
import type { RecordContent } from '@tmds/contract/record';
import { listTexts, nameFields } from '../parties.ts';
import { type EventParty, type Party, type PartyRole, type RecordEvent, stated } from '../payload.ts';
import { cell, flagCell, listRows, type MarkRows, type Row, raiseIssue, restOf, statedDate } from './rows.ts';
import { ACTIONS, ROLES } from './values.ts';

export interface MarkParties extends Pick<RecordContent, 'owner_names' | 'owner_countries' | 'representative_names'> {
  parties: Party[];
  events: RecordEvent[];
}

const OWNERS = 'applicant';
const AGENTS = 'applicant_agent';

export function readParties(rows: MarkRows): MarkParties {
  const opened = listRows(rows, 'party_activity').map((row) => openParty(rows, row));
  const owners = latestFirst(opened.filter(({ category }) => category === OWNERS));
  const agents = latestFirst(opened.filter(({ category }) => category === AGENTS));
  const parties = [
    ...owners.map((party) => describe(party, party.role === 'applicant' ? 'applicant' : 'owner')),
    ...agents.map((party) => describe(party, 'representative')),
  ];
  return {
    parties,
    events: opened
      .filter(({ category }) => category !== OWNERS && category !== AGENTS)
      .map((party) => readAction(rows, party)),
    ...nameFields(
      parties.map((party) => ({
        isOwner: party.role !== 'representative',
        names: listTexts(party),
        countries: readCountries(rows, party),
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

function openParty(rows: MarkRows, row: Row): StatedParty {
  const role = cell(row, 'party_role');
  const category = cell(row, 'party_role_category')?.toLowerCase() ?? null;
  if (role === null || !ROLES.has(role.toLowerCase())) {
    raiseIssue(rows, 'unmapped_party_type', row, 'party_role', role ?? '');
  }
  const isCurrent = flagCell(rows, row, 'is_current');
  return { row, role, category, isCurrent, since: statedDate(row, 'effective_from_date') };
}

/** Those of today, then former ones; the latest of each first. Rows of one day keep their order. */
function latestFirst(parties: readonly StatedParty[]): StatedParty[] {
  const rank = ({ isCurrent, since }: StatedParty): string => `${isCurrent === false ? 0 : 1} ${since ?? ''}`;
  return [...parties].sort((one, other) => (rank(one) < rank(other) ? 1 : rank(one) > rank(other) ? -1 : 0));
}

function describe({ row, role, isCurrent, since }: StatedParty, as: PartyRole): Party {
  return stated<Party>({ role: as, ...membersOf(row, role, isCurrent), details: detailsOf(row, since) });
}

const NAME_KINDS: Readonly<Record<string, 'organization' | 'person'>> = {
  organisation: 'organization',
  individual: 'person',
};

type Members = Omit<EventParty & Party, 'role' | 'details'>;

function membersOf(row: Row, role: string | null, isCurrent: boolean | null): Members {
  const name = cell(row, 'party_name');
  const type = row.cells.party_type?.toLowerCase() ?? '';
  const kind = Object.hasOwn(NAME_KINDS, type) ? NAME_KINDS[type] : undefined;
  // A type that says no more than the kind of the name is not repeated.
  if (kind !== undefined && name !== null) row.read.add('party_type');
  const country = cell(row, 'country_code');
  return stated<Members>({
    office_role: role,
    current: isCurrent,
    identifier: cell(row, 'party_id'),
    names: name === null ? null : [stated({ text: name, kind })],
    address: stated({ region: cell(row, 'state_code'), postcode: cell(row, 'postcode'), country }),
  });
}

function detailsOf(row: Row, since: string | null): Record<string, unknown> {
  return stated({ effective_from_date: since, ...restOf(row) });
}

function readCountries(rows: MarkRows, party: Party): string[] {
  const country = party.address?.country;
  if (country === undefined) return [];
  if (/^[a-z]{2}$/i.test(country)) return [country];
  rows.issues.push({ code: 'unmapped_country', path: 'party_activity.country_code', value: country.slice(0, 200) });
  return [];
}

function readAction(rows: MarkRows, { row, role, category, isCurrent, since }: StatedParty): RecordEvent {
  const kind = category !== null && Object.hasOwn(ACTIONS, category) ? ACTIONS[category] : undefined;
  if (kind === undefined) raiseIssue(rows, 'unmapped_party_type', row, 'party_role_category', category ?? '');
  const party = stated<EventParty>({ role: 'other', ...membersOf(row, role, isCurrent) });
  return stated<RecordEvent>({
    kind: kind ?? 'proceeding',
    type: category,
    date: since,
    parties: [party],
    details: restOf(row),
  });
}
