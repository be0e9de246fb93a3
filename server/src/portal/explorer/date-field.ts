/** One date as a span of days: a usual one such as the last 30 days, or the days that are typed. */
import type { FilterDate } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import { renderFieldset, renderOptions } from '../frame/fields.ts';
import { DEADLINES, PRESETS } from './form-fields.ts';
import { type FormState, filledIn, renderKept, renderRefusal } from './form-state.ts';
import { labelOf } from './labels.ts';

export function renderDate(date: FilterDate, state: FormState): unknown {
  const [from, to] = [`${date}_from`, `${date}_to`];
  const day = filledIn(state, date);
  const isOn = day !== '';
  const isSet = [date, from, to].some((name) => filledIn(state, name) !== '');
  const choices = listChoices(date, isSet).map(([value, title]) => ({ value, label: title }));
  const inputs = html`
    <select name=${`${date}_when`} aria-label=${`${labelOf(date)}: when`}>
      ${renderOptions(choices, isOn ? 'on' : '')}
    </select>
    ${renderDay({ name: from, label: 'from, on', value: isOn ? day : filledIn(state, from) }, date, state)}
    ${renderRefusal(date, state)}
    ${isOn ? null : renderRefusal(from, state)}
    ${renderDay({ name: to, label: 'to', value: filledIn(state, to) }, date, state)}
    ${renderRefusal(to, state)}
    ${isOn && filledIn(state, from) !== '' ? renderKept([from], state) : null}
  `;
  return renderFieldset(labelOf(date), inputs, 'dates');
}

/** The empty choice means the typed days, so that no typed day is ever ignored. */
function listChoices(date: FilterDate, isSet: boolean): [value: string, title: string][] {
  const presets = Object.entries(PRESETS).filter(([, { isAhead }]) => isAhead !== true || DEADLINES.has(date));
  return [
    ['', isSet ? 'between' : 'any time, or between'],
    ...(isSet ? [['any', 'any time'] as [string, string]] : []),
    ['on', 'on'],
    ...presets.map(([value, { title }]): [string, string] => [value, title]),
  ];
}

interface Day {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

function renderDay({ name, label, value }: Day, date: FilterDate, { refusal }: FormState): unknown {
  const isRefused = refusal?.param === name || (refusal?.param === date && name.endsWith('_from'));
  return html`
    <label for=${name}>${label}<span class="unseen"> ${labelOf(date)}</span></label>
    <input
      id=${name}
      name=${name}
      type=${value === '' || /^\d{4}-\d\d-\d\d$/.test(value) ? 'date' : 'text'}
      value=${value}
      aria-invalid=${isRefused ? 'true' : null}
    />
  `;
}
