/**
 * What happened to a mark at its office: proceedings, with their number, grounds, earlier marks and parties, and the
 * history. Fields that an office adds to the normalized ones are shown when their shape is known; the raw record has
 * the rest.
 */
import { html } from 'htm/preact';
import { type Fields, fieldsOf, listOf, textOf } from './payload-reader.ts';
import { renderMore } from './record-more.ts';

const EVENTS_SHOWN = 200;
const PROCEEDINGS_SHOWN = 100;
const EARLIER_SHOWN = 20;
const PROCEEDINGS: readonly string[] = ['opposition', 'cancellation', 'appeal', 'removal'];

export function renderEvents(payload: Fields): unknown {
  const events = listOf(payload.events);
  const isProceeding = ({ kind }: Fields): boolean => PROCEEDINGS.includes(textOf(kind) ?? '');
  return [
    renderProceedings(events.filter(isProceeding)),
    renderHistory(events.filter((event) => !isProceeding(event))),
  ];
}

function renderProceedings(proceedings: readonly Fields[]): unknown {
  if (proceedings.length === 0) return null;
  return html`
    <section>
      <h2>Proceedings</h2>
      <ul class="proceedings">
        ${proceedings.slice(0, PROCEEDINGS_SHOWN).map((event, position) => {
          const { kind, number, date, text, status, details } = event;
          return html`
            <li key=${position}>
              <p>
                <strong>${sentenceCase(textOf(kind) ?? '')}</strong>
                ${textOf(number) === null ? null : html` <code><bdi>${textOf(number)}</bdi></code>`}
                ${textOf(date) === null ? null : html` <span class="date">${textOf(date)}</span>`}
                ${textOf(status) === null ? null : html` <span class="silent"><bdi>${textOf(status)}</bdi></span>`}
              </p>
              ${linesOf(text).map((line, at) => html`<p key=${at} dir="auto">${line}</p>`)}
              ${renderEarlierMarks(fieldsOf(details))} ${renderSides(fieldsOf(details))}
            </li>
          `;
        })}
      </ul>
      ${renderMore(proceedings.length, PROCEEDINGS_SHOWN)}
    </section>
  `;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function linesOf(value: unknown): readonly string[] {
  return (textOf(value) ?? '').split('\n').filter((line) => line.trim() !== '');
}

/** The office's file has one mark or a list, which repeats a mark for every ground. */
function renderEarlierMarks(details: Fields): unknown {
  const stated = fieldsOf(details.EarlierMarkDetails).EarlierMark;
  const lines = manyOf(stated).map(describeEarlier);
  const marks = [...new Set(lines)].filter((line) => line !== '');
  if (marks.length === 0) return null;
  return html`
    <p class="hint">Earlier ${marks.length === 1 ? 'mark' : 'marks'}</p>
    <ul class="earlier">
      ${marks.slice(0, EARLIER_SHOWN).map((line) => html`<li key=${line} dir="auto">${line}</li>`)}
    </ul>
    ${renderMore(marks.length, EARLIER_SHOWN)}
  `;
}

function manyOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? listOf(value) : value === undefined || value === null ? [] : [fieldsOf(value)];
}

function describeEarlier(mark: Fields): string {
  const word = textOf(fieldsOf(mark.WordMarkSpecification).MarkVerbalElementText);
  const application = textOf(mark.ApplicationNumber);
  const registration = textOf(mark.RegistrationNumber);
  const designated = fieldsOf(mark.DesignatedCountryDetails).DesignatedCountryCode;
  const countries = [designated].flat().flatMap((code) => textOf(code) ?? []);
  const parts = [
    word,
    textOf(mark.MarkFeature),
    [textOf(mark.EarlierMarkCountryCode), registration ?? application].filter((part) => part !== null).join(' '),
    countries.length === 0 ? null : `in ${countries.join(', ')}`,
    textOf(mark.ApplicationDate) === null ? null : `filed ${textOf(mark.ApplicationDate)}`,
    textOf(mark.RegistrationDate) === null ? null : `registered ${textOf(mark.RegistrationDate)}`,
  ];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

const SIDES = {
  OpponentDetails: ['OpponentKey', 'Opponent'],
  AppellantDetails: ['AppellantKey', 'Appellant'],
} as const;

/** Who brought it, as the office identifies the party. */
function renderSides(details: Fields): unknown {
  return Object.entries(SIDES).flatMap(([section, [name, label]]) =>
    manyOf(fieldsOf(details[section])[name]).flatMap(({ Identifier: identifier }) =>
      textOf(identifier) === null ? [] : [html`<p class="hint">${label} <code>${textOf(identifier)}</code></p>`],
    ),
  );
}

function renderHistory(events: readonly Fields[]): unknown {
  if (events.length === 0) return null;
  return html`
    <details>
      <summary>Events of the office <span class="count">${events.length}</span></summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Events">
        <table>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Kind</th>
              <th scope="col">Code</th>
              <th scope="col">Number</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            ${events.slice(-EVENTS_SHOWN).map(
              ({ date, kind, code, number, text, type, status }, position) => html`
                <tr key=${position}>
                  <td class="date">${textOf(date)}</td>
                  <td>${textOf(kind)}</td>
                  <td><code>${textOf(code)}</code></td>
                  <td><bdi>${textOf(number)}</bdi></td>
                  <td dir="auto">
                    ${textOf(text) ?? textOf(type)}${textOf(status) === null ? null : ` (${textOf(status)})`}
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      ${renderMore(events.length, EVENTS_SHOWN)}
    </details>
  `;
}
