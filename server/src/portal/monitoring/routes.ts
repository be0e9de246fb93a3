/** What was used, what was refused and why, and how fresh the registers are. It reads counts, never calls. */

import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { html } from 'htm/preact';
import { type CustomerKey, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import {
  type DayUnits,
  findMonths,
  listDayUnits,
  listLastRefusals,
  listRefusalReasons,
  type RefusalReason,
  type RefusedCallRow,
} from '../../store/accounts/portal-reports.ts';
import { REFUSALS_KEPT } from '../../store/accounts/refusals.ts';
import { listRegisterSummaries, type RegisterSummary } from '../../store/records/registers.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameOf } from '../keys/words.ts';
import type { PortalServices } from '../services.ts';
import { type Bar, renderDayChart, renderReasonChart, renderShare } from './charts.ts';

/** Months that usage is kept, the running one included. */
const MONTHS_SHOWN = 24;

export function listMonitoringRoutes(services: PortalServices): PortalRoute[] {
  return [{ method: 'GET', url: '/monitoring', members: (call) => showMonitoring(call, services) }];
}

interface Report {
  readonly keys: readonly CustomerKey[];
  readonly key: CustomerKey | null;
  readonly months: readonly string[];
  readonly month: string;
  readonly today: string;
  readonly days: readonly DayUnits[];
  readonly reasons: readonly RefusalReason[];
  readonly refusals: readonly RefusedCallRow[];
  readonly registers: readonly RegisterSummary[];
}

async function showMonitoring(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const { customer_id: customerId } = call.user;
  const [keys, { current, today }] = await Promise.all([listCustomerKeys(database, customerId), findMonths(database)]);
  const months = listMonths(current);
  const month = months.find((name) => name === call.query.get('month')) ?? current;
  const key = keys.find(({ id }) => id === call.query.get('key')) ?? null;
  const scope = { customerId, keyId: key?.id ?? null, month };
  const [days, reasons, refusals, registers] = await Promise.all([
    listDayUnits(database, scope),
    listRefusalReasons(database, scope),
    listLastRefusals(database, scope),
    listRegisterSummaries(database),
  ]);
  return renderMonitoring({ keys, key, months, month, today, days, reasons, refusals, registers });
}

/** Newest first, from the running one back. */
function listMonths(current: string): string[] {
  const [year = 0, month = 1] = current.split('-').map(Number);
  return Array.from({ length: MONTHS_SHOWN }, (_, back) => {
    const count = year * 12 + month - 1 - back;
    return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
  });
}

function renderMonitoring(report: Report): Page {
  const { keys, key, months, month } = report;
  const body = html`
    <div class="heading">
      <h1>Monitoring</h1>
      <form method="get" action="/portal/monitoring" class="row">
        <span class="pair">
          <label for="key">Key</label>
          <select id="key" name="key">
            <option value="">All keys</option>
            ${keys.map(
              (each) => html`<option key=${each.id} value=${each.id} selected=${each === key}>${nameOf(each)}
              </option>`,
            )}
          </select>
        </span>
        <span class="pair">
          <label for="month">Month</label>
          <select id="month" name="month">
            ${months.map((each) => html`<option key=${each} value=${each} selected=${each === month}>${each}</option>`)}
          </select>
        </span>
        <button type="submit" class="second">Show</button>
      </form>
    </div>
    ${month === months[0] ? renderQuotas(key === null ? keys.filter((each) => each.revoked_at === null) : [key]) : null}
    ${renderCalls(report)}
    ${renderReasons(report)}
    ${renderRefusals(report)}
    ${renderFreshness(report.registers)}
  `;
  return { title: 'Monitoring', body, section: 'monitoring', wide: true };
}

function renderQuotas(keys: readonly CustomerKey[]): unknown {
  return html`
    <section>
      <h2>This month</h2>
      ${keys.length === 0 ? html`<p class="empty">There is no live key.</p>` : null}
      <ul class="quotas">
        ${keys.flatMap((key) =>
          key.products.map(
            ({ product, used, quota }) => html`
              <li key=${`${key.id}${product}`}>
                <span class="name"><a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi>
                  </a> <span class="silent">${product}</span></span>
                ${
                  quota === null
                    ? html`<span class="silent none">no quota</span>`
                    : renderShare(`${nameOf(key)}, ${product}: units used`, used, quota)
                }
                <span class="number">${formatCount(used)}${quota === null ? '' : ` of ${formatCount(quota)}`}</span>
              </li>
            `,
          ),
        )}
      </ul>
    </section>
  `;
}

function renderCalls({ month, today, days }: Report): unknown {
  const total = days.reduce((sum, { units }) => sum + units, 0);
  const products = [...new Set(days.map(({ product }) => product))].sort().reverse();
  const dates = listDates(month).filter((date) => date <= today);
  const bars: Bar[] = dates.map((date) => ({
    label: String(Number(date.slice(8))),
    title: date,
    values: products.map((product) => days.find((row) => row.day === date && row.product === product)?.units ?? 0),
  }));
  if (total === 0) {
    return html`<section><h2>Calls by day</h2><p class="empty">No call was served in ${month}.</p></section>`;
  }
  return html`
    <section>
      <h2>Calls by day</h2>
      <p>${formatCount(total)} units in ${month}, by UTC day.</p>
      <ul class="legend" aria-hidden="true">
        ${products.map(
          (product, position) => html`<li key=${product} class=${`series-${position + 1}`}>${product}
          </li>`,
        )}
      </ul>
      ${renderDayChart(bars, products)}
      <details>
        <summary>The same as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              ${products.map((product) => html`<th key=${product} scope="col" class="number">${product}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${bars.map(
              ({ title, values }) => html`
                <tr key=${title}>
                  <th scope="row">${title}</th>
                  ${values.map((value) => html`<td class="number">${formatCount(value)}</td>`)}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </details>
    </section>
  `;
}

function listDates(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, position) => `${month}-${String(position + 1).padStart(2, '0')}`);
}

function renderReasons({ month, reasons }: Report): unknown {
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

export function renderCode(code: string): unknown {
  return code in ERRORS
    ? html`<a href=${`/docs/errors/${code}`}><code>${code}</code></a>`
    : html`<code>${code}
    </code>`;
}

export function remedyOf(code: string): string {
  return code in ERRORS ? ERRORS[code as ErrorCode].remedy.replaceAll('`', '') : '';
}

function renderRefusals({ refusals, keys, month }: Report): unknown {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  return html`
    <section>
      <h2>The last refused calls</h2>
      ${
        refusals.length === 0
          ? html`<p class="empty">No refused call of ${month} is kept.</p>`
          : html`
              <p class="hint">Of ${month}, newest first. Of each key the last ${REFUSALS_KEPT} are kept.</p>
              <div class="scroll tall" tabindex="0" role="region" aria-label="Refused calls">
                <table class="cards" role="table">
                  <thead role="rowgroup">
                    <tr role="row">
                      <th scope="col">When</th>
                      <th scope="col">Code</th>
                      <th scope="col">Asked and told</th>
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
                          <td role="cell" data-label="Asked and told">
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

function renderFreshness(registers: readonly RegisterSummary[]): unknown {
  return html`
    <section>
      <h2>Registers</h2>
      ${
        registers.length === 0
          ? html`<p class="empty">No register is served yet.</p>`
          : html`
              <div class="scroll tall" tabindex="0" role="region" aria-label="Registers">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Register</th>
                      <th scope="col" class="number">Records</th>
                      <th scope="col">Current through</th>
                      <th scope="col">Last load</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${registers.map(
                      (register) => html`
                        <tr key=${register.jurisdiction_code}>
                          <th scope="row">
                            <a href=${`/portal/feed?register=${encodeURIComponent(register.jurisdiction_code)}`}>
                              ${register.jurisdiction_code}
                            </a>
                          </th>
                          <td class="number">${formatCount(register.record_count)}</td>
                          <td>${renderInstant(register.data_current_through)}</td>
                          <td>${renderInstant(register.last_load_finished_at)}</td>
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
