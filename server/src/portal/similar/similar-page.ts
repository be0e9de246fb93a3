/**
 * The page "Is it free?": the form, the marks that are alike by tier, and what was searched and how. It validates
 * nothing: the refusal of the API is shown next to its field.
 */

import { STATUSES } from '@tmds/contract/enums';
import { LIKENESS_CHOICES, type SimilarPage } from '@tmds/contract/likeness';
import type { JurisdictionInfo, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { Agreement } from '../../store/accounts/agreements.ts';
import { fromOf, type KeyChoice, type Outcome, type Refusal, renderAsk, renderKeyChoice } from '../explorer/ask.ts';
import { explainRefusal, renderCost, renderRefused } from '../explorer/outcome-view.ts';
import { renderSearchTabs } from '../explorer/search-page.ts';
import { encodePairs, findValue, listValues } from '../explorer/search-pairs.ts';
import { describeFilters } from '../explorer/search-words.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderEmpty,
  renderFacts,
  renderHeading,
  renderLinkButton,
  renderNotice,
} from '../frame/components.ts';
import { renderChipSet, renderField } from '../frame/fields.ts';
import { renderForm } from '../frame/forms.ts';
import { registerName } from '../frame/registers.ts';
import { mayOpen } from '../frame/roles.ts';
import { listChoices, titleOfClass } from '../frame/wording.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import {
  BESIDE_MAX,
  type EntriesShown,
  listShown,
  nameRecord,
  renderEntries,
  renderSideBySide,
} from './entries-view.ts';
import { JUDGEMENT, listStatements, NO_OPINION, type Report } from './report.ts';
import { type SimilarTarget, similarPath } from './similar-target.ts';

const TITLE = 'Is it free?';

interface SimilarState {
  readonly asked: SimilarTarget;
  readonly choice: KeyChoice;
  readonly registers: readonly JurisdictionInfo[];
  readonly outcome: Outcome | null;
  readonly request: RequestShown;
  /** Null without an answer. */
  readonly report: Report | null;
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
  const { asked, choice, outcome, request, report } = state;
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
  const found = report!;
  const { page } = found;
  const beside = call.query.getAll('beside').slice(-BESIDE_MAX);
  const shown = buildShown(call, state, beside);
  const chosen = listShown(page).filter(({ record }) => beside.includes(nameRecord(record)));
  const classes = findValue(asked.pairs, 'classes') || null;
  return html`
    ${renderTools(state, call)}
    ${renderNotice('plain', NO_OPINION)}
    ${renderSideBySide({ mark: asked.mark, words: page.compared.words, classes }, chosen, shown)}
    ${page.items.length === 0 ? renderEmpty('No name is alike in any of these ways.') : renderJudged(call, page, shown)}
    ${renderStatements(found)} ${renderCost(outcome, 'analytics')} ${renderRequest(request)}
  `;
}

function renderJudged(call: MemberCall, page: SimilarPage, shown: EntriesShown): unknown {
  const query = new URLSearchParams([...call.query].filter(([name]) => name !== 'done'));
  return html`
    ${renderForm(call, JUDGEMENT, {
      action: '/portal/similar/judge',
      layout: null,
      before: renderEntries(page, shown),
      shown: { search: { value: query.toString() } },
      note: html`<p class="hint">Marks are kept with the search, for your whole team.</p>`,
      label: null,
    })}
  `;
}

/** What the report says, below the marks; printed open. */
function renderStatements(report: Report): unknown {
  return html`
    <details id="searched">
      <summary>What was searched, and how complete it is</summary>
      ${renderFacts(listStatements(report).map(([name, value]) => [name, html`<bdi>${value}</bdi>`]))}
    </details>
  `;
}

function renderTools({ asked, choice }: SimilarState, call: MemberCall): unknown {
  const keyId = choice.key?.id ?? '';
  const stamp = call.query.get('asked');
  const kept = stamp === null ? [] : [['asked', stamp] as const];
  const file = (format: string): string =>
    similarPath(asked.pairs, keyId, [...kept, ['format', format]]).replace('/similar?', '/similar/report?');
  const watched = asked.pairs.filter(([name]) => name !== 'limit' && name !== 'strategies');
  return html`
    <nav class="tools" aria-label="With this search">
      <a href=${file('excel')} rel="nofollow">Report in Excel</a>
      <a href=${file('csv')} rel="nofollow">Report in CSV</a>
      ${
        mayOpen(call.person, 'watches')
          ? html`<a href=${`/portal/new-watch${encodePairs([['kind', 'similar'], ...watched])}`}>Watch for such names</a>`
          : null
      }
      <span class="silent">The page prints as the report.</span>
    </nav>
  `;
}

