/**
 * The page of a record's history: its versions, newest first, each with its changes and a link to the whole version.
 */

import {
  CHANGED_FIELDS,
  type ChangedField,
  HISTORY_CAUSES,
  type HistoryCause,
  type HistoryEvent,
  type HistoryPage,
} from '@tmds/contract/history';
import { html } from 'htm/preact';
import type { Outcome } from '../explorer/ask.ts';
import { type KeyChoice, renderAsk } from '../explorer/ask.ts';
import { renderCost, renderRefused } from '../explorer/outcome-view.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderDisclosure,
  renderEmpty,
  renderHeading,
  renderPager,
  renderToggles,
  renderTrail,
} from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { titleOfField } from '../frame/wording.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import { renderChanges } from './change-view.ts';
import { renderDigests, renderOccasion, renderSource } from './event-view.ts';
import { historyPath, type RecordPlace, versionPath } from './places.ts';
import { CAUSE_TITLES } from './words.ts';

/** Which events the address requests. */
export interface HistoryFilter {
  readonly fields: readonly ChangedField[];
  readonly causes: readonly HistoryCause[];
  /** The cursors of the pages that led here, the one of this page last; empty for the first page. */
  readonly cursors: readonly string[];
}

interface HistoryState {
  readonly place: RecordPlace;
  readonly filter: HistoryFilter;
  readonly choice: KeyChoice;
  readonly outcome: Outcome | null;
  readonly request: RequestShown;
}

export function renderHistoryPage(call: MemberCall, { place, filter, choice, outcome, request }: HistoryState): Page {
  const { register, uid } = place;
  const refusal = outcome?.refusal ?? null;
  const page = outcome !== null && refusal === null ? (outcome.answer.body as HistoryPage) : null;
  const name = html`<bdi>${registerName(register)} ${uid}</bdi>`;
  const body = html`
    ${renderTrail({ label: 'The record', href: versionPath(place, null) })}
    ${renderHeading(html`History of ${name}`)}
    ${refusal?.code === 'not_found' ? null : renderFilter(place, filter)}
    ${page === null ? null : renderEvents(page, place, filter)}
    ${outcome === null ? renderAsk(call, choice) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${outcome === null ? null : renderCost(outcome)}
    ${renderRequest(request)}
  `;
  const status = refusal?.code === 'not_found' ? 404 : 200;
  return { title: `History of ${register} ${uid}`, body, section: 'explorer', status };
}

function renderFilter(place: RecordPlace, filter: HistoryFilter): unknown {
  const { fields, causes } = filter;
  const toggle = <Value>(all: readonly Value[], value: Value): readonly Value[] =>
    all.includes(value) ? all.filter((each) => each !== value) : [...all, value];
  const linkTo = (changes: Partial<HistoryFilter>): string =>
    historyPath(place, listPairs({ fields, causes, cursors: [], ...changes }));
  const byField = renderToggles('By field', CHANGED_FIELDS, {
    titleOf: titleOfField,
    isOn: (field) => fields.includes(field),
    linkTo: (field) => linkTo({ fields: toggle(fields, field) }),
  });
  const chosen = fields.length === 0 ? '' : `: ${fields.map(titleOfField).join(', ')}`;
  return html`
    ${renderToggles('By cause', HISTORY_CAUSES, {
      titleOf: (cause) => CAUSE_TITLES[cause],
      isOn: (cause) => causes.includes(cause),
      linkTo: (cause) => linkTo({ causes: toggle(causes, cause) }),
    })}
    ${renderDisclosure(`By field${chosen}`, byField)}
  `;
}

function listPairs({ fields, causes, cursors }: HistoryFilter): [string, string][] {
  return [
    ...(fields.length === 0 ? [] : [['field', fields.join(',')] as [string, string]]),
    ...(causes.length === 0 ? [] : [['cause', causes.join(',')] as [string, string]]),
    ...cursors.map((cursor): [string, string] => ['cursor', cursor]),
  ];
}

function renderEvents({ items, next_cursor: next }: HistoryPage, place: RecordPlace, filter: HistoryFilter): unknown {
  const { fields, causes, cursors } = filter;
  const isFiltered = fields.length > 0 || causes.length > 0;
  const count = `${formatCount(items.length)} ${items.length === 1 ? 'version' : 'versions'}`;
  return html`
    <p class="summary" role="status">${count} on this page, newest first.</p>
    ${
      items.length === 0
        ? renderEmpty(
            next === null && isFiltered
              ? 'No version matches. Choose fewer causes or fields.'
              : 'None of the versions checked so far matches; there are more.',
          )
        : html`<ol class="versions">${items.map((event) => renderVersion(event, place))}</ol>`
    }
    ${renderPager(
      [
        cursors.length === 0
          ? null
          : {
              label: cursors.length === 1 ? 'First page' : 'Previous page',
              href: historyPath(place, listPairs({ ...filter, cursors: cursors.slice(0, -1) })),
              rel: 'prev nofollow',
            },
        next === null
          ? null
          : {
              label: 'Next page',
              href: historyPath(place, listPairs({ ...filter, cursors: [...cursors, next].slice(-CURSORS_MAX) })),
              rel: 'next nofollow',
            },
      ],
      next === null ? 'End of the history.' : null,
    )}
  `;
}

/** Pages back that an address remembers; the one before them is the first page. */
export const CURSORS_MAX = 8;

function renderVersion(event: HistoryEvent, place: RecordPlace): unknown {
  const { version, previous_version: previous, source } = event;
  return html`
    <li key=${version}>
      ${renderOccasion(event)}
      ${renderSource(source)}
      ${previous === null ? null : renderChanges(event, place)}
      ${renderDigests(source)}
      <p>
        <a rel="nofollow" href=${versionPath(place, version)}>
          The record as it was then<span class="unseen">, ${version}</span>
        </a>
      </p>
    </li>
  `;
}
