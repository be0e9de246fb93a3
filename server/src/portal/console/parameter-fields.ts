/**
 * The parameters of an endpoint as fields of a form, each with its type, bounds, default, example and rule; and why a
 * call was refused, shown at the place of the fault: the code, its meaning, what to change, and the fields at fault.
 */

import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { html } from 'htm/preact';
import type { DescribedEndpoint, DescribedParameter } from '../../render/description/endpoints.ts';
import { GUIDES, isErrorCode } from '../../render/description/guide.ts';
import type { Refusal } from '../explorer/ask.ts';
import { renderDisclosure, renderNotice } from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { renderCode } from '../frame/wording.ts';
import type { ApiAnswer } from '../services.ts';
import { describeSchema, renderWords } from './schema-page.ts';

interface FieldState {
  readonly values: ReadonlyMap<string, string>;
  readonly faults: ReadonlyMap<string, string>;
}

const COMMONLY_USED = 'Commonly used';

interface Group {
  readonly title: string;
  readonly holds: (parameter: DescribedParameter) => boolean;
}

const isForm =
  (...forms: readonly string[]) =>
  ({ declared }: DescribedParameter): boolean =>
    declared?.filter === true && forms.includes(declared.value.form);

/** What most calls of a large endpoint are made of. */
const COMMON: readonly string[] = [
  'jurisdiction',
  'mark_name_startswith',
  'owner_name',
  'status',
  'nice_class',
  'cause',
  'field',
  'limit',
];
/** An endpoint with fewer parameters has all of its groups open, and needs none for what is common. */
const FOLDED_MIN = 10;

/** In their order; a parameter belongs to the first group that holds it. */
const GROUPS: readonly Group[] = [
  { title: 'Required', holds: ({ required }) => required },
  { title: COMMONLY_USED, holds: ({ name }) => COMMON.includes(name) },
  { title: 'Names', holds: isForm('name', 'name_fragment') },
  { title: 'Codes and classes', holds: isForm('codes', 'enums', 'nice_classes', 'vienna_codes') },
  { title: 'Numbers', holds: isForm('number') },
  { title: 'Dates', holds: isForm('date', 'instant') },
  { title: 'The answer', holds: () => true },
];
export function renderParameters({ parameters }: DescribedEndpoint, state: FieldState): unknown {
  if (parameters.length === 0) return html`<p class="hint">It has no parameters.</p>`;
  const isLarge = parameters.length >= FOLDED_MIN;
  const groups = GROUPS.filter(({ title }) => isLarge || title !== COMMONLY_USED);
  return groups.map((group) => {
    const held = parameters.filter((each) => groups.find(({ holds }) => holds(each)) === group);
    if (held.length === 0) return null;
    const isMarked = held.some(({ name }) => state.faults.has(name));
    // A browser sends no form while a required field is empty, and cannot show one that is folded.
    const isNeeded = held.some(({ name, required }) => required || state.values.has(name));
    const isOpen = !isLarge || group.title === COMMONLY_USED || isMarked || isNeeded;
    return html`
      <details class=${isMarked ? 'group refused' : 'group'} open=${isOpen}>
        <summary>${group.title} <span class="silent">${held.length}</span></summary>
        <div class="fields">${held.map((parameter) => renderParameter(parameter, state))}</div>
      </details>
    `;
  });
}

