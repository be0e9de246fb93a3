/**
 * The pages of the registers, for customers: how complete each is, what its readers have been compared with, and what
 * follows from a register's silence about a change.
 */

import type { CoverageReport } from '@tmds/contract/coverage';
import { html } from 'htm/preact';
import { describeCoverage } from '../../render/coverage.ts';
import { listRegisterFacts, listRegisterRhythms, type RegisterRhythm } from '../../store/records/registers.ts';
import { type MemberCall, orNotFound, type Page, type PortalRoute } from '../frame/call.ts';
import { renderActions, renderHeading, renderLinkButton, renderTabs, renderTrail } from '../frame/components.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount, formatDatesIn, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { mayOpen } from '../frame/roles.ts';
import { renderListing, renderTable } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import { AUDIT_FIGURES, type AuditFigures } from './audit-figures.ts';
import { countMissing, renderCoverage, renderFreshness } from './coverage-view.ts';

export function listRegisterPageRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/registers', showRegisters, true), show('/registers/:code', showRegister, true)];
}

async function showRegisters(call: MemberCall, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [facts, rhythms] = await Promise.all([
    listRegisterFacts(database, { register: null, nowMs }),
    listRegisterRhythms(database),
  ]);
  const byCode = new Map(rhythms.map((rhythm) => [rhythm.jurisdiction_code, rhythm]));
  const lines = facts.map((each) => {
    const report = describeCoverage(each, nowMs);
    return { ...report, rhythm: byCode.get(report.jurisdiction_code) ?? null };
  });
  const body = html`
    ${renderHeading('Registers')}
    ${renderRegisterTabs(call, 'coverage')}
    <p class="hint">
      How complete is each register? If an office had published a change, would it be here? The answer follows from the
      periods of the files that were loaded, never from the times at which they arrived. Viewing it here costs nothing;
      for a program, the coverage of a register costs one unit.
    </p>
    ${renderRegisterList(lines)}
    ${renderAllCompared()}
  `;
  return { title: 'Registers', body, section: 'registers' };
}

async function showRegister(call: MemberCall, { database, clock }: PortalServices): Promise<Page> {
  const nowMs = clock.nowMs();
  const [facts] = await listRegisterFacts(database, { register: call.params.code ?? '', nowMs });
  const { person, isViewing } = call;
  const report = describeCoverage(orNotFound(facts), nowMs);
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

interface RegisterLine extends CoverageReport {
  readonly rhythm: RegisterRhythm | null;
}

function renderRegisterList(reports: readonly RegisterLine[]): unknown {
  return renderListing<RegisterLine>({
    label: 'Registers',
    rows: reports,
    empty: 'No register is served yet.',
    columns: [
      { label: 'Register', cell: renderLink },
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

export function renderRegisterTabs({ person, isViewing }: MemberCall, here: 'coverage' | 'changes' | 'dates'): unknown {
  const maySearch = !isViewing && mayOpen(person, 'search');
  return renderTabs('Registers', [
    { label: 'How complete', href: '/portal/registers', isHere: here === 'coverage' },
    ...(maySearch ? [{ label: 'Latest changes', href: '/portal/feed', isHere: here === 'changes' }] : []),
    { label: 'How dates are computed', href: '/portal/dates-rules', isHere: here === 'dates' },
  ]);
}

function renderCompared(register: string): unknown {
  return html`
    <p id="compared" class="hint">
      ${describeCompared(AUDIT_FIGURES[register])}${' '}
      <a href="/portal/registers#compared">What all readers were compared with</a>
    </p>
  `;
}

function describeCompared(figures: AuditFigures | undefined): string {
  if (figures === undefined || figures.compared + figures.byHand === 0) {
    return 'The reader of this register has not been compared with real records yet.';
  }
  const { compared, byHand, values, differences } = figures;
  const counted = [
    ...(compared === 0 ? [] : [`${countRecords(compared)} compared with ${compared === 1 ? 'its' : 'their'} source`]),
    ...(byHand === 0 ? [] : [`${countRecords(byHand)} read by hand`]),
  ];
  return `Its reader: ${counted.join(', ')}; ${formatCount(values)} values, ${countDifferences(differences)}.`;
}

const countRecords = (records: number): string =>
  `${formatCount(records)} real ${records === 1 ? 'record' : 'records'}`;

const countDifferences = (differences: number): string =>
  `${formatCount(differences)} ${differences === 1 ? 'difference' : 'differences'}`;

type Row = readonly [register: string, figures: AuditFigures];

function renderAllCompared(): unknown {
  return html`
    <section id="compared">
      <h2>Compared with real files</h2>
      <p class="hint">
        This service reads the files of these registers. A test compares each real record at hand with a plain search
        of its source; of some, every field was read off the source by hand.
      </p>
      ${renderTable<Row>({
        label: 'Compared with real files',
        rows: Object.entries(AUDIT_FIGURES),
        columns: [
          { label: 'Register', isHeader: true, style: 'name', cell: ([register]) => nameAndCode(register) },
          { label: 'Records compared', style: 'number', cell: ([, { compared }]) => formatCount(compared) },
          { label: 'Read by hand', style: 'number', cell: ([, { byHand }]) => formatCount(byHand) },
          { label: 'Values', style: 'number', cell: ([, { values }]) => formatCount(values) },
          { label: 'Differences', style: 'number', cell: ([, { differences }]) => formatCount(differences) },
        ],
      })}
    </section>
  `;
}
