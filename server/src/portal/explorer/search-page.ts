/** The page of a search: the form, and next to it the results with their cost. */

import type { JurisdictionInfo, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { COVERAGE_HEADER, decodeCoverage, describeSearchCoverage } from '@tmds/contract/search-coverage';
import { html } from 'htm/preact';
import type { SavedSearch } from '../../store/accounts/saved-searches.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderActions, renderButton, renderHeading, renderLinkButton, renderTabs } from '../frame/components.ts';
import { formatDatesIn } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import { sumMatches, tidyText } from '../search/readings.ts';
import { type CountedReading, renderNothingFound, renderReadings } from '../search/routes.ts';
import type { ApiAnswer } from '../services.ts';
import { fromOf, type KeyChoice, type Outcome, renderAsk, renderKeyChoice } from './ask.ts';
import { type FacetCounts, renderFacets } from './facets.ts';
import type { FormState } from './form-fields.ts';
import { explainSearch, renderCost, renderRefused } from './outcome-view.ts';
import { readColumns } from './record-table.ts';
import { renderControls, renderFilters } from './search-form.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';
import { type Elsewhere, linkWith, renderResults, type SearchShown } from './search-results.ts';
import { renderFilterChips, renderSavedLinks } from './search-words.ts';
import type { CountedNear } from './spelling-help.ts';
import type { WaitingNames } from './waiting-names.ts';

const COSTS = 'A search costs one unit, whatever it finds; a refused one costs nothing.';

interface SearchState {
  readonly choice: KeyChoice;
  readonly registers: readonly JurisdictionInfo[];
  readonly pairs: SearchPairs;
  /** False when no filter is set. */
  readonly isSearch: boolean;
  readonly outcome: Outcome | null;
  readonly items: readonly TrademarkDetail[];
  /** Names that its table lacks. */
  readonly waiting: WaitingNames | null;
  /** Null if they were not counted in time. */
  readonly facets: readonly FacetCounts[] | null;
  /**
   * For an empty search: the matches in other registers; null if they were not counted, undefined if none are left out.
   */
  readonly elsewhere: Elsewhere | null | undefined;
  /** For an empty search: searches near it that find something. */
  readonly near: readonly CountedNear[];
  /** The latest saved searches of the customer, for a page without a search. */
  readonly saved: readonly SavedSearch[];
  readonly readings: readonly CountedReading[];
  readonly request: RequestShown;
}

export function renderSearchPage(call: MemberCall, state: SearchState): Page {
  const { outcome, pairs, isSearch } = state;
  const isRefused = outcome !== null && outcome.refusal !== null;
  const isAnswered = outcome !== null && !isRefused;
  const link = linkTo(call, state);
  // A refusal stands where the results would be, and what has to be corrected below it.
  const form = renderAdvanced(call, state, isRefused || !isSearch);
  const body = html`
    ${renderSearchTabs('filters')}
    ${renderHeading('Search trademarks', html`${renderFilterChips(pairs, link)} ${isRefused || !isSearch ? null : form}`)}
    <div class="explorer">
      <section id="results" tabindex="-1" class="results" aria-label="Results">${renderAnswer(call, state)}</section>
      ${isAnswered ? renderFacets(state.facets, pairs, link) : null}
    </div>
    ${isRefused || !isSearch ? form : null}
  `;
  return { title: 'Search trademarks', body, section: 'explorer', results: true };
}

function renderAdvanced(call: MemberCall, state: SearchState, isOpen: boolean): unknown {
  return html`
    <details class="advanced" open=${isOpen}>
      <summary>Advanced</summary>
      ${renderForm(call, state)}
    </details>
  `;
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
      <div class="groups">${renderFilters(form)}</div>
      <div class="controls">${renderControls(form)} ${renderKeyChoice(choice)}</div>
      ${shown.map((name) => html`<input type="hidden" name=${name} value=${call.query.get(name)} />`)}
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
    const registers = countServed(state);
    return renderNothingFound(state.readings, { text, keyId: choice.key?.id ?? '', registers });
  }
  if (!isSearch) return renderStart(state);
  if (outcome === null) return renderAsk(call, choice);
  const shown = shownOf(call, state);
  const link = linkTo(call, state);
  if (outcome.refusal !== null) {
    const search = { pairs, registers: listBySize(state), linkWith: link, again: outcome.againPath };
    return html`
      ${renderRefused(outcome.refusal, explainSearch(outcome.refusal, search))}
      ${renderCost(outcome)} ${renderRequest(request)}
    `;
  }
  const isShown = (reading: CountedReading): boolean =>
    reading.pairs.length === pairs.length &&
    reading.pairs.every(([name, value]) => pairs.some(([n, v]) => n === name && v === value));
  const counted = { total: sumMatches(facets), elsewhere, near: state.near, registers: countServed(state) };
  const page = { ...(outcome.answer.body as SearchPage), items: [...state.items] };
  return html`
    ${renderReadings(state.readings, { text, keyId: shown.keyId, isShown, places: describePlaces(state) })}
    ${renderResults(page, shown, { ...counted, waiting: state.waiting })}
    ${state.items.length === 0 ? renderCompleteness(outcome.answer) : null}
    ${renderCost(outcome)} ${renderRequest(request)}
  `;
}

/** An empty page means "not in these registers, through these days". */
function renderCompleteness({ headers }: ApiAnswer): unknown {
  const coverage = decodeCoverage(headers[COVERAGE_HEADER.toLowerCase()]);
  return coverage === null
    ? null
    : html`<p class="hint">${formatDatesIn(describeSearchCoverage(coverage, registerName).join(' '))}</p>`;
}

function renderStart({ saved, choice }: SearchState): unknown {
  return html`
    <p class="hint">Search with the bar above, or with the fields below. ${COSTS}</p>
    ${
      saved.length === 0
        ? null
        : html`<h2>Saved searches</h2>
            ${renderSavedLinks(saved, choice.key?.id ?? '')}
            <p><a href="/portal/searches">All saved searches</a></p>`
    }
  `;
}

/** In how many registers something was found; null if that was not counted in time, or nothing was. */
function describePlaces(state: SearchState): string | null {
  const found = state.facets?.find(({ field }) => field === 'jurisdiction')?.values.length ?? 0;
  const served = countServed(state);
  return found === 0 || served < 2 ? null : `${found} of ${served} registers`;
}

function countServed({ registers }: SearchState): number {
  return registers.filter(({ record_count }) => record_count > 0).length;
}

function listBySize({ registers }: SearchState): string[] {
  const served = registers.filter(({ record_count }) => record_count > 0);
  served.sort((one, other) => other.record_count - one.record_count);
  return served.map(({ jurisdiction_code }) => jurisdiction_code);
}

export function renderSearchTabs(here: 'filters' | 'likeness'): unknown {
  return renderTabs('Kinds of search', [
    { label: 'By filters', href: '/portal/explorer', isHere: here === 'filters' },
    { label: 'Is it free?', href: '/portal/similar', isHere: here === 'likeness' },
  ]);
}
