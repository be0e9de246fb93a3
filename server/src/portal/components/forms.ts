/** The fields of forms, in every state. The forms lead back to the page and change nothing. */
import { html } from 'htm/preact';
import { renderActions, renderButton, renderLinkButton } from '../frame/components.ts';
import {
  renderCheck,
  renderChecks,
  renderChipSet,
  renderChips,
  renderField,
  renderFieldset,
  renderNotes,
  renderOperated,
  renderOptions,
  renderSelect,
  renderSettled,
  renderTextArea,
} from '../frame/fields.ts';
import { HERE, LONG } from './samples.ts';

const CHOICES = [
  { value: '', label: 'Any' },
  { value: 'one', label: 'One' },
  { value: 'long', label: LONG },
];
const OPERATORS = [
  { value: 'contains', label: 'contains' },
  { value: 'is', label: 'is exactly' },
];

export function renderForms(): unknown {
  return html`
    <section>
      <h2>Fields side by side</h2>
      <form method="get" action=${HERE} class="row">
        ${renderField({ id: 'row-text', label: 'Text', attributes: { value: 'typed' } })}
        ${renderSelect({ id: 'row-choice', label: 'Choice', choices: CHOICES, chosen: 'long' })}
        ${renderSettled('Settled', 'nothing to choose')}
        ${renderButton('Show', 'second')}
        <p class="hint">What belongs to all of them.</p>
      </form>
      <h2>Fields below each other</h2>
      <div class="asides">${renderPlain()} ${renderRefused()} ${renderSets()}</div>
    </section>
  `;
}

function renderPlain(): unknown {
  return html`
    <form method="get" action=${HERE} class="stack">
      ${renderField({ id: 'empty', label: 'Empty', attributes: { placeholder: 'An example' } })}
      ${renderField({ id: 'filled', label: 'With a hint', hint: 'What to type.', attributes: { value: LONG } })}
      ${renderField({ id: 'readonly', label: 'Only to read', attributes: { value: 'fixed', readonly: true } })}
      ${renderField({ id: 'disabled', label: 'Disabled', attributes: { value: 'not now', disabled: true } })}
      ${renderField({ id: 'password', label: 'Password', attributes: { type: 'password', value: 'hidden' } })}
      ${renderTextArea({ id: 'lines', label: 'Many lines', hint: 'One a line.', text: 'EM EM500000018229854\nFR 4812345' })}
      ${renderSelect({ id: 'choice', label: 'Choice', hint: LONG, choices: CHOICES, chosen: 'one' })}
      ${renderSelect({
        id: 'no-choice',
        label: 'Choice, disabled',
        choices: CHOICES,
        chosen: '',
        attributes: { disabled: true },
      })}
      ${renderButton('Send')}
    </form>
  `;
}

function renderRefused(): unknown {
  return html`
    <form method="get" action=${HERE} class="stack">
      ${renderField({
        id: 'refused',
        label: 'Refused',
        hint: 'At least 3 characters.',
        refusal: 'This has 2 characters. Type at least 3.',
        attributes: { value: 'ab' },
      })}
      ${renderOperated({
        legend: 'A text with an operator',
        operator: { name: 'how', label: 'How to match', choices: OPERATORS, chosen: 'contains' },
        input: { id: 'operated', 'aria-label': 'The text', placeholder: 'An example' },
      })}
      ${renderOperated({
        legend: 'The same, refused',
        operator: { name: 'how-refused', label: 'How to match what is refused', choices: OPERATORS, chosen: 'is' },
        input: {
          id: 'operated-refused',
          'aria-label': 'The text that is refused',
          value: 'ab',
          'aria-invalid': 'true',
          'aria-describedby': 'operated-refused-refusal',
        },
        below: renderNotes('operated-refused', { refusal: 'This is too short.' }),
      })}
      ${renderFieldset(
        'Days',
        html`
          <select name="when" aria-label="Days: when">${renderOptions(CHOICES, '')}</select>
          <label for="from">from</label><input id="from" name="from" type="date" value="2026-01-01" />
          <label for="to">to</label><input id="to" name="to" type="date" />
        `,
        'dates',
      )}
    </form>
  `;
}

function renderSets(): unknown {
  const boxes = [
    { value: 'one', label: 'One' },
    { value: 'two', label: 'Two' },
    { value: 'long', label: LONG },
  ];
  return html`
    <div>
      <form method="get" action=${HERE} class="stack">
        ${renderChecks({ legend: 'Any of these', name: 'any', choices: boxes, chosen: ['one', 'long'] }, 'checkbox')}
        ${renderChecks({ legend: 'One of these', name: 'one', choices: boxes, chosen: ['two'] }, 'radio')}
        ${renderChipSet({ legend: 'Chips', name: 'chips', choices: boxes, chosen: ['two'], hint: 'Any of them.' })}
        ${renderChipSet({ legend: 'Chips, of which one is no longer offered', name: 'old', choices: [], chosen: ['old'] })}
        ${renderChipSet({
          legend: 'Chips, refused',
          name: 'chips-refused',
          choices: boxes.slice(0, 2),
          chosen: ['one'],
          refusal: 'At most none.',
        })}
        ${renderChips({ name: 'kept', choices: [{ value: 'kept', label: 'Kept: what was typed' }], chosen: ['kept'] })}
      </form>
      <form method="get" action=${HERE} class="stack">
        ${renderCheck('Nothing needs this any more', { name: 'sure', value: 'yes', required: true })}
        ${renderActions(renderButton('End it permanently', 'danger'), renderLinkButton('Cancel', HERE, 'second'))}
      </form>
    </div>
  `;
}
