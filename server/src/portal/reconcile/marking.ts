/** What people do with the rows of a docket: done, ignored or open again, and a note. */

import type { Database, Transaction } from '../../database/driver/db.ts';
import { MARK_STATES, type MarkState, type NewMark, putMarks } from '../../store/accounts/docket-marks.ts';
import { lockMemory, rememberMarks } from '../../store/accounts/docket-memory.ts';
import { type MemberCall, pageNotFound, type Redirect } from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { findRows, type ResultRow } from './results.ts';
import type { Docket } from './stored-docket.ts';

/** In Unicode code points. */
export const NOTE_LENGTH_MAX = 500;
/** Rows of one form: those of a page. */
const ROWS_MAX = 50;

/** Any other text: open. */
function parseState(text: string | null): MarkState | null {
  return MARK_STATES.find((state) => state === text) ?? null;
}

/** The rows that were ticked get a state; their notes stay. */
export async function markRows(call: MemberCall, database: Database, docket: Docket, to: string): Promise<Redirect> {
  const rows = await findRows(database, docket.docket_id, call.form.getAll('row').slice(0, ROWS_MAX));
  const state = parseState(call.form.get('do'));
  return doOnce(call, database, async (tx) => {
    await store(tx, call, docket, rows, { state, note: null, keepsNotes: true });
    return { to };
  });
}

/** One row gets a state and a note. */
export async function noteRow(
  call: MemberCall,
  database: Database,
  docket: Docket,
  to: string,
): Promise<Redirect | Fault> {
  const rows = await findRows(database, docket.docket_id, [call.params.row ?? '']);
  if (rows.length === 0) throw pageNotFound();
  const note = (call.form.get('note') ?? '').trim().toWellFormed();
  if ([...note].length > NOTE_LENGTH_MAX) return { fault: `A note has at most ${NOTE_LENGTH_MAX} characters.` };
  const state = parseState(call.form.get('state'));
  return doOnce(call, database, async (tx) => {
    await store(tx, call, docket, rows, { state, note: note === '' ? null : note, keepsNotes: false });
    return { to };
  });
}

async function store(
  tx: Transaction,
  { user, person }: MemberCall,
  { docket_id: docketId }: Docket,
  rows: readonly ResultRow[],
  { state, note, keepsNotes }: Pick<NewMark, 'state' | 'note'> & { readonly keepsNotes: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  // Before the rows, as a comparison does, so that neither waits for the other.
  const isRemembered = (await lockMemory(tx, user.customer_id)) !== null;
  const marks = rows.map(({ part, finding: { line, result } }) => ({ line, part, result, state, note }));
  await putMarks(tx, docketId, marks, person.email, keepsNotes);
  const remembered = rows.flatMap(({ finding: { memory } }) =>
    memory === undefined ? [] : [{ row_digest: Buffer.from(memory.row, 'base64url'), state, note }],
  );
  if (isRemembered) await rememberMarks(tx, user.customer_id, remembered, keepsNotes);
}
