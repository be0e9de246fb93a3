/** The page of the call log: its filter, the errors in groups, the calls, and the way to older ones. */
import { html } from 'htm/preact';
import type { CallRow } from '../../store/accounts/portal-calls.ts';
import type { Page } from '../frame/call.ts';
import {
  renderActions,
  renderEmpty,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderPager,
  renderSubheading,
} from '../frame/components.ts';
import { renderCode } from '../frame/error-codes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/wording.ts';
import { renderMonitoringTabs } from '../monitoring/tabs.ts';
import { linkLog, WINDOWS } from './call-filter.ts';
import { renderFilterForm } from './filter-form.ts';
import { renderGroups } from './groups-view.ts';
import type { LogState } from './log.ts';
import { findReplay } from './replay.ts';

export function renderLogPage(state: LogState): Page {
  const { filter, isFirstPage, isLive, groups, calls, hasOlder } = state;
  const last = hasOlder ? calls.at(-1) : undefined;
  const body = html`
    ${renderHeading('Call log')}
    ${renderMonitoringTabs('log')}
    <p class="hint">Every call of your keys in the last 30 days, about a second after it ended.</p>
    ${renderFilterForm(state)}
    ${isFirstPage ? renderGroups(groups, filter, nameOfKeys(state)) : null}
    <section>
      ${renderSubheading(
        'Calls',
        renderActions(
          isFirstPage ? null : html`<a href=${linkLog(filter)}>Newest</a>`,
          isLive ? html`<a href=${linkLog(filter)}>Stop watching</a>` : null,
          isFirstPage && !isLive ? html`<a href=${linkLog(filter, { live: '1' })}>Watch live</a>` : null,
          isFirstPage ? html`<a href=${linkLog(filter, isLive ? { live: '1' } : {})}>Refresh</a>` : null,
        ),
      )}
      ${isLive ? html`<p class="hint" data-tail-state>New calls appear automatically where scripts run.</p>` : null}
      <div data-tail=${isLive ? 'log' : null}>
        ${renderUnlisted(state)}
        ${renderCalls(state)}
      </div>
      ${
        last === undefined
          ? null
          : renderPager([
              { label: 'Older', href: linkLog(filter, { before: `${last.at}_${last.request_id}` }), rel: 'nofollow' },
            ])
      }
    </section>
  `;
  return { title: 'Call log', body, section: 'usage' };
}

function nameOfKeys({ keys }: LogState): (keyId: string) => string {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  return (keyId) => names.get(keyId) ?? keyId;
}

/** Whether calls are missing from the log, for the keys and hours that are shown. */
function renderUnlisted({ hours }: LogState): unknown {
  const missing = hours.reduce((sum, { calls, listed }) => sum + calls - listed, 0);
  if (missing === 0) return null;
  const bound = 'the log lists a limited number of calls an hour.';
  return renderNotice('plain', `${formatCount(missing)} further calls were counted, but not listed: ${bound}`);
}

function renderCalls(state: LogState): unknown {
  const { calls, filter } = state;
  if (calls.length === 0) return renderNoCalls(state);
  const nameOfKey = nameOfKeys(state);
  return renderTable<CallRow>({
    label: 'Calls',
    rows: calls,
    keyOf: ({ request_id }) => request_id,
    columns: [
      { label: 'When', cell: ({ at }) => renderInstant(at, 'second') },
      { label: 'Status', cell: ({ status }) => status ?? html`<span class="silent">caller left</span>` },
      { label: 'Request and answer', cell: (call) => renderTold(call, state) },
      { label: 'Units', style: 'number', cell: ({ units }) => units },
      { label: 'ms', style: 'number', cell: ({ duration_ms }) => duration_ms.toFixed(1) },
      {
        label: 'Key',
        style: 'name',
        cell: ({ key_id: key }) => html`<a href=${linkLog(filter, { key })}><bdi>${nameOfKey(key)}</bdi></a>`,
      },
      { label: 'Request id', cell: ({ request_id }) => html`<code class="small">${request_id}</code>` },
    ],
  });
}

/** Every page sets the window, also if nobody chose it. */
function renderNoCalls({ filter, isFirstPage }: LogState): unknown {
  const window = WINDOWS.find(({ hours }) => hours === filter.hours);
  const widest = WINDOWS.at(-1);
  if (!isFirstPage || window === undefined || widest === undefined) return renderEmpty('No older calls match.');
  const none = renderEmpty(`No calls match in the ${window.label.toLowerCase()}.`);
  if (window === widest) return none;
  const link = linkLog(filter, { hours: String(widest.hours) });
  return html`${none} ${renderActions(renderLinkButton(`Look in the ${widest.label.toLowerCase()}`, link, 'second'))}`;
}

function renderTold(call: CallRow, { recordPrefix }: LogState): unknown {
  const replay = findReplay(call, recordPrefix);
  return html`
    <div class="told">
      <code class="small"><bdi>${call.path}</bdi></code>
      ${renderRefusal(call)}
      ${replay === null ? null : html`<a class="small" rel="nofollow" href=${replay}>Replay in the console</a>`}
    </div>
  `;
}

function renderRefusal({ code, param, message }: CallRow): unknown {
  if (code === null) return null;
  // Most messages begin with the parameter.
  const isNamed = param === null || message?.startsWith(param) === true;
  return html`
    <span>${renderCode(code)}${isNamed ? null : html` <code><bdi>${param}</bdi></code>`}
      ${message === null ? null : html` <bdi>${message}</bdi>`}</span>
  `;
}