function buildShown(
  call: MemberCall,
  { asked, choice, report }: SimilarState,
  beside: readonly string[],
): EntriesShown {
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
    judgements: report?.judgements ?? new Map(),
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

interface FormShown {
  readonly asked: SimilarTarget;
  readonly choice: KeyChoice;
  readonly registers: readonly JurisdictionInfo[];
  readonly refusal: Refusal | null;
}

/** Filters that have a field here; others of the address are kept. */
const SHOWN_FILTERS = ['jurisdiction', 'status'];
const CLASSES = Array.from({ length: 45 }, (_, at) => String(at + 1));

function renderSimilarForm({ asked, choice, registers, refusal }: FormShown): unknown {
  const { pairs, filters } = asked;
  const refusalOf = (name: string): string | null => (refusal?.param === name ? refusal.message : null);
  const chipSet = (name: string, legend: string, choices: readonly Choice[], hint: string): unknown =>
    renderChipSet({ legend, name, choices, chosen: listValues(pairs, name), hint, refusal: refusalOf(name) });
  const kept = filters.filter(([name]) => !SHOWN_FILTERS.includes(name));
  const served = registers.filter(({ record_count }) => record_count > 0);
  return html`
    <form method="get" action="/portal/similar" class="filters" data-slow="Comparing names…" aria-label="Is it free?">
      ${renderField({
        id: 'mark',
        label: 'Mark',
        hint: 'The text of the mark that you want to use, in any script.',
        refusal: refusalOf('mark'),
        attributes: { value: asked.mark, required: true, maxlength: 400, dir: 'auto', spellcheck: 'false' },
      })}
      ${chipSet(
        'classes',
        'Classes of its goods and services',
        CLASSES.map((value) => ({ value, label: value, title: titleOfClass(Number(value)) ?? value })),
        'They order the results and leave nothing out.',
      )}
      ${chipSet(
        'jurisdiction',
        'Registers',
        served.map(({ jurisdiction_code: code }) => ({ value: code, label: registerName(code), title: code })),
        'None chosen means all.',
      )}
      <details class="advanced" open=${SHOWN.some((name) => listValues(pairs, name).length > 0) || kept.length > 0}>
        <summary>Status and strategies</summary>
        ${chipSet(
          'status',
          'Status',
          STATUSES.map((value) => ({ value, label: value, title: value })),
          'None chosen means every status, ended marks included.',
        )}
        ${chipSet(
          'strategies',
          'Strategies, and the texts that are compared',
          listChoices(LIKENESS_CHOICES),
          'No strategy chosen means all; no text chosen means all: that of the mark, and those that registers hold.',
        )}
        ${kept.length === 0 ? null : html`<p>Also: <bdi>${describeFilters(kept)}</bdi></p>`}
      </details>
      ${kept.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${renderKeyChoice(choice)}
      ${renderActions(
        renderButton('Search'),
        renderLinkButton('Clear', `/portal/similar?key=${choice.key?.id ?? ''}`, 'second'),
      )}
    </form>
  `;
}

const SHOWN = ['status', 'strategies'];

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly title: string;
}

export function renderNoAnalytics(call: MemberCall, agreements: readonly Agreement[]): Page {
  const body = html`
    ${renderSearchTabs('likeness')}
    <section class="narrow">
      ${renderHeading(TITLE)}
      <p>This page finds marks that are alike, and says in which way.</p>
      ${renderEmpty('It is charged to a key for the product analytics, and your team has none.')}
      ${renderWay(
        call,
        agreements.some(({ product }) => product === 'analytics'),
      )}
    </section>
  `;
  return { title: TITLE, body, section: 'explorer' };
}

/** Without an agreement nobody on the team can issue one. */
function renderWay({ person }: MemberCall, isAgreed: boolean): unknown {
  if (!isAgreed) return html`<p>Ask the operator of this service to add analytics to your agreement.</p>`;
  if (!mayOpen(person, 'keys')) return html`<p>Ask an administrator of your team to issue one.</p>`;
  return renderLinkButton('Issue a key', '/portal/keys/new');
}
