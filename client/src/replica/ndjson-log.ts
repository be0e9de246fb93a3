/** Reads a log of records, and holds the lock that allows one writer at a time. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { TrademarkDetail } from '@tmds/contract/record';
import { ReplicaError } from './sink.ts';

export interface LogLine {
  readonly record: TrademarkDetail;
  /** The byte at which the line begins. */
  readonly start: number;
  /** Its content, without the line feed. */
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;

/**
 * The lines of the first `bytes` bytes.
 *
 * @throws ReplicaError naming the line that is not a record
 */
export async function* readLog(file: FileHandle, path: string, bytes: number): AsyncGenerator<LogLine, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  let number = 1;
  if (bytes === 0) return;
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0, end: bytes - 1 })) {
    let data = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED)) {
      const line = data.subarray(0, end);
      yield { record: parseLine(line, path, number, start), start, bytes: line };
      start += end + 1;
      number += 1;
      data = data.subarray(end + 1);
    }
    rest = data;
  }
  if (rest.length > 0 || start !== bytes) throw buildTornError(path, number, start, 'it has no end');
}

function parseLine(line: Buffer, path: string, number: number, start: number): TrademarkDetail {
  let value: Partial<TrademarkDetail> | null;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch (error) {
    throw buildTornError(path, number, start, (error as Error).message);
  }
  if (typeof value?.jurisdiction_code === 'string' && typeof value.uid === 'string') return value as TrademarkDetail;
  throw buildTornError(path, number, start, 'it has no jurisdiction_code and uid');
}

function buildTornError(path: string, number: number, start: number, why: string): ReplicaError {
  return new ReplicaError(
    `${path}: line ${number}, at byte ${start}, is not a record: ${why}; ` +
      'start again in another folder, or remove the line and repair',
  );
}

/** Errors of the file system that may be temporary. */
const PASSING = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'EBUSY', 'EAGAIN', 'ESTALE', 'ETIMEDOUT']);

export function explainFile(label: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || error instanceof ReplicaError || code === undefined) return error;
  return new ReplicaError(`${label}: ${error.message}`, { cause: error, retryable: PASSING.has(code) });
}

/** A lock of another machine that is this old belongs to a process that has died. */
const LOCK_STALE_MS = 120_000;
/** Likewise, an empty one: its process was about to write its name. */
const EMPTY_LOCK_STALE_MS = 2_000;

/**
 * Holds the lock file while `work` runs. Takes over the lock of a process that has died.
 *
 * @throws ReplicaError, retryable, while another process holds the lock
 */
export async function withLock<Result>(path: string, nowMs: number, work: () => Promise<Result>): Promise<Result> {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), token: randomBytes(6).toString('hex') });
  await takeLock(path, own, nowMs);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeLock(path: string, own: string, nowMs: number): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(own).finally(() => file.close());
      // A writer that took this long has lost the lock.
      if ((await readFile(path, 'utf8').catch(() => '')) === own) return;
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!(await isStale(path, nowMs))) break;
    const gone = `${path}.${randomBytes(6).toString('hex')}`;
    await rename(path, gone).catch(() => undefined);
    await rm(gone, { force: true });
  }
  throw new ReplicaError(`${path}: another process is writing the replica`, { retryable: true });
}

async function isStale(path: string, nowMs: number): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const holder = parseHolder(text);
    if (holder !== null && holder.host === hostname() && holder.pid !== process.pid) return !isAlive(holder.pid);
    return nowMs - mtimeMs > (text === '' ? EMPTY_LOCK_STALE_MS : LOCK_STALE_MS);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function parseHolder(text: string): { pid: number; host: string } | null {
  try {
    const { pid, host } = JSON.parse(text) as { pid?: unknown; host?: unknown };
    return Number.isInteger(pid) && typeof host === 'string' ? { pid: pid as number, host } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
