/**
 * How much free space a disk has, and when that is too little (docs/design/operations.md). PostgreSQL's write-ahead log
 * grows on its own, so its bound and the bound of the warning are set together: the warning comes while the log can
 * still grow to its full size.
 */
import { randomBytes } from 'node:crypto';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface DiskSpace {
  /** Bytes available to this account. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Whether the disk has refused to take a file. */
  readonly isFull: boolean;
}

export interface DiskFinding {
  readonly check: 'disk_room';
  readonly level: 'error' | 'warning';
  readonly seen: string;
  readonly remedy: string;
}

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/** The share of free space that the write-ahead log may take, and the share of the disk below which to warn. */
const SHARE = 0.1;
/** A larger log saves hardly any checkpoints. With fewer than four 16 MB files, every publish would cause one. */
const WAL_BYTES_MAX = 4 * GIGABYTE;
const WAL_BYTES_MIN = 64 * MEGABYTE;
/** More than the largest log; and on a small disk, enough for a small load after the warning. */
const LOW_BYTES_MAX = 5 * GIGABYTE;
const LOW_BYTES_MIN = 256 * MEGABYTE;
/** With so little space left, a write is tried before anything is concluded. */
const TRIED_BYTES = 64 * MEGABYTE;
const TRIAL_BYTES = 64 * 1024;

/** The disk of the folder, or of the folder's nearest existing parent; null if unknown. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    await stat(folder);
  } catch {
    if (folder === dirname(folder)) return null;
    // Folders above it are not ours to write to.
    const above = await readDiskSpace(dirname(folder));
    return above === null ? null : { ...above, isFull: false };
  }
  const found = await statfs(folder).catch(() => null);
  // Some kernel file systems report no size.
  if (found === null || found.blocks === 0) return null;
  const freeBytes = found.bavail * found.bsize;
  const isFull = freeBytes < TRIED_BYTES && (await refusesFile(folder));
  return { freeBytes, totalBytes: found.blocks * found.bsize, isFull };
}

/** False if the disk takes a file, and also if this account may not create one: then nobody knows. */
async function refusesFile(folder: string): Promise<boolean> {
  const path = join(folder, `.room-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await writeFile(path, Buffer.alloc(TRIAL_BYTES, 1), { flag: 'wx', mode: 0o600, flush: true });
    return false;
  } catch (error) {
    return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** How large the write-ahead log may grow between checkpoints, given the free space when PostgreSQL starts. */
export function walBytesMax(freeBytes: number): number {
  return Math.min(Math.max(freeBytes * SHARE, WAL_BYTES_MIN), WAL_BYTES_MAX);
}

/** Null if there is enough room. */
export function judgeDisk(folder: string, space: DiskSpace): DiskFinding | null {
  const lowBytes = Math.min(Math.max(space.totalBytes * SHARE, LOW_BYTES_MIN), LOW_BYTES_MAX);
  if (space.freeBytes >= lowBytes && !space.isFull) return null;
  const remedy = 'make room, or move the data folder to a larger disk';
  const seen = describeSpace(folder, space);
  if (space.isFull) {
    return { check: 'disk_room', level: 'error', seen: `${seen}: it is full, nothing can be written`, remedy };
  }
  return { check: 'disk_room', level: 'warning', seen: `${seen}: it will soon be full`, remedy };
}

export function describeSpace(folder: string, { freeBytes, totalBytes }: Omit<DiskSpace, 'isFull'>): string {
  return `the disk of ${folder} has ${describeBytes(freeBytes)} of ${describeBytes(totalBytes)} free`;
}

function describeBytes(bytes: number): string {
  return bytes < GIGABYTE ? `${Math.floor(bytes / MEGABYTE)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`;
}
