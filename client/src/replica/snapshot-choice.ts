/**
 * Chooses the snapshot that a new replica starts from, its files, and the place in them. Pure. A place is stored where
 * the cursor of the feed will be, so no sink has to know about places.
 */
import { DIGEST_FORM } from '@tmds/contract/extras';
import {
  MANIFEST_FORM,
  SNAPSHOT_SINCE,
  type Snapshot,
  type SnapshotFile,
  type SnapshotRegister,
} from '@tmds/contract/snapshots';
import { joinPosition } from './feeds.ts';
import type { ReplicaScope } from './sink.ts';
import type { ReplicaPosition } from './states.ts';

/** A file is held in memory while it is loaded. */
const FILE_BYTES_MAX = 256 * 1024 ** 2;

/** The files of a snapshot that a replica loads, in order. */
export interface SnapshotPlan {
  readonly snapshot: Snapshot;
  readonly files: readonly SnapshotFile[];
  readonly registers: readonly SnapshotRegister[];
}

/** The next line to load. */
export interface SnapshotPlace {
  readonly snapshot: string;
  /** Index among the plan's files, from 0. */
  readonly file: number;
  /** Index among the file's lines, from 0. */
  readonly line: number;
}

/**
 * The snapshot that was begun, else the newest that fits. One without payloads is preferred when none are wanted, since
 * it is much smaller.
 */
export function choosePlan(
  snapshots: readonly Snapshot[],
  scope: ReplicaScope,
  begun: SnapshotPlace | null,
): SnapshotPlan | null {
  const plans = snapshots.map((snapshot) => planSnapshot(snapshot, scope)).filter((plan) => plan !== null);
  const known = plans.find(({ snapshot }) => snapshot.id === begun?.snapshot);
  if (known !== undefined) return known;
  const lean = plans.find(({ snapshot }) => snapshot.payloads === (scope.expand !== null));
  return lean ?? plans[0] ?? null;
}

/** Null when the replica cannot start from it. */
function planSnapshot(snapshot: Snapshot, scope: ReplicaScope): SnapshotPlan | null {
  if (snapshot.form !== MANIFEST_FORM || snapshot.digest_form !== DIGEST_FORM) return null;
  if (scope.search !== null || !isSince(scope.since, snapshot.since)) return null;
  if (scope.expand !== null && !snapshot.payloads) return null;
  const codes = scope.jurisdiction_code?.split(',') ?? null;
  if (codes === null && snapshot.cursor === null) return null;
  const registers = snapshot.registers.filter((register) => codes?.includes(register.jurisdiction_code) ?? true);
  if (codes !== null && registers.length !== codes.length) return null;
  const lines = registers.map((register) => ({ ...register, files: register.files.filter(isLines) }));
  const areWhole = lines.every(
    ({ files, record_count }) =>
      files.reduce((sum, file) => sum + file.record_count, 0) === record_count &&
      files.every(({ bytes, record_count: count }) => bytes <= FILE_BYTES_MAX && count > 0),
  );
  return areWhole ? { snapshot, registers, files: lines.flatMap(({ files }) => files) } : null;
}

/** Cursors are bound to `since`; the day alone is the same instant. */
function isSince(since: string, bound: string): boolean {
  return bound === SNAPSHOT_SINCE && (since === bound || since === bound.slice(0, 10));
}

function isLines({ format }: SnapshotFile): boolean {
  return format === 'jsonl';
}

/** The place in a snapshot; null for a position in the feed, or before it. */
export function readPlace({ cursor }: ReplicaPosition): SnapshotPlace | null {
  if (cursor === null || !cursor.startsWith('{"snapshot":')) return null;
  return JSON.parse(cursor) as SnapshotPlace;
}

/** The position at a place; beyond the last file it is where the feed continues. */
export function writePosition(plan: SnapshotPlan, file: number, line: number, delivered: number, codes: string | null) {
  const { snapshot, files, registers } = plan;
  if (file < files.length) {
    const place: SnapshotPlace = { snapshot: snapshot.id, file, line };
    return { cursor: JSON.stringify(place), complete_to: null, delivered };
  }
  const complete_to = snapshot.as_of;
  if (codes === null) return joinPosition([{ code: null, cursor: snapshot.cursor, complete_to }], delivered);
  const places = registers.map(({ jurisdiction_code: code, cursor }) => ({ code, cursor, complete_to }));
  return joinPosition(places, delivered);
}
