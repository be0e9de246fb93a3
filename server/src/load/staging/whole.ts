/**
 * A delivery that states a whole register (`--whole`): every stored record that it does not state gets an event. It
 * decides when a delivery counts as a whole register, and what the event says. The event is a partial statement, which
 * the publish merges onto the record like any other, so nothing of the record is lost, and a record that comes back is
 * simply stated in full again.
 */
import { CONTENT_FIELDS, type Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';
import type { Database } from '../../database/driver/db.ts';
import type { SourceRecord } from '../../record/document.ts';
import { ABSENT_EVENT, findAbsent, listAbsent } from '../../store/publish/absent.ts';
import type { Findings } from '../findings/report.ts';
import type { IssueCode, RegisterItem } from '../formats/format.ts';
import { openRowEncoder, PARTIAL_ROWS, prepareItem } from '../rows/encode.ts';
import { BATCH_ROWS_MAX, type LoadStage } from './stage.ts';

/** A delivery that lacks more than this share of its register is taken for a wrong or broken one. */
const ABSENT_SHARE_MAX = 0.1;
/** Fewer absent records never count as that: in a small register any number is a large share. */
const ABSENT_FREE = 100;
/** The events of one batch. */
const PAGE_ROWS = BATCH_ROWS_MAX / PARTIAL_ROWS;

export interface WholeDelivery {
  /** `--accept-rejects`: a rejected record then counts as not stated. */
  acceptRejects: boolean;
  /** `--accept-absent`: accepts any number of absent records. */
  acceptAbsent: boolean;
  /** `--register CODE`. */
  register: string | null;
  /** When the delivery was made, as far as anyone states it. */
  madeAt: Instant | null;
}

/** Throws `OperatorError` unless the delivery can be a whole register. Returns its code. */
export function checkWhole({ register, acceptRejects }: WholeDelivery, findings: Findings, partials: number): string {
  const registers = [...findings.registers.keys()].sort();
  const [code] = registers;
  if (code === undefined) throw new OperatorError('--whole: the delivery states no record, so it states no register');
  if (registers.length > 1) {
    throw new OperatorError(`--whole: the delivery states records of ${registers.join(', ')}; load one register each`);
  }
  if (register !== null && register !== code) {
    throw new OperatorError(`--whole: the delivery is of the register ${code}, not of ${register}`);
  }
  if (partials > 0) {
    const reason = `it states ${partials} of its records only in part, as a journal of changes does`;
    throw new OperatorError(`--whole: the delivery is not a whole register: ${reason}`);
  }
  if (findings.rejected > 0 && !acceptRejects) {
    const remedy = 'mend them, or add --accept-rejects to treat them as no longer stated';
    throw new OperatorError(`--whole: ${findings.rejected} records were rejected, which may still exist; ${remedy}`);
  }
  return code;
}

/**
 * Stages an event for each record that this delivery is the first not to state, and counts it as read. Every record
 * that was read is staged already. Resolves to the number of records that the delivery does not state, now or before.
 * Throws `OperatorError` if that is too much of the register.
 */
export async function stageAbsent(
  { db, loadId, stage, findings }: { db: Database; loadId: string; stage: LoadStage; findings: Findings },
  register: string,
  delivery: WholeDelivery,
): Promise<number> {
  const { absent, absentBefore, held } = await findAbsent(db, loadId, register);
  if (!delivery.acceptAbsent && absent > ABSENT_FREE && absent > held * ABSENT_SHARE_MAX) {
    const share = Math.round((absent / held) * 1000) / 10;
    const seen = `${absent} of the ${held} records of ${register} (${share} %) are not in the delivery`;
    throw new OperatorError(`--whole: ${seen}; if that is right, add --accept-absent`);
  }
  let seq = 0;
  for await (const uids of listAbsent(db, loadId, PAGE_ROWS)) {
    const rows = openRowEncoder(seq, { rowBytes: uids.length * 1024, unchangedBytes: 0 });
    for (const uid of uids) {
      const item = prepareItem(buildEvent(register, uid, delivery.madeAt));
      if (item.kind === 'reject') throw new Error(`${register} ${uid} cannot be stated as absent: ${item.reason}`);
      rows.add(item);
      const issue = { code: 'absent_record' satisfies IssueCode, path: 'uid', value: uid };
      findings.issues.note(issue, 1, { jurisdiction_code: register, uid, position: null });
    }
    await stage.add(rows.end());
    seq += uids.length;
  }
  await stage.flush();
  findings.read += absent;
  return absent + absentBefore;
}

const SILENT = Object.fromEntries(Object.keys(CONTENT_FIELDS).map((field) => [field, null]));

/** States nothing but the event: an unknown status without a text says nothing (`record/merge.ts`). */
function buildEvent(register: string, uid: string, madeAt: Instant | null): RegisterItem {
  const date = madeAt === null ? {} : { date: madeAt.slice(0, 10) };
  const record = {
    ...SILENT,
    jurisdiction_code: register,
    uid,
    status: 'Unknown',
    mark_name_variants: null,
    payload: { events: [{ kind: ABSENT_EVENT, ...date }] },
    source_version: null,
    is_partial: true,
    is_removal: true,
  } as unknown as SourceRecord;
  return { kind: 'record', record, issues: [], position: '' };
}
