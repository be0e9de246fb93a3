/**
 * How much room a disk has, and when that is too little: the one place of these bounds (docs/decisions/0052). What
 * grows unasked is PostgreSQL's write-ahead log, so its bound and the warning belong together: there is a warning while
 * the log can still grow to its bound.
 */
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface DiskSpace {
  /** For this account. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface DiskFinding {
  readonly check: 'disk_room';
  readonly level: 'error' | 'warning';
  readonly seen: string;
  readonly remedy: string;
}

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/** So much of what is free may become write-ahead log, and with so much of the whole left there is a warning. */
const SHARE = 0.1;
/** More log saves no checkpoints worth having; less than four of its files of 16 MB, and every publish causes one. */
const WAL_BYTES_MAX = 4 * GIGABYTE;
const WAL_BYTES_MIN = 64 * MEGABYTE;
/** Above the largest log; and a small disk is warned of while a small load still fits. */
const LOW_BYTES_MAX = 5 * GIGABYTE;
const LOW_BYTES_MIN = 256 * MEGABYTE;
/** PostgreSQL stops when it cannot make the next file of its log; a load needs a few of them at once. */
const FULL_BYTES = 64 * MEGABYTE;

/** Of the file system that holds the folder, or would hold it once it is made; null where that cannot be told. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    await stat(folder);
  } catch {
    return folder === dirname(folder) ? null : await readDiskSpace(dirname(folder));
  }
  const found = await statfs(folder).catch(() => null);
  // Some file systems of the kernel say that they have no size.
  if (found === null || found.blocks === 0) return null;
  return { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize };
}

/** How large the write-ahead log may become between checkpoints, with so much free when PostgreSQL starts. */
export function walBytesMax(freeBytes: number): number {
  return Math.min(Math.max(freeBytes * SHARE, WAL_BYTES_MIN), WAL_BYTES_MAX);
}

/** Null when there is room enough. */
export function judgeDisk(folder: string, space: DiskSpace): DiskFinding | null {
  const lowBytes = Math.min(Math.max(space.totalBytes * SHARE, LOW_BYTES_MIN), LOW_BYTES_MAX);
  if (space.freeBytes >= lowBytes) return null;
  const remedy = 'make room, or move the data folder to a larger disk';
  const seen = describeSpace(folder, space);
  if (space.freeBytes < FULL_BYTES) {
    return { check: 'disk_room', level: 'error', seen: `${seen}: it is full, nothing can be written`, remedy };
  }
  return { check: 'disk_room', level: 'warning', seen: `${seen}: it will soon be full`, remedy };
}

export function describeSpace(folder: string, { freeBytes, totalBytes }: DiskSpace): string {
  return `the disk of ${folder} has ${describeBytes(freeBytes)} of ${describeBytes(totalBytes)} free`;
}

function describeBytes(bytes: number): string {
  return bytes < GIGABYTE ? `${Math.floor(bytes / MEGABYTE)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`;
}
