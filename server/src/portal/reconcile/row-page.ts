/** One row of a compared docket: what was found, and what was done about it. */

import { html } from 'htm/preact';
import type { DocketMark } from '../../store/accounts/docket-marks.ts';
import { recordPath } from '../explorer/record-parts.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderActions, renderBadge, renderFacts, renderLinkButton, renderTrail } from '../frame/components.ts';
import { renderHandling } from '../frame/handling-form.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
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
  const page = buildFormPage(
    {
      title: `${title}, ${docket.name}`,
      heading: title,
      section: 'reconcile',
      trail: renderTrail(
        { label: 'Dockets', href: '/portal/reconcile' },
        { label: html`<bdi>${docket.name}</bdi>`, href: back },
      ),
    },
    html`${renderFacts([
      ['Your reference', finding.reference ? html`<bdi>${finding.reference}</bdi>` : null],
      ['Mark', finding.mark ? html`<bdi>${finding.mark}</bdi>` : null],
      ['Register', code === null ? null : nameAndCode(code)],
      ['Number', finding.numbers.length === 0 ? null : html`<bdi>${finding.numbers.join(', ')}</bdi>`],
      ['Result', renderBadge(level, result)],
      ['Details', details.length === 0 ? null : details.map((text) => html`<div key=${text}><bdi>${text}</bdi></div>`)],
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
      ${renderHandling(call, {
        action: path,
        kept: { back },
        states: Object.entries(STATE_TITLES).map(([value, [label]]) => ({ value, label })),
        state: mark?.state ?? 'open',
        note: mark?.note ?? null,
        noteMax: NOTE_LENGTH_MAX,
        last: mark === null ? null : describeLast(mark),
        fault,
        back,
      })}`,
  );
  // The fault is said in the form.
  return { ...page, status: fault === null ? 200 : 422 };
}

function describeLast({ marked_by: by, marked_at: at }: DocketMark): unknown {
  return html`Last changed ${by === CARRIED ? 'with an earlier docket' : html`by <bdi>${by}</bdi>`} on ${renderInstant(at)}.`;
}
