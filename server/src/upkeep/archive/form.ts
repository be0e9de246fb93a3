/**
 * The form of a backup: members in one order, the same in a folder and in a stream. `head.json` says what the backup
 * contains. The tables follow, each as the bytes of PostgreSQL's COPY, cut and compressed. `manifest.json` counts them.
 * `SHA256SUMS` comes last and seals the others, in the form that `sha256sum --check` reads; a backup without it is not
 * complete. It knows neither files nor databases.
 */
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';

/** Raised when older programs could not read what newer ones write. */
export const BACKUP_FORM = 2;
/** In this form every table was binary. */
const FIRST_FORM = 1;

export const HEAD = 'head.json';
export const MANIFEST = 'manifest.json';
export const SEAL = 'SHA256SUMS';

/** Bytes of a table that are compressed together. */
export const PART_BYTES = 16 * 1024 ** 2;
/** No member that a backup writes is larger. */
export const MEMBER_BYTES_MAX = 2 * PART_BYTES;

export interface Member {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A table, as it is created again. */
export interface TableHead {
  readonly name: string;
  readonly columns: readonly string[];
  readonly partitions: readonly { readonly name: string; readonly from: Instant; readonly to: Instant }[];
  /**
   * The format of COPY; default: binary. Tables on several nodes are read as text, because only text passes through
   * without being gathered.
   */
  readonly format?: 'text';
}

export interface RegisterHead {
  readonly jurisdiction_code: string;
  readonly record_count: number;
  /** The register digest: 16 hexadecimal digits. */
  readonly digest: string;
}

export interface BackupHead {
  readonly form: number;
  /** The version of tmds that wrote it. */
  readonly made_by: string;
  /** By the clock of the database. */
  readonly taken_at: Instant;
  readonly last_stamp: Instant;
  /** The stamp up to which the change feed delivered. */
  readonly horizon: Instant;
  /** Names of the migrations that made the schema, in order. */
  readonly migrations: readonly string[];
  readonly registers: readonly RegisterHead[];
  /** In an order in which no row comes before one that it references. */
  readonly tables: readonly TableHead[];
}

export interface TableCount {
  readonly name: string;
  readonly rows: number;
  /** Before compression. */
  readonly bytes: number;
  readonly parts: number;
}

export interface BackupManifest {
  readonly tables: readonly TableCount[];
}

/** `record-000001.gz`; parts count from 1. */
export function partName(table: string, part: number): string {
  return `${table}-${String(part).padStart(6, '0')}.gz`;
}

/** The table that a part belongs to; null for another member. */
export function tableOfPart(name: string): string | null {
  return /^([a-z_][a-z0-9_]*)-\d{6,}\.gz$/.exec(name)?.[1] ?? null;
}

export function encodeJson(value: BackupHead | BackupManifest): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}

/** One line for each member: its SHA-256 in hexadecimal digits, two blanks, its name. */
export function encodeSeal(digests: ReadonlyMap<string, string>): Buffer {
  return Buffer.from([...digests].map(([name, digest]) => `${digest}  ${name}\n`).join(''));
}

/** The SHA-256 of each member by name, in order. Throws OperatorError. */
export function decodeSeal(bytes: Buffer): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  const lines = bytes.toString('utf8').split('\n');
  if (lines.pop() !== '') throw damaged(SEAL);
  for (const line of lines) {
    const [, digest, name] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? [];
    if (digest === undefined || name === undefined || digests.has(name)) throw damaged(SEAL);
    digests.set(name, digest);
  }
  return digests;
}

const NAME = /^[a-z_][a-z0-9_]*$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Throws OperatorError if it has another form, or is no head. */
export function decodeHead(bytes: Buffer): BackupHead {
  const head = decodeJson<BackupHead>(bytes, HEAD);
  if (head.form !== FIRST_FORM && head.form !== BACKUP_FORM) {
    throw new OperatorError(`the backup has the form ${head.form}, this tmds reads ${BACKUP_FORM}; run a newer tmds`);
  }
  const isWhole =
    [head.taken_at, head.last_stamp, head.horizon].every((instant) => INSTANT.test(instant)) &&
    isListOf(head.migrations, (name) => typeof name === 'string') &&
    isListOf(head.registers, ({ record_count }) => Number.isSafeInteger(record_count)) &&
    isListOf(head.tables, isTableHead);
  if (!isWhole) throw damaged(HEAD);
  return head;
}

/** Throws OperatorError. */
export function decodeManifest(bytes: Buffer): BackupManifest {
  const manifest = decodeJson<BackupManifest>(bytes, MANIFEST);
  const isCount = ({ name, rows, parts }: TableCount): boolean =>
    NAME.test(name) && Number.isSafeInteger(rows) && Number.isSafeInteger(parts);
  if (!isListOf(manifest.tables, isCount)) throw damaged(MANIFEST);
  return manifest;
}

function isTableHead({ name, columns, partitions, format }: TableHead): boolean {
  return (
    NAME.test(name) &&
    (format === undefined || format === 'text') &&
    isListOf(columns, (column) => NAME.test(column)) &&
    isListOf(partitions, (part) => NAME.test(part.name) && INSTANT.test(part.from) && INSTANT.test(part.to))
  );
}

function isListOf<Element>(value: readonly Element[], isElement: (element: Element) => boolean): boolean {
  return Array.isArray(value) && value.every((element) => element !== null && isElement(element));
}

function decodeJson<Value extends object>(bytes: Buffer, name: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw damaged(name);
  }
  if (typeof value !== 'object' || value === null) throw damaged(name);
  return value as Value;
}

/** The error for a member that differs from what the backup wrote. */
export function damaged(name: string): OperatorError {
  return new OperatorError(`the backup is damaged: ${name} differs from what was written; use another backup`);
}
