/**
 * The manifest of a snapshot in its folder: its contents, which the service lists, and the database that it was made
 * from. It is written last, so a folder without it is no snapshot. File names come only from here
 * (docs/design/snapshots.md).
 */
import { createHash } from 'node:crypto';
import { DOCUMENT_SCHEMA } from '@tmds/contract/document';
import {
  DELTA_PERIODS,
  type Delta,
  type DeltaPeriod,
  MANIFEST_FORM,
  SNAPSHOT_FORMATS,
  type Snapshot,
  type SnapshotFormat,
} from '@tmds/contract/snapshots';

export const MANIFEST = 'manifest.json';

/** What a manifest says of the database, in addition to what the service lists. */
interface MadeFrom {
  /** The database that it was made from: a restored one has another id, and need not hold what the files hold. */
  readonly database_id: string;
  /**
   * The lineage of that database: files of another lineage may hold lost records. Absent in manifests from before there
   * were lineages.
   */
  readonly lineage?: string;
}

export type StoredManifest = Snapshot & MadeFrom;
export type StoredDelta = Delta & MadeFrom;

/** The digest of the schema that payloads follow, as the manifest states it. */
export const DOCUMENT_SCHEMA_DIGEST = createHash('sha256')
  .update(JSON.stringify(DOCUMENT_SCHEMA))
  .digest('hex')
  .slice(0, 16);

const ID = /^\d{8}T\d{9}Z$/;
const DELTA_ID = new RegExp(`^\\d{8}T\\d{9}Z-(?:${DELTA_PERIODS.join('|')})$`);
const FILE = /^[A-Z0-9]{1,5}-\d{4,7}\.(?:jsonl\.gz|parquet)$/;

/** The id of an instant such as `2026-11-21T09:00:00.123000Z`: the milliseconds name it, later ones sort later. */
export function snapshotId(madeAt: string): string {
  return `${madeAt.slice(0, 23).replace(/[-:.]/g, '')}Z`;
}

/** The id of a delta that is made with a snapshot. */
export function deltaId(madeAt: string, period: DeltaPeriod): string {
  return `${snapshotId(madeAt)}-${period}`;
}

/** When the snapshot or delta of this id was made, in milliseconds since 1970. */
export function snapshotMs(id: string): number {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(?:-|$)/.exec(id) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}

export function isSnapshotId(name: string): boolean {
  return ID.test(name);
}

export function isDeltaId(name: string): boolean {
  return DELTA_ID.test(name);
}

const ENDINGS: Readonly<Record<SnapshotFormat, string>> = { jsonl: 'jsonl.gz', parquet: 'parquet' };

/** @param number from 1 */
export function partFileName(register: string, format: SnapshotFormat, number: number): string {
  return `${register}-${String(number).padStart(4, '0')}.${ENDINGS[format]}`;
}

export function encodeManifest(manifest: StoredManifest | StoredDelta): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Null unless this program could have written it: a file in the folder is not trusted to name other files. */
export function readManifest<Stored extends StoredManifest | StoredDelta>(id: string, text: string): Stored | null {
  let value: Partial<Stored> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (value === null || typeof value !== 'object' || value.id !== id || value.form !== MANIFEST_FORM) return null;
  if (typeof value.database_id !== 'string' || !Array.isArray(value.registers)) return null;
  const isWhole = value.registers.every(
    ({ files }) =>
      Array.isArray(files) &&
      files.every(
        ({ name, format, bytes, sha256 }) =>
          FILE.test(name) &&
          SNAPSHOT_FORMATS.includes(format) &&
          Number.isSafeInteger(bytes) &&
          /^[\da-f]{64}$/.test(sha256),
      ),
  );
  return isWhole ? (value as Stored) : null;
}
