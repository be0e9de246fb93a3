/**
 * The history of a record: its versions, newest first, each with its changes and a link to the whole version. Each page
 * is one call of the public API with a key that the person chose, judged and metered like any other.
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
import { listCurrentRecords } from '../../store/records/current-records.ts';
import type { Explorer, KeyChoice } from '../explorer/ask.ts';
import { askFor, paidPage, renderAsked } from '../explorer/asked-page.ts';
import { renderMarkName } from '../explorer/record-parts.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { encodePairs, type SearchPairs } from '../explorer/search-pairs.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
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
import type { PortalServices } from '../services.ts';
import { CAUSE_TITLES, renderChanges, renderDigests, renderOccasion, renderSource } from './change-view.ts';
import { historyPath, placeOf, type RecordPlace, versionPath } from './places.ts';

const LIMIT = 20;

export function listHistoryRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  const head = { title: 'History', section: 'explorer' } as const;
  const show = (call: MemberCall, choice: KeyChoice) => showHistory(call, explorer, choice);
  return [paidPage('/explorer/history/:register/*', explorer, head, show)];
}

async function showHistory(call: MemberCall, explorer: Explorer, choice: KeyChoice): Promise<Page> {
  const { register = '', '*': uid = '' } = call.params;
  const filter = readFilter(call.query);
  const asked = await askFor<HistoryPage>(call, explorer, choice, planTarget({ register, uid }, filter));
  const place = placeOf({ register, uid }, call.query, choice.key?.id ?? null);
  const [record = null] =
    asked.body === null
      ? []
      : await listCurrentRecords(explorer.services.database, [{ jurisdiction_code: register, uid }]);
  const identity = html`<bdi>${registerName(register)} ${uid}</bdi>`;
  const isMissing = asked.refusal?.code === 'not_found';
  const body = html`
    ${renderTrail({ label: 'The record', href: versionPath(place, null) })}
    ${renderHeading(html`History of ${record === null ? identity : html`<bdi>${renderMarkName(record)}</bdi>`}`)}
    ${record === null ? null : html`<p class="hint">${identity}</p>`}
    ${isMissing ? null : renderFilter(place, filter)}
    ${asked.body === null ? null : renderEvents(asked.body, place, filter)}
    ${renderAsked(call, asked)}
  `;
  return { title: `History of ${register} ${uid}`, body, section: 'explorer', status: isMissing ? 404 : 200 };
}

/** Unknown names are left out. */
function readFilter(query: URLSearchParams): HistoryFilter {
  const chosen = (name: string): readonly string[] => (query.get(name) ?? '').split(',');
  const [fields, causes] = [chosen('field'), chosen('cause')];
  return {
    fields: CHANGED_FIELDS.filter((field) => fields.includes(field)),
    causes: HISTORY_CAUSES.filter((cause) => causes.includes(cause)),
    cursors: query.getAll('cursor').slice(-CURSORS_MAX),
  };
}

function planTarget(
  { register, uid }: { readonly register: string; readonly uid: string },
  { fields, causes, cursors }: HistoryFilter,
): string {
  const cursor = cursors.at(-1);
  const pairs: SearchPairs = [
    ...(fields.length === 0 ? [] : [['field', fields.join(',')] as const]),
    ...(causes.length === 0 ? [] : [['cause', causes.join(',')] as const]),
    ['limit', String(LIMIT)],
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ];
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}/history`;
  return `${path}${encodePairs(pairs)}`;
}

interface HistoryFilter {
  readonly fields: readonly ChangedField[];
  readonly causes: readonly HistoryCause[];
  /** The cursors of the pages that led here, the one of this page last; empty for the first page. */
  readonly cursors: readonly string[];
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
const CURSORS_MAX = 8;

function renderVersion(event: HistoryEvent, place: RecordPlace): unknown {
  const { version, previous_version: previous, source } = event;
  return html`
    <li>
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
