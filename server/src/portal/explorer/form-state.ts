/** State that the fields of the search form share: filled-in values, refusals, and which further filters are kept. */
import { html } from 'htm/preact';
import { renderChips, renderNotes } from '../frame/fields.ts';
import { labelOf, messageOf } from './labels.ts';
import type { SearchPairs } from './search-pairs.ts';

export interface FormState {
  readonly pairs: SearchPairs;
  readonly registers: readonly string[];
  readonly refusal: { readonly param: string | undefined; readonly message: string } | null;
}

export function filledIn(state: FormState, name: string): string {
  return state.pairs.find(([known]) => known === name)?.[1] ?? '';
}

export function renderRefusal(name: string, { refusal }: FormState): unknown {
  return refusal?.param === name ? renderNotes(name, { refusal: messageOf(refusal) }) : null;
}

/** Filters that are set in addition to the one that a field shows: kept, unless the person unticks them. */
export function renderKept(filters: readonly string[], state: FormState): unknown {
  if (filters.length === 0) return null;
  return filters.map((name) => {
    const value = filledIn(state, name);
    return renderChips({
      name,
      choices: [{ value, label: html`${labelOf(name)}: <bdi>${value}</bdi>` }],
      chosen: [value],
    });
  });
}
