/**
 * The form in which a team says what it does about something that was found: a state, a note, and where a page has it
 * who takes care of it.
 */
import { html } from 'htm/preact';
import type { PublicCall } from './call.ts';
import { renderFault } from './components.ts';
import { areaField, choiceField } from './field-kinds.ts';
import { type Field, type Fields, type Form, renderForm, type Submission } from './forms.ts';
import { formatCount } from './pieces.ts';

/** `states`: in addition to open. */
export function stateField<State extends string>(
  states: readonly { readonly value: State; readonly label: string }[],
): Field<State | 'open'> {
  return choiceField<State | 'open'>({
    as: 'radio',
    label: 'State',
    choices: [{ value: 'open', label: 'Open' }, ...states],
    initial: 'open',
    absent: 'open',
    fault: 'Choose a state.',
  });
}

/** `max`: in Unicode code points. The value is null for no note. */
export function noteField(max: number): Field<string | null> {
  return areaField({
    label: 'Note',
    hint: 'Your team sees it.',
    attributes: { rows: 4, maxlength: max, dir: 'auto', spellcheck: true },
    read: (text) => {
      const note = text.replaceAll('\r\n', '\n').trim().toWellFormed();
      if ([...note].length > max) return { fault: `A note has at most ${formatCount(max)} characters.` };
      // PostgreSQL holds no NUL in text.
      if (note.includes('\0')) return { fault: 'The note has a character that cannot be stored. Type it again.' };
      return note === '' ? null : note;
    },
  });
}

export interface Handled<Of extends Fields> extends Pick<Submission<Of>, 'action' | 'shown' | 'back'> {
  /** Who changed it last, and when; null if nobody did. */
  readonly last: unknown;
  readonly fault: string | null;
}

export function renderHandling<Of extends Fields>(
  call: PublicCall,
  form: Form<Of>,
  { last, fault, ...submission }: Handled<Of>,
): unknown {
  return html`
    <section id="handling">
      <h2>What we do about it</h2>
      ${renderFault(fault)}
      ${renderForm(call, form, { ...submission, label: 'Save' })}
      ${last === null ? null : html`<p class="hint">${last}</p>`}
    </section>
  `;
}
