/** What a call of the explorer came to: the table, the refusal, the cost. */
import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { RememberedAnswer } from '../frame/answers.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/words.ts';
import { remedyOf, renderCode } from '../monitoring/routes.ts';
import type { SearchPairs } from './form.ts';

/** Where the records of a table are opened with, and lead back to. */
export interface Opening {
  readonly keyId: string;
  /** Null where the address is too long to be carried. */
  readonly from: string | null;
}

export interface Shown extends Opening {
  readonly query: URLSearchParams;
  readonly pairs: SearchPairs;
}

export interface RefusalShown {
  readonly code: string;
  readonly message: string;
  readonly param: string | undefined;
  readonly requestId: string;
}

export function renderRefused({ code, message, param, requestId }: RefusalShown): unknown {
  return html`
    <div class="notice bad" role="alert">
      <p><strong>Refused: ${renderCode(code)}</strong>${param === undefined ? null : renderParameter(param)}</p>
      <p>${message}</p>
      <p class="hint">${remedyOf(code)} Request id <code class="small">${requestId}</code></p>
    </div>
  `;
}

function renderParameter(param: string): unknown {
  return html` at <code><bdi>${param}</bdi></code>`;
}

/** A call that was made, or one that was made a short while ago and is shown again. */
export interface Asked extends RememberedAnswer {
  /** As counted after the call. */
  readonly key: CustomerKey;
  /** This page, asked anew. */
  readonly againPath: string;
}

/** The counts are read after the call, so they hold it. */
export function renderCost({ answer, at, repeated, key, againPath }: Asked): unknown {
  const { status, headers } = answer;
  const row = key.products.find(({ product }) => product === 'records');
  const served = status === 200 || status === 404;
  const left = repeated ? undefined : headers['x-ratelimit-remaining'];
  const link = html`<a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>`;
  const used = row === undefined ? '' : `; ${describeUsed(row)} used this month`;
  const room = left === undefined ? '' : `, ${formatCount(Number(left))} calls left in this minute`;
  if (repeated && served) {
    return html`
      <p class="cost">
        This page cost nothing: it was asked with ${link} at ${renderInstant(at)}${used}.
        ${' '}<a href=${againPath} rel="nofollow">Ask again, for one unit</a>
      </p>
    `;
  }
  return html`
    <p class="cost">${served ? html`This page cost one unit of ${link}` : 'This cost nothing'}${used}${room}.</p>
  `;
}

function describeUsed({ used, quota }: { used: number; quota: number | null }): string {
  if (quota !== null) return `${formatCount(used)} of ${formatCount(quota)} units`;
  return `${formatCount(used)} ${used === 1 ? 'unit' : 'units'}`;
}

export function renderResults(page: SearchPage, shown: Shown): unknown {
  const { items, next_cursor: cursor, matched_count: matched, matched_count_capped: capped } = page;
  const found =
    matched === undefined
      ? ''
      : `${formatCount(matched)}${capped === true ? ' or more' : ''} ${matched === 1 ? 'match' : 'matches'}, `;
  if (items.length === 0) {
    const advice = 'Leave a filter out, or look for a part of the name instead of all of it.';
    return html`<p class="empty">Nothing matches. ${advice}</p>`;
  }
  const first = html`<a class="button second" href=${linkWith(shown, { cursor: null })}>First page</a>`;
  const next = html`<a class="button second" rel="next" href=${linkWith(shown, { cursor })}>Next page</a>`;
  return html`
    <p class="summary" role="status">${found}${items.length} on this page</p>
    ${renderRecordTable(items, shown, (field, label) => renderSort(field, label, shown))}
    <p class="paging">
      ${shown.query.has('cursor') ? first : null}
      ${cursor === null ? html`<span class="silent">These were all.</span>` : next}
    </p>
  `;
}

type HeadingOf = (field: 'updated_at' | 'application_date' | 'registration_date', label: string) => unknown;

