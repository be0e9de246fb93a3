/**
 * What a load found, kept while it runs: counts, issues by kind, registers touched, rejects. Rejects go whole to the
 * rejects file and, cut when they are long, to the database, so that nothing that was refused is lost.
 */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../base/errors.ts';
import type { Issue } from '../record/document.ts';
import type { Queryable } from '../store/driver/db.ts';
import { insertIssues, insertRejects, type LoadCounts, type StoredReject } from '../store/publish/loads.ts';
import type { RejectedRecord } from './normalize.ts';
import type { LoadPhase } from './phases.ts';

export interface LoadReport extends LoadCounts {
  load_id: string;
  format: string;
  sources: string[];
  registers: string[];
  /** Lines superseded by another version of the same record in this load; counted as unchanged. */
  superseded: number;
  /** How often each kind of issue was raised. */
  issues: Record<string, number>;
  /** Where the rejected records were written; null when there are none. */
  rejects_file: string | null;
  /** The frontier that the registers touched were moved to; null leaves theirs. */
  current_through: string | null;
  seconds: number;
  /** Of those, by phase. */
  phase_seconds: Record<LoadPhase, number>;
  records_per_second: number;
}

/** Distinct (code, path, value) kept for one load; what comes after that is counted by code and path alone. */
const DISTINCT_ISSUES_MAX = 20_000;
/** Of one rejected record, how much the database keeps. */
const STORED_RAW_BYTES_MAX = 64 * 1024;
/** Of one load, how many rejects the database keeps; the file has all. */
const STORED_REJECTS_MAX = 10_000;
const REJECTS_PENDING_MAX = 100;

export interface Findings {
  read: number;
  rejected: number;
  readonly registers: Set<string>;
  readonly issues: Map<string, Issue & { count: number }>;
  readonly rejects: RejectLog;
}

export function openFindings(db: Queryable, loadId: string, rejectsPath: string): Findings {
  return {
    read: 0,
    rejected: 0,
    registers: new Set(),
    issues: new Map(),
    rejects: openRejectLog(db, loadId, rejectsPath),
  };
}

export function countIssues(findings: Findings, issues: readonly Issue[], times = 1): void {
  for (const issue of issues) {
    const full = findings.issues.size >= DISTINCT_ISSUES_MAX;
    const counted = full && !findings.issues.has(issueKey(issue)) ? { ...issue, value: '…' } : issue;
    const known = findings.issues.get(issueKey(counted));
    if (known === undefined) findings.issues.set(issueKey(counted), { ...counted, count: times });
    else known.count += times;
  }
}

const issueKey = (issue: Issue): string => `${issue.code}\u0000${issue.path}\u0000${issue.value}`;

export function countByCode(findings: Findings): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, count } of findings.issues.values()) counts[code] = (counts[code] ?? 0) + count;
  return counts;
}

export async function storeIssues(db: Queryable, loadId: string, findings: Findings): Promise<void> {
  const issues = [...findings.issues.values()].map((issue) => ({
    ...issue,
    // What PostgreSQL cannot hold is shown by its replacement; the source itself is not changed by this.
    value: issue.value.replaceAll('\u0000', '\ufffd').toWellFormed(),
    path: issue.path.replaceAll('\u0000', '\ufffd').toWellFormed(),
  }));
  for (let from = 0; from < issues.length; from += 1000)
    await insertIssues(db, loadId, issues.slice(from, from + 1000));
}

interface RejectLog {
  /** Makes the file, empty; without it the first reject does. */
  open(): Promise<void>;
  add(reject: RejectedRecord): Promise<void>;
  /** Everything is on the disk and in the database once it resolves. Resolves to the file, null when there is none. */
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
      throw unwritable(path, error);
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
      // From another thread bytes arrive as a plain array of them.
      const raw = typeof reject.raw === 'string' ? Buffer.from(reject.raw) : Buffer.from(reject.raw);
      file ??= await openFile();
      if (failure !== null) throw unwritable(path, failure);
      file.write(`${`# ${reject.position}: ${reject.reason}`.replace(/[\r\n]+/g, ' ')}\n`);
      file.write(raw);
      if (!file.write('\n')) await Promise.race([once(file, 'drain'), once(file, 'close')]);
      if (ordinal > STORED_REJECTS_MAX) return;
      const { position, reason } = reject;
      pending.push({ ordinal, position, reason: reason.toWellFormed(), raw: raw.subarray(0, STORED_RAW_BYTES_MAX) });
      if (pending.length >= REJECTS_PENDING_MAX) await store();
    },
    async close() {
      await store();
      if (file === null) return null;
      const stream: WriteStream = file;
      await new Promise<void>((resolve) => stream.end(resolve));
      if (failure !== null) throw unwritable(path, failure);
      return path;
    },
  };
}

function unwritable(path: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`cannot write the rejects file ${path}: ${reason}`, { cause: error });
}
