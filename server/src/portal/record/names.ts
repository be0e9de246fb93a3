/**
 * The owners and representatives of a record for its first screen, in the spelling of the source: the fields of the
 * record are in small letters, the document keeps names as the office writes them.
 */

import type { TrademarkDetail } from '@tmds/contract/record';
import type { NameField } from '../frame/party-names.ts';
import { isObject, Members, type TextShown, textOf } from '../frame/payload-reader.ts';

/** Of one side, the roles that say most come first; the others are shown only if there is none of these. */
const ROLES: Readonly<Record<NameField, readonly (readonly string[])[]>> = {
  owner_name: [['owner'], ['applicant']],
  representative_name: [['representative', 'attorney', 'domestic_representative'], ['correspondent']],
};

/** A current party. `name`: null if the register gives only a number, because names are in a separate file. */
export interface NamedParty {
  readonly name: TextShown | null;
  readonly number: string | null;
}

/** Empty if the register states none. */
export function listPrincipals(record: TrademarkDetail, field: NameField): readonly NamedParty[] {
  const stated = isObject(record.payload) && Array.isArray(record.payload.parties) ? record.payload.parties : [];
  const current = stated
    .map((party: unknown) => new Members(party))
    .filter((party) => party.any('current') !== false)
    .map((party) => ({ role: party.text('role') ?? '', named: nameParty(party) }));
  for (const roles of ROLES[field]) {
    const found = current.flatMap(({ role, named }) => (roles.includes(role) && named !== null ? [named] : []));
    if (found.length > 0) return found;
  }
  const held = (field === 'owner_name' ? record.owner_names : record.representative_names) ?? [];
  return held.map((text) => ({ name: { text, language: null }, number: null }));
}

/** Null for a party of which neither a name nor a number is stated. */
function nameParty(party: Members): NamedParty | null {
  const [first] = party.list('names');
  const members = new Members(first);
  const text = members.text('text') ?? textOf(first);
  if (text !== null) return { name: { text, language: members.language() }, number: null };
  const number = party.text('identifier') ?? party.text('uri');
  return number === null ? null : { name: null, number };
}

/** The name under which a search finds a party: in the record, an alias within a name is a separate name. */
export function findHeldName(field: NameField, text: string, record: TrademarkDetail): string {
  const lower = text.toLowerCase();
  const held = (field === 'owner_name' ? record.owner_names : record.representative_names) ?? [];
  return held.includes(lower) ? lower : (held.find((each) => lower.includes(each)) ?? text);
}
