/** The operators' overview: what needs attention, what is used, and the health of this process and its database. */
import { html } from 'htm/preact';
import type { AccountTotals } from '../../store/accounts/operator-customers.ts';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { OpenRejects } from '../../store/publish/open-rejects.ts';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { showPeriod } from '../../store/sync/periods.ts';
import type { SourceReport } from '../../store/sync/source-reports.ts';
import type { ServiceHealth } from '../../watch/health.ts';
import type { Page } from '../frame/call.ts';
import { renderEmpty, renderFacts, renderHeading, renderNotice } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { describeDays, judgeFreshness } from '../registers/freshness.ts';
import { formatBytes, renderListing } from './listing.ts';

export interface HealthState {
  readonly nowMs: number;
  readonly health: ServiceHealth;
  readonly totals: AccountTotals;
  readonly registers: readonly RegisterRhythm[];
  readonly sources: readonly SourceReport[];
  /** The newest first. */
  readonly loads: readonly LoadSummary[];
  readonly openRejects: readonly OpenRejects[];
  /** Findings of the quick checks of `tmds doctor`. */
  readonly wrong: readonly { readonly seen: string; readonly remedy: string }[];
}

export function renderHealth(state: HealthState): Page {
  const body = html`
    ${renderHeading('Overview')}
    ${renderConcerns(state)}
    ${renderTotals(state.totals)}
    ${renderService(state)}
    ${renderDuties(state)}
    ${renderTables(state)}
  `;
  return { title: 'Operator: overview', body, section: 'operator' };
}

interface Concern {
  readonly level: 'bad' | 'warn';
  readonly text: string;
  readonly href: string;
}

/** An index that is further behind has stopped following; the bound of `tmds doctor`. */
const LAG_SECONDS_MAX = 5;

function listConcerns({
  health: { index },
  registers,
  sources,
  loads,
  openRejects,
  wrong,
  totals,
}: HealthState): Concern[] {
  const concerns: Concern[] = wrong.map(({ seen, remedy }) => ({
    level: 'bad',
    text: `${seen}; ${remedy}`,
    href: '/portal/operator/doctor',
  }));
  if (index?.state === 'failed' || (index?.behindSeconds ?? 0) > LAG_SECONDS_MAX) {
    const text = index?.fault ?? 'The search index has stopped following the database.';
    concerns.push({ level: 'bad', text, href: '/portal/operator/doctor' });
  }
  for (const [at, { load_id, format, source, state, failure }] of loads.entries()) {
    const isMended = loads.slice(0, at).some((later) => later.source === source && later.state === 'finished');
    if ((state !== 'failed' && state !== 'interrupted') || isMended) continue;
    const text = `A load of ${format} ${state === 'failed' ? 'failed' : 'was interrupted'}: ${failure ?? 'its process is gone'}`;
    concerns.push({ level: state === 'failed' ? 'bad' : 'warn', text, href: `/portal/operator/loads/${load_id}` });
  }
  for (const { load_id, format, open } of openRejects) {
    const text = `${formatCount(open)} rejected ${open === 1 ? 'record or file' : 'records or files'} of a load of ${format} ${open === 1 ? 'is' : 'are'} not stored yet.`;
    concerns.push({ level: 'warn', text, href: `/portal/operator/loads/${load_id}#rejects` });
  }
  for (const register of registers.filter((each) => judgeFreshness(each) === 'late')) {
    const text = `${nameAndCode(register.jurisdiction_code)} is late: its last load is ${describeDays(register.age_days!)} ago; it is usually loaded every ${describeDays(register.rhythm_days!)}.`;
    concerns.push({ level: 'warn', text, href: '/portal/operator/registers' });
  }
  for (const source of sources) {
    const concern = describeSource(source);
    if (concern !== null) concerns.push({ ...concern, href: `/portal/operator/sources/${source.source}` });
  }
  if (totals.suspended_customers > 0) {
    const { suspended_customers: count } = totals;
    const text = count === 1 ? 'A customer is suspended.' : `${formatCount(count)} customers are suspended.`;
    concerns.push({ level: 'warn', text, href: '/portal/operator/customers?state=suspended' });
  }
  return concerns;
}

function describeSource({ source, condition, problem, next_period }: SourceReport): Omit<Concern, 'href'> | null {
  if (condition === 'stopped' || condition === 'failing') {
    return { level: 'bad', text: `Source ${source} is ${condition}: ${problem}` };
  }
  if (condition !== 'overdue' || next_period === null) return null;
  return { level: 'warn', text: `Source ${source} is overdue: the file of ${showPeriod(next_period)} has not come.` };
}

