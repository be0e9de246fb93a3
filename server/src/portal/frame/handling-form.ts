/**
 * The form in which a team says what it does about something that was found: a state, a note, and with `people` who
 * takes care of it. What is typed stays in it when it is refused.
 */
import { html } from 'htm/preact';
import { type PublicCall, typedIn } from './call.ts';
import { renderActions, renderButton, renderFault, renderLinkButton } from './components.ts';
import { renderChecks, renderSelect, renderTextArea } from './fields.ts';
import { formFields } from './pieces.ts';

interface Named {
  readonly value: string;
  readonly label: string;
}

export interface Handled {
  readonly action: string;
  /** Fields that nobody types. */
  readonly kept: Readonly<Record<string, string>>;
  /** In addition to open. */
  readonly states: readonly Named[];
  /** One of them; any other text means open. */
  readonly state: string;
  readonly people?: { readonly offered: readonly Named[]; readonly chosen: string | null };
  readonly note: string | null;
  readonly noteMax: number;
  /** Who changed it last, and when; null if nobody did. */
  readonly last: unknown;
  readonly fault: string | null;
  /** The page to go back to. */
  readonly back: string;
}

/** Fields of the form that are shown again. */
export const HANDLING_FIELDS: readonly string[] = ['state', 'person', 'note'];
const OPEN: Named = { value: 'open', label: 'Open' };
const NOBODY: Named = { value: '', label: 'Nobody' };

export function renderHandling(call: PublicCall, handled: Handled): unknown {
  const { action, kept, states, state, people, note, noteMax, last, fault, back } = handled;
  const typed = (name: string, known: string): string => typedIn(call, name) ?? known;
  return html`
    <section id="handling">
      <h2>What we do about it</h2>
      ${renderFault(fault)}
      <form method="post" action=${action} class="stack">
        ${formFields(call)}
        ${Object.entries(kept).map(([name, value]) => html`<input key=${name} type="hidden" name=${name} value=${value} />`)}
        ${renderChecks(
          {
            legend: 'State',
            name: 'state',
            choices: [OPEN, ...states],
            chosen: [typed('state', states.some(({ value }) => value === state) ? state : OPEN.value)],
          },
          'radio',
        )}
        ${
          people === undefined
            ? null
            : renderSelect({
                id: 'person',
                label: 'Person',
                choices: [NOBODY, ...people.offered],
                chosen: typed('person', people.chosen ?? NOBODY.value),
              })
        }
        ${renderTextArea({
          id: 'note',
          label: 'Note',
          text: typed('note', note ?? ''),
          hint: 'Your team sees it.',
          attributes: { rows: 4, maxlength: noteMax, dir: 'auto', spellcheck: true },
        })}
        ${renderActions(renderButton('Save'), renderLinkButton('Cancel', back, 'second'))}
      </form>
      ${last === null ? null : html`<p class="hint">${last}</p>`}
    </section>
  `;
}
