/**
 * The stage of a load between formats and publishes: prepared items in source order become rows of the staging table,
 * cut into batches that one publish can take. A record that already has the very content is staged as its identity
 * alone. It publishes nothing.
 */
import type { Database } from '../store/db.ts';
import { encodeStagedRow, encodeUnchangedRow, listUnchanged, stageRows, type UnchangedRow } from '../store/stage.ts';
import { buildStagedRow, type PreparedItem, type PreparedRecord, type RejectedRecord } from './normalize.ts';
import { countIssues, type Findings } from './report.ts';

/** Bounds of what one publish takes, so that its transaction stays short whatever the records carry. */
export const BATCH_ROWS_MAX = 5_000;
export const BATCH_BYTES_MAX = 16 * 1024 * 1024;
/** Records compared with the stored ones in one statement; fewer when they carry payloads. */
const GROUP_MAX = 1_000;
const GROUP_PAYLOADS_MAX = 50;
/** Encoded rows are handed on in pieces of about this many characters. */
const PIECE_LENGTH = 256 * 1024;
/** Bytes after which one COPY ends and the next begins, so that none lasts as long as the load. */
const COPY_BYTES_MAX = 256 * 1024 * 1024;
/** The batch of rows that have nothing to publish. */
const NO_BATCH = 0;

export interface StageTarget {
  db: Database;
  loadId: string;
  /** Whether any record of this register is stored: only then is there something to compare with. */
  isStocked(register: string): boolean;
}

export interface Staged {
  /** Number of the last batch; 0 when there is nothing to publish. */
  batches: number;
  /** Rows in them. */
  rows: number;
}

/** Stages every item. */
export async function stageItems(
  target: StageTarget,
  items: AsyncIterable<PreparedItem>,
  findings: Findings,
): Promise<Staged> {
  const cut = openBatchCut();
  const pieces = encodeItems(target, items, findings, cut);
  try {
    for (let more = true; more; ) {
      more = false;
      await stageRows(
        target.db,
        target.loadId,
        takeUpTo(pieces, COPY_BYTES_MAX, () => (more = true)),
      );
    }
  } finally {
    // A COPY that failed leaves the readers open.
    await pieces.return(undefined);
  }
  return cut.staged();
}

async function* takeUpTo(
  pieces: AsyncGenerator<Buffer>,
  bytesMax: number,
  onFull: () => void,
): AsyncGenerator<Buffer, void> {
  for (let bytes = 0; bytes < bytesMax; ) {
    const next = await pieces.next();
    if (next.done) return;
    bytes += next.value.length;
    yield next.value;
  }
  onFull();
}

interface BatchCut {
  /** The batch, from 1, that takes the next row of this length. */
  place(length: number): number;
  staged(): Staged;
}

function openBatchCut(): BatchCut {
  let batch = 0;
  let rows = BATCH_ROWS_MAX;
  let bytes = 0;
  let total = 0;
  return {
    place(length) {
      total += 1;
      if (rows >= BATCH_ROWS_MAX || (rows > 0 && bytes + length > BATCH_BYTES_MAX)) {
        batch += 1;
        rows = 0;
        bytes = 0;
      }
      rows += 1;
      bytes += length;
      return batch;
    },
    staged: () => ({ batches: batch, rows: total }),
  };
}

interface Group {
  records: PreparedRecord[];
  /** Positions among `records` that hold their content already. */
  unchanged: Promise<ReadonlySet<number>>;
}

/** Rejects and issues are noted as they pass. While a group is compared, the next one is already read. */
async function* encodeItems(
  target: StageTarget,
  items: AsyncIterable<PreparedItem>,
  findings: Findings,
  cut: BatchCut,
): AsyncGenerator<Buffer, void> {
  const encodeGroup = openGroupEncoder(findings, cut);
  let waiting: Group | null = null;
  for await (const records of groupRecords(items, findings)) {
    const group: Group = { records, unchanged: compareGroup(target, records) };
    // Awaited one round later; a failure is thrown there.
    group.unchanged.catch(() => undefined);
    if (waiting !== null) yield* encodeGroup(waiting);
    waiting = group;
  }
  if (waiting !== null) yield* encodeGroup(waiting);
}

const NONE: ReadonlySet<number> = new Set();

async function compareGroup(target: StageTarget, records: readonly PreparedRecord[]): Promise<ReadonlySet<number>> {
  if (!records.some(({ record }) => target.isStocked(record.jurisdiction_code))) return NONE;
  return await listUnchanged(target.db, records.map(identityOf));
}

function identityOf({ record, digest }: PreparedRecord): UnchangedRow {
  const { jurisdiction_code, uid, source_version } = record;
  return { jurisdiction_code, uid, content_digest: digest, source_version };
}

async function* groupRecords(items: AsyncIterable<PreparedItem>, findings: Findings): AsyncGenerator<PreparedRecord[]> {
  let group: PreparedRecord[] = [];
  let payloads = 0;
  for await (const item of items) {
    findings.read += 1;
    if (item.kind === 'reject') {
      await noteReject(findings, item);
      continue;
    }
    countIssues(findings, item.issues);
    findings.registers.add(item.record.jurisdiction_code);
    group.push(item);
    if (item.record.payload !== null) payloads += 1;
    if (group.length < GROUP_MAX && payloads < GROUP_PAYLOADS_MAX) continue;
    yield group;
    group = [];
    payloads = 0;
  }
  if (group.length > 0) yield group;
}

async function noteReject(findings: Findings, reject: RejectedRecord): Promise<void> {
  findings.rejected += 1;
  await findings.rejects.add(reject);
}

function openGroupEncoder(findings: Findings, cut: BatchCut): (group: Group) => AsyncGenerator<Buffer> {
  let seq = 0;
  return async function* encodeGroup(group) {
    const unchanged = await group.unchanged;
    let text = '';
    for (const [position, item] of group.records.entries()) {
      seq += 1;
      if (unchanged.has(position)) text += encodeUnchangedRow(NO_BATCH, seq, identityOf(item));
      else {
        const built = buildStagedRow(item);
        if (built.kind === 'reject') {
          await noteReject(findings, built);
          continue;
        }
        const { row } = built;
        text += encodeStagedRow(cut.place(row.detail.length + (row.payload?.length ?? 0)), seq, row);
      }
      if (text.length < PIECE_LENGTH) continue;
      yield Buffer.from(text);
      text = '';
    }
    if (text !== '') yield Buffer.from(text);
  };
}
