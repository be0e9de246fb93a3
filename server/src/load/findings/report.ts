/**
 * Collects the findings of a load while it runs: counts, issues by kind, registers, rejects. Rejects go whole to the
 * rejects file, so that nothing is lost, and cut to a bound to the database, so that it can show them.
 */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { startRounds } from '../../base/rounds.ts';
import { waitForRoom } from '../../base/streams.ts';
import type { Queryable } from '../../database/driver/db.ts';
import {
  insertIssues,
  insertRejects,
  listOpenIdentities,
  STORED_REJECTS_MAX,
  type StoredReject,
} from '../../store/publish/findings.ts';
import { type LoadCounts, noteRead, type RegisterReading } from '../../store/publish/loads.ts';
import { type IssueCounter, openIssueCounter, type RecordIdentity } from '../formats/format.ts';
import type { SupplementCounts } from '../kept/kept.ts';
import { addKey, type EncodedRows, type RejectedRecord } from '../rows/encode.ts';
import { unwritable } from '../sources/files.ts';

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

  const fail = (error: unknown): never => {
    throw unwritable(`the rejects file ${path}`, error);
  };
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
      return fail(error);
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
      if (failure !== null) fail(failure);
      file.write(`${`# ${reject.position}: ${reject.reason}`.replace(/[\r\n]+/g, ' ')}\n`);
      file.write(raw);
      if (!file.write('\n')) await waitForRoom(file).catch(fail);
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
      if (failure !== null) fail(failure);
      return path;
    },
  };
}

interface AnsweredRejects {
  /** `keys`: of rows that were read, two numbers each. */
  note(keys: Uint32Array): void;
  list(): RecordIdentity[];
}

function openAnsweredRejects(open: readonly RecordIdentity[]): AnsweredRejects {
  const byKey = new Map<string, RecordIdentity>();
  for (const record of open) {
    const keys: number[] = [];
    addKey(keys, record.jurisdiction_code, record.uid);
    const [upper = 0, lower = 0] = new Uint32Array(keys);
    byKey.set(`${upper} ${lower}`, record);
  }
  const found = new Set<RecordIdentity>();
  return {
    note(keys) {
      if (byKey.size === 0) return;
      for (let at = 0; at < keys.length; at += 2) {
        const record = byKey.get(`${keys[at]} ${keys[at + 1]}`);
        if (record !== undefined) found.add(record);
      }
    },
    list: () => [...found],
  };
}

const NOTE_EVERY_MS = 5_000;

/** Runs `reading`; its findings are noted every few seconds and at its end. A failed note does not affect the load. */
export async function noteWhileReading<T>(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  loadId: string,
  findings: Findings,
  reading: () => Promise<T>,
): Promise<T> {
  const note = async (): Promise<number> => {
    await noteRead(db, loadId, { read: findings.read, rejected: findings.rejected }).catch(() => undefined);
    return NOTE_EVERY_MS;
  };
  const notes = startRounds(clock, note, NOTE_EVERY_MS);
  try {
    return await reading();
  } finally {
    await notes.stop();
    await note();
  }
}

/** In the order in which a load passes through them. */
export const LOAD_PHASES = ['reading', 'settling', 'publishing', 'finishing'] as const;
type LoadPhase = (typeof LOAD_PHASES)[number];

export interface PhaseWatch {
  /** Ends the phase before it. */
  enter(phase: LoadPhase): void;
  /** Seconds spent in each phase so far, to the millisecond. */
  list(): Record<LoadPhase, number>;
}

export function openPhases(clock: Clock): PhaseWatch {
  const spentMs = new Map<LoadPhase, number>();
  let open: { phase: LoadPhase; sinceMs: number } | null = null;
  const note = (): void => {
    if (open === null) return;
    const nowMs = clock.monotonicMs();
    spentMs.set(open.phase, (spentMs.get(open.phase) ?? 0) + nowMs - open.sinceMs);
    open.sinceMs = nowMs;
  };
  return {
    enter(phase) {
      note();
      open = { phase, sinceMs: clock.monotonicMs() };
    },
    list() {
      note();
      const seconds = LOAD_PHASES.map((phase) => [phase, Math.round(spentMs.get(phase) ?? 0) / 1000]);
      return Object.fromEntries(seconds) as Record<LoadPhase, number>;
    },
  };
}
