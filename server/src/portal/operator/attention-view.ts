/** The list of what needs attention on the operators' overview, with a form that dismisses each matter. */
import { html } from 'htm/preact';
import type { Dismissal } from '../../store/accounts/dismissals.ts';
import { type SignedInCall, typedIn } from '../frame/call.ts';
import { renderButton, renderDisclosure, renderEmpty, renderFault, renderNotice } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formatCount, formFields, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import type { Concern } from './attention.ts';

/** Characters of the note. */
export const NOTE_MAX = 500;

interface Attention {
  readonly concerns: readonly Concern[];
  /** Those of the concerns that are dismissed as they are now. */
  readonly dismissals: readonly Dismissal[];
  readonly fault: string | null;
  /** What is listed only in part; null if nothing is. */
  readonly cut: string | null;
}

export function renderAttention(call: SignedInCall, { concerns, dismissals, fault, cut }: Attention): unknown {
  const dismissed = new Map(dismissals.map((each) => [each.matter, each]));
  const shown = concerns.filter(({ matter }) => !dismissed.has(matter));
  const hidden = concerns.filter(({ matter }) => dismissed.has(matter));
  return html`
    <section id="attention">
      <h2>Needs attention</h2>
      ${renderFault(fault)}
      ${shown.length === 0 ? renderEmpty('All clear.') : null}
      ${shown.map((concern, at) => renderConcern(call, concern, at))}
      ${cut === null ? null : html`<p class="hint">${cut}</p>`}
      ${hidden.length === 0 ? null : renderDismissed(call, hidden, dismissed)}
    </section>
  `;
}

function renderConcern(call: SignedInCall, { level, text, href, matter, state }: Concern, at: number): unknown {
  const isTyped = typedIn(call, 'matter') === matter;
  const form = html`
    <form method="post" action="/portal/operator/attention/dismiss" class="stack">
      ${formFields(call)}
      <input type="hidden" name="matter" value=${matter} />
      <input type="hidden" name="state" value=${state} />
      ${renderField({
        id: `note-${at}`,
        label: 'Why it needs no attention',
        attributes: {
          name: 'note',
          required: true,
          maxlength: NOTE_MAX,
          value: isTyped ? (typedIn(call, 'note') ?? '') : '',
        },
      })}
      ${renderButton('Dismiss until it changes', 'second')}
    </form>
  `;
  const summary = html`Dismiss…<span class="unseen"> ${text}</span>`;
  return renderNotice(
    level,
    html`<p><a href=${href}><bdi>${text}</bdi></a></p>${renderDisclosure(summary, form, isTyped)}`,
  );
}

function renderDismissed(
  call: SignedInCall,
  concerns: readonly Concern[],
  dismissed: ReadonlyMap<string, Dismissal>,
): unknown {
  const table = renderTable<Concern>({
    label: 'Dismissed',
    rows: concerns,
    keyOf: ({ matter }) => matter,
    columns: [
      {
        label: 'What',
        isHeader: true,
        style: 'name',
        cell: ({ href, text }) => html`<a href=${href}><bdi>${text}</bdi></a>`,
      },
      { label: 'Note', style: 'name', cell: ({ matter }) => html`<bdi>${dismissed.get(matter)!.note}</bdi>` },
      { label: 'Who', style: 'name', cell: ({ matter }) => html`<bdi>${dismissed.get(matter)!.actor}</bdi>` },
      { label: 'When', cell: ({ matter }) => renderInstant(dismissed.get(matter)!.dismissed_at) },
      { label: 'Back', isUnlabelled: true, cell: (concern) => renderRecall(call, concern) },
    ],
  });
  return renderDisclosure(`${formatCount(concerns.length)} dismissed until they change`, table);
}

function renderRecall(call: SignedInCall, { matter, text }: Concern): unknown {
  return html`
    <form method="post" action="/portal/operator/attention/recall">
      ${formFields(call)}
      <input type="hidden" name="matter" value=${matter} />
      ${renderButton(html`Show again<span class="unseen"> ${text}</span>`, 'quiet')}
    </form>
  `;
}
