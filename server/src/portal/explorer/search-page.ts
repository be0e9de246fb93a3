/** The page of a search: the form, and next to it the results with their cost. */
import type { JurisdictionInfo, SearchPage } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderActions, renderButton, renderEmpty, renderHeading, renderLinkButton } from '../frame/components.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import { sumMatches } from '../search/matches.ts';
import { tidyText } from '../search/readings.ts';
import { renderNothingFound, renderReadings } from '../search/readings-view.ts';
import type { CountedReading } from '../search/routes.ts';
import { fromOf, type Outcome } from './ask.ts';
import { type KeyChoice, renderAsk, renderKeyChoice } from './charged-key.ts';
import { readColumns } from './columns.ts';
import type { FacetCounts } from './facet-fields.ts';
import { renderFacets } from './facets.ts';
import { renderFilterChips } from './filter-chips.ts';
import type { FormState } from './form-state.ts';
import { renderCost, renderRefused } from './outcome-view.ts';
import { renderControls } from './search-controls.ts';
import { renderFilters } from './search-form.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';
import { type Elsewhere, linkWith, renderResults, type SearchShown } from './search-results.ts';

const COSTS = 'A search costs one unit, whatever it finds; a refused one costs nothing.';

interface SearchState {
  readonly choice: KeyChoice;
  readonly registers: readonly JurisdictionInfo[];
  readonly pairs: SearchPairs;
  /** False when no filter is set. */
  readonly isSearch: boolean;
  /** Null when nothing was requested. */
  readonly outcome: Outcome | null;
  /** Null if they were not counted in time. */
  readonly facets: readonly FacetCounts[] | null;
  /**
   * For an empty search: the matches in other registers; null if they were not counted, undefined if none are left out.
   */
  readonly elsewhere: Elsewhere | null | undefined;
  /** The readings of the text in the search bar. */
  readonly readings: readonly CountedReading[];
  readonly request: RequestShown;
}

export function renderSearchPage(call: MemberCall, state: SearchState): Page {
  const isRefused = state.outcome !== null && state.outcome.refusal !== null;
  // On narrow screens the results come first, but not before a form that has to be corrected.
  const body = html`
    ${renderHeading('Search trademarks')}
    <div class=${isRefused ? 'explorer' : 'explorer first'}>
      ${renderForm(call, state)}
      <section id="results" tabindex="-1" class="results" aria-label="Results">${renderAnswer(call, state)}</section>
      ${renderFacets(state.facets, state.pairs, linkTo(call, state))}
    </div>
  `;
  return { title: 'Search trademarks', body, section: 'explorer', results: true };
}

function renderForm(call: MemberCall, state: SearchState): unknown {
  const { choice, pairs, outcome } = state;
  const refusal = outcome?.refusal ?? null;
  const codes = state.registers.map(({ jurisdiction_code }) => jurisdiction_code);
  const set = pairs.filter(([name]) => name !== 'cursor');
  const shown = ['columns', 'view', 'watch'].filter((name) => call.query.has(name));
  const form: FormState = { pairs: set, registers: codes, refusal };
  return html`
    <form
      id="search"
      method="get"
      action="/portal/explorer"
      class="filters"
      data-slow="Searching…"
      aria-label="Search"
    >
      ${refusal === null ? null : renderRefused(refusal)}
      ${renderFilters(form)}
      ${renderControls(form)}
      ${renderKeyChoice(choice)}
      ${shown.map((name) => html`<input key=${name} type="hidden" name=${name} value=${call.query.get(name)} />`)}
      ${renderActions(
        renderButton('Search'),
        renderLinkButton('Clear', `/portal/explorer?key=${choice.key?.id ?? ''}`, 'second'),
      )}
    </form>
  `;
}

function shownOf(call: MemberCall, { choice, pairs }: SearchState): SearchShown {
  const columns = readColumns(call.query.get('columns'));
  return {
    query: call.query,
    pairs,
    languages: call.languages,
    keyId: choice.key?.id ?? '',
    from: fromOf(call),
    columns,
  };
}

function linkTo(call: MemberCall, state: SearchState): LinkWith {
  const shown = shownOf(call, state);
  return (changes) => linkWith(shown, changes);
}

function renderAnswer(call: MemberCall, state: SearchState): unknown {
  const { choice, pairs, isSearch, outcome, facets, elsewhere, request } = state;
  const text = call.query.get('q') ?? '';
  if (!isSearch && tidyText(text) !== '') {
    const registers = state.registers.filter(({ record_count }) => record_count > 0).length;
    return renderNothingFound(state.readings, { text, keyId: choice.key?.id ?? '', registers });
  }
  if (!isSearch) return renderEmpty(`Set at least one filter. ${COSTS}`);
  if (outcome === null) return renderAsk(call, choice);
  if (outcome.refusal !== null) return html`${renderCost(outcome)} ${renderRequest(request)}`;
  const shown = shownOf(call, state);
  const link = linkTo(call, state);
  const isShown = (reading: CountedReading): boolean => isSameSearch(reading.pairs, pairs);
  return html`
    <p class="jump"><a href="#search">Change the search</a></p>
    ${renderReadings(state.readings, { text, keyId: shown.keyId, isShown })}
    ${renderFilterChips(pairs, link)}
    ${renderResults(outcome.answer.body as SearchPage, shown, { total: sumMatches(facets), elsewhere })}
    ${renderCost(outcome)} ${renderRequest(request)}
  `;
}

function isSameSearch(one: SearchPairs, other: SearchPairs): boolean {
  return one.length === other.length && one.every(([name, value]) => other.some(([n, v]) => n === name && v === value));
}
