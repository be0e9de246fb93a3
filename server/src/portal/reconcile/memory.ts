/**
 * Compares a part of a docket with what is remembered of the customer's dockets, and remembers it in turn. A row is
 * recognized by its register and first number, so the name of the file and the order of its rows may change. What is
 * kept are digests, keyed by a secret of the customer: no number can be read or tried out without it.
 */
import { createHmac } from 'node:crypto';
import { NUMBER_COLUMNS } from '@tmds/contract/docket/fields';
import type { DescribedFinding } from '@tmds/contract/docket/output';
import { type Finding, mapGently } from '@tmds/contract/docket/reconcile';
import type { Reading } from '@tmds/contract/docket/rows';
import type { Transaction } from '../../database/driver/db.ts';
import { type NewMark, putMarks } from '../../store/accounts/docket-marks.ts';
import {
  listRemembered,
  lockMemory,
  type NewRemembered,
  type RememberedRow,
  rememberRows,
} from '../../store/accounts/docket-memory.ts';
import { notePrevious } from '../../store/accounts/dockets.ts';
import type { Docket, KeptFinding, Since } from './stored-docket.ts';

/** Bytes of a digest: enough that no two rows of a customer have the same. */
const DIGEST_BYTES = 16;

export interface ComparedPart {
  readonly number: number;
  readonly findings: readonly Finding[];
  /** The same, in their order. */
  readonly described: readonly DescribedFinding[];
}

export interface RememberedPart {
  readonly kept: readonly KeptFinding[];
  /** Rows that were remembered, and rows that differ from the last time. */
  readonly counts: { readonly known: number; readonly changed: number };
}

type Remembering = Pick<Docket, 'docket_id' | 'customer_id' | 'remembers' | 'reading'>;

export async function rememberPart(tx: Transaction, docket: Remembering, part: ComparedPart): Promise<RememberedPart> {
  const { docket_id: docketId, customer_id: customerId, reading } = docket;
  const secret = docket.remembers ? await lockMemory(tx, customerId) : null;
  if (secret === null || reading === null) return { kept: part.described, counts: { known: 0, changed: 0 } };
  const rows = await digestRows(part, reading, secret);
  const held = new Map(
    (
      await listRemembered(
        tx,
        customerId,
        rows.map(({ row }) => row),
      )
    ).map((one) => [one.row_digest.toString('base64url'), one]),
  );
  const marks: NewMark[] = [];
  const remembered: NewRemembered[] = [];
  const previous = new Map<string, number>();
  let changed = 0;
  const kept = rows.map(({ row, content, finding }): KeptFinding => {
    const name = row.toString('base64url');
    const last = held.get(name);
    const since = compareWithLast(last, docketId, content, finding);
    if (last !== undefined) previous.set(last.docket_id, (previous.get(last.docket_id) ?? 0) + 1);
    if (since !== null) changed += 1;
    // What was done about a finding says nothing about another one; a note does.
    const state = since === null || since.kind === 'updated' ? (last?.state ?? null) : null;
    const note = last?.note ?? null;
    const { line, result } = finding;
    remembered.push({ row_digest: row, result, finding_digest: content, state, note });
    if (state !== null || note !== null) marks.push({ line, part: part.number, result, state, note });
    return { ...finding, memory: { row: name, since } };
  });
  await rememberRows(tx, customerId, docketId, remembered);
  if (marks.length > 0) await putMarks(tx, docketId, marks, CARRIED, false);
  previous.delete(docketId);
  const [most] = [...previous].sort(([, one], [, other]) => other - one);
  if (most !== undefined) await notePrevious(tx, docketId, most[0]);
  return { kept, counts: { known: held.size, changed } };
}

/** In the place of the person, for marks of an earlier docket. */
export const CARRIED = 'earlier docket';

function compareWithLast(
  last: RememberedRow | undefined,
  docketId: string,
  content: Buffer,
  { updated_at: updatedAt }: DescribedFinding,
): Since | null {
  if (last === undefined) return { kind: 'new', was: null, at: null };
  // The docket has the row twice, in two parts.
  if (last.docket_id === docketId) return null;
  const { result, seen_at: at } = last;
  if (!last.finding_digest.equals(content)) return { kind: 'changed', was: result as Since['was'], at };
  return updatedAt !== null && updatedAt > at ? { kind: 'updated', was: null, at } : null;
}

interface DigestedRow {
  readonly row: Buffer;
  readonly content: Buffer;
  readonly finding: DescribedFinding;
}

async function digestRows(
  { findings, described }: ComparedPart,
  { mapping }: Reading,
  secret: Buffer,
): Promise<DigestedRow[]> {
  const digest = (kind: string, value: unknown): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, value]))
      .digest()
      .subarray(0, DIGEST_BYTES);
  const seen = new Map<string, number>();
  return mapGently(
    findings.map((finding, at) => ({ finding, one: described[at]! })),
    ({ finding }) => finding.row.row.cells,
    ({ finding, one }) => {
      const identity = JSON.stringify(identify(finding, mapping));
      // A row that the part has several times is as many rows.
      const times = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, times);
      const { result, uid, candidates, differences } = one;
      const said = differences.map(({ field, yours, register }) => [field, yours, register]);
      const content = digest('finding', [result, uid, candidates.map((candidate) => candidate.uid), said]);
      return { row: digest('row', [identity, times]), content, finding: one };
    },
  );
}

/** The register and the first number; of a row without a number that can be searched for, its cells. */
function identify({ row: { register, numbers, row } }: Finding, mapping: Reading['mapping']): readonly string[] {
  const [number] = numbers;
  if (number !== undefined) {
    const bare = number.forms.map((form) => form.replace(/[^\p{L}\p{N}]/gu, '').replace(/^0+(?=.)/, ''));
    // The shortest form is the same for every spelling of the number.
    const [shortest = ''] = bare.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
    return [register ?? '', shortest];
  }
  const cells = [mapping.register, ...NUMBER_COLUMNS.map((column) => mapping[column])].map((column) =>
    column === undefined ? '' : (row.cells[column]?.trim() ?? ''),
  );
  return cells.slice(1).some((cell) => cell !== '') ? ['cells', ...cells] : ['row', ...row.cells];
}