function renderParameter(parameter: DescribedParameter, { values, faults }: FieldState): unknown {
  const { name, required, declared } = parameter;
  const value = values.get(name) ?? '';
  const frame = {
    id: `p-${name}`,
    label: html`
    <code>${parameter.name}</code>${parameter.required ? html` <span class="needed">required</span>` : null}
    ${parameter.in === 'query' ? null : html` <span class="role">${parameter.in}</span>`}
  `,
    hint: renderHint(parameter),
    refusal: faults.get(name),
  };
  // A value that the API would refuse has to stay visible, so only a known one is a choice of a list.
  const choices = declared?.value.form === 'choice' ? declared.value.values : null;
  if (choices !== null && (value === '' || choices.includes(value))) {
    const listed = choices.map((each) => ({ value: each, label: each }));
    return renderSelect({
      ...frame,
      choices: [{ value: '', label: 'not sent' }, ...listed],
      chosen: value,
      attributes: { name, required },
    });
  }
  const inputmode = declared?.value.form === 'integer' ? 'numeric' : null;
  return renderField({
    ...frame,
    attributes: { name, required, value, inputmode, autocapitalize: 'off', spellcheck: 'false' },
  });
}

function renderHint(parameter: DescribedParameter): unknown {
  const { description, example, in: place } = parameter;
  return html`
    ${renderWords(description)} <span class="type">${renderWords(describeParameter(parameter))}.</span>
    ${place === 'path' ? ' Type it unencoded: it is encoded in the address.' : null}
    ${example === '' ? null : html` Example: <code>${example}</code>`}
  `;
}

function describeParameter({ schema }: DescribedParameter): string {
  const words = describeSchema(schema).map(String).join('');
  const text = schema.type === 'array' ? `${words}, separated by commas` : words;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function renderRefusal(
  { code, message, param, requestId }: Refusal,
  { parameters }: DescribedEndpoint,
): unknown {
  const isField = parameters.some(({ name }) => name === param);
  const content = html`
    <p><strong>Refused: ${renderCode(code)}</strong>${
      param === undefined
        ? null
        : html` at ${isField ? html`<a href=${`#p-${param}`}><code>${param}</code></a>` : html`<code><bdi>${param}</bdi></code>`}`
    }</p>
    <p><bdi>${message}</bdi></p>
    ${isErrorCode(code) ? renderGuide(code) : null}
    <p class="hint">Request id <code class="small">${requestId}</code></p>
  `;
  return renderNotice('bad', content, 'alert');
}

function renderGuide(code: ErrorCode): unknown {
  const { why, remedy } = GUIDES[code];
  const { when, retry } = ERRORS[code];
  const advice = retry === 'later' ? 'The same call may succeed later.' : 'Repeating the call does not help.';
  return html`
    <p>${renderWords(remedy.join(' '))}</p>
    ${renderDisclosure(
      `What ${code} means`,
      html`
        <p>${renderWords(`${capitalize(when)}.`)} ${advice}</p>
        <ul>${why.map((reason) => html`<li>${renderWords(reason)}</li>`)}</ul>
      `,
    )}
  `;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The error of each parameter, by its name: every failure that `detail` lists, or the one that is named. */
export function readFaults(refusal: Refusal | null, answer: ApiAnswer | null): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  const { detail } = (answer?.body ?? {}) as { detail?: readonly { loc?: readonly unknown[]; msg?: unknown }[] };
  for (const { loc, msg } of Array.isArray(detail) ? detail : []) faults.set(String(loc?.[1]), String(msg));
  const { param, message } = refusal ?? {};
  if (param !== undefined && message !== undefined && !faults.has(param)) faults.set(param, message);
  return faults;
}

const COLUMNS: readonly TableColumn<ErrorCode>[] = [
  { label: 'Code', isHeader: true, style: 'name', cell: renderCode },
  { label: 'Status', cell: (code) => ERRORS[code].status },
  { label: 'When', style: 'words', cell: (code) => renderWords(`${capitalize(ERRORS[code].when)}.`) },
  { label: 'What to do', style: 'words', cell: (code) => renderWords(ERRORS[code].remedy) },
];

export function renderCodes(codes: readonly ErrorCode[]): unknown {
  const table = { label: 'Errors', columns: COLUMNS, rows: codes };
  return renderDisclosure(
    html`Errors <span class="silent">${codes.length}</span>`,
    renderTable({ ...table, narrow: 'lines' }),
  );
}
