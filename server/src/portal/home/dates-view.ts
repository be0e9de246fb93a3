/** Dates that lie ahead among watched records, in two groups. */
import { html } from 'htm/preact';
import { fromOf } from '../explorer/ask.ts';
import { renderMarkName } from '../explorer/mark-name.ts';
import { recordPath } from '../explorer/record-path.ts';
import type { MemberCall } from '../frame/call.ts';
import { renderDisclosure, renderEmpty } from '../frame/components.ts';
import { formatCount, renderDate } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderStatus } from '../frame/statuses.ts';
import { renderTable } from '../frame/table.ts';
import { type DateAhead, type DateKind, type DatesAhead, FAR_DAYS, NEAR_DAYS } from './dates.ts';

const WORDS: Readonly<Record<DateKind, string>> = {
  opposition: 'Opposition period ends',
  expiry: 'Protection ends unless renewed',
  renewal: 'Renewal',
};

/** Rows that are open; more are folded, up to the second number. */
const OPEN_MAX = 8;
const SHOWN_MAX = 100;

export function renderDates(call: MemberCall, { dates, near, isPartial }: DatesAhead): unknown {
  const soon = dates.filter(({ date }) => date <= near);
  const later = dates.filter(({ date }) => date > near);
  return html`
    <section id="dates">
      <h2>Dates ahead among watched marks</h2>
      ${dates.length === 0 ? renderEmpty(`No dates within ${FAR_DAYS} days.`) : null}
      ${renderGroup(call, `Within ${NEAR_DAYS} days`, soon)}
      ${renderGroup(call, `Within ${NEAR_DAYS + 1} to ${FAR_DAYS} days`, later)}
      <p class="hint">
        Exactly as the registers state them; nothing is calculated, and a register that states no date has none here.
        ${isPartial ? ' You watch more than this page reads, so there may be others.' : null}
      </p>
    </section>
  `;
}

function renderGroup(call: MemberCall, title: string, dates: readonly DateAhead[]): unknown {
  if (dates.length === 0) return null;
  const [open, folded] = [dates.slice(0, OPEN_MAX), dates.slice(OPEN_MAX, SHOWN_MAX)];
  const left = dates.length - SHOWN_MAX;
  return html`
    <h3>${title}</h3>
    ${renderRows(call, title, open)}
    ${
      folded.length === 0
        ? null
        : renderDisclosure(`${formatCount(folded.length)} more`, renderRows(call, `${title}, more`, folded))
    }
    ${left > 0 ? html`<p class="hint">And ${formatCount(left)} later ones.</p>` : null}
  `;
}

function renderRows(call: MemberCall, label: string, dates: readonly DateAhead[]): unknown {
  return renderTable<DateAhead>({
    label,
    narrow: 'lines',
    rows: dates,
    keyOf: ({ date, kind, record }) => `${date} ${kind} ${record.jurisdiction_code} ${record.uid}`,
    columns: [
      { label: 'Date', cell: ({ date }) => renderDate(date) },
      { label: 'What', cell: ({ kind }) => WORDS[kind] },
      {
        label: 'Mark',
        isHeader: true,
        style: 'name',
        cell: ({ record }) =>
          html`<a href=${recordPath(record, { keyId: '', from: fromOf(call) })}><bdi>${renderMarkName(record)}</bdi></a>`,
      },
      { label: 'Register', cell: ({ record }) => registerName(record.jurisdiction_code) },
      { label: 'Status', cell: ({ record }) => renderStatus(record.status) },
    ],
  });
}
