/** Builds what a record states about its parties, the same for every format that reads them one by one. */
import type { RecordContent } from '@tmds/contract/record';
import { listOrNull } from './codes.ts';
import type { Party } from './payload.ts';

/** The names of a party as its document has them. */
export function listTexts({ names = [] }: Party): string[] {
  return names.map(({ text }) => text);
}

interface NamedParty {
  /** Every other party represents. */
  readonly isOwner: boolean;
  /** As stated. */
  readonly names: readonly string[];
  /** Two letters each. */
  readonly countries: readonly string[];
}

export function nameFields(
  parties: readonly NamedParty[],
): Pick<RecordContent, 'owner_names' | 'owner_countries' | 'representative_names'> {
  const owners = parties.filter(({ isOwner }) => isOwner);
  const others = parties.filter(({ isOwner }) => !isOwner);
  return {
    owner_names: listOrNull(owners.flatMap(listNames)),
    owner_countries: listOrNull(owners.flatMap(({ countries }) => countries)),
    representative_names: listOrNull(others.flatMap(listNames)),
  };
}

function listNames({ names }: NamedParty): string[] {
  return [...names];
}
