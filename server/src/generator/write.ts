/**
 * Lines to a stream or a file, as fast as the other end takes them and no faster. A file appears under its name only
 * when it is whole: it is written beside it and renamed. A reader that goes away (`| head`) ends the writing, not
 * with an error.
 */
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { OperatorError } from '../base/errors.ts';

/** Lines are handed over in pieces of about this many UTF-16 units. */
const PIECE_UNITS = 64 * 1024;
/** Fast compression: the sample is as easily made again as unpacked. */
const GZIP_LEVEL = 3;

export interface WriteReport {
  lines: number;
  /** False when the reader went away first. */
  isWhole: boolean;
}

export interface WriteOptions {
  /** Called after every piece with the lines written so far. */
  onWritten?: (lines: number) => void;
  /** Aborting stops the writing with the signal's reason. */
  signal?: AbortSignal;
}

function isReaderGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

function readerGone(): Error {
  return Object.assign(new Error('the reader went away'), { code: 'EPIPE' });
}

/** Waits until the stream takes more; rejects with what broke it. */
function waitForRoom(stream: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('drain', onDrain).off('error', settle).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onDrain = () => settle();
    const onClose = () => settle(readerGone());
    stream.on('drain', onDrain).on('error', settle).on('close', onClose);
  });
}

/**
 * Writes every line; does not end the stream. At most one piece is held beside the stream's own buffer.
 * @throws what the stream fails with, a reader that went away apart.
 */
export async function writeLines(
  lines: Iterable<string>,
  stream: Writable,
  options: WriteOptions = {},
): Promise<WriteReport> {
  const report: WriteReport = { lines: 0, isWhole: true };
  let failure: Error | null = null;
  const remember = (error: Error) => {
    failure ??= error;
  };
  stream.on('error', remember);
  let piece = '';
  const flush = async () => {
    if (failure !== null) throw failure;
    if (stream.destroyed) throw readerGone();
    options.signal?.throwIfAborted();
    const hasRoom = stream.write(piece);
    piece = '';
    options.onWritten?.(report.lines);
    if (!hasRoom && failure === null) await waitForRoom(stream);
    else await nextTurn();
  };
  try {
    for (const line of lines) {
      piece += line;
      report.lines += 1;
      if (piece.length >= PIECE_UNITS) await flush();
    }
    await flush();
    if (failure !== null) throw failure;
  } catch (error) {
    if (!isReaderGone(error)) throw error;
    report.isWhole = false;
  } finally {
    if (report.isWhole) stream.off('error', remember);
  }
  return report;
}

/** Opens what the lines go to: the file, or a compressor in front of it. `done` settles when the file is closed. */
function openFile(path: string, isCompressed: boolean): { stream: Writable; done: Promise<void> } {
  const file = createWriteStream(path);
  if (!isCompressed) return { stream: file, done: finished(file) };
  const gzip = createGzip({ level: GZIP_LEVEL });
  gzip.pipe(file);
  file.on('error', (error) => gzip.destroy(error));
  return { stream: gzip, done: finished(file) };
}

interface Target {
  /** What is opened for writing. */
  written: string;
  /** What it is renamed to when it is whole; null: a pipe or device, which is written to as it is. */
  renamed: string | null;
}

/** A pipe or device is never replaced by a file, and a link keeps pointing at the file it names. */
async function findTarget(path: string): Promise<Target> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null && !found.isFile()) return { written: path, renamed: null };
  const renamed = found === null ? path : await realpath(path);
  return { written: `${renamed}.partial`, renamed };
}

/**
 * Writes the lines to `path`, compressed when it ends in `.gz`. An existing file is replaced in one step at the end;
 * when anything fails, it stays as it was and nothing is left beside it. What is there but is no file (a device, a
 * named pipe) is written to, never replaced. @throws OperatorError when the file cannot be written.
 */
export async function writeFileOfLines(
  lines: Iterable<string>,
  path: string,
  options: WriteOptions = {},
): Promise<WriteReport> {
  const complain = (error: unknown): unknown => {
    if ((error as NodeJS.ErrnoException).code === undefined || options.signal?.aborted === true) return error;
    return new OperatorError(`cannot write ${path}: ${(error as Error).message}`, { cause: error });
  };
  const target = await findTarget(path).catch((error) => {
    throw complain(error);
  });
  const { stream, done } = openFile(target.written, path.endsWith('.gz'));
  done.catch(() => undefined);
  try {
    const report = await writeLines(lines, stream, options);
    if (!report.isWhole) return report;
    stream.end();
    await done;
    if (target.renamed !== null) await rename(target.written, target.renamed);
    return report;
  } catch (error) {
    stream.destroy();
    if (target.renamed !== null) await rm(target.written, { force: true });
    throw complain(error);
  }
}
