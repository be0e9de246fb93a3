/** The filter of the call log as a form. Fields that are used less are folded away until one of them is set. */
import { html } from 'htm/preact';
import { renderButton, renderDisclosure } from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { nameOf } from '../keys/wording.ts';
import { type FilterField, fieldsOf, OUTCOMES, WINDOWS } from './call-filter.ts';
import type { LogState } from './log.ts';

const FURTHER: readonly { field: FilterField; label: string; numeric?: boolean }[] = [
  { field: 'status', label: 'Status', numeric: true },
  { field: 'code', label: 'Error code' },
  { field: 'param', label: 'Parameter of the error' },
  { field: 'units', label: 'Units (0 or 1)', numeric: true },
  { field: 'ms', label: 'Milliseconds, at least', numeric: true },
  { field: 'request', label: 'Request id' },
];

export function renderFilterForm({ keys, filter, isLive }: LogState): unknown {
  const fields = fieldsOf(filter);
  const select = (id: FilterField, label: string, choices: readonly { value: string; label: string }[]): unknown =>
    renderSelect({ id, label, choices, chosen: fields[id] });
  const field = (id: FilterField, label: string, isNumeric = false): unknown =>
    renderField({
      id,
      label,
      attributes: { value: fields[id], inputmode: isNumeric ? 'numeric' : null, spellcheck: false },
    });
  const times = WINDOWS.map(({ hours, label }) => ({ value: String(hours), label }));
  const ofKeys = keys.map((key) => ({ value: key.id, label: nameOf(key) }));
  const outcomes = OUTCOMES.map(({ outcome, label }) => ({ value: outcome as string, label }));
  const further = html`
    <div class="row">${FURTHER.map(({ field: name, label, numeric }) => field(name, label, numeric))}</div>
  `;
  return html`
    <form method="get" action="/portal/log">
      ${isLive ? html`<input type="hidden" name="live" value="1" />` : null}
      <div class="row">
        ${select('hours', 'Time', times)}
        ${select('key', 'Key', [{ value: '', label: 'All keys' }, ...ofKeys])}
        ${select('outcome', 'Answer', [{ value: '', label: 'Any' }, ...outcomes])}
        ${field('path', 'Path and query contain')}
        ${renderButton('Show', 'second')}
      </div>
      ${renderDisclosure(
        'More filters',
        further,
        FURTHER.some(({ field: name }) => fields[name] !== ''),
      )}
    </form>
  `;
}
