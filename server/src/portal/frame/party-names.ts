/**
 * Names of owners and representatives as the source spells them: the fields of a record are in small letters, its
 * document keeps names as the office writes them.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { normalizeName } from '@tmds/contract/text';
import { Members, textOf } from './payload-reader.ts';

export type NameField = 'owner_name' | 'representative_name';

/** The filter that finds the names of a party, by its role. */
export const SEARCHED_AS: ReadonlyMap<string, NameField> = new Map([
  ['owner', 'owner_name'],
  ['applicant', 'owner_name'],
  ['representative', 'representative_name'],
  ['attorney', 'representative_name'],
  ['domestic_representative', 'representative_name'],
  ['correspondent', 'representative_name'],
]);

type NamesField = 'owner_names' | 'representative_names';
type Named = Pick<TrademarkDetail, NamesField> & { readonly payload?: unknown };

/** The names of a side in the order of the record, each as its document spells it, if there is one. */
export function spellNames(record: Named, field: NamesField, payload: unknown = record.payload): string[] | null {
  const held = record[field];
  if (held === null || payload === undefined) return held;
  const side = field === 'owner_names' ? 'owner_name' : 'representative_name';
  const spelled = new Map<string, string>();
  for (const stated of new Members(payload).list('parties')) {
    const party = new Members(stated);
    if (SEARCHED_AS.get(party.text('role') ?? '') !== side || party.any('current') === false) continue;
    for (const name of party.list('names')) {
      const written = new Members(name).text('text') ?? textOf(name);
      if (written === null) continue;
      const normal = normalizeName(written);
      if (!spelled.has(normal)) spelled.set(normal, written);
    }
  }
  return held.map((name) => spelled.get(name) ?? name);
}
