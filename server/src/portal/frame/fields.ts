/**
 * The fields of forms, each with its label above, then the input, the hint, and why the typed text is refused.
 */
import { html } from 'htm/preact';
import type { Attributes } from './components.ts';

/** Where the typed text is explained or refused; the input refers to both. */
interface Notes {
  readonly hint?: unknown;
  readonly refusal?: string | null | undefined;
}

interface FieldFrame extends Notes {
  /** Also the name, unless `attributes` say another. */
  readonly id: string;
  readonly label: unknown;
  readonly attributes?: Attributes;
}

export function renderField({ attributes = {}, ...frame }: FieldFrame): unknown {
  return renderFramed(frame, html`<input ...${describedBy(frame)} autocomplete="off" ...${attributes} />`);
}

export function renderTextArea({ text, attributes = {}, ...frame }: FieldFrame & { readonly text: string }): unknown {
  // HTML drops one line break after the tag.
  const content = text.startsWith('\n') ? `\n${text}` : text;
  return renderFramed(
    frame,
    html`<textarea rows="10" spellcheck=${'false'} ...${describedBy(frame)} ...${attributes}>${content}</textarea>`,
  );
}

interface Choices {
  readonly choices: readonly Choice[];
  readonly chosen: string;
}

interface Choice {
  readonly value: string;
  readonly label: unknown;
}

export function renderSelect({ choices, chosen, attributes = {}, ...frame }: FieldFrame & Choices): unknown {
  const options = renderOptions(choices, chosen);
  return renderFramed(frame, html`<select ...${describedBy(frame)} ...${attributes}>${options}</select>`);
}

export function renderOptions(choices: readonly Choice[], chosen: string): unknown {
  return choices.map(({ value, label }) => html`<option value=${value} selected=${value === chosen}>${label}</option>`);
}

/** A value that the form sends and nobody chooses. */
export function renderSettled(label: unknown, value: unknown): unknown {
  return html`<div class="field"><span class="role">${label}</span>${value}</div>`;
}

function describedBy({ id, hint, refusal }: FieldFrame): Attributes {
  const refused = isSaid(refusal);
  const notes = [isSaid(hint) ? `${id}-hint` : null, refused ? `${id}-refusal` : null].filter((note) => note !== null);
  return {
    id,
    name: id,
    'aria-invalid': refused ? 'true' : null,
    'aria-describedby': notes.length === 0 ? null : notes.join(' '),
  };
}

function isSaid(note: unknown): boolean {
  return note !== undefined && note !== null && note !== '';
}

function renderFramed({ id, label, ...notes }: FieldFrame, control: unknown): unknown {
  return html`<div class="field"><label for=${id}>${label}</label>${control}${renderNotes(id, notes)}</div>`;
}

/** `id`: the id of the input that they belong to. */
export function renderNotes(id: string, { hint, refusal }: Notes): unknown {
  return html`
    ${isSaid(hint) ? html`<p class="hint" id=${`${id}-hint`}>${hint}</p>` : null}
    ${isSaid(refusal) ? html`<p class="refusal" id=${`${id}-refusal`}>${refusal}</p>` : null}
  `;
}

/** Several inputs that are one field. `operated`: an operator, then a text. `dates`: a choice, then labelled days. */
export function renderFieldset(legend: unknown, inputs: unknown, layout: 'operated' | 'dates' | null = null): unknown {
  const style = { operated: 'field operated', dates: 'field datefield' };
  return html`
    <fieldset class=${layout === null ? 'field' : style[layout]}><legend>${legend}</legend>${inputs}</fieldset>
  `;
}

interface OperatedField {
  readonly legend: string;
  readonly operator: Choices & { readonly name: string; readonly label: string };
  /** Attributes of the input; `id` is also its name. */
  readonly input: Attributes & { readonly id: string };
  readonly below?: unknown;
}

export function renderOperated({ legend, operator, input, below }: OperatedField): unknown {
  const { name, label, choices, chosen } = operator;
  const inputs = html`
    <select name=${name} aria-label=${label}>${renderOptions(choices, chosen)}</select>
    <input ...${input} name=${input.id} autocomplete="off" />
    ${below}
  `;
  return renderFieldset(legend, inputs, 'operated');
}

interface ChoiceSet extends Notes {
  readonly legend: unknown;
  readonly name: string;
  readonly choices: readonly (Choice & { readonly title?: string })[];
  readonly chosen: readonly string[];
}

/** Boxes to tick, or with `radio` one to choose. */
export function renderChecks({ legend, name, choices, chosen }: ChoiceSet, type: 'checkbox' | 'radio'): unknown {
  return renderFieldset(
    legend,
    choices.map(({ value, label }) => renderCheck(label, { type, name, value, checked: chosen.includes(value) })),
  );
}

export function renderCheck(label: unknown, attributes: Attributes): unknown {
  return html`<label class="check"><input type="checkbox" ...${attributes} /> ${label}</label>`;
}

/** The box that chooses a row of a table. `whom`: how the row is called. */
export function renderTick(name: string, value: string, whom: string): unknown {
  return html`<input type="checkbox" name=${name} value=${value} aria-label=${`Choose ${whom}`} />`;
}

/** `renderChecks` with boxes side by side, each in its own pill. What is chosen and not offered is shown too. */
export function renderChipSet({ legend, name, choices, chosen, hint, refusal }: ChoiceSet): unknown {
  const others = chosen.filter((value) => !choices.some((choice) => choice.value === value));
  const offered = [...choices, ...others.map((value) => ({ value, label: value, title: value }))];
  const chips = renderChips({ name, choices: offered, chosen });
  return renderFieldset(legend, html`${chips}${renderNotes(name, { hint, refusal })}`);
}

export function renderChips({ name, choices, chosen }: Omit<ChoiceSet, 'legend'>): unknown {
  return html`
    <div class="chips">
      ${choices.map(
        ({ value, label, title }) => html`
          <label class="chip">
            <input type="checkbox" name=${name} value=${value} checked=${chosen.includes(value)} />
            <span title=${title ?? null}>${label}</span>
          </label>
        `,
      )}
    </div>
  `;
}
