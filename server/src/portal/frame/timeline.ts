/**
 * Dates in order, and drawn to scale with today. The drawing repeats the list by its numbers, so screen readers get
 * only the list.
 */

import { html } from 'htm/preact';
import { DAY_MS } from '../../base/clock.ts';
import { formatAhead, formatDate, renderDate } from './pieces.ts';

export interface DateShown {
  readonly label: string;
  /** `YYYY-MM-DD`; as texts of this form dates sort by time. */
  readonly date: string;
  /** It follows from a rule, and no office states it: it is drawn dashed. */
  readonly isComputed?: boolean;
  readonly detail?: unknown;
}

/** `dates`: in order. `today`: a date in UTC. */
export function renderTimeline(dates: readonly DateShown[], today: string): unknown {
  return html`
    ${renderScale(dates, today)}
    <ol class="dates">
      ${dates.map(({ label, date, isComputed, detail }) => {
        const ahead = date > today ? [formatAhead(today, date)] : [];
        const notes = isComputed === true ? ['computed', ...ahead] : ahead;
        return html`
          <li>
            ${renderDate(date)} <span>${label}</span>
            ${notes.length === 0 ? null : html` <span class="silent">${notes.join(', ')}</span>`}
            ${detail}
          </li>
        `;
      })}
    </ol>
  `;
}

/** Noon, so that no rounding falls to the day before. */
function timeOf(date: string): number {
  return Date.parse(`${date}T12:00:00Z`);
}

/** Percent of the width that stay free at either end, for the marks. */
const MARGIN = 4;
/** Marks that are closer together than this share of the width are placed above each other. */
const NEAR = 7;
const AXIS_Y = 22;
const ROW_HEIGHT = 22;
const STEPS = [1, 2, 5, 10, 20, 50, 100] as const;
const LABELS_MAX = 8;

function renderScale(dates: readonly DateShown[], today: string): unknown {
  const times = [...dates.map(({ date }) => timeOf(date)), timeOf(today)];
  const first = Math.min(...times);
  const span = Math.max(Math.max(...times) - first, 30 * DAY_MS);
  const place = (time: number): number => MARGIN + ((time - first) / span) * (100 - 2 * MARGIN);
  const percent = (time: number): string => `${place(time).toFixed(2)}%`;
  const rows = placeInRows(dates.map(({ date }) => place(timeOf(date))));
  const height = AXIS_Y + ROW_HEIGHT * (Math.max(...rows) + 1) + 18;
  const yearX = (year: number): string => percent(Date.UTC(year, 0));
  const now = percent(timeOf(today));
  const nowAnchor = place(timeOf(today)) > 90 ? 'end' : 'middle';
  return html`
    <svg class="scale" width="100%" height=${height} aria-hidden="true" focusable="false">
      ${listYears(first, first + span).map(
        (year) => html`
          <g>
            <line class="gridline" x1=${yearX(year)} x2=${yearX(year)} y1=${AXIS_Y - 4} y2=${height - 16} />
            <text x=${yearX(year)} y="12" text-anchor="middle">${year}</text>
          </g>
        `,
      )}
      <line class="axis" x1="0" x2="100%" y1=${AXIS_Y} y2=${AXIS_Y} />
      <line class="now" x1=${now} x2=${now} y1=${AXIS_Y - 6} y2=${height - 16} />
      <text class="nowlabel" x=${now} y=${height - 3} text-anchor=${nowAnchor}>today</text>
      ${dates.map(({ label, date, isComputed }, at) => {
        const when = date > today ? 'ahead' : 'past';
        const shown = isComputed === true ? `${when} computed` : when;
        const x = percent(timeOf(date));
        const y = AXIS_Y + ROW_HEIGHT * (rows[at]! + 0.5) + 2;
        return html`
          <g class=${shown}>
            <circle cx=${x} cy=${y} r="9"><title>${`${formatDate(date)} ${label}`}</title></circle>
            <text x=${x} y=${y} dy="0.35em" text-anchor="middle">${at + 1}</text>
          </g>
        `;
      })}
    </svg>
  `;
}

function placeInRows(places: readonly number[]): number[] {
  const ends: number[] = [];
  return places.map((place) => {
    const free = ends.findIndex((end) => place - end >= NEAR);
    const row = free < 0 ? ends.length : free;
    ends[row] = place;
    return row;
  });
}

function listYears(from: number, to: number): number[] {
  const [first, last] = [from, to].map((time) => new Date(time).getUTCFullYear()) as [number, number];
  const step = STEPS.find((years) => (last - first) / years <= LABELS_MAX) ?? STEPS.at(-1)!;
  const start = Math.ceil((first + 1) / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((last - start) / step) + 1) }, (_, at) => start + at * step);
}
