/**
 * A search that is too broad for a watch, in words for people, and a remedy with one click: the same search in the
 * registers with most records, or for the whole name instead of a part that is too short.
 */
import { CONTAINS_SCOPE_MAX, JURISDICTIONS_MAX, NAME_FRAGMENT_MIN } from '@tmds/contract/limits';
import { labelOf } from '../explorer/labels.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import type { CallLimit } from '../services.ts';

export interface Narrowing {
  readonly message: string;
  /** Null if no click helps. */
  readonly way: { readonly title: string; readonly search: string } | null;
}

const PART_OF_NAME = /^(?<name>mark_name|owner_name|representative_name)_(?<how>contains|startswith)$/;

/** `registers`: the codes, those with most records first. */
export function narrowSearch({ code, param = '' }: CallLimit, search: string, registers: readonly string[]): Narrowing {
  const { pairs } = readSearch(new URLSearchParams(search));
  const change = (title: string, changes: Readonly<Record<string, string | null>>): Narrowing['way'] => {
    const kept = pairs.filter(([name]) => !(name in changes));
    const set = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    return { title, search: encodePairs([...kept, ...set]).slice(1) };
  };
  const { name, how } = PART_OF_NAME.exec(param)?.groups ?? {};
  if (name !== undefined && code !== 'query_too_broad') {
    const value = pairs.find(([known]) => known === param)?.[1] ?? '';
    const message = `A watch for part of a name needs at least ${NAME_FRAGMENT_MIN} characters of it.`;
    const isBlank = value.trim() === '';
    const title = `Watch for the whole name: ${labelOf(name)}: “${value}”`;
    return { message, way: isBlank ? null : change(title, { [param]: null, [name]: value }) };
  }
  const max = how === 'contains' ? CONTAINS_SCOPE_MAX : JURISDICTIONS_MAX;
  const largest = registers.slice(0, max);
  const title = largest.length === 1 ? 'Watch the only register' : `Watch the ${largest.length} largest registers`;
  const way = largest.length === 0 ? null : change(title, { jurisdiction: largest.join(',') });
  if (name !== undefined) return { message: `A watch for part of a name covers 1 to ${max} registers.`, way };
  if (param !== 'vienna_code') return { message: `A watch covers up to ${max} registers.`, way };
  return { message: 'A watch for a main category of Vienna codes also needs registers or a class.', way };
}
