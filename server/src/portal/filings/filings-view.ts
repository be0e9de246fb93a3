/** Filings that an office should show, with their records as these are now: a table, which is on several pages. */

import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import { FILING_WORDS } from '../../due/words.ts';
import { type Filing, type FilingState, type FilingsOf, listFilings } from '../../store/dates/filings.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';
import { recordPath, renderMarkName } from '../explorer/record-parts.ts';
import type { MemberCall } from '../frame/call.ts';
import { type Level, renderBadge, renderButton, renderSubheading } from '../frame/components.ts';
import { renderButtonForm } from '../frame/forms.ts';
import { renderDate, renderDay } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderListing } from '../frame/table.ts';
import { titleOfField } from '../frame/wording.ts';

export interface ShownFiling {
  readonly filing: Filing;
  readonly record: TrademarkDetail | null;
}

export async function readFilings(
  database: Queryable,
  customerId: string,
  of: FilingsOf,
  limit: number,
): Promise<ShownFiling[]> {
  const filings = await listFilings(database, customerId, of, limit);
  const nameOf = ({ jurisdiction_code, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>): string =>
    `${jurisdiction_code} ${uid}`;
  const records = new Map((await listCurrentRecords(database, filings)).map((each) => [nameOf(each), each]));
  return filings.map((filing) => ({ filing, record: records.get(nameOf(filing)) ?? null }));
}

const STATES: Readonly<Record<FilingState, readonly [level: Level, text: string]>> = {
  overdue: ['bad', 'not shown yet'],
  shown: ['good', 'shown'],
  waiting: ['plain', 'waiting'],
};

export function renderFilings(call: MemberCall, filings: readonly ShownFiling[]): unknown {
  return renderListing<ShownFiling>({
    label: 'What you filed',
    empty: 'No filings are tracked.',
    narrow: 'lines',
    rows: filings,
    columns: [
      {
        label: 'Mark',
        cell: ({ filing, record }) => {
          const name = record === null ? html`<code>${filing.uid}</code>` : renderMarkName(record);
          return html`<a href=${recordPath(filing, { keyId: '', from: null })}><bdi>${name}</bdi></a>`;
        },
      },
      { label: 'Register', cell: ({ filing }) => registerName(filing.jurisdiction_code) },
      { label: 'Filed', cell: ({ filing }) => html`${FILING_WORDS[filing.filing]}, ${renderDate(filing.filed_on)}` },
      { label: 'State', cell: ({ filing }) => renderState(filing) },
      { label: 'By', style: 'name', cell: ({ filing }) => html`<bdi>${filing.created_by}</bdi>` },
      {
        label: 'Dismiss',
        isUnlabelled: true,
        cell: ({ filing, record }) => {
          const label = `Dismiss ${record?.mark_name ?? filing.uid}`;
          const button = renderButton('Dismiss', 'quiet', { 'aria-label': label });
          return renderButtonForm(call, `/portal/filings/${filing.alarm_id}/dismiss`, button);
        },
      },
    ],
  });
}

function renderState({ state, warn_on: warnOn, shown_in: shownIn, shown_by: field }: Filing): unknown {
  const badge = renderBadge(...STATES[state]);
  if (shownIn !== null) return html`${badge} ${renderDay(shownIn)}: ${titleOfField(field ?? '')}`;
  return html`${badge} ${state === 'overdue' ? 'since' : 'until'} ${renderDate(warnOn)}`;
}

/** A part of a page, with a link to all of them; null without any. */
export function renderFilingsPart(call: MemberCall, filings: readonly ShownFiling[]): unknown {
  if (filings.length === 0) return null;
  return html`
    <section id="filings">
      ${renderSubheading('What you filed', html`<a href="/portal/filings">All filings</a>`)}
      ${renderFilings(call, filings)}
    </section>
  `;
}
