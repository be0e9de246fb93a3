/** The monitoring page: the choice of key and month, the quotas, and the sections below them. */
import { html } from 'htm/preact';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { Page } from '../frame/call.ts';
import { formatCount } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import { renderShare } from './charts.ts';
import { renderReasons, renderRefusals } from './refusals-view.ts';
import { renderRegisters } from './registers-view.ts';
import type { Report } from './report.ts';
import { renderUnits } from './units-view.ts';

export function renderMonitoring(report: Report): Page {
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
    <p><a href="/portal/log">Call log</a> <span class="silent">every call of the last 30 days</span></p>
    ${month === months[0] ? renderQuotas(key === null ? keys.filter((each) => each.revoked_at === null) : [key]) : null}
    ${renderUnits(report, {
      href: `/portal/monitoring/usage.csv?month=${month}${key === null ? '' : `&key=${key.id}`}`,
      label: 'By key and day as CSV',
    })}
    ${renderReasons(report)}
    ${renderRefusals(report)}
    ${renderRegisters(report.registers)}
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
