/**
 * Collects the findings of a load while it runs: counts, issues by kind, registers, rejects. Rejects go whole to the
 * rejects file, so that nothing is lost, and cut to a bound to the database, so that it can show them.
 */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { waitForRoom } from '../../base/streams.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { insertIssues, insertRejects, type StoredReject } from '../../store/publish/findings.ts';
import type { LoadCounts, RegisterReading } from '../../store/publish/loads.ts';
import { listOpenIdentities, STORED_REJECTS_MAX } from '../../store/publish/open-rejects.ts';
import type { SupplementCounts } from '../kept/kept-supplements.ts';
import type { EncodedRows } from '../rows/encoded-rows.ts';
import { type IssueCounter, openIssueCounter } from '../rows/issue-counter.ts';
import type { RejectedRecord } from '../rows/normalize.ts';
import { unwritable } from '../sources/file-errors.ts';
import { type AnsweredRejects, openAnsweredRejects } from './answered-rejects.ts';
import type { LoadPhase } from './phases.ts';

export interface LoadReport extends LoadCounts {
  load_id: string;
  format: string;
  sources: string[];
  registers: string[];
  /** Lines superseded by another version of the record in the same load; counted as unchanged. */
  superseded: number;
  /** Records that a delivery of a whole register does not state, now or before; null for any other delivery. */
  absent: number | null;
  /** Statements about records, such as parties, that came in separate files. */
  supplements: SupplementCounts;
  /** How often each kind of issue was raised. */
  issues: Record<string, number>;
  /** Null if nothing was rejected. */
  rejects_file: string | null;
  /** The new frontier of the registers touched; null if theirs did not move. */
  current_through: string | null;
  seconds: number;
  /** The same by phase. */
  phase_seconds: Record<LoadPhase, number>;
  records_per_second: number;
}

/** How much of one rejected record the database keeps. */
const STORED_RAW_BYTES_MAX = 64 * 1024;
const REJECTS_PENDING_MAX = 100;
const IDENTITY_LENGTH_MAX = 1_000;

export interface Findings {
  read: number;
  rejected: number;
  /** Counts of what was read for each register, by its code. */
  readonly registers: Map<string, RegisterReading>;
  readonly issues: IssueCounter;
  readonly rejects: RejectLog;
  /** Records that earlier loads rejected, and which of them this load has read. */
  readonly answered: AnsweredRejects;
}

export async function openFindings(db: Queryable, loadId: string, rejectsPath: string): Promise<Findings> {
  return {
    answered: openAnsweredRejects(await listOpenIdentities(db)),
    read: 0,
    rejected: 0,
    registers: new Map(),
    issues: openIssueCounter(),
    rejects: openRejectLog(db, loadId, rejectsPath),
  };
}

/** Counts what comes with rows, and keeps their rejects. */
export async function noteFindings(
  findings: Findings,
  { read, issues, registers, rejects, keys }: EncodedRows,
): Promise<void> {
  findings.answered.note(keys);
  findings.read += read;
  findings.issues.add(issues);
  for (const { jurisdiction_code: code, read: count, flagged } of registers) {
    const known = findings.registers.get(code) ?? { jurisdiction_code: code, read: 0, flagged: 0 };
    known.read += count;
    known.flagged += flagged;
    findings.registers.set(code, known);
  }
  for (const reject of rejects) {
    findings.rejected += 1;
    await findings.rejects.add(reject);
  }
}

export function countByCode(findings: Findings): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, count } of findings.issues.list()) counts[code] = (counts[code] ?? 0) + count;
  return counts;
}

export async function storeIssues(db: Queryable, loadId: string, findings: Findings): Promise<void> {
  const issues = findings.issues.list();
  for (let from = 0; from < issues.length; from += 1000)
    await insertIssues(db, loadId, issues.slice(from, from + 1000));
}

/** Null for a text that the database cannot hold or no record can have. */
function readText(text: unknown): string | null {
  return typeof text === 'string' && text.length <= IDENTITY_LENGTH_MAX && !text.includes('\0') && text.isWellFormed()
    ? text
    : null;
}

interface RejectLog {
  /** Creates the file even if nothing is rejected; otherwise the first reject does. */
  open(): Promise<void>;
  add(reject: RejectedRecord): Promise<void>;
  /** Writes everything out. Resolves to the path of the file; null if there is none. */
  close(): Promise<string | null>;
}

function openRejectLog(db: Queryable, loadId: string, path: string): RejectLog {
  let file: WriteStream | null = null;
  let failure: Error | null = null;
  let ordinal = 0;
  let pending: StoredReject[] = [];

  const openFile = async (): Promise<WriteStream> => {
    try {
      await mkdir(dirname(path), { recursive: true });
      const stream = createWriteStream(path);
      await once(stream, 'open');
      stream.on('error', (error) => {
        failure = error;
      });
      return stream;
    } catch (error) {
      throw unwritable(`the rejects file ${path}`, error);
    }
  };
  const store = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    if (batch.length > 0) await insertRejects(db, loadId, batch);
  };
  return {
    async open() {
      file ??= await openFile();
    },
    async add(reject) {
      ordinal += 1;
      // A Buffer from another thread arrives as a plain array of bytes.
      const raw = typeof reject.raw === 'string' ? Buffer.from(reject.raw) : Buffer.from(reject.raw);
      file ??= await openFile();
      if (failure !== null) throw unwritable(`the rejects file ${path}`, failure);
      file.write(`${`# ${reject.position}: ${reject.reason}`.replace(/[\r\n]+/g, ' ')}\n`);
      file.write(raw);
      if (!file.write('\n')) await waitForRoom(file);
      if (ordinal > STORED_REJECTS_MAX) return;
      const { position, reason, record } = reject;
      pending.push({
        ...{ ordinal, position, reason: reason.toWellFormed(), raw: raw.subarray(0, STORED_RAW_BYTES_MAX) },
        ...{ jurisdiction_code: readText(record?.jurisdiction_code), uid: readText(record?.uid) },
      });
      if (pending.length >= REJECTS_PENDING_MAX) await store();
    },
    async close() {
      await store();
      if (file === null) return null;
      const stream: WriteStream = file;
      await new Promise<void>((resolve) => stream.end(resolve));
      if (failure !== null) throw unwritable(`the rejects file ${path}`, failure);
      return path;
    },
  };
}
