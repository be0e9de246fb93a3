/** Numbers and times as pages write them, the tokens of forms, and the way back to a page. */

import { html } from 'htm/preact';
import { DAY_MS } from '../../base/clock.ts';
import type { PublicCall } from './call.ts';

const COUNT = new Intl.NumberFormat('en-US');

export function formatCount(count: number): string {
  return COUNT.format(count);
}

const LONG = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const DAYS = new Intl.DateTimeFormat('en-GB', LONG);
const SHORT_MONTHS = new Intl.DateTimeFormat('en-GB', { ...LONG, month: 'short' });
const MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `November 2026`, of `2026-11`. */
export function formatMonth(month: string): string {
  return MONTHS.format(Date.parse(`${month}-15T12:00:00Z`));
}

/** A moment for people; where scripts run, in the zone of the reader, with UTC on hover. The foot says which zone. */
export function renderInstant(instant: string | null, to: 'minute' | 'second' = 'minute'): unknown {
  if (instant === null) return html`<span class="silent">never</span>`;
  return html`<time datetime=${instant} title=${instant} data-local=${to}>${formatInstant(instant, to)}</time>`;
}

/** `21 November 2026, 09:00`, in UTC. */
export function formatInstant(instant: string, to: 'minute' | 'second' = 'minute'): string {
  return `${formatDate(instant.slice(0, 10))}, ${instant.slice(11, to === 'minute' ? 16 : 19)}`;
}

/** Files state days, which are instants at midnight in UTC. */
const MIDNIGHT = /T00:00:00(?:\.0+)?Z$/;

/** The instant up to which a register is complete, as far as its files state it. */
export function renderFrontier(instant: string | null): unknown {
  if (instant === null) return html`<span class="silent">not stated</span>`;
  return MIDNIGHT.test(instant) ? renderDate(instant.slice(0, 10)) : renderInstant(instant);
}

/** `26 November 2026`: a day as an office states it, the same in every time zone. */
export function renderDate(date: string): unknown {
  return html`<time datetime=${date}>${formatDate(date)}</time>`;
}

/** The day of an instant, for columns of tables. */
export function renderDay(instant: string): unknown {
  const day = SHORT_MONTHS.format(Date.parse(instant));
  return html`<time datetime=${instant} title=${instant} data-local="day">${day}</time>`;
}

/** The tokens of a form. Without `autocomplete="off"`, browsers may restore the tokens of an earlier page. */
export function formFields({ csrf, nextFormToken }: Pick<PublicCall, 'csrf' | 'nextFormToken'>): unknown {
  return html`
    <input type="hidden" name="csrf" value=${csrf} autocomplete="off" />
    <input type="hidden" name="once" value=${nextFormToken()} autocomplete="off" />
  `;
}

export function renderHidden(name: string, value: string): unknown {
  return html`<input type="hidden" name=${name} value=${value} />`;
}

/** The portal path to continue to. Anything else becomes the start page, so that no link can lead to another site. */
export function parseNext(text: string | null): string {
  const base = 'http://portal.invalid';
  if (text === null || !/^\/portal(?:[/?]|$)/.test(text) || !URL.canParse(text, base)) return '/portal';
  const url = new URL(text, base);
  const inside = url.origin === base && (url.pathname === '/portal' || url.pathname.startsWith('/portal/'));
  return inside && !text.includes('\\') ? url.pathname + url.search : '/portal';
}

/** The same as a text; a text that is no calendar date stays as it is. */
export function formatDate(text: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T12:00:00Z`) : null;
  return at === null || Number.isNaN(at.getTime()) ? text : DAYS.format(at);
}

export function formatDatesIn(sentence: string): string {
  return sentence.replaceAll(/\b\d{4}-\d\d-\d\d(?![\dT])/g, formatDate);
}

/** A date of a document, which may be any text; null is nothing. */
export function renderStated(text: string | null): unknown {
  if (text === null) return null;
  const shown = formatDate(text);
  return shown === text ? html`<span dir="auto">${text}</span>` : html`<time datetime=${text}>${shown}</time>`;
}

/** `26 Nov 2026`, for columns of tables. */
export function renderShortDate(date: string): unknown {
  return html`<time datetime=${date}>${SHORT_MONTHS.format(new Date(`${date}T12:00:00Z`))}</time>`;
}

function countNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** From here on, the days are not counted one by one. */
const DAYS_COUNTED_MAX = 60;

/** `in 12 days`, `in 5 months`, `in 3 years 4 months`: whole months, as people count. `today` is before `date`. */
export function formatAhead(today: string, date: string): string {
  const days = Math.round((Date.parse(date) - Date.parse(today)) / DAY_MS);
  if (days <= DAYS_COUNTED_MAX) return `in ${countNoun(days, 'day')}`;
  const [fromYear, fromMonth, fromDay] = today.split('-').map(Number) as [number, number, number];
  const [toYear, toMonth, toDay] = date.split('-').map(Number) as [number, number, number];
  const whole = (toYear - fromYear) * 12 + toMonth - fromMonth - (toDay < fromDay ? 1 : 0);
  const [years, months] = [Math.floor(whole / 12), whole % 12];
  const parts = [years === 0 ? null : countNoun(years, 'year'), months === 0 ? null : countNoun(months, 'month')];
  return `in ${parts.filter((part) => part !== null).join(' ')}`;
}

export function renderJson(label: string, text: string): unknown {
  return html`<pre tabindex="0" role="region" aria-label=${`JSON of ${label}`}><code>${text}</code></pre>`;
}
