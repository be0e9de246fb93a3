/** What a record states of its parties, the same for every format that reads them one by one. */
import type { RecordContent } from '@tmds/contract/record';
import { listOrNull } from './codes.ts';

interface NamedParty {
  /** Every other party represents. */
  readonly isOwner: boolean;
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
    owner_names: listOrNull(owners.flatMap(({ names }) => names)),
    owner_countries: listOrNull(owners.flatMap(({ countries }) => countries)),
    representative_names: listOrNull(others.flatMap(({ names }) => names)),
  };
}