function renderConcerns(state: HealthState): unknown {
  const concerns = listConcerns(state);
  return html`
    <section>
      <h2>Needs attention</h2>
      ${concerns.length === 0 ? renderEmpty('All clear.') : null}
      ${concerns.map(({ level, text, href }) => renderNotice(level, html`<a href=${href}><bdi>${text}</bdi></a>`))}
    </section>
  `;
}

type Fact = readonly [name: string, value: unknown];

function renderTotals({ customers, live_keys, units, calls, refused }: AccountTotals): unknown {
  return html`
    <section>
      <h2>Customers</h2>
      ${renderFacts([
        ['Customers', html`<a href="/portal/operator/customers">${formatCount(customers)}</a>`],
        ['Live keys', html`<a href="/portal/operator/keys?state=live">${formatCount(live_keys)}</a>`],
        ['Units this month', html`<a href="/portal/operator/usage">${formatCount(units)}</a>`],
        ['Calls in the last 24 hours', `${formatCount(calls)}, ${formatCount(refused)} of them refused`],
      ])}
    </section>
  `;
}

function renderService({ health, nowMs }: HealthState): unknown {
  const { index, database, pools, disk, version } = health;
  const horizonSeconds = Math.max(0, nowMs / 1000 - database.horizon_seconds);
  const facts: Fact[] = [
    ['Version', version],
    ['Change feed', `delivers up to ${formatSeconds(horizonSeconds)} ago`],
    ['Database', `${formatBytes(database.bytes)}, ${formatCount(database.xid_age)} transactions since the last freeze`],
    ['Oldest open transaction', formatSeconds(database.transaction_seconds)],
    ...Object.entries(pools).map(
      ([name, { lent, idle, max, waiting }]): Fact => [
        `Connections for ${name}`,
        `${lent} in use, ${idle} idle, ${max} at most; ${waiting} statements wait`,
      ],
    ),
  ];
  if (disk !== null) {
    facts.push(['Disk', `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} free at ${disk.folder}`]);
  }
  if (index !== null) facts.push(['Search index', renderIndex(index)]);
  return html`
    <section>
      <h2>This process</h2>
      ${renderFacts(facts)}
      <p><a href="/portal/operator/doctor">Check everything</a></p>
    </section>
  `;
}

function renderIndex(index: NonNullable<ServiceHealth['index']>): unknown {
  const { state, records, totalBytes, behindSeconds, equalAt } = index;
  if (state !== 'ready' || behindSeconds === null) return state === 'failed' ? 'failed' : 'being built';
  const lag = behindSeconds === 0 ? 'up to date with the database' : `${formatSeconds(behindSeconds)} behind`;
  return html`
    ${formatCount(records)} records, ${formatBytes(totalBytes)}, ${lag};
    ${equalAt === null ? ' not compared yet' : html` equal to the database at ${renderInstant(equalAt)}`}
  `;
}

/** `3 s`, `12 min`, `5 h`, `3 days` */
function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

function renderDuties({ health: { duties } }: HealthState): unknown {
  return html`
    <section>
      <h2>Duties</h2>
      ${renderListing({
        label: 'Duties',
        rows: duties,
        keyOf: ({ duty, pid }) => `${duty} ${pid}`,
        empty: 'No process holds a duty.',
        columns: [
          { label: 'Work', cell: ({ duty }) => duty },
          { label: 'Connection', cell: ({ program }) => html`<bdi>${program}</bdi>` },
          { label: 'Process of the database', cell: ({ pid }) => String(pid), style: 'number' },
          { label: 'Since', cell: ({ since }) => renderInstant(since) },
        ],
      })}
    </section>
  `;
}

/** The largest tables; small ones do not matter here. */
const TABLES_SHOWN = 8;

function renderTables({ health: { database } }: HealthState): unknown {
  const tables = [...database.tables].sort((one, other) => other.bytes - one.bytes).slice(0, TABLES_SHOWN);
  return html`
    <section>
      <h2>Largest tables</h2>
      ${renderListing({
        label: 'Tables',
        rows: tables,
        keyOf: ({ name }) => name,
        empty: 'There are no tables.',
        columns: [
          { label: 'Table', cell: ({ name }) => html`<code>${name}</code>` },
          { label: 'Size with indexes', cell: ({ bytes }) => formatBytes(bytes), style: 'number' },
          { label: 'Rows', cell: ({ live_rows }) => formatCount(live_rows), style: 'number' },
          { label: 'Dead rows', cell: ({ dead_rows }) => formatCount(dead_rows), style: 'number' },
          {
            label: 'Vacuumed',
            cell: ({ vacuumed_seconds: seconds }) =>
              renderInstant(seconds === null ? null : new Date(seconds * 1000).toISOString()),
          },
        ],
      })}
    </section>
  `;
}
