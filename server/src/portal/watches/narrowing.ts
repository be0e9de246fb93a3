/**
 * What a person can do with one click about a search that was refused: the same search with the registers that its
 * filter needs, or with the whole name instead of a part that is too short.
 */
import { CONTAINS_SCOPE_MAX, JURISDICTIONS_MAX, NAME_FRAGMENT_MIN } from '@tmds/contract/limits';
import { renderActions, renderLinkButton } from '../frame/components.ts';
import { joinNames } from '../frame/registers.ts';
import type { Refusal } from './ask.ts';
import { labelOf } from './labels.ts';
import type { Changes, LinkWith, SearchPairs } from './search-pairs.ts';

export interface Repair {
  /** What the link does: `Search in European Union and United States`. */
  readonly title: string;
  /** Filters to set; null removes one. */
  readonly changes: Changes;
}

const PART_OF_NAME = /^(?<name>mark_name|owner_name|representative_name)_(?<how>contains|startswith)$/;

/** `registers`: those to search, the preferred first. */
export function listRepairs(refusal: Refusal, pairs: SearchPairs, registers: readonly string[]): Repair[] {
  const { code, param = '' } = refusal;
  const { name, how } = PART_OF_NAME.exec(param)?.groups ?? {};
  const value = pairs.find(([known]) => known === param)?.[1] ?? '';
  if (name !== undefined && [...value.trim()].length < NAME_FRAGMENT_MIN) {
    return value.trim() === ''
      ? []
      : [{ title: `${labelOf(name)}: “${value}”`, changes: { [param]: null, [name]: value } }];
  }
  if (code !== 'query_too_broad') return [];
  const chosen = pairs.find(([known]) => known === 'jurisdiction')?.[1].split(',') ?? [];
  const max = how === 'contains' ? CONTAINS_SCOPE_MAX : JURISDICTIONS_MAX;
  const wanted = (chosen.length > 0 ? chosen : registers).slice(0, max);
  if (wanted.length === 0) return [];
  return [{ title: `Search in ${joinNames(wanted)}`, changes: { jurisdiction: wanted.join(','), cursor: null } }];
}

export function renderRepairs(repairs: readonly Repair[], linkWith: LinkWith): unknown {
  if (repairs.length === 0) return null;
  return renderActions(...repairs.map(({ title, changes }) => renderLinkButton(title, linkWith(changes), 'second')));
}
