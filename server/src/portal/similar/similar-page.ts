/** The page "Is it free?": the form, the marks that are alike by tier, and what was searched and how. */
import { LIKENESS_ENTRIES_DEFAULT, type SimilarPage } from '@tmds/contract/likeness';
import type { JurisdictionInfo, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { fromOf, type Outcome } from '../explorer/ask.ts';
import { type KeyChoice, renderAsk } from '../explorer/charged-key.ts';
import { describeFilters } from '../explorer/filter-chips.ts';
import { explainRefusal, renderCost, renderRefused } from '../explorer/outcome-view.ts';
import { encodePairs } from '../explorer/search-pairs.ts';
import { renderSearchTabs } from '../explorer/search-tabs.ts';
import { STRATEGY_TITLES } from '../frame/alike-words.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderDisclosure, renderEmpty, renderFacts, renderHeading, renderNotice } from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { joinNames } from '../frame/registers.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import { type EntriesShown, listShown, nameRecord, renderEntries } from './entries-view.ts';
import { BESIDE_MAX, renderSideBySide } from './side-by-side.ts';
import { renderSimilarForm } from './similar-form.ts';
import { type SimilarTarget, similarPath } from './similar-target.ts';

export const TITLE = 'Is it free?';
/** On every page with results, and in every report. */
export const NO_OPINION =
  'This lists names that are alike and says why. It is no legal opinion: whether a mark is free depends on goods, use and law that no list of names shows.';

export interface SimilarState {
  readonly asked: SimilarTarget;
  readonly choice: KeyChoice;
  readonly registers: readonly JurisdictionInfo[];
  /** Null when nothing was requested. */
  readonly outcome: Outcome | null;
  readonly request: RequestShown;
}

export function renderSimilar(call: MemberCall, state: SimilarState): Page {
  const { asked, choice, registers, outcome } = state;
  const refusal = outcome?.refusal ?? null;
  const isAnswered = outcome !== null && refusal === null;
  const form = renderSimilarForm({ asked, choice, registers, refusal });
  const body = html`
    ${renderSearchTabs('likeness')}
    ${renderHeading(asked.mark === '' ? TITLE : html`Is <bdi>${asked.mark}</bdi> free?`)}
    ${isAnswered ? html`<details class="advanced"><summary>Change the search</summary>${form}</details>` : form}
    <section id="results" tabindex="-1" class="results" aria-label="Results">${renderAnswer(call, state)}</section>
  `;
  return { title: TITLE, body, section: 'explorer', results: true };
}

function renderAnswer(call: MemberCall, state: SimilarState): unknown {
  const { asked, choice, outcome, request } = state;
  if (asked.mark === '') {
    return html`<p class="hint">A search costs one unit of a key for analytics; a refused one costs nothing. ${NO_OPINION}</p>`;
  }
  if (outcome === null) return renderAsk(call, choice);
  if (outcome.refusal !== null) {
    return html`
      ${renderRefused(outcome.refusal, explainRefusal(outcome.refusal, outcome.againPath))}
      ${renderCost(outcome, 'analytics')} ${renderRequest(request)}
    `;
  }
  const page = outcome.answer.body as SimilarPage;
  const beside = readBeside(call.query);
  const shown = buildShown(call, state, beside);
  const chosen = listShown(page).filter(({ record }) => beside.includes(nameRecord(record)));
  const classes = asked.pairs.find(([name]) => name === 'classes')?.[1] ?? null;
  return html`
    ${renderNotice('plain', NO_OPINION)}
    ${renderSideBySide({ mark: asked.mark, words: page.compared.words, classes }, chosen, shown)}
    ${page.items.length === 0 ? renderEmpty('No name is alike in any of these ways.') : renderEntries(page, shown)}
    ${renderSearched(page, state)} ${renderCost(outcome, 'analytics')} ${renderRequest(request)}
  `;
}

/** What was compared, how, and which bounds were met. */
export function renderSearched(
  page: SimilarPage,
  { asked, registers }: Pick<SimilarState, 'asked' | 'registers'>,
): unknown {
  const chosen = asked.filters.find(([name]) => name === 'jurisdiction')?.[1].split(',') ?? [];
  const served = registers.filter(({ record_count }) => record_count > 0);
  const filters = asked.filters.filter(([name]) => name !== 'jurisdiction');
  const related = page.related_classes.map(({ related_class }) => related_class);
  return renderDisclosure(
    'What was searched',
    renderFacts([
      ['Mark', html`<bdi>${page.mark}</bdi>`],
      ['Compared as', describeCompared(page)],
      ['Names compared', formatCount(page.names_compared)],
      ['Registers', chosen.length === 0 ? `all ${formatCount(served.length)}` : joinNames(chosen)],
      ['Other filters', filters.length === 0 ? null : html`<bdi>${describeFilters(filters)}</bdi>`],
      ['Related classes', related.length === 0 ? null : [...new Set(related)].join(', ')],
      ['Strategies', html`<ul class="entries">${page.strategies.map(renderStrategy)}</ul>`],
      ['Left out', page.bounds_met.length === 0 ? 'nothing' : page.bounds_met.map((bound) => BOUNDS[bound]).join('; ')],
    ]),
  );
}

export const BOUNDS: Readonly<Record<SimilarPage['bounds_met'][number], string>> = {
  entries: `further entries beyond the first ${LIKENESS_ENTRIES_DEFAULT} of a list, or beyond the chosen number`,
  records: 'further records of the names that were found',
  records_of_a_name: 'further records of a name that many records have',
};

function describeCompared({ compared }: SimilarPage): string {
  return compared.is_transliterated ? `${compared.words.join(' ')} (transliterated here)` : compared.words.join(' ');
}

function renderStrategy({
  strategy,
  names_found: found,
  names_listed: listed,
}: SimilarPage['strategies'][number]): unknown {
  const counts =
    found === null ? `${formatCount(listed)} listed` : `${formatCount(found)} found, ${formatCount(listed)} listed`;
  return html`<li key=${strategy}>${STRATEGY_TITLES[strategy]}: <span class="silent">${counts}</span></li>`;
}

function readBeside(query: URLSearchParams): readonly string[] {
  return query.getAll('beside').slice(-BESIDE_MAX);
}

function buildShown(call: MemberCall, { asked, choice }: SimilarState, beside: readonly string[]): EntriesShown {
  const { key } = choice;
  const keyId = key?.id ?? '';
  const isForRecords = key?.products.some(({ product }) => product === 'records') ?? false;
  const stamp = call.query.get('asked');
  const pathWith = (names: readonly string[]): string =>
    similarPath(asked.pairs, keyId, [
      ...(stamp === null ? [] : [['asked', stamp] as const]),
      ...names.map((name) => ['beside', name] as const),
    ]);
  return {
    opening: { keyId: isForRecords ? keyId : '', from: fromOf(call) },
    isBeside: (record) => beside.includes(nameRecord(record)),
    linkBeside: (record) => {
      const name = nameRecord(record);
      if (beside.includes(name)) return `${pathWith(beside.filter((each) => each !== name))}#results`;
      return `${pathWith([...beside, name].slice(-BESIDE_MAX))}#beside`;
    },
    linkPicture: (record) => linkPicture(record, asked, keyId, stamp),
  };
}

function linkPicture(record: TrademarkDetail, { pairs }: SimilarTarget, keyId: string, stamp: string | null): string {
  const { jurisdiction_code: register, uid } = record;
  const query = encodePairs([...pairs, ['key', keyId], ...(stamp === null ? [] : [['asked', stamp] as const])]);
  return `/portal/similar/pictures/${encodeURIComponent(register)}/${encodeURIComponent(uid)}${query}`;
}
