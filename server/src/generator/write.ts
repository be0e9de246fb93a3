/**
 * Writes lines to a stream or a file, no faster than the other end accepts them. A file is written under another name
 * and renamed when it is complete. When the reader goes away (`| head`), the writing ends without an error.
 */

import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { OperatorError } from '../base/errors.ts';
import { readerGone, waitForRoom } from '../base/streams.ts';

/** Lines are buffered until they have about this many UTF-16 units. */
const BUFFER_UNITS = 64 * 1024;
/** Fast rather than small: generating the sample again takes no longer than unpacking it. */
const GZIP_LEVEL = 3;

export interface WriteReport {
  lines: number;
  /** False when the reader went away first. */
  isWhole: boolean;
}

export interface WriteOptions {
  /** Called after every write with the number of lines so far. */
  onWritten?: (lines: number) => void;
  /** Stops the writing, which then throws the signal's reason. */
  signal?: AbortSignal;
}

function isReaderGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

/**
 * Writes every line, without ending the stream. Holds at most one buffer in addition to the stream's own.
 * @throws the stream's error, except that a reader went away.
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
  let buffered = '';
  const flush = async () => {
    if (failure !== null) throw failure;
    if (stream.destroyed) throw readerGone();
    options.signal?.throwIfAborted();
    const hasRoom = stream.write(buffered);
    buffered = '';
    options.onWritten?.(report.lines);
    if (!hasRoom && failure === null) await waitForRoom(stream);
    else await nextTurn();
  };
  try {
    for (const line of lines) {
      buffered += line;
      report.lines += 1;
      if (buffered.length >= BUFFER_UNITS) await flush();
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

/** The stream to write to: the file, or a compressor before it. `done` settles when the file is closed. */
function openFile(path: string, isCompressed: boolean): { stream: Writable; done: Promise<void> } {
  const file = createWriteStream(path);
  if (!isCompressed) return { stream: file, done: finished(file) };
  const gzip = createGzip({ level: GZIP_LEVEL });
  gzip.pipe(file);
  file.on('error', (error) => gzip.destroy(error));
  return { stream: gzip, done: finished(file) };
}

interface Target {
  /** The path to write. */
  written: string;
  /** The path to rename it to when it is complete; null for a pipe or device, which is written directly. */
  renamed: string | null;
}

/** Never replaces a pipe or device by a file, nor a link: it replaces the file that the link points to. */
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
 * after a failure it is unchanged, and nothing else is left behind. A device or named pipe is written to, never
 * replaced.
 * @throws OperatorError when the file cannot be written
 */
export async function writeFileOfLines(
  lines: Iterable<string>,
  path: string,
  options: WriteOptions = {},
): Promise<WriteReport> {
  const explain = (error: unknown): unknown => {
    if ((error as NodeJS.ErrnoException).code === undefined || options.signal?.aborted === true) return error;
    return new OperatorError(`cannot write ${path}: ${(error as Error).message}`, { cause: error });
  };
  const target = await findTarget(path).catch((error) => {
    throw explain(error);
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
    throw explain(error);
  }
}
