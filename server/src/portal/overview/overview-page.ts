/** The overview: what needs attention, the units of the month, the calls of the last day, the age of the registers. */
import { html } from 'htm/preact';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import type { Page } from '../frame/call.ts';
import { renderQuotas } from '../frame/charts.ts';
import { type Level, renderBadge, renderEmpty, renderHeading, renderNotice } from '../frame/components.ts';
import { formatCount, renderFrontier, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { describeDays, listConcerns } from './attention.ts';
import { renderCallHours } from './calls-view.ts';
import { type Freshness, judgeFreshness } from './freshness.ts';
import type { Overview } from './overview.ts';

export function renderOverview(overview: Overview): Page {
  const body = html`
    ${renderHeading('Overview')}
    ${renderConcerns(overview)}
    ${renderProducts(overview)}
    ${renderCallHours(overview)}
    ${renderRegisters(overview)}
  `;
  return { title: 'Overview', body, section: 'overview' };
}

function renderConcerns(overview: Overview): unknown {
  const concerns = listConcerns(overview);
  return html`
    <section>
      <h2>Needs attention</h2>
      ${concerns.length === 0 ? renderEmpty('All clear.') : null}
      ${concerns.map(({ level, text, href }) => renderNotice(level, html`<a href=${href}><bdi>${text}</bdi></a>`))}
    </section>
  `;
}

function renderProducts({ products }: Overview): unknown {
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
        (UTC). <a href="/portal/monitoring">Units by day and key</a></p>
    </section>
  `;
}

function renderProjection(projected: number, quota: number | null): unknown {
  const isOver = quota !== null && projected > quota;
  return html`<span class=${isOver ? 'over' : 'silent'}>
    on track for about ${formatCount(projected)} units this month${isOver ? ', more than the quota' : ''}</span>`;
}

const FRESHNESS: Readonly<Record<Freshness, { readonly level: Level; readonly words: string }>> = {
  fresh: { level: 'good', words: 'on time' },
  due: { level: 'warn', words: 'due' },
  late: { level: 'bad', words: 'late' },
  unknown: { level: 'plain', words: 'new: no schedule known yet' },
};

export function renderFreshness(register: RegisterRhythm): unknown {
  const { level, words } = FRESHNESS[judgeFreshness(register)];
  return renderBadge(level, words);
}

function renderRegisters({ registers }: Overview): unknown {
  return html`
    <section id="registers">
      <h2>Registers</h2>
      ${registers.length === 0 ? renderEmpty('No register is served yet.') : renderRegisterTable(registers)}
    </section>
  `;
}

function renderRegisterTable(registers: readonly RegisterRhythm[]): unknown {
  return html`
    <p class="hint">A register is late when its last load is older than twice its usual interval.${' '}
      <a href="/portal/registers">How complete is each register?</a></p>
    ${renderTable<RegisterRhythm>({
      label: 'Registers',
      isTall: true,
      rows: registers,
      keyOf: ({ jurisdiction_code }) => jurisdiction_code,
      columns: [
        {
          label: 'Register',
          isHeader: true,
          style: 'name',
          cell: ({ jurisdiction_code: code }) => renderRegisterLink(code),
        },
        { label: 'State', cell: renderFreshness },
        { label: 'Last load', cell: ({ last_load_finished_at: at }) => renderInstant(at) },
        { label: 'Usually every', cell: ({ rhythm_days: days }) => (days === null ? null : describeDays(days)) },
        { label: 'Current through', cell: ({ data_current_through: at }) => renderFrontier(at) },
        { label: 'Records', style: 'number', cell: ({ record_count: count }) => formatCount(count) },
      ],
    })}
  `;
}

function renderRegisterLink(code: string): unknown {
  return html`<a href=${`/portal/registers/${encodeURIComponent(code)}`}>${nameAndCode(code)}</a>`;
}
