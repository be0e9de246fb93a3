/** The page of the call log: its filter, the errors in groups, the calls, and the way to older ones. */
import { html } from 'htm/preact';
import type { CallRow } from '../../store/accounts/portal-calls.ts';
import type { Page } from '../frame/call.ts';
import { renderCode } from '../frame/error-codes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import { linkLog } from './call-filter.ts';
import { renderFilterForm } from './filter-form.ts';
import { renderGroups } from './groups-view.ts';
import type { LogState } from './log.ts';
import { findReplay } from './replay.ts';

export function renderLogPage(state: LogState): Page {
  const { filter, isFirstPage, isLive, groups, calls, hasOlder } = state;
  const last = hasOlder ? calls.at(-1) : undefined;
  const body = html`
    <p class="trail"><a href="/portal/monitoring">Monitoring</a></p>
    <h1>Call log</h1>
    <p class="hint">Every call of your keys in the last 30 days, about a second after it ended.</p>
    ${renderFilterForm(state)}
    ${isFirstPage ? renderGroups(groups, filter, nameOfKeys(state)) : null}
    <section aria-labelledby="calls">
      <div class="heading">
        <h2 id="calls">Calls</h2>
        <p class="log-links">
          ${isFirstPage ? null : html`<a href=${linkLog(filter)}>Newest</a>`}
          ${isLive ? html`<a href=${linkLog(filter)}>Stop watching</a>` : null}
          ${isFirstPage && !isLive ? html`<a href=${linkLog(filter, { live: '1' })}>Watch live</a>` : null}
          ${isFirstPage ? html`<a href=${linkLog(filter, isLive ? { live: '1' } : {})}>Refresh</a>` : null}
        </p>
      </div>
      ${isLive ? html`<p class="hint" data-tail-state>New calls appear by themselves where scripts run.</p>` : null}
      <div data-tail=${isLive ? 'log' : null}>
        ${renderUnlisted(state)}
        ${renderCalls(state)}
      </div>
      ${
        last === undefined
          ? null
          : html`<p><a rel="nofollow" href=${linkLog(filter, { before: `${last.at}_${last.request_id}` })}>Older</a></p>`
      }
    </section>
  `;
  return { title: 'Call log', body, section: 'monitoring', wide: true };
}

function nameOfKeys({ keys }: LogState): (keyId: string) => string {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  return (keyId) => names.get(keyId) ?? keyId;
}

/** Whether calls are missing, of the keys and hours that are shown. */
function renderUnlisted({ hours }: LogState): unknown {
  const missing = hours.reduce((sum, { calls, listed }) => sum + calls - listed, 0);
  if (missing === 0) return null;
  return html`
    <p class="notice">${formatCount(missing)} further calls were counted, but not listed: the log takes a bounded number
      of calls an hour.</p>
  `;
}

function renderCalls(state: LogState): unknown {
  const { calls } = state;
  if (calls.length === 0) return html`<p class="empty">The log has no such calls.</p>`;
  const nameOfKey = nameOfKeys(state);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Calls">
      <table class="cards calls" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">When</th>
            <th scope="col">Status</th>
            <th scope="col">Request and answer</th>
            <th scope="col" class="number">Units</th>
            <th scope="col" class="number">ms</th>
            <th scope="col">Key</th>
            <th scope="col">Request id</th>
          </tr>
        </thead>
        <tbody role="rowgroup">${calls.map((call) => renderCall(call, state, nameOfKey))}</tbody>
      </table>
    </div>
  `;
}

function renderCall(call: CallRow, { filter, recordPrefix }: LogState, nameOfKey: (id: string) => string): unknown {
  const { at, status, path, units, duration_ms, key_id, request_id } = call;
  const replay = findReplay(call, recordPrefix);
  return html`
    <tr role="row" key=${request_id}>
      <td role="cell" data-label="When">${renderInstant(at, 'second')}</td>
      <td role="cell" data-label="Status">${status ?? html`<span class="silent">caller left</span>`}</td>
      <td role="cell" data-label="Request and answer">
        <div class="told">
          <code class="small"><bdi>${path}</bdi></code>
          ${renderRefusal(call)}
          ${replay === null ? null : html`<a class="small" rel="nofollow" href=${replay}>Replay in the console</a>`}
        </div>
      </td>
      <td role="cell" data-label="Units" class="number">${units}</td>
      <td role="cell" data-label="ms" class="number">${duration_ms.toFixed(1)}</td>
      <td role="cell" data-label="Key" class="name">
        <a href=${linkLog(filter, { key: key_id })}><bdi>${nameOfKey(key_id)}</bdi></a>
      </td>
      <td role="cell" data-label="Request id"><code class="small">${request_id}</code></td>
    </tr>
  `;
}

function renderRefusal({ code, param, message }: CallRow): unknown {
  if (code === null) return null;
  return html`
    <span>${renderCode(code)}${param === null ? null : html` <code><bdi>${param}</bdi></code>`}
      ${message === null ? null : html` <bdi>${message}</bdi>`}</span>
  `;
}
