/** The overview: what needs attention, the units of the month, the calls of the last day, the age of the registers. */
import { html } from 'htm/preact';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import type { Page } from '../frame/call.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderShare } from '../monitoring/charts.ts';
import { describeDays, listConcerns } from './attention.ts';
import { renderCallHours } from './calls-view.ts';
import { type Freshness, judgeFreshness } from './freshness.ts';
import type { Overview } from './overview.ts';

export function renderOverview(overview: Overview): Page {
  const body = html`
    <h1>Overview</h1>
    ${renderConcerns(overview)}
    ${renderProducts(overview)}
    ${renderCallHours(overview)}
    ${renderRegisters(overview)}
  `;
  return { title: 'Overview', body, section: 'overview', wide: true };
}

function renderConcerns(overview: Overview): unknown {
  const concerns = listConcerns(overview);
  return html`
    <section>
      <h2>Attention</h2>
      ${
        concerns.length === 0
          ? html`<p class="empty">Nothing needs attention.</p>`
          : html`
              <ul class="concerns">
                ${concerns.map(
                  ({ level, text, href }) => html`
                    <li key=${text} class=${`notice ${level}`}><a href=${href}><bdi>${text}</bdi></a></li>
                  `,
                )}
              </ul>
            `
      }
    </section>
  `;
}

function renderProducts({ products }: Overview): unknown {
  return html`
    <section>
      <h2>Units this month</h2>
      ${products.length === 0 ? html`<p class="empty">There is no agreement yet.</p>` : null}
      <ul class="quotas">
        ${products.map(
          ({ product, used, projected, quota }) => html`
            <li key=${product}>
              <span class="name">${product} ${projected === null ? null : renderProjection(projected, quota)}</span>
              ${
                quota === null
                  ? html`<span class="silent none">no quota</span>`
                  : renderShare(`${product}: units used`, used, quota)
              }
              <span class="number">${formatCount(used)}${quota === null ? '' : ` of ${formatCount(quota)}`}</span>
            </li>
          `,
        )}
      </ul>
      <p class="hint">All keys together. The projection continues the units used so far evenly to the end of the month
        (UTC). <a href="/portal/monitoring">Units by day and key</a></p>
    </section>
  `;
}

function renderProjection(projected: number, quota: number | null): unknown {
  const isOver = quota !== null && projected > quota;
  return html`<span class=${isOver ? 'over' : 'silent'}>
    about ${formatCount(projected)} by the end of the month${isOver ? ', more than the quota' : ''}</span>`;
}

export const FRESHNESS_WORDS: Readonly<Record<Freshness, string>> = {
  fresh: 'on time',
  due: 'due',
  late: 'late',
  unknown: 'no rhythm yet',
};

function renderRegisters({ registers }: Overview): unknown {
  return html`
    <section id="registers">
      <h2>Registers</h2>
      ${
        registers.length === 0
          ? html`<p class="empty">No register is served yet.</p>`
          : html`
              <p class="hint">A register is late when its last load is older than twice its usual interval.</p>
              <div class="scroll tall" tabindex="0" role="region" aria-label="Registers">
                <table class="cards" role="table">
                  <thead role="rowgroup">
                    <tr role="row">
                      <th scope="col">Register</th>
                      <th scope="col">State</th>
                      <th scope="col">Last load</th>
                      <th scope="col">Usually every</th>
                      <th scope="col">Current through</th>
                      <th scope="col" class="number">Records</th>
                    </tr>
                  </thead>
                  <tbody role="rowgroup">${registers.map(renderRegister)}</tbody>
                </table>
              </div>
            `
      }
    </section>
  `;
}

function renderRegister(register: RegisterRhythm): unknown {
  const { jurisdiction_code: code, rhythm_days, last_load_finished_at, data_current_through, record_count } = register;
  const freshness = judgeFreshness(register);
  return html`
    <tr role="row" key=${code}>
      <td role="cell" data-label="Register" class="name">
        <a href=${`/portal/feed?register=${encodeURIComponent(code)}`}>${nameAndCode(code)}</a>
      </td>
      <td role="cell" data-label="State"><span class=${`freshness ${freshness}`}>${FRESHNESS_WORDS[freshness]}</span></td>
      <td role="cell" data-label="Last load">${renderInstant(last_load_finished_at)}</td>
      <td role="cell" data-label="Usually every">${rhythm_days === null ? null : describeDays(rhythm_days)}</td>
      <td role="cell" data-label="Current through">${renderInstant(data_current_through)}</td>
      <td role="cell" data-label="Records" class="number">${formatCount(record_count)}</td>
    </tr>
  `;
}
