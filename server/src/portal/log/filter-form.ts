/** The filter of the call log as a form. Fields that are used less are folded away until one of them is set. */
import { html } from 'htm/preact';
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
  const isFurther = FURTHER.some(({ field }) => fields[field] !== '');
  return html`
    <form method="get" action="/portal/log" class="log-filter">
      ${isLive ? html`<input type="hidden" name="live" value="1" />` : null}
      <div class="row">
        ${renderChoice(
          'hours',
          'Time',
          WINDOWS.map(({ hours, label }) => ({ value: String(hours), label })),
          fields.hours,
        )}
        ${renderChoice(
          'key',
          'Key',
          [{ value: '', label: 'All keys' }, ...keys.map((key) => ({ value: key.id, label: nameOf(key) }))],
          fields.key,
        )}
        ${renderChoice(
          'outcome',
          'Answer',
          [{ value: '', label: 'Any' }, ...OUTCOMES.map(({ outcome, label }) => ({ value: outcome as string, label }))],
          fields.outcome,
        )}
        <span class="pair">
          <label for="path">Path and query contain</label>
          <input id="path" name="path" value=${fields.path} autocomplete="off" spellcheck=${false} />
        </span>
        <button type="submit" class="second">Show</button>
      </div>
      <details open=${isFurther}>
        <summary>More filters</summary>
        <div class="row">
          ${FURTHER.map(
            ({ field, label, numeric }) => html`
              <span key=${field} class="pair">
                <label for=${field}>${label}</label>
                <input id=${field} name=${field} value=${fields[field]} inputmode=${numeric === true ? 'numeric' : null}
                  autocomplete="off" spellcheck=${false} />
              </span>
            `,
          )}
        </div>
      </details>
    </form>
  `;
}

function renderChoice(
  field: FilterField,
  label: string,
  options: readonly { value: string; label: string }[],
  chosen: string,
): unknown {
  return html`
    <span class="pair">
      <label for=${field}>${label}</label>
      <select id=${field} name=${field}>
        ${options.map(
          (option) => html`<option key=${option.value} value=${option.value} selected=${option.value === chosen}>
            ${option.label}</option>`,
        )}
      </select>
    </span>
  `;
}
