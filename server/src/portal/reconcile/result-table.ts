/** The rows of a compared docket as a table to work on: tick rows, say what was done, add notes. */

import { DOCKET_FIELDS } from '@tmds/contract/docket/fields';
import type { DescribedFinding } from '@tmds/contract/docket/output';
import { html } from 'htm/preact';
import { recordPath } from '../explorer/record-parts.ts';
import type { MemberCall } from '../frame/call.ts';
import { renderActions, renderBadge, renderButton } from '../frame/components.ts';
import { formatCount, formFields, renderDay } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import type { Computed } from './computed.ts';
import { nameRow, type ResultRow } from './results.ts';
import type { Docket } from './stored-docket.ts';
import { describeSince, RESULT_TITLES, STATE_TITLES, writeStated } from './wording.ts';

interface TableState {
  readonly docket: Docket;
  readonly rows: readonly ResultRow[];
  /** The address of this page. */
  readonly here: string;
  /** Whether an earlier docket had some of the rows. */
  readonly isKnown: boolean;
  /** What rules give. */
  readonly computed: ReadonlyMap<DescribedFinding, Computed>;
}

export function renderResultTable(call: MemberCall, { docket, rows, here, isKnown, computed }: TableState): unknown {
  const path = `/portal/reconcile/${docket.docket_id}`;
  const opening = { keyId: docket.key_id ?? '', from: here };
  const link = (register: string | null, uid: string, text: string): unknown =>
    html`<a rel="nofollow" href=${recordPath({ jurisdiction_code: register ?? '', uid }, opening)}><bdi>${text}</bdi></a>`;
  const since: TableColumn<ResultRow> = {
    label: 'Since last time',
    style: 'name',
    cell: ({ finding }) => (finding.memory?.since == null ? null : describeSince(finding.memory.since)),
  };
  const reference: TableColumn<ResultRow> = {
    label: 'Your reference',
    cell: ({ finding }) => (finding.reference ? html`<bdi>${finding.reference}</bdi>` : null),
  };
  const hasReference = docket.reading?.mapping.reference !== undefined;
  const rowPath = ({ part, finding }: ResultRow): string =>
    `${path}/rows/${nameRow(part, finding.line)}?${new URLSearchParams({ back: here }).toString()}`;
  return html`
    <form method="post" action=${`${path}/marks`} class="stack">
      ${formFields(call)}
      <input type="hidden" name="back" value=${here} />
      ${renderTable<ResultRow>({
        label: 'Rows',
        rows,
        keyOf: ({ part, finding }) => nameRow(part, finding.line),
        columns: [
          {
            label: 'Line',
            isHeader: true,
            // On one line, next to its box.
            style: 'date',
            cell: (row) => {
              const { line } = row.finding;
              return html`
                <input type="checkbox" name="row" value=${nameRow(row.part, line)} aria-label=${`Choose line ${line}`} />
                ${' '}<a href=${rowPath(row)}>${formatCount(line)}</a>
              `;
            },
          },
          ...(hasReference ? [reference] : []),
          {
            label: 'Mark',
            style: 'name',
            cell: ({ finding }) => (finding.mark ? html`<bdi>${finding.mark}</bdi>` : null),
          },
          {
            label: 'Register',
            cell: ({ finding: { jurisdiction_code: code } }) => (code === null ? '' : registerName(code)),
          },
          {
            label: 'Number',
            cell: ({ finding: { numbers, uid, jurisdiction_code: code } }) =>
              uid === null ? numbers.join(', ') || null : link(code, uid, numbers.join(', ')),
          },
          { label: 'Result', cell: renderState },
          { label: 'Details', style: 'words', cell: (row) => renderSaid(row, computed.get(row.finding) ?? null, link) },
          ...(isKnown ? [since] : []),
          {
            label: 'Record changed',
            style: 'date',
            cell: ({ finding: { updated_at: at } }) => (at === null ? '' : renderDay(at)),
          },
        ],
      })}
      <p class="hint">Choose rows and say what you did. The number of a line opens it, for a note.</p>
      ${renderActions(
        renderButton('Mark as done', 'second', { name: 'do', value: 'done' }),
        renderButton('Ignore', 'second', { name: 'do', value: 'ignored' }),
        renderButton('Reopen', 'second', { name: 'do', value: 'open' }),
      )}
    </form>
  `;
}

function renderState({ finding: { result }, mark }: ResultRow): unknown {
  const [title, level] = RESULT_TITLES[result];
  const state = mark?.state ?? null;
  return html`
    ${renderBadge(level, title)}
    ${state === null ? null : html` ${renderBadge(STATE_TITLES[state][1], STATE_TITLES[state][0])}`}
  `;
}

function renderSaid(
  { finding, mark }: ResultRow,
  computed: Computed | null,
  link: (register: string | null, uid: string, text: string) => unknown,
): unknown {
  const {
    reason,
    differences,
    candidates,
    not_compared: notCompared,
    jurisdiction_code: code,
  }: DescribedFinding = finding;
  const note = mark?.note ?? null;
  if (reason === null && note === null && differences.length + candidates.length + notCompared.length === 0)
    return null;
  return html`
    ${reason}
    ${differences.map(
      ({ field, yours, register }) => html`
        <div key=${field}>
          ${DOCKET_FIELDS[field]}: you have “<bdi>${yours}</bdi>”, the register
          ${register === null ? ' states none' : html` has <strong>“<bdi>${writeStated(field, register)}</bdi>”</strong>`}.
        </div>
      `,
    )}
    ${candidates.map(({ uid }) => html`<div key=${uid}>${link(code, uid, uid)}</div>`)}
    ${notCompared.map(
      ({ field, reason: why }) => html`
        <div key=${field} class="hint">${DOCKET_FIELDS[field]} is not compared: ${why}.</div>
      `,
    )}
    ${[...(computed ?? [])].map(([field, sentence]) => html`<div key=${`rule of ${field}`}>${sentence}</div>`)}
    ${note === null ? null : html`<div><strong>Note:</strong> <bdi>${note}</bdi></div>`}
  `;
}
