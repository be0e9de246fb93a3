/** The call log: every call of the customer's keys in the last 30 days, by filter, newest first; errors in groups. */

import { html } from 'htm/preact';
import {
  CALLS_PAGE,
  type CallFilter,
  type CallGroup,
  type CallRow,
  type HourCalls,
  listCallGroups,
  listCallHours,
  listCalls,
} from '../../store/accounts/portal-calls.ts';
import { type CustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderDisclosure,
  renderEmpty,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderPager,
  renderSubheading,
} from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { remedyOf, renderCode } from '../frame/wording.ts';
import { nameOf } from '../keys/terms.ts';
import { renderMonitoringTabs } from '../monitoring/monitoring-page.ts';
import type { PortalServices } from '../services.ts';
import {
  type FilterField,
  fieldsOf,
  findReplay,
  linkLog,
  OUTCOMES,
  parseFilter,
  parsePosition,
  WINDOWS,
} from './call-filter.ts';

export function listLogRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/log', async (call) => renderLogPage(await readLog(call, services)), true)];
}

export interface LogState {
  readonly keys: readonly CustomerKey[];
  readonly filter: CallFilter;
  readonly calls: readonly CallRow[];
  readonly hasOlder: boolean;
  readonly isFirstPage: boolean;
  readonly isLive: boolean;
  readonly groups: readonly CallGroup[];
  readonly hours: readonly HourCalls[];
  readonly recordPrefix: string;
}

async function readLog({ user, query }: MemberCall, { database, recordPrefix }: PortalServices): Promise<LogState> {
  const keys = await listCustomerKeys(database, user.customer_id);
  const filter = parseFilter(
    query,
    user.customer_id,
    keys.map(({ id }) => id),
  );
  const before = parsePosition(query.get('before'));
  const [found, groups, hours] = await Promise.all([
    listCalls(database, filter, before),
    before === null ? listCallGroups(database, filter) : [],
    before === null ? listCallHours(database, filter) : [],
  ]);
  return {
    keys,
    filter,
    calls: found.slice(0, CALLS_PAGE),
    hasOlder: found.length > CALLS_PAGE,
    isFirstPage: before === null,
    isLive: before === null && query.get('live') === '1',
    groups,
    hours,
    recordPrefix,
  };
}

function renderLogPage(state: LogState): Page {
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

const FURTHER: readonly { field: FilterField; label: string; numeric?: boolean }[] = [
  { field: 'status', label: 'Status', numeric: true },
  { field: 'code', label: 'Error code' },
  { field: 'param', label: 'Parameter of the error' },
  { field: 'units', label: 'Units (0 or 1)', numeric: true },
  { field: 'ms', label: 'Milliseconds, at least', numeric: true },
  { field: 'request', label: 'Request id' },
];

function renderFilterForm({ keys, filter, isLive }: LogState): unknown {
  const fields = fieldsOf(filter);
  const select = (id: FilterField, label: string, choices: readonly { value: string; label: string }[]): unknown =>
    renderSelect({ id, label, choices, chosen: fields[id] });
  const field = (id: FilterField, label: string, isNumeric = false): unknown =>
    renderField({
      id,
      label,
      attributes: { value: fields[id], inputmode: isNumeric ? 'numeric' : null, spellcheck: false },
    });
  const times = WINDOWS.map(({ hours, label }) => ({ value: String(hours), label }));
  const ofKeys = keys.map((key) => ({ value: key.id, label: nameOf(key) }));
  const outcomes = OUTCOMES.map(({ outcome, label }) => ({ value: outcome as string, label }));
  const further = html`
    <div class="row">${FURTHER.map(({ field: name, label, numeric }) => field(name, label, numeric))}</div>
  `;
  return html`
    <form method="get" action="/portal/log">
      ${isLive ? html`<input type="hidden" name="live" value="1" />` : null}
      <div class="row">
        ${select('hours', 'Time', times)}
        ${select('key', 'Key', [{ value: '', label: 'All keys' }, ...ofKeys])}
        ${select('outcome', 'Answer', [{ value: '', label: 'Any' }, ...outcomes])}
        ${field('path', 'Path and query contain')}
        ${renderButton('Show', 'second')}
      </div>
      ${renderDisclosure(
        'More filters',
        further,
        FURTHER.some(({ field: name }) => fields[name] !== ''),
      )}
    </form>
  `;
}

function renderGroups(groups: readonly CallGroup[], filter: CallFilter, nameOfKey: (keyId: string) => string): unknown {
  if (groups.length === 0) return null;
  const table = renderTable<CallGroup>({
    label: 'Errors',
    isTall: true,
    rows: groups,
    columns: [
      { label: 'Code', cell: ({ code }) => renderCode(code) },
      { label: 'Parameter', cell: ({ param }) => (param === null ? null : html`<code><bdi>${param}</bdi></code>`) },
      { label: 'Key', style: 'name', cell: ({ key_id }) => html`<bdi>${nameOfKey(key_id)}</bdi>` },
      { label: 'What to do', style: 'words', cell: ({ code }) => remedyOf(code) },
      { label: 'Last', cell: ({ last_at }) => renderInstant(last_at) },
      { label: 'Calls', style: 'number', cell: (group) => renderCallsLink(group, filter) },
    ],
  });
  return renderDisclosure('Errors by code, parameter and key', table, groups.length <= 5);
}

function renderCallsLink({ code, param, key_id, calls }: CallGroup, filter: CallFilter): unknown {
  return html`
    <a href=${linkLog(filter, { code, param: param ?? '', key: key_id })}>
      ${formatCount(calls)}<span class="unseen"> calls with ${code}</span></a>
  `;
}
