/** Refused calls: how many for which reason, and the last ones in full. */
import { html } from 'htm/preact';
import { REFUSALS_SHOWN } from '../../store/accounts/portal-reports.ts';
import { remedyOf, renderCode } from '../frame/error-codes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import { renderReasonChart } from './charts.ts';
import type { Report } from './report.ts';

export function renderReasons({ month, reasons }: Report): unknown {
  return html`
    <section>
      <h2>Refusals by reason</h2>
      ${
        reasons.length === 0
          ? html`<p class="empty">Nothing was refused in ${month}.</p>`
          : html`
              ${renderReasonChart(reasons.map(({ code, calls }) => ({ label: code, value: calls })))}
              <table>
                <thead>
                  <tr><th scope="col">Code</th><th scope="col">What to do</th>
                    <th scope="col" class="number">Calls</th></tr>
                </thead>
                <tbody>
                  ${reasons.map(
                    ({ code, calls }) => html`
                      <tr key=${code}>
                        <th scope="row">${renderCode(code)}</th>
                        <td>${remedyOf(code)}</td>
                        <td class="number">${formatCount(calls)}</td>
                      </tr>
                    `,
                  )}
                </tbody>
              </table>
            `
      }
    </section>
  `;
}

export function renderRefusals({ refusals, keys, month }: Report): unknown {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  return html`
    <section>
      <h2>Last refused calls</h2>
      ${
        refusals.length === 0
          ? html`<p class="empty">No refused calls of ${month} are kept.</p>`
          : html`
              <p class="hint">In ${month}, newest first: the last ${REFUSALS_SHOWN} of those that
                the <a href="/portal/log?outcome=refused">call log</a> has, which reaches back 30 days.</p>
              <div class="scroll tall" tabindex="0" role="region" aria-label="Refused calls">
                <table class="cards" role="table">
                  <thead role="rowgroup">
                    <tr role="row">
                      <th scope="col">When</th>
                      <th scope="col">Code</th>
                      <th scope="col">Request and answer</th>
                      <th scope="col">Parameter</th>
                      <th scope="col">Key</th>
                      <th scope="col">Request id</th>
                    </tr>
                  </thead>
                  <tbody role="rowgroup">
                    ${refusals.map(
                      ({ at, key_id, request_id, code, param, path, message }) => html`
                        <tr role="row" key=${request_id}>
                          <td role="cell" data-label="When">${renderInstant(at)}</td>
                          <td role="cell" data-label="Code">${renderCode(code)}</td>
                          <td role="cell" data-label="Request and answer">
                            <div class="told">
                            ${path === null ? null : html`<code class="small"><bdi>${path}</bdi></code>`}
                            ${message === null ? null : html`<span>${message}</span>`}
                            </div>
                          </td>
                          <td role="cell" data-label="Parameter">
                            ${param === null ? null : html`<code><bdi>${param}</bdi></code>`}
                          </td>
                          <td role="cell" data-label="Key" class="name"><bdi>${names.get(key_id) ?? key_id}</bdi></td>
                          <td role="cell" data-label="Request"><code class="small">${request_id}</code></td>
                        </tr>
                      `,
                    )}
                  </tbody>
                </table>
              </div>
            `
      }
    </section>
  `;
}
