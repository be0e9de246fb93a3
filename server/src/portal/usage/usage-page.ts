/** The page of usage: what needs attention, the units of the month, the calls of the last day. */
import { html } from 'htm/preact';
import type { Page } from '../frame/call.ts';
import { renderQuotas } from '../frame/charts.ts';
import { renderEmpty, renderHeading, renderNotice } from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { renderMonitoringTabs } from '../monitoring/tabs.ts';
import { type Concern, listConcerns } from './attention.ts';
import { renderCallHours } from './calls-view.ts';
import type { Usage } from './usage.ts';

export function renderUsage(usage: Usage): Page {
  const concerns = listConcerns(usage);
  const body = html`
    ${renderHeading('Usage')}
    ${renderMonitoringTabs('usage')}
    <section>
      <h2>Needs attention</h2>
      ${concerns.length === 0 ? renderEmpty('All clear.') : renderConcerns(concerns)}
    </section>
    ${renderProducts(usage)}
    ${renderCallHours(usage)}
  `;
  return { title: 'Usage', body, section: 'usage' };
}

export function renderConcerns(concerns: readonly Concern[]): unknown {
  return concerns.map(({ level, text, href }) => renderNotice(level, html`<a href=${href}><bdi>${text}</bdi></a>`));
}

function renderProducts({ products }: Usage): unknown {
  return html`
    <section>
      <h2>Units this month</h2>
      ${products.length === 0 ? renderEmpty('No agreement yet.') : null}
      ${renderQuotas(
        products.map(({ product, used, projected, quota }) => ({
          label: product,
          name: html`${product} ${projected === null ? null : renderProjection(projected, quota)}`,
          used,
          quota,
        })),
      )}
      <p class="hint">All keys together. The projection continues the units used so far evenly to the end of the month
        (UTC). <a href="/portal/monitoring">By day and key</a></p>
    </section>
  `;
}

function renderProjection(projected: number, quota: number | null): unknown {
  const isOver = quota !== null && projected > quota;
  return html`<span class=${isOver ? 'over' : 'silent'}>
    on track for about ${formatCount(projected)} units this month${isOver ? ', more than the limit' : ''}</span>`;
}
