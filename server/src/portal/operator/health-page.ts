/** The operators' overview: what needs attention, what is used, and the health of this process and its database. */
import { html } from 'htm/preact';
import type { ServiceHealth } from '../../monitor/health.ts';
import type { Dismissal } from '../../store/accounts/dismissals.ts';
import type { AccountTotals } from '../../store/accounts/operator-customers.ts';
import type { Page, SignedInCall } from '../frame/call.ts';
import { renderFacts, renderHeading } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { listConcerns } from './attention.ts';
import { renderAttention } from './attention-view.ts';
import type { HealthState } from './health-state.ts';
import { formatBytes, renderListing } from './listing.ts';

export function renderHealth(
  call: SignedInCall,
  state: HealthState,
  { dismissals, fault }: { dismissals: readonly Dismissal[]; fault: string | null },
): Page {
  const cut = state.isQuotaCut ? `Only the ${state.nearQuota.length} keys nearest to their quota are listed.` : null;
  const body = html`
    ${renderHeading('Overview')}
    ${renderAttention(call, { concerns: listConcerns(state), dismissals, fault, cut })}
    ${renderTotals(state.totals)}
    ${renderService(state)}
    ${renderDuties(state)}
    ${renderTables(state)}
  `;
  return { title: 'Operator: overview', body, section: 'operator', status: fault === null ? 200 : 422 };
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
    ['Change feed', `delivers what is older than ${formatSeconds(horizonSeconds)}`],
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
