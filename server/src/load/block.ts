/**
 * The unit of work between formats and staging: a block of source lines, or a group of records, becomes rows for COPY.
 * Pure but for the format's reader, so it runs the same in the loading thread and in a worker.
 */
import type { Issue } from '../record/document.ts';
import { openRowWriter, type UnchangedRow } from '../store/copy-rows.ts';
import { encodeIdentities, type Identities } from '../store/identities.ts';
import type { LineFormat } from './formats/format.ts';
import { buildStagedRow, type PreparedRecord, prepareItem, type RejectedRecord } from './normalize.ts';
import { addKey } from './repeats.ts';

/** Lines as they are handed to a worker. */
export interface BlockTask {
  format: string;
  entryName: string;
  register: string | null;
  bytes: Uint8Array<ArrayBuffer>;
  firstLine: number;
  cut: boolean;
}

/** What a block turned out to hold, without the records themselves. */
export interface BlockFindings {
  read: number;
  rejects: RejectedRecord[];
  issues: Issue[];
  registers: string[];
}

export interface PreparedBlock {
  findings: BlockFindings;
  records: PreparedRecord[];
}

/** A block whose records are to be compared with what is stored: it holds their identities and lines, no more. */
export interface ComparableBlock {
  findings: BlockFindings;
  identities: Identities;
  /** Those at the positions of `differing` are read once more; the others hold their content already. */
  encode(differing: ReadonlySet<number>, place: BlockPlace): EncodedBlock;
}

/** Where the rows of a block go: the batch that publishes them, and the `seq` of the first. */
export interface BlockPlace {
  batch: number;
  seq: number;
}

export interface EncodedBlock {
  batch: number;
  /** Rows for COPY that a publish has to look at. */
  bytes: Uint8Array<ArrayBuffer>;
  rows: number;
  /** Rows for COPY of records that hold their content already. */
  unchanged: Uint8Array<ArrayBuffer>;
  /** Keys of all of them (`repeats.ts`). */
  keys: Uint32Array<ArrayBuffer>;
  /** Records whose row could not be built. */
  rejects: RejectedRecord[];
}

/** A row takes about so many times what its record takes, names and terms being stored beside it. */
const ROW_GROWTH = 2;
/** About what the row of an unchanged record takes. */
const IDENTITY_BYTES = 160;
/** The batch of rows that have nothing to publish. */
const NO_BATCH = 0;

/**
 * The records of a block, to be compared before anything is encoded. Of most nothing is needed any more then: what is
 * held meanwhile is what the threads' memory costs.
 */
export function prepareBlock(format: LineFormat, task: BlockTask): ComparableBlock {
  const identities: UnchangedRow[] = [];
  const lines: Pick<PreparedRecord, 'raw' | 'position'>[] = [];
  const findings = prepareRecords(format, task, (record) => {
    identities.push(identityOf(record));
    lines.push({ raw: record.raw, position: record.position });
  });
  const readAgain = ({ raw, position }: Pick<PreparedRecord, 'raw' | 'position'>): PreparedRecord => {
    const bytes = raw?.();
    if (!Buffer.isBuffer(bytes)) throw new Error('a format of lines gives each record its line');
    const block = { bytes, firstLine: 1, lineCount: 1, cut: false };
    for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
      const prepared = prepareItem(item);
      if (prepared.kind === 'record') return { ...prepared, position };
    }
    throw new Error(`${position} was a record and is none any more`);
  };
  return {
    findings,
    identities: encodeIdentities(identities),
    encode(differing, place) {
      const bytes = (task.bytes.length * ROW_GROWTH * differing.size) / Math.max(lines.length, 1);
      const rows = openEncoder(place, { bytes, unchangedBytes: identities.length * IDENTITY_BYTES });
      for (const [at, identity] of identities.entries()) {
        if (differing.has(at)) rows.add(readAgain(lines[at] as Pick<PreparedRecord, 'raw' | 'position'>));
        else rows.pass(identity);
      }
      return rows.end();
    },
  };
}

/** Both steps in one where nothing has to be compared: each record is encoded while it is at hand, and then let go. */
export function stageBlock(
  format: LineFormat,
  task: BlockTask,
  place: BlockPlace,
): { findings: BlockFindings; encoded: EncodedBlock } {
  const rows = openEncoder(place, { bytes: task.bytes.length * ROW_GROWTH, unchangedBytes: 0 });
  const findings = prepareRecords(format, task, rows.add);
  return { findings, encoded: rows.end() };
}

function prepareRecords(format: LineFormat, task: BlockTask, take: (record: PreparedRecord) => unknown): BlockFindings {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  const block = { bytes, firstLine: task.firstLine, lineCount: 0, cut: task.cut };
  const findings: BlockFindings = { read: 0, rejects: [], issues: [], registers: [] };
  const registers = new Set<string>();
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    findings.read += 1;
    const prepared = prepareItem(item);
    if (prepared.kind === 'reject') findings.rejects.push(prepared);
    else {
      findings.issues.push(...prepared.issues);
      registers.add(prepared.record.jurisdiction_code);
      take(prepared);
    }
  }
  findings.registers = [...registers];
  return findings;
}

export function identityOf({ record, digest }: PreparedRecord): UnchangedRow {
  const { jurisdiction_code, uid, source_version } = record;
  return { jurisdiction_code, uid, content_digest: digest, source_version };
}

/** `differing`: positions among `records` that do not hold their content already. */
export function encodeBlock(
  records: readonly PreparedRecord[],
  differing: ReadonlySet<number>,
  place: BlockPlace,
): EncodedBlock {
  const length = records.reduce((sum, record) => sum + record.length, 0);
  const bytes = (length * ROW_GROWTH * differing.size) / Math.max(records.length, 1);
  const rows = openEncoder(place, { bytes, unchangedBytes: records.length * IDENTITY_BYTES });
  for (const [position, record] of records.entries()) {
    if (differing.has(position)) rows.add(record);
    else rows.pass(identityOf(record));
  }
  return rows.end();
}

/** Rows in the order of the records; the sizes are about what they will take. */
function openEncoder(
  place: BlockPlace,
  size: { bytes: number; unchangedBytes: number },
): { add(record: PreparedRecord): void; pass(unchanged: UnchangedRow): void; end(): EncodedBlock } {
  const writer = openRowWriter(size.bytes);
  const passed = openRowWriter(size.unchangedBytes);
  const rejects: RejectedRecord[] = [];
  const keys: number[] = [];
  let seq = place.seq;
  let rows = 0;
  return {
    add(record) {
      const built = buildStagedRow(record);
      if (built.kind === 'reject') rejects.push(built);
      else {
        writer.writeRow(place.batch, seq, built.row);
        addKey(keys, built.row.jurisdiction_code, built.row.uid);
        rows += 1;
      }
      seq += 1;
    },
    pass(unchanged) {
      passed.writeUnchanged(NO_BATCH, seq, unchanged);
      addKey(keys, unchanged.jurisdiction_code, unchanged.uid);
      seq += 1;
    },
    end: () => ({
      batch: place.batch,
      bytes: writer.end(),
      rows,
      unchanged: passed.end(),
      keys: new Uint32Array(keys),
      rejects,
    }),
  };
}
