/**
 * The operators' overview: what needs attention, what is used, and the health of this process and its database; and the
 * checks of `tmds doctor`, in the same words.
 */

import { html } from 'htm/preact';
import { judgeDisk } from '../../database/embedded/disk-space.ts';
import type { Finding } from '../../monitor/doctor.ts';
import type { ServiceHealth } from '../../monitor/health.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { dismiss, listDismissals, recallMatter } from '../../store/accounts/dismissals.ts';
import { countAccounts, listNearQuota } from '../../store/accounts/operator-customers.ts';
import { listOpenRejects } from '../../store/publish/findings.ts';
import { listLoads } from '../../store/publish/loads.ts';
import { listRegisterRhythms } from '../../store/records/registers.ts';
import { listSourceReports } from '../../store/sync/source-reports.ts';
import { checkFeed } from '../../upkeep/health/feed-health.ts';
import { actorOf, type Page, type PortalAnswer, type PortalRoute, type SignedInCall } from '../frame/call.ts';
import { renderBadge, renderFacts, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import type { Values } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import { DISMISSAL, type HealthState, listConcerns, RECALL, renderAttention } from './attention.ts';
import { formatBytes } from './listing.ts';

/** Older loads no longer need attention. */
const LOADS_JUDGED = 10;
/** From this share of a quota on, its customer is listed. */
const QUOTA_PERCENT = 80;
const QUOTAS_SHOWN = 20;

export function listHealthRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildOperatorRoutes(services);
  return [
    show('', (call) => showHealth(call, services)),
    submit('/attention/dismiss', '', DISMISSAL, { refused: showHealth, answer: dismissMatter }),
    submit('/attention/recall', '', RECALL, {
      refused: showHealth,
      answer: (call, { database }, { matter }) =>
        doOnce(call, database, async (tx) => {
          if (!(await recallMatter(tx, matter))) return { fault: 'That is no longer dismissed.' };
          const entry = { action: 'attention.recall', customer_id: null, key_id: null, change: { matter } };
          await insertAudit(tx, { actor: actorOf(call), ...entry });
          return { to: '/portal/operator?done=matter_back' };
        }),
    }),
    show('/doctor', async () => renderDoctor(await services.operations.examine())),
  ];
}

async function readState({ database, clock, operations, changeHorizonSeconds }: PortalServices): Promise<HealthState> {
  const nowMs = clock.nowMs();
  const [health, totals, registers, sources, loads, feed, openRejects, quotas] = await Promise.all([
    operations.readHealth(),
    countAccounts(database),
    listRegisterRhythms(database),
    listSourceReports(database, { source: null, nowMs }),
    listLoads(database, { limitMax: LOADS_JUDGED }),
    checkFeed(database, { horizonSeconds: changeHorizonSeconds }),
    listOpenRejects(database, { register: null, limitMax: LOADS_JUDGED }),
    listNearQuota(database, { percent: QUOTA_PERCENT, limitMax: QUOTAS_SHOWN + 1 }),
  ]);
  const low = health.disk === null ? null : judgeDisk(health.disk.folder, health.disk);
  return {
    nowMs,
    health,
    totals,
    registers,
    sources,
    loads,
    openRejects,
    nearQuota: quotas.slice(0, QUOTAS_SHOWN),
    isQuotaCut: quotas.length > QUOTAS_SHOWN,
    wrong: low === null ? feed : [low, ...feed],
  };
}

async function showHealth(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const state = await readState(services);
  const concerns = listConcerns(state);
  const dismissals = await listDismissals(services.database, concerns);
  const cut = state.isQuotaCut ? `Only the ${state.nearQuota.length} keys nearest to their quota are listed.` : null;
  const body = html`
    ${renderHeading('Overview')}
    ${renderAttention(call, { concerns, dismissals, fault, cut })}
    <section>
      <h2>Customers</h2>
      ${renderFacts([
        ['Customers', html`<a href="/portal/operator/customers">${formatCount(state.totals.customers)}</a>`],
        ['Live keys', html`<a href="/portal/operator/keys?state=live">${formatCount(state.totals.live_keys)}</a>`],
        ['Units this month', html`<a href="/portal/operator/usage">${formatCount(state.totals.units)}</a>`],
        [
          'Calls in the last 24 hours',
          `${formatCount(state.totals.calls)}, ${formatCount(state.totals.refused)} of them refused`,
        ],
      ])}
    </section>
    ${renderService(state)}
    ${renderDuties(state)}
    ${renderTables(state)}
  `;
  return { title: 'Operator: overview', body, section: 'operator' };
}

/** Dismisses a matter in the state that the page showed, and in no other. */
async function dismissMatter(
  call: SignedInCall,
  services: PortalServices,
  { matter: asked, state: seen, note }: Values<typeof DISMISSAL.fields>,
): Promise<PortalAnswer | Fault> {
  const concern = listConcerns(await readState(services)).find(({ matter }) => matter === asked);
  return doOnce(call, services.database, async (tx) => {
    if (concern === undefined || concern.state !== seen) return CHANGED;
    const { matter, state, text, audited } = concern;
    await dismiss(tx, { matter, state, note, actor: call.person.email });
    const entry = { action: 'attention.dismiss', customer_id: null, key_id: null };
    await insertAudit(tx, { actor: actorOf(call), ...entry, change: { matter: audited ?? text, note } });
    return { to: '/portal/operator?done=matter_dismissed' };
  });
}

const CHANGED: Fault = {
  fault: 'That has changed since. It is listed here as it is now, if it still needs attention.',
};

type Fact = readonly [name: string, value: unknown];

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

function renderDoctor(findings: readonly Finding[]): Page {
  const wrong = findings.filter(({ remedy }) => remedy !== null).length;
  const body = html`
    ${renderHeading('Doctor', renderLinkButton('Check again', '/portal/operator/doctor', 'second'))}
    ${
      wrong === 0
        ? renderNotice('good', 'Nothing is wrong.', 'status')
        : renderNotice('bad', `${wrong} of ${findings.length} checks failed.`, 'status')
    }
    ${renderListing({
      label: 'Checks',
      rows: findings,
      empty: 'This process runs no checks.',
      columns: [
        { label: 'What', cell: ({ subject }) => subject },
        {
          label: 'State',
          cell: ({ remedy }) => (remedy === null ? renderBadge('good', 'ok') : renderBadge('bad', 'wrong')),
        },
        { label: 'Seen', cell: ({ seen }) => html`<bdi>${seen}</bdi>`, style: 'name' },
        { label: 'What to do', cell: ({ remedy, seen }) => (remedy === seen ? null : remedy), style: 'name' },
      ],
    })}
  `;
  return { title: 'Operator: doctor', body, section: 'operator/doctor' };
}
