/** The pages of the registers, for customers. */

import type { CoverageReport } from '@tmds/contract/coverage';
import { html } from 'htm/preact';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderActions, renderEmpty, renderHeading, renderLinkButton, renderTrail } from '../frame/components.ts';
import { formatCount, formatDatesIn, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { mayOpen } from '../frame/roles.ts';
import { renderTable } from '../frame/table.ts';
import { renderAllCompared, renderCompared } from './audit-view.ts';
import { countMissing, renderCoverage } from './coverage-view.ts';
import { renderFreshness } from './freshness.ts';
import { renderRegisterTabs } from './tabs.ts';

export interface RegisterLine extends CoverageReport {
  /** Null if it is not known. */
  readonly rhythm: RegisterRhythm | null;
}

export function renderRegisters(call: MemberCall, reports: readonly RegisterLine[]): Page {
  const body = html`
    ${renderHeading('Registers')}
    ${renderRegisterTabs(call, 'coverage')}
    <p class="hint">
      How complete is each register? If an office had published a change, would it be here? The answer follows from the
      periods of the files that were loaded, never from the times at which they arrived. Viewing it here costs nothing;
      for a program, the coverage of a register costs one unit.
    </p>
    ${reports.length === 0 ? renderEmpty('No register is served yet.') : renderRegisterTable(reports)}
    ${renderAllCompared()}
  `;
  return { title: 'Registers', body, section: 'registers' };
}

function renderRegisterTable(reports: readonly RegisterLine[]): unknown {
  return renderTable<RegisterLine>({
    label: 'Registers',
    rows: reports,
    keyOf: ({ jurisdiction_code }) => jurisdiction_code,
    columns: [
      { label: 'Register', isHeader: true, style: 'name', cell: renderLink },
      { label: 'State', cell: ({ rhythm }) => (rhythm === null ? null : renderFreshness(rhythm)) },
      {
        label: 'How complete',
        style: 'words',
        cell: ({ conclusion }) => html`<bdi>${formatDatesIn(conclusion)}</bdi>`,
      },
      { label: 'Missing periods', style: 'number', cell: countMissing },
      { label: 'Last load', cell: ({ last_load }) => renderInstant(last_load?.finished_at ?? null) },
      { label: 'Records', style: 'number', cell: ({ record_count }) => formatCount(record_count) },
    ],
  });
}

function renderLink({ jurisdiction_code: code }: CoverageReport): unknown {
  return html`<a href=${`/portal/registers/${encodeURIComponent(code)}`}>${nameAndCode(code)}</a>`;
}

export function renderRegister({ person, isViewing }: MemberCall, report: CoverageReport): Page {
  const { jurisdiction_code: code } = report;
  const body = html`
    ${renderTrail({ label: 'Registers', href: '/portal/registers' })}
    ${renderHeading(nameAndCode(code))}
    ${renderCoverage(report)}
    ${renderCompared(code)}
    ${isViewing || !mayOpen(person, 'search') ? null : renderActions(renderLinkButton('Latest changes', `/portal/feed?register=${encodeURIComponent(code)}`, 'second'))}
  `;
  return { title: nameAndCode(code), body, section: 'registers' };
}
