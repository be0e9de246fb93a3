/**
 * The registers: their number of records, how current and how late they are, and the issues of their last load; one
 * register with its periods.
 */

import type { CoverageReport } from '@tmds/contract/coverage';
import { html } from 'htm/preact';
import { describeCoverage } from '../../render/coverage.ts';
import {
  listRegisterFacts,
  listRegisterRhythms,
  listRegisterSummaries,
  type RegisterRhythm,
  type RegisterSummary,
} from '../../store/records/registers.ts';
import { orNotFound, type Page, type PortalRoute, type SignedInCall } from '../frame/call.ts';
import { renderHeading, renderTrail } from '../frame/components.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { formatCount, renderFrontier, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderListing } from '../frame/table.ts';
import { countMissing, describeDays, renderCoverage, renderFreshness } from '../registers/coverage-view.ts';
import type { PortalServices } from '../services.ts';

export function listRegisterRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildOperatorRoutes(services);
  return [show('/registers', showRegisters), show('/registers/:id', showRegister)];
}

type RegisterLine = RegisterSummary & RegisterRhythm & { readonly coverage: CoverageReport };

async function showRegisters(_call: SignedInCall, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [summaries, rhythms, facts] = await Promise.all([
    listRegisterSummaries(database),
    listRegisterRhythms(database),
    listRegisterFacts(database, { register: null, nowMs }),
  ]);
  const coverages = new Map(facts.map((each) => [each.jurisdiction_code, describeCoverage(each, nowMs)]));
  const byCode = new Map(rhythms.map((rhythm) => [rhythm.jurisdiction_code, rhythm]));
  const lines = summaries.flatMap((summary): RegisterLine[] => {
    const rhythm = byCode.get(summary.jurisdiction_code);
    const coverage = coverages.get(summary.jurisdiction_code);
    return rhythm === undefined || coverage === undefined ? [] : [{ ...rhythm, ...summary, coverage }];
  });
  const body = html`
    ${renderHeading('Registers')}
    ${renderListing({
      label: 'Registers',
      rows: lines,
      empty: 'No register is loaded yet.',
      columns: [
        { label: 'Register', cell: renderLink },
        { label: 'State', cell: renderFreshness },
        { label: 'Records', cell: ({ record_count }) => formatCount(record_count), style: 'number' },
        { label: 'Current through', cell: ({ data_current_through }) => renderFrontier(data_current_through) },
        { label: 'Missing periods', cell: ({ coverage }) => countMissing(coverage), style: 'number' },
        { label: 'Last load', cell: renderLastLoad },
        {
          label: 'Usually every',
          cell: ({ rhythm_days }) => (rhythm_days === null ? null : describeDays(rhythm_days)),
        },
        {
          label: 'Issues in 1,000 records',
          cell: ({ last_load_read, last_load_issues }) => describeShare(last_load_issues, last_load_read),
          style: 'number',
        },
        {
          label: 'Rejected',
          cell: ({ last_load_rejected }) => (last_load_rejected === null ? null : formatCount(last_load_rejected)),
          style: 'number',
        },
        { label: 'Source', cell: ({ last_load_source }) => html`<bdi>${last_load_source}</bdi>`, style: 'name' },
      ],
    })}
    <p class="hint">Issues and rejected records are those of the last load; its page has them one by one.</p>
  `;
  return { title: 'Operator: registers', body, section: 'operator/registers' };
}

function renderLink({ jurisdiction_code: code }: RegisterLine): unknown {
  return html`<a href=${`/portal/operator/registers/${encodeURIComponent(code)}`}>${nameAndCode(code)}</a>`;
}

async function showRegister({ params }: SignedInCall, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [facts] = await listRegisterFacts(database, { register: params.id ?? '', nowMs });
  const report = describeCoverage(orNotFound(facts), nowMs);
  const name = nameAndCode(report.jurisdiction_code);
  const body = html`
    ${renderTrail({ label: 'Registers', href: '/portal/operator/registers' })}
    ${renderHeading(name)}
    ${renderCoverage(report, (loadId) => `/portal/operator/loads/${loadId}`)}
  `;
  return { title: `Operator: ${name}`, body, section: 'operator/registers' };
}

function renderLastLoad({ last_load_id, last_load_finished_at }: RegisterLine): unknown {
  if (last_load_id === null) return renderInstant(null);
  return html`<a href=${`/portal/operator/loads/${last_load_id}`}>${renderInstant(last_load_finished_at)}</a>`;
}

/** For a load with fewer records than issues, more than 1,000. */
function describeShare(issues: number | null, read: number | null): string | null {
  if (issues === null || read === null || read === 0) return null;
  return ((issues * 1000) / read).toLocaleString('en-US', { maximumFractionDigits: 1 });
}
