/** One row of a compared docket: what was found, and what was done about it. */
import { html } from 'htm/preact';
import { recordPath } from '../explorer/record-path.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderButton,
  renderFacts,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderTrail,
} from '../frame/components.ts';
import { renderChecks, renderTextArea } from '../frame/fields.ts';
import { formatCount, formFields, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import type { Computed } from './computed.ts';
import { NOTE_LENGTH_MAX } from './marking.ts';
import { CARRIED } from './memory.ts';
import { nameRow, type ResultRow } from './results.ts';
import type { Docket } from './stored-docket.ts';
import { describeSince, RESULT_TITLES, STATE_TITLES, sayDetails } from './wording.ts';

interface RowShown {
  readonly row: ResultRow;
  /** What the rule gives; null if it gives nothing. */
  readonly computed: Computed | null;
  readonly back: string;
  readonly fault: string | null;
}

export function renderRow(call: MemberCall, docket: Docket, { row, computed, back, fault }: RowShown): Page {
  const { finding, mark, part } = row;
  const path = `/portal/reconcile/${docket.docket_id}/rows/${nameRow(part, finding.line)}`;
  const title = `Line ${formatCount(finding.line)}`;
  const { jurisdiction_code: code, uid, updated_at: updatedAt, known_through: knownThrough } = finding;
  const [result, level] = RESULT_TITLES[finding.result];
  const details = [...sayDetails(finding), ...(computed?.values() ?? [])];
  const since = finding.memory?.since ?? null;
  const opening = { keyId: docket.key_id ?? '', from: path };
  const body = html`
    <section class="narrow">
      ${renderTrail({ label: 'Dockets', href: '/portal/reconcile' }, { label: html`<bdi>${docket.name}</bdi>`, href: back })}
      ${renderHeading(title)}
      ${renderFacts([
        ['Your reference', finding.reference ? html`<bdi>${finding.reference}</bdi>` : null],
        ['Mark', finding.mark ? html`<bdi>${finding.mark}</bdi>` : null],
        ['Register', code === null ? null : nameAndCode(code)],
        ['Number', finding.numbers.length === 0 ? null : html`<bdi>${finding.numbers.join(', ')}</bdi>`],
        ['Result', renderBadge(level, result)],
        [
          'Details',
          details.length === 0 ? null : details.map((text) => html`<div key=${text}><bdi>${text}</bdi></div>`),
        ],
        ['Since last time', since === null ? null : describeSince(since)],
        ['Record changed', updatedAt === null ? null : renderInstant(updatedAt)],
        ['Register known up to', knownThrough === null ? null : renderInstant(knownThrough)],
      ])}
      ${
        code === null || uid === null
          ? null
          : renderActions(
              renderLinkButton('Open the record', recordPath({ jurisdiction_code: code, uid }, opening), 'second', {
                rel: 'nofollow',
              }),
            )
      }
      <h2>Your work</h2>
      ${renderFault(fault)}
      <form method="post" action=${path} class="stack">
        ${formFields(call)}
        <input type="hidden" name="back" value=${back} />
        ${renderChecks(
          {
            legend: 'This row is',
            name: 'state',
            choices: [
              { value: 'open', label: 'Open' },
              ...Object.entries(STATE_TITLES).map(([value, [label]]) => ({ value, label })),
            ],
            chosen: [mark?.state ?? 'open'],
          },
          'radio',
        )}
        ${renderTextArea({
          id: 'note',
          label: 'Note',
          text: call.form.get('note') ?? mark?.note ?? '',
          hint: `Up to ${NOTE_LENGTH_MAX} characters, for everybody on your team.`,
          attributes: { rows: 4, maxlength: NOTE_LENGTH_MAX, spellcheck: true },
        })}
        ${
          mark === null
            ? null
            : html`
                <p class="hint">
                  Last changed ${mark.marked_by === CARRIED ? 'with an earlier docket' : html`by ${mark.marked_by}`},${' '}
                  ${renderInstant(mark.marked_at)}.
                </p>
              `
        }
        ${renderActions(renderButton('Save'), renderLinkButton('Cancel', back, 'second'))}
      </form>
    </section>
  `;
  return { title: `${title}, ${docket.name}`, body, section: 'reconcile', ...(fault === null ? {} : { status: 422 }) };
}
