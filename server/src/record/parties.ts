/**
 * What the parties of a payload say about a record's owners and representatives, the same whether their names are in
 * the mark's own file or were joined. It knows roles, names and countries; it normalizes nothing.
 */
import type { RecordContent } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';
import { normalizePartyFields } from './normalize.ts';
import { payloadForms } from './payload-form.ts';

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
function isOwner({ role }: Pick<StatedParty, 'role'>): boolean {
  return OWNER_ROLES.has(role);
}

type PartyFields = Pick<RecordContent, 'owner_names' | 'owner_countries' | 'representative_names'>;

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

/** What a party's own file states: a party of the payload, without the members that its mark states. */
type PartyEntry = Omit<StatedParty, MarkMember>;

/** A kept statement of a party. */
interface PartyStatement {
  part: string;
  body: unknown;
}

/**
 * What a mark says about a party in addition to its name. Everything else about a joined party comes from the party's
 * own file.
 */
const MARK_MEMBERS = ['role', 'office_role', 'office_role_text', 'current', 'sequence', 'identifier', 'uri'] as const;
type MarkMember = (typeof MARK_MEMBERS)[number];

const IN_MARK: ReadonlySet<string> = new Set(MARK_MEMBERS);

/** Longer ones, and ones with control characters, no index can hold. They stay keys. */
const USABLE_KEY = /^[^\p{Cc}]{1,200}$/u;

/** The last step of the address of a party's own record, as in `…/trademark/applicant/507772`. */
const URI_KEY = /(?<![^/#?])([^/#?]+)\/?$/;

export type PartyKind = 'applicant' | 'representative';

/** `EM applicant 507772`. Offices number applicants and representatives apart; keys of digits compare as numbers. */
export function partyPart(register: string, kind: PartyKind, key: string): string {
  return `${register} ${kind} ${/^\d+$/.test(key) ? key.replace(/^0+(?=\d)/, '') : key}`;
}

/** The kind of the party behind a part; null if the part is none of a party. */
export function kindOfPart(part: string): PartyKind | null {
  return (PARTY_PART.exec(part)?.[1] as PartyKind | undefined) ?? null;
}

const PARTY_PART = /^\S+ (applicant|representative) /;

/** The part of a party that has a usable key; null without one. */
function partOf(register: string, party: StatedParty): string | null {
  const key = party.identifier ?? URI_KEY.exec(party.uri ?? '')?.[1];
  if (key === undefined || !USABLE_KEY.test(key)) return null;
  return partyPart(register, isOwner(party) ? 'applicant' : 'representative', key);
}

/**
 * The parts of the parties for which a mark states only the key. A party that it states itself needs no other file,
 * whether it has a key or not.
 */
export function listNamedParts(register: string, parties: readonly StatedParty[]): string[] {
  const named = new Set<string>();
  const stated = new Set<string>();
  for (const party of parties) {
    const part = partOf(register, party);
    if (part !== null) (Object.keys(party).every((member) => IN_MARK.has(member)) ? named : stated).add(part);
  }
  return [...named].filter((part) => !stated.has(part));
}

/**
 * Completes the parties that a record names by key, and derives owners and representatives from all of its parties. A
 * party without a statement keeps its key alone. Where the payload has no owner, or no representative, the fields of
 * that side stay as they are.
 */
export function joinParties(record: NormalizedRecord, statements: readonly PartyStatement[]): NormalizedRecord {
  const { named_parts: named, payload, jurisdiction_code: register } = record;
  if (named === null || payload === null || !Array.isArray(payload.parties)) return record;
  const entries = new Map(statements.map(({ part, body }) => [part, body as PartyEntry]));
  const parties = (payload.parties as StatedParty[]).map((party) => {
    const part = partOf(register, party);
    return part !== null && named.includes(part) ? completeParty(party, entries.get(part)) : party;
  });
  const { owner_names, owner_countries, representative_names } = normalizePartyFields(readPartyFields(parties));
  return {
    ...record,
    ...(parties.some(isOwner) ? { owner_names, owner_countries } : {}),
    ...(parties.every(isOwner) ? {} : { representative_names }),
    ...payloadForms({ ...payload, parties }, record),
  };
}

function completeParty(party: StatedParty, entry: PartyEntry = {}): StatedParty {
  const own = Object.entries(party).filter(([member]) => IN_MARK.has(member));
  const added = Object.entries(entry).filter(([member]) => !IN_MARK.has(member));
  return Object.fromEntries([...own, ...added]) as unknown as StatedParty;
}
