/**
 * One row of a compared docket: what was found, and what people do with it: done, ignored or open again, and a note.
 */
import { html } from 'htm/preact';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { lockMemory, rememberMarks } from '../../store/accounts/docket-memory.ts';
import {
  type DocketMark,
  lockDocket,
  MARK_STATES,
  type MarkState,
  type NewMark,
  putMarks,
} from '../../store/accounts/dockets.ts';
import { recordPath } from '../explorer/record-parts.ts';
import { type MemberCall, type Page, pageNotFound, type Redirect } from '../frame/call.ts';
import { renderActions, renderBadge, renderFacts, renderLinkButton, renderTrail } from '../frame/components.ts';
import { hiddenField } from '../frame/field-kinds.ts';
import { declareForm, type Values } from '../frame/forms.ts';
import { noteField, renderHandling, stateField } from '../frame/handling-form.ts';
import { doOnce } from '../frame/once.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { CARRIED } from './comparisons.ts';
import { type Docket, findRows, nameRow, type ResultRow } from './results.ts';
import { type Computed, describeSince, RESULT_TITLES, STATE_TITLES, sayDetails } from './wording.ts';

const NOTE_LENGTH_MAX = 500;

export const ROW = declareForm({
  back: hiddenField(false),
  state: stateField(MARK_STATES.map((value) => ({ value, label: STATE_TITLES[value][0] }))),
  note: noteField(NOTE_LENGTH_MAX),
});

export function renderRow(
  call: MemberCall,
  docket: Docket,
  { row, computed, back, fault }: { row: ResultRow; computed: Computed | null; back: string; fault: string | null },
): Page {
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
      ['Details', details.length === 0 ? null : details.map((text) => html`<div><bdi>${text}</bdi></div>`)],
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
      ${renderHandling(call, ROW, {
        action: path,
        shown: { back: { value: back }, state: { value: mark?.state ?? null }, note: { value: mark?.note ?? null } },
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

type Deed = MarkState | 'open';

export async function markRows(
  call: MemberCall,
  database: Database,
  docket: Docket,
  { names, state, to }: { readonly names: readonly string[]; readonly state: Deed; readonly to: string },
): Promise<Redirect> {
  const rows = await findRows(database, docket.docket_id, names);
  return doOnce(call, database, async (tx) => {
    await store(tx, call, docket, rows, { state: parseState(state), note: null, keepsNotes: true });
    return { to };
  });
}

export async function noteRow(
  call: MemberCall,
  database: Database,
  docket: Docket,
  { state, note, to }: Omit<Values<typeof ROW.fields>, 'back'> & { readonly to: string },
): Promise<Redirect> {
  const rows = await findRows(database, docket.docket_id, [call.params.row ?? '']);
  if (rows.length === 0) throw pageNotFound();
  return doOnce(call, database, async (tx) => {
    await store(tx, call, docket, rows, { state: parseState(state), note, keepsNotes: false });
    return { to };
  });
}

function parseState(deed: Deed): MarkState | null {
  return deed === 'open' ? null : deed;
}

async function store(
  tx: Transaction,
  { user, person }: MemberCall,
  { docket_id: docketId }: Docket,
  rows: readonly ResultRow[],
  { state, note, keepsNotes }: Pick<NewMark, 'state' | 'note'> & { readonly keepsNotes: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  const isRemembered = (await lockMemory(tx, user.customer_id)) !== null;
  if (!(await lockDocket(tx, docketId))) throw pageNotFound();
  const marks = rows.map(({ part, finding: { line, result } }) => ({ line, part, result, state, note }));
  await putMarks(tx, docketId, marks, person.email, keepsNotes);
  const remembered = rows.flatMap(({ finding: { memory } }) =>
    memory === undefined ? [] : [{ row_digest: Buffer.from(memory.row, 'base64url'), state, note }],
  );
  if (isRemembered) await rememberMarks(tx, user.customer_id, remembered, keepsNotes);
}
