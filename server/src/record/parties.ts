/**
 * What the parties of a payload say about a record's owners and representatives, the same whether their names are in
 * the mark's own file or were joined. It knows roles, names and countries; it normalizes nothing.
 */
import type { RecordContent } from '@tmds/contract/record';

/** The members of a party that are read here; `load/formats/payload.ts` has them all. */
export interface StatedParty {
  role: string;
  /** False for a former party, and for one that the office has removed from the mark. */
  current?: boolean;
  identifier?: string;
  uri?: string;
  names?: readonly { text: string }[];
  address?: { country?: string };
  other_addresses?: readonly { country?: string }[];
  nationality?: { country?: string };
  incorporation?: { country?: string };
}

const OWNER_ROLES: ReadonlySet<string> = new Set(['applicant', 'owner']);

/** Every other party represents. */
export function isOwner({ role }: Pick<StatedParty, 'role'>): boolean {
  return OWNER_ROLES.has(role);
}

export type PartyFields = Pick<RecordContent, 'owner_names' | 'owner_countries' | 'representative_names'>;

/** The fields that current parties state, as they write them. A country is of two letters; others are left out. */
export function readPartyFields(parties: readonly StatedParty[]): PartyFields {
  const current = parties.filter((party) => party.current !== false);
  const owners = current.filter(isOwner);
  return {
    owner_names: listOrNull(owners.flatMap(listNames)),
    owner_countries: listOrNull(owners.flatMap(listCountries).filter(isCountryCode)),
    representative_names: listOrNull(current.filter((party) => !isOwner(party)).flatMap(listNames)),
  };
}

function listNames({ names = [] }: StatedParty): string[] {
  return names.map(({ text }) => text);
}

/** The countries of its addresses; without an address, the country of its incorporation or nationality. */
export function listCountries({ address, other_addresses = [], incorporation, nationality }: StatedParty): string[] {
  const written = [address?.country, ...other_addresses.map(({ country }) => country)].filter(isStated);
  return written.length > 0 ? written : [incorporation?.country ?? nationality?.country].filter(isStated);
}

export function isCountryCode(code: string): boolean {
  return /^[A-Za-z]{2}$/.test(code);
}

function isStated(text: string | undefined): text is string {
  return text !== undefined;
}

function listOrNull(list: string[]): string[] | null {
  return list.length === 0 ? null : list;
}
