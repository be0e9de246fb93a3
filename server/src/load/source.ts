/**
 * Opens what an operator names: a plain file, a `.gz` or `.zip` (recognized by its first bytes, not by its name), or
 * standard input. It streams, and knows no format. A file that cannot be read to its end (truncated, damaged,
 * encrypted, a compression bomb) throws one `OperatorError` that names it.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../base/errors.ts';
import { boundInflation, nameFailures, unreadable } from './file-errors.ts';
import type { SourceEntry } from './formats/format.ts';
import { listZipEntries } from './zip.ts';

export interface Source {
  /** For messages and the history of loads: the path as given, or `standard input`. */
  readonly name: string;
  /** The size of the file on disk; null if unknown (a pipe). */
  readonly totalBytes: number | null;
  /** How many of those have been read. */
  readBytes(): number;
  /** Yields one entry at a time; the next one is opened when it is asked for. */
  entries(accepts: (entryName: string) => boolean): AsyncIterable<SourceEntry>;
}

const READ_BYTES = 256 * 1024;

/** Opens a path, or standard input for `-`. Throws `OperatorError` if there is no such readable file. */
export async function openSource(path: string, standardInput: Readable = process.stdin): Promise<Source> {
  if (path === '-') return await openStream('standard input', standardInput);
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    const status = await file.stat();
    if (status.isDirectory()) throw new OperatorError(`${path} is a folder, not a file`);
    if (!status.isFile()) return await openStream(path, createReadStream(path));
    const head = Buffer.alloc(4);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const kind = kindOf(head.subarray(0, bytesRead));
    refuseFalseName(path, kind);
    return openFile(path, kind, status.size);
  } finally {
    await file.close();
  }
}

/** Text made while it is read, such as generated records. Each part holds any number of lines. */
export function openText(name: string, parts: Iterable<string> | AsyncIterable<string>): Source {
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const part of parts) yield Buffer.from(part);
  }
  return {
    name,
    totalBytes: null,
    readBytes: () => 0,
    entries: () => listOne(name, 'plain', Readable.from(bytes(), { objectMode: false }), () => undefined),
  };
}

type Kind = 'plain' | 'gzip' | 'zip';

function kindOf(head: Buffer): Kind {
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  const mark = head.toString('latin1');
  // A local file header, or the end record of an empty archive.
  return mark === 'PK\u0003\u0004' || mark === 'PK\u0005\u0006' ? 'zip' : 'plain';
}

function refuseFalseName(path: string, kind: Kind): void {
  if (/\.zip$/i.test(path) && kind !== 'zip') throw new OperatorError(`${path} is not a zip archive`);
  if (/\.gz$/i.test(path) && kind !== 'gzip') throw new OperatorError(`${path} is not gzip-compressed`);
}

function openFile(path: string, kind: Kind, totalBytes: number): Source {
  let readBytes = 0;
  const count = (bytes: number): void => {
    readBytes += bytes;
  };
  return {
    name: path,
    totalBytes,
    readBytes: () => readBytes,
    entries: (accepts) =>
      kind === 'zip'
        ? listZipEntries(path, totalBytes, accepts, count)
        : listOne(path, kind, createReadStream(path, { highWaterMark: READ_BYTES }), count),
  };
}

/** A pipe: its first bytes show the kind, and are then put back in front. */
async function openStream(name: string, stream: Readable): Promise<Source> {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const chunks: Buffer[] = [];
  while (chunks.reduce((sum, chunk) => sum + chunk.length, 0) < 4) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(Buffer.from(next.value));
  }
  const kind = kindOf(Buffer.concat(chunks).subarray(0, 4));
  if (kind === 'zip') {
    throw new OperatorError(
      `${name} is a zip archive, whose table of contents is at its end; save it to a file and load that`,
    );
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield* chunks;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield Buffer.from(next.value);
  }
  let readBytes = 0;
  const count = (bytes: number): void => {
    readBytes += bytes;
  };
  return {
    name,
    totalBytes: null,
    readBytes: () => readBytes,
    entries: () => listOne(name, kind, Readable.from(whole(), { objectMode: false }), count),
  };
}

async function* listOne(
  name: string,
  kind: Kind,
  file: Readable,
  count: (bytes: number) => void,
): AsyncGenerator<SourceEntry> {
  const counted = countBytes(count);
  const end =
    kind === 'gzip'
      ? [createGunzip({ chunkSize: READ_BYTES }), boundInflation(name, counted.bytes)]
      : [new PassThrough()];
  // `pipeline` destroys the last stream with the error of any of them, so the reader sees it.
  const stream = pipeline([file, counted.stream, ...end], () => undefined) as unknown as Readable;
  try {
    yield { name: basename(name), stream: nameFailures(name, stream) };
  } finally {
    file.destroy();
    stream.destroy();
  }
}

function countBytes(count: (bytes: number) => void): { stream: Transform; bytes: () => number } {
  let total = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      count(chunk.length);
      done(null, chunk);
    },
  });
  return { stream, bytes: () => total };
}
