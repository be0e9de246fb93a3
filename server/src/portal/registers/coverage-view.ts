/** The coverage of a register in the words of the API and of `tmds registers`, for customers and for operators. */

import type {
  CoverageIssues,
  CoverageLoad,
  CoverageReport,
  CoverageSeries,
  LatePeriod,
  MissingPeriod,
  MissingReason,
  SourceCondition,
} from '@tmds/contract/coverage';
import { html } from 'htm/preact';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { type Level, renderBadge, renderEmpty, renderFacts, renderNotice } from '../frame/components.ts';
import { formatCount, formatDatesIn, renderFrontier, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';

export const CONDITION_LEVELS: Readonly<Record<SourceCondition, Level>> = {
  stopped: 'bad',
  failing: 'bad',
  overdue: 'warn',
  gaps: 'warn',
  'never checked': 'plain',
  current: 'good',
};

const REASONS: Readonly<Record<MissingReason, string>> = {
  absent: 'no file of it has arrived',
  failed: 'its file could not be loaded',
  late: 'its file arrived late and is not loaded',
  skipped: 'its file was left out',
  waiting: 'its file is here and not loaded yet',
};

/** `linkLoad`: where a load is shown; null for those who may not see it. */
export function renderCoverage(report: CoverageReport, linkLoad: ((loadId: string) => string) | null = null): unknown {
  const { conclusion, record_count, data_current_through, last_load, open_rejects, issues, series } = report;
  return html`
    ${renderNotice(judge(report), html`<bdi>${formatDatesIn(conclusion)}</bdi>`)}
    ${renderFacts([
      ['Records', formatCount(record_count)],
      ['Current through', renderFrontier(data_current_through)],
      ['Last load', last_load === null ? 'none yet' : renderLoad(last_load, linkLoad)],
      ['Rejected in it', last_load === null ? null : formatCount(last_load.rejected)],
      ['Rejected and not stored', formatCount(open_rejects)],
      ['Records with issues', renderIssues(issues, linkLoad)],
    ])}
    <section>
      <h2>Files by period</h2>
      ${series.length === 0 ? renderEmpty('No file has been loaded yet.') : renderSeries(series)}
      ${series.map(renderMissing)}
      ${series.map(renderLate)}
    </section>
  `;
}

/** Missing periods matter more than unknown ones. */
function judge({ series, open_rejects }: CoverageReport): 'plain' | 'good' | 'warn' {
  if (open_rejects > 0) return 'warn';
  if (series.some(({ missing_count, condition }) => missing_count > 0 || isWrong(condition))) return 'warn';
  return series.length > 0 && series.every(({ complete_through }) => complete_through !== null) ? 'good' : 'plain';
}

function isWrong(condition: SourceCondition | null): boolean {
  return condition !== null && ['bad', 'warn'].includes(CONDITION_LEVELS[condition]);
}

/** The missing periods of all series, as far as it is known which there should be. */
export function countMissing({ series }: CoverageReport): unknown {
  const missing = series.reduce((sum, { missing_count }) => sum + missing_count, 0);
  return series.every(({ expected }) => !expected) && missing === 0 ? notKnown() : formatCount(missing);
}

/** A period of a source, which may be a day, or any other name. */
export function formatPeriod(period: string | null): string | null {
  return period === null ? null : formatDatesIn(period);
}

function notKnown(): unknown {
  return html`<span class="silent">not known</span>`;
}

function renderLoad({ load_id, finished_at, read }: CoverageLoad, linkLoad: ((id: string) => string) | null): unknown {
  const at = renderInstant(finished_at);
  const shown = linkLoad === null ? at : html`<a href=${linkLoad(load_id)}>${at}</a>`;
  return html`${shown}, ${formatCount(read)} ${read === 1 ? 'record' : 'records'} read`;
}

const PERCENT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function renderIssues(issues: CoverageIssues | null, linkLoad: ((id: string) => string) | null): unknown {
  if (issues === null) return 'not known: no load that counts them has read at least half of the register';
  const { flagged, read, share, finished_at, load_id } = issues;
  const at = renderInstant(finished_at);
  return html`
    ${`${formatCount(flagged)} of ${formatCount(read)} (${PERCENT.format(share * 100)} %) in the load of `}
    ${linkLoad === null ? at : html`<a href=${linkLoad(load_id)}>${at}</a>`}
  `;
}

function renderSeries(series: readonly CoverageSeries[]): unknown {
  return renderTable<CoverageSeries>({
    label: 'Files by period',
    rows: series,
    columns: [
      { label: 'Source', isHeader: true, style: 'name', cell: nameSeries },
      { label: 'Format', cell: ({ format }) => format },
      {
        label: 'Condition',
        cell: ({ condition }) => (condition === null ? null : renderBadge(CONDITION_LEVELS[condition], condition)),
      },
      { label: 'First', cell: ({ first_period }) => formatPeriod(first_period) ?? notKnown() },
      { label: 'Last', cell: ({ last_period }) => formatPeriod(last_period) ?? notKnown() },
      { label: 'Complete through', cell: ({ complete_through }) => formatPeriod(complete_through) ?? notKnown() },
      { label: 'Missing', style: 'number', cell: renderMissingCount },
      { label: 'Out of order', style: 'number', cell: renderLateCount },
      { label: 'Next', cell: ({ next_period }) => formatPeriod(next_period) },
      { label: 'Overdue from', cell: ({ overdue_at }) => (overdue_at === null ? null : renderInstant(overdue_at)) },
      { label: 'Loaded', cell: ({ last_loaded_at }) => renderInstant(last_loaded_at) },
    ],
  });
}

/** If it is not known which periods there should be, none can be reported as missing. */
function renderMissingCount({ expected, missing_count }: CoverageSeries): unknown {
  if (expected) return formatCount(missing_count);
  return missing_count === 0 ? notKnown() : `at least ${formatCount(missing_count)}`;
}

function renderLateCount({ last_period, out_of_order_count }: CoverageSeries): unknown {
  return last_period === null ? notKnown() : formatCount(out_of_order_count);
}

function nameSeries({ source, format }: CoverageSeries): string {
  return source ?? `${format}, loaded by hand`;
}

function renderMissing(series: CoverageSeries): unknown {
  const { missing, missing_count } = series;
  if (missing_count === 0) return null;
  const label = `Missing of ${nameSeries(series)}`;
  return html`
    <h3>${label}</h3>
    ${renderTable<MissingPeriod>({
      label,
      rows: missing,
      columns: [
        { label: 'Period', isHeader: true, style: 'name', cell: ({ period }) => formatPeriod(period) },
        { label: 'Why', cell: ({ reason }) => REASONS[reason] },
      ],
    })}
    ${renderFurther(missing_count - missing.length)}
  `;
}

function renderLate(series: CoverageSeries): unknown {
  const { out_of_order, out_of_order_count, order_matters } = series;
  if (out_of_order_count === 0) return null;
  const label = `Out of order of ${nameSeries(series)}`;
  return html`
    <h3>${label}</h3>
    <p class="hint">
      ${
        order_matters
          ? 'Its statements do not say how old they are, so what one of these states may have replaced something newer.'
          : 'Its statements say how old they are, so none of these replaced something newer.'
      }
    </p>
    ${renderTable<LatePeriod>({
      label,
      rows: out_of_order,
      columns: [
        { label: 'Period', isHeader: true, style: 'name', cell: ({ period }) => formatPeriod(period) },
        { label: 'Loaded after', cell: ({ after }) => formatPeriod(after) },
        { label: 'Loaded', cell: ({ loaded_at }) => renderInstant(loaded_at) },
      ],
    })}
    ${renderFurther(out_of_order_count - out_of_order.length)}
  `;
}

function renderFurther(count: number): unknown {
  return count === 0 ? null : html`<p class="hint">And ${formatCount(count)} more.</p>`;
}

/** `unknown`: never loaded, or not often enough to have a rhythm. */
export type Freshness = 'fresh' | 'due' | 'late' | 'unknown';

/** From this many usual intervals on, a register is late. */
const LATE_INTERVALS = 2;

export function judgeFreshness({ age_days: age, rhythm_days: rhythm }: RegisterRhythm): Freshness {
  if (age === null || rhythm === null) return 'unknown';
  if (age > LATE_INTERVALS * rhythm) return 'late';
  return age > rhythm ? 'due' : 'fresh';
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

/** `1 day`, `3 days`; at least one. */
export function describeDays(days: number): string {
  const whole = Math.max(1, Math.round(days));
  return whole === 1 ? '1 day' : `${formatCount(whole)} days`;
}