export function renderRecordTable(items: readonly TrademarkDetail[], opening: Opening, heading: HeadingOf): unknown {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Records">
      <table class="records" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">Mark</th>
            <th scope="col">Register</th>
            <th scope="col">Number</th>
            <th scope="col">Status</th>
            <th scope="col">Classes</th>
            <th scope="col">Owner</th>
            ${heading('application_date', 'Filed')}
            ${heading('registration_date', 'Registered')}
            ${heading('updated_at', 'Changed, UTC')}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${items.map((record) => renderRow(record, opening))}
        </tbody>
      </table>
    </div>
  `;
}

function recordPath({ jurisdiction_code: register, uid }: TrademarkDetail, { keyId, from }: Opening): string {
  const query = new URLSearchParams({ key: keyId, ...(from === null ? {} : { from }) });
  return `/portal/explorer/records/${encodeURIComponent(register)}/${encodeURIComponent(uid)}?${query.toString()}`;
}

/** The roles are said outright, because on a narrow screen the rows are laid out as cards. */
function renderRow(record: TrademarkDetail, opening: Opening): unknown {
  const owners = record.owner_names ?? [];
  const classes = record.nice_classes ?? [];
  return html`
    <tr role="row" key=${`${record.jurisdiction_code}/${record.uid}`}>
      <th role="rowheader" scope="row" class="name mark">
        <a href=${recordPath(record, opening)} dir="auto">
          ${record.mark_name ?? html`<span class="silent">${record.mark_feature ?? 'no text'}</span>`}
        </a>
      </th>
      <td role="cell">${record.jurisdiction_code}</td>
      <td role="cell"><code>${record.application_number ?? record.registration_number ?? record.uid}</code></td>
      <td role="cell"><span class=${`status ${record.status.toLowerCase()}`}>${record.status}</span></td>
      <td role="cell" class="classes">
        ${classes.length > 6 ? `${classes.slice(0, 6).join(', ')} … (${classes.length})` : classes.join(', ')}
      </td>
      <td role="cell" class="name">
        ${owners[0] === undefined ? html`<span class="silent">–</span>` : html`<bdi>${owners[0]}</bdi>`}
        ${owners.length > 1 ? html` <span class="silent">+${owners.length - 1}</span>` : null}
      </td>
      <td role="cell" class="date" data-label="filed">${record.application_date ?? html`<span class="silent">–</span>`}</td>
      <td role="cell" class="date" data-label="registered">
        ${record.registration_date ?? html`<span class="silent">–</span>`}
      </td>
      <td role="cell" class="date" data-label="changed">
        <time datetime=${record.updated_at}>${record.updated_at.slice(0, 10)}</time></td>
    </tr>
  `;
}

/** A heading that sorts; a second press turns the order. */
function renderSort(field: string, label: string, shown: Shown): unknown {
  const sort = shown.query.get('sort') || SEARCH_CONTROLS.sort.value.default;
  const order = shown.query.get('order') || SEARCH_CONTROLS.order.value.default;
  const active = sort === field;
  const next = active && order === 'desc' ? 'asc' : 'desc';
  const direction = order === 'desc' ? 'descending' : 'ascending';
  const href = linkWith(shown, { sort: field, order: next, cursor: null });
  return html`
    <th scope="col" aria-sort=${active ? direction : null}>
      <a href=${href} class="sort">${label}${
        active
          ? html`<span aria-hidden="true">
        ${order === 'desc' ? ' ↓' : ' ↑'}
      </span>`
          : null
      }</a>
    </th>
  `;
}

export function linkWith({ pairs, keyId }: Shown, changes: Readonly<Record<string, string | null>>): string {
  const kept = pairs.filter(([name]) => !(name in changes)).map(([name, value]) => [name, value]);
  const added = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  const query = new URLSearchParams([...kept, ...added, ['key', keyId]] as [string, string][]);
  return `/portal/explorer?${query.toString()}`;
}
