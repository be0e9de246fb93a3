/** Dates that lie ahead among watched records, in two groups. */
import { html } from 'htm/preact';
import { type DueDate, nameDueDate } from '../../due/next-dates.ts';
import { DISCLAIMER, describeDue, describeOmissions } from '../../due/words.ts';
import { DATES_RULES } from '../dates/rule-view.ts';
import { fromOf } from '../explorer/ask.ts';
import { recordPath, renderMarkName } from '../explorer/record-parts.ts';
import type { MemberCall } from '../frame/call.ts';
import { renderBadge, renderDisclosure, renderEmpty } from '../frame/components.ts';
import { formatCount, renderDate } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { renderStatus } from '../frame/wording.ts';
import { type DatesAhead, FAR_DAYS, NEAR_DAYS } from './dates.ts';

/** Rows that are open; more are folded, up to the second number. */
const OPEN_MAX = 8;
const SHOWN_MAX = 100;

export function renderDates(call: MemberCall, { dates, near, ...left }: DatesAhead): unknown {
  const soon = dates.filter(({ date }) => date <= near);
  const later = dates.filter(({ date }) => date > near);
  return html`
    <section id="dates">
      <h2>Dates ahead among watched marks</h2>
      ${dates.length === 0 ? renderEmpty(`No dates within ${FAR_DAYS} days.`) : null}
      ${renderGroup(call, `Within ${NEAR_DAYS} days`, soon)}
      ${renderGroup(call, `Within ${NEAR_DAYS + 1} to ${FAR_DAYS} days`, later)}
      <p class="hint">
        Dates are exactly as the registers state them; computed ones follow from a rule where a register states
        none.${' '}
        ${DISCLAIMER} <a href=${DATES_RULES}>How dates are computed</a>
        ${describeOmissions(left).map((sentence) => ` ${sentence}`)}
      </p>
    </section>
  `;
}

function renderGroup(call: MemberCall, title: string, dates: readonly DueDate[]): unknown {
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

function renderRows(call: MemberCall, label: string, dates: readonly DueDate[]): unknown {
  return renderTable<DueDate>({
    label,
    narrow: 'lines',
    rows: dates,
    keyOf: nameDueDate,
    columns: [
      { label: 'Date', cell: ({ date }) => renderDate(date) },
      { label: 'What', cell: renderWhat },
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

function renderWhat(due: DueDate): unknown {
  return html`${describeDue(due)}${due.computed === null ? null : html` ${renderBadge('off', 'computed')}`}`;
}
