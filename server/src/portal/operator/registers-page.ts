/** The registers: how many records, how current, how late, and how clean their last load was. */
import { html } from 'htm/preact';
import {
  listRegisterRhythms,
  listRegisterSummaries,
  type RegisterRhythm,
  type RegisterSummary,
} from '../../store/records/registers.ts';
import type { Page, PortalRoute } from '../frame/call.ts';
import { renderHeading } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { describeDays } from '../overview/attention.ts';

import { renderFreshness } from '../overview/overview-page.ts';
import type { PortalServices } from '../services.ts';
import { show } from './handling.ts';
import { renderListing } from './listing.ts';

export function listRegisterRoutes(services: PortalServices): PortalRoute[] {
  return [show(services, '/registers', () => showRegisters(services))];
}

type RegisterLine = RegisterSummary & RegisterRhythm;

async function showRegisters({ database }: PortalServices): Promise<Page> {
  const [summaries, rhythms] = await Promise.all([listRegisterSummaries(database), listRegisterRhythms(database)]);
  const byCode = new Map(rhythms.map((rhythm) => [rhythm.jurisdiction_code, rhythm]));
  const lines = summaries.flatMap((summary): RegisterLine[] => {
    const rhythm = byCode.get(summary.jurisdiction_code);
    return rhythm === undefined ? [] : [{ ...rhythm, ...summary }];
  });
  return renderRegisters(lines);
}

function renderRegisters(lines: readonly RegisterLine[]): Page {
  const body = html`
    ${renderHeading('Registers')}
    ${renderListing({
      label: 'Registers',
      rows: lines,
      keyOf: ({ jurisdiction_code }) => jurisdiction_code,
      empty: 'No register is loaded yet.',
      columns: [
        { label: 'Register', cell: ({ jurisdiction_code }) => nameAndCode(jurisdiction_code) },
        { label: 'State', cell: renderFreshness },
        { label: 'Records', cell: ({ record_count }) => formatCount(record_count), style: 'number' },
        { label: 'Current through', cell: ({ data_current_through }) => renderInstant(data_current_through) },
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

function renderLastLoad({ last_load_id, last_load_finished_at }: RegisterLine): unknown {
  if (last_load_id === null) return renderInstant(null);
  return html`<a href=${`/portal/operator/loads/${last_load_id}`}>${renderInstant(last_load_finished_at)}</a>`;
}

/** Of a load with fewer records than issues, more than 1,000. */
function describeShare(issues: number | null, read: number | null): string | null {
  if (issues === null || read === null || read === 0) return null;
  return ((issues * 1000) / read).toLocaleString('en-US', { maximumFractionDigits: 1 });
}
