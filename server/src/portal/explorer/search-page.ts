/** The page of a search: the form, and beside it the results with their cost. */
import type { SearchPage } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { MemberCall, Page } from '../frame/call.ts';
import { fromOf, type Outcome } from './ask.ts';
import { type KeyChoice, renderAsk, renderKeyChoice } from './charged-key.ts';
import type { FacetCounts } from './facet-fields.ts';
import { renderFacets } from './facets.ts';
import { renderCost, renderRefused } from './outcome-view.ts';
import { type RequestShown, renderRequest } from './request-view.ts';
import { renderControls } from './search-controls.ts';
import { type FormState, renderFilters } from './search-form.ts';
import type { SearchPairs } from './search-pairs.ts';
import { linkWith, renderResults } from './search-results.ts';

const COSTS = 'A search costs one unit, whatever it finds; a refused one costs nothing.';

interface SearchState {
  readonly choice: KeyChoice;
  readonly registers: readonly string[];
  readonly pairs: SearchPairs;
  /** False when no filter is set. */
  readonly isSearch: boolean;
  /** Null when nothing was asked. */
  readonly outcome: Outcome | null;
  readonly facets: readonly FacetCounts[];
  readonly request: RequestShown;
}

export function renderSearchPage(call: MemberCall, state: SearchState): Page {
  const isRefused = state.outcome !== null && state.outcome.refusal !== null;
  // On narrow screens the results come first, but not before a form that has to be corrected.
  const body = html`
    <h1>Explorer</h1>
    <div class=${isRefused ? 'explorer' : 'explorer first'}>
      ${renderForm(state)}
      <section class="results" aria-label="Results">${renderAnswer(call, state)}</section>
    </div>
  `;
  return { title: 'Explorer', body, section: 'explorer', wide: true };
}

function renderForm({ choice, registers, pairs, outcome }: SearchState): unknown {
  const refusal = outcome?.refusal ?? null;
  const form: FormState = { pairs: pairs.filter(([name]) => name !== 'cursor'), registers, refusal };
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
      <div class="actions">
        <button type="submit">Search</button>
        <a class="button second" href=${`/portal/explorer?key=${choice.key?.id ?? ''}`}>Clear</a>
      </div>
    </form>
  `;
}

function renderAnswer(call: MemberCall, state: SearchState): unknown {
  const { choice, pairs, isSearch, outcome, facets, request } = state;
  if (!isSearch) return html`<p class="empty">Set at least one filter. ${COSTS}</p>`;
  if (outcome === null) return renderAsk(call, choice);
  if (outcome.refusal !== null) return html`${renderCost(outcome)} ${renderRequest(request)}`;
  const shown = { query: call.query, pairs, keyId: choice.key?.id ?? '', from: fromOf(call) };
  return html`
    <p class="jump"><a href="#search">Change the search</a></p>
    ${renderResults(outcome.answer.body as SearchPage, shown)}
    ${renderFacets(facets, call.query, (changes) => linkWith(shown, changes))}
    ${renderCost(outcome)} ${renderRequest(request)}
  `;
}
