/** Calls that were answered with an error, by code, parameter and key. Each group leads to its calls. */
import { html } from 'htm/preact';
import type { CallFilter, CallGroup } from '../../store/accounts/portal-calls.ts';
import { renderDisclosure } from '../frame/components.ts';
import { remedyOf, renderCode } from '../frame/error-codes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { linkLog } from './call-filter.ts';

export function renderGroups(
  groups: readonly CallGroup[],
  filter: CallFilter,
  nameOfKey: (keyId: string) => string,
): unknown {
  if (groups.length === 0) return null;
  const table = renderTable<CallGroup>({
    label: 'Errors',
    isTall: true,
    rows: groups,
    keyOf: ({ code, param, key_id }) => `${code} ${param} ${key_id}`,
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
