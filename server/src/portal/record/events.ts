/**
 * Events of a mark at its office: proceedings, with their number, grounds, earlier marks and parties, and the history,
 * newest first.
 */
import { html } from 'htm/preact';
import { renderDisclosure } from '../frame/components.ts';
import { isObject, isSilent, Members, textOf } from '../frame/payload-reader.ts';
import { formatDate, renderStated } from '../frame/pieces.ts';
import { labelOfMember, renderLeft, renderValue } from './generic-view.ts';
import type { Part } from './parts.ts';
import { renderTable } from './tables.ts';

const PROCEEDINGS_BYTES_MAX = 20_000;
const HISTORY_BYTES_MAX = 25_000;
const EARLIER_SHOWN = 20;
const PROCEEDINGS: readonly string[] = ['opposition', 'cancellation', 'appeal', 'removal'];

const COLUMNS = {
  date: 'Date',
  kind: 'Kind',
  code: 'Code',
  number: 'Number',
  text: 'What',
  type: 'Type',
  status: 'Status',
};

export function buildEventParts(stated: unknown): Part[] {
  const events = Array.isArray(stated) ? (stated as readonly unknown[]) : [];
  const isProceeding = (event: unknown): boolean => PROCEEDINGS.includes(new Members(event).text('kind') ?? '');
  const proceedings = events.filter(isProceeding);
  const history = newestFirst(events.filter((event) => !isProceeding(event)));
  const parts: Part[] = [
    {
      name: 'proceedings',
      title: 'Oppositions, appeals and other proceedings',
      entries: proceedings,
      bytesMax: PROCEEDINGS_BYTES_MAX,
      render: (shown) => html`<ul class="entries proceedings">${shown.map((event) => renderProceeding(event))}</ul>`,
    },
    {
      name: 'history',
      title: 'History',
      entries: history,
      bytesMax: HISTORY_BYTES_MAX,
      render: (shown) => renderTable('History', COLUMNS, shown),
    },
  ];
  return parts.filter(({ entries }) => entries.length > 0);
}

/** Sources state their events in one order or the other. */
function newestFirst(events: readonly unknown[]): readonly unknown[] {
  const dates = events.flatMap((event) => new Members(event).text('date') ?? []);
  const isRising = (dates[0] ?? '') < (dates.at(-1) ?? '');
  return isRising ? [...events].reverse() : events;
}

function renderProceeding(event: unknown): unknown {
  const members = new Members(event);
  const [kind = null, number = null, date = null, status = null] = ['kind', 'number', 'date', 'status'].map((name) =>
    members.text(name),
  );
  const lines = (members.text('text') ?? '').split('\n').filter((line) => line.trim() !== '');
  const details = members.any('details');
  return html`
    <li>
      <p>
        <strong>${labelOfMember(kind ?? '')}</strong>
        ${number === null ? null : html` <code><bdi>${number}</bdi></code>`}
        ${date === null ? null : html` ${renderStated(date)}`}
        ${status === null ? null : html` <span class="silent"><bdi>${status}</bdi></span>`}
      </p>
      ${lines.map((line) => html`<p dir="auto">${line}</p>`)}
      ${renderLeft(members)} ${renderEarlierMarks(details)} ${renderDetails(details)}
    </li>
  `;
}

function renderDetails(details: unknown): unknown {
  if (isSilent(details)) return null;
  return renderDisclosure('All that the office states of it', renderValue(details));
}

/** The details in which the office of the European Union names the marks that a proceeding relies on. */
function renderEarlierMarks(details: unknown): unknown {
  const stated = memberOf(memberOf(details, 'EarlierMarkDetails'), 'EarlierMark');
  const lines = [stated].flat().map(describeEarlier);
  // The office repeats a mark for every ground.
  const marks = [...new Set(lines)].filter((line) => line !== '');
  if (marks.length === 0) return null;
  const left = marks.length - EARLIER_SHOWN;
  return html`
    <p class="hint">Earlier ${marks.length === 1 ? 'mark' : 'marks'}</p>
    <ul>
      ${marks.slice(0, EARLIER_SHOWN).map((line) => html`<li key=${line} dir="auto">${line}</li>`)}
      ${left > 0 ? html`<li class="silent">${left} more, below</li>` : null}
    </ul>
  `;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function describeEarlier(mark: unknown): string {
  const text = (...path: readonly string[]): string | null => textOf(path.reduce(memberOf, mark));
  const countries = [memberOf(memberOf(mark, 'DesignatedCountryDetails'), 'DesignatedCountryCode')].flat();
  const codes = countries.flatMap((code) => textOf(code) ?? []);
  const number = text('RegistrationNumber') ?? text('ApplicationNumber');
  const filed = text('ApplicationDate');
  const registered = text('RegistrationDate');
  const parts = [
    text('WordMarkSpecification', 'MarkVerbalElementText'),
    text('MarkFeature'),
    [text('EarlierMarkCountryCode'), number].filter((part) => part !== null).join(' '),
    codes.length === 0 ? null : `in ${codes.join(', ')}`,
    filed === null ? null : `filed ${formatDate(filed)}`,
    registered === null ? null : `registered ${formatDate(registered)}`,
  ];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
