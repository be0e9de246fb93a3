/**
 * Joins parties that are named by key. A mark's file states the key alone; the party's own file states its name and
 * address, for every mark that names it. Invariant: what the mark itself states about a party is never replaced.
 */
import type { NormalizedRecord } from './document.ts';
import { normalizePartyFields } from './normalize.ts';
import { isOwner, readPartyFields, type StatedParty } from './parties.ts';
import { payloadForms } from './payload-form.ts';

/** What a party's own file states: a party of the payload, without the members that its mark states. */
export type PartyEntry = Omit<StatedParty, MarkMember>;

/** A kept statement of a party. */
export interface PartyStatement {
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
