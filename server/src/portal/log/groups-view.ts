/** Calls that were answered with an error, by code, parameter and key. Each group leads to its calls. */
import { html } from 'htm/preact';
import type { CallFilter, CallGroup } from '../../store/accounts/portal-calls.ts';
import { remedyOf, renderCode } from '../frame/error-codes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { linkLog } from './call-filter.ts';

export function renderGroups(
  groups: readonly CallGroup[],
  filter: CallFilter,
  nameOfKey: (keyId: string) => string,
): unknown {
  if (groups.length === 0) return null;
  return html`
    <details open=${groups.length <= 5}>
      <summary>Errors by code, parameter and key</summary>
      <div class="scroll tall" tabindex="0" role="region" aria-label="Errors">
        <table class="cards" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col">Code</th>
              <th scope="col">Parameter</th>
              <th scope="col">Key</th>
              <th scope="col">What to do</th>
              <th scope="col">Last</th>
              <th scope="col" class="number">Calls</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${groups.map(
              ({ code, param, key_id, calls, last_at }) => html`
                <tr role="row" key=${`${code} ${param} ${key_id}`}>
                  <td role="cell" data-label="Code">${renderCode(code)}</td>
                  <td role="cell" data-label="Parameter">
                    ${param === null ? null : html`<code><bdi>${param}</bdi></code>`}
                  </td>
                  <td role="cell" data-label="Key" class="name"><bdi>${nameOfKey(key_id)}</bdi></td>
                  <td role="cell" data-label="What to do">${remedyOf(code)}</td>
                  <td role="cell" data-label="Last">${renderInstant(last_at)}</td>
                  <td role="cell" data-label="Calls" class="number">
                    <a href=${linkLog(filter, { code, param: param ?? '', key: key_id })}>
                      ${formatCount(calls)}<span class="unseen"> calls with ${code}</span></a>
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </details>
  `;
}
