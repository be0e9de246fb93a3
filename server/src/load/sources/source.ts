/**
 * Opens what an operator names: a plain file, a `.gz` or `.zip` (recognized by its first bytes, not by its name), a
 * folder of such files, or standard input. It streams, and knows no format. A file that cannot be read to its end
 * (truncated, damaged, a compression bomb) throws one `UnreadableSource` that names it.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../base/errors.ts';
import {
  boundInflation,
  type FileDigest,
  isGzipBomb,
  type NoteFile,
  nameFailures,
  openFileDigest,
  refuseBomb,
  type SourceEntry,
  UnreadableSource,
  unreadable,
} from './files.ts';
import { listZipEntries } from './zip.ts';

export interface Source {
  /** For messages and the history of loads: the path as given, or `standard input`. */
  readonly name: string;
  /** The size of the file on disk; null if unknown (a pipe). */
  readonly totalBytes: number | null;
  /** How many of those have been read. */
  readBytes(): number;
  /**
   * Yields one entry at a time; the next one is opened when it is asked for. `noteFile` is called for each file that
   * has been read, in order; for an archive, not for its members.
   */
  entries(accepts: Accepts, noteFile?: NoteFile): AsyncIterable<SourceEntry>;
}

/** Whether the member of this name is to be opened; asked about members of archives and files of folders only. */
type Accepts = (entryName: string) => boolean;

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
  let isKept = false;
  try {
    const status = await file.stat();
    if (status.isDirectory()) return openFolder(path);
    if (!status.isFile()) {
      // Opened again, a named pipe would wait for another writer.
      isKept = true;
      return await openStream(path, file.createReadStream());
    }
    const kind = await readKind(file);
    refuseFalseName(path, kind);
    return openFile(path, kind, status.size);
  } finally {
    if (!isKept) await file.close();
  }
}

/** Whether what is read from this path is gone then: standard input, a named pipe, a substituted process. */
export async function isReadOnce(path: string): Promise<boolean> {
  if (path === '-') return true;
  try {
    const status = await stat(path);
    return !status.isFile() && !status.isDirectory();
  } catch {
    // Opening it says why it cannot be read.
    return false;
  }
}

/** All files below a folder. They are read like the members of an archive. */
function openFolder(folder: string): Source {
  const counted = openCount();
  async function* listEntries(accepts: Accepts, noteFile?: NoteFile): AsyncGenerator<SourceEntry> {
    for await (const name of listFiles(folder)) {
      const path = join(folder, name);
      const shownAs = `${basename(folder)}/${name}`;
      const { kind, totalBytes } = await inspectFile(path);
      if (kind === 'zip') {
        yield* listZipEntries({ path, name: shownAs, totalBytes }, accepts, counted.add);
        await noteArchive(path, shownAs, noteFile);
      } else if (accepts(kind === 'gzip' ? name.replace(/\.gz$/i, '') : name)) {
        const stream = createReadStream(path, { highWaterMark: READ_BYTES });
        for await (const entry of listOne({ path, shownAs, kind }, stream, { count: counted.add, noteFile })) {
          yield { ...entry, isMember: true };
        }
      } else counted.add(totalBytes);
    }
  }
  return { name: folder, totalBytes: null, readBytes: counted.sum, entries: listEntries };
}

async function inspectFile(path: string): Promise<{ kind: Kind; totalBytes: number }> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    return { kind: await readKind(file), totalBytes: (await file.stat()).size };
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file?.close();
  }
}

async function readKind(file: FileHandle): Promise<Kind> {
  const head = Buffer.alloc(4);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return kindOf(head.subarray(0, bytesRead));
}

function openCount(): { add(bytes: number): void; sum(): number } {
  let sum = 0;
  return {
    add(bytes) {
      sum += bytes;
    },
    sum: () => sum,
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
  const counted = openCount();
  const shownAs = basename(path);
  async function* listEntries(accepts: Accepts, noteFile?: NoteFile): AsyncGenerator<SourceEntry> {
    if (kind === 'zip') {
      yield* listZipEntries({ path, name: shownAs, totalBytes }, accepts, counted.add);
      await noteArchive(path, shownAs, noteFile);
      return;
    }
    const stream = createReadStream(path, { highWaterMark: READ_BYTES });
    yield* listOne({ path, shownAs, kind }, stream, { count: counted.add, noteFile });
  }
  return { name: path, totalBytes, readBytes: counted.sum, entries: listEntries };
}

async function noteArchive(path: string, name: string, noteFile: NoteFile | undefined): Promise<void> {
  await noteFile?.({ name, ...(await openFileDigest().complete(path)) });
}

/** A pipe: its first bytes show the kind, and are then put back in front. */
export async function openStream(name: string, stream: Readable): Promise<Source> {
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
  const counted = openCount();
  const piped = { path: name, shownAs: basename(name), kind, isStream: true };
  return {
    name,
    totalBytes: null,
    readBytes: counted.sum,
    entries: (_accepts, noteFile) =>
      listOne(piped, Readable.from(whole(), { objectMode: false }), { count: counted.add, noteFile }),
  };
}

interface PlainFile {
  path: string;
  /** The name of its entry. */
  shownAs: string;
  kind: 'plain' | 'gzip';
  /** Standard input cannot be opened again: bytes not read now are lost. */
  isStream?: boolean;
}

async function* listOne(
  { path, shownAs, kind, isStream = false }: PlainFile,
  file: Readable,
  { count, noteFile }: { count: (bytes: number) => void; noteFile: NoteFile | undefined },
): AsyncGenerator<SourceEntry> {
  if (kind === 'gzip' && !isStream && (await isGzipBomb(path))) {
    yield { name: shownAs, stream: refuseBomb(path) };
    return;
  }
  const digest = noteFile === undefined ? null : openFileDigest();
  const counted = countBytes(count, digest);
  const end =
    kind === 'gzip'
      ? [createGunzip({ chunkSize: READ_BYTES }), boundInflation(path, counted.bytes)]
      : [new PassThrough()];
  // `pipeline` destroys the last stream with the error of any of them, so the reader sees it.
  const stream = pipeline([file, counted.stream, ...end], () => undefined) as unknown as Readable;
  try {
    const placedAs = `${basename(dirname(path))}/${shownAs}`;
    yield { name: shownAs, placedAs, stream: nameFailures(path, stream) };
    if (digest === null) return;
    if (!isStream) await noteFile?.({ name: shownAs, ...(await digest.complete(path)) });
    else if (counted.isWhole()) await noteFile?.({ name: shownAs, ...digest.end() });
  } finally {
    file.destroy();
    stream.destroy();
  }
}

interface CountedBytes {
  stream: Transform;
  bytes(): number;
  /** Whether all of them have passed. */
  isWhole(): boolean;
}

function countBytes(count: (bytes: number) => void, digest: FileDigest | null): CountedBytes {
  let total = 0;
  let isWhole = false;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      count(chunk.length);
      digest?.add(chunk);
      done(null, chunk);
    },
    flush(done) {
      isWhole = true;
      done();
    },
  });
  return { stream, bytes: () => total, isWhole: () => isWhole };
}

/**
 * Yields paths below the folder, with slashes. Throws `UnreadableSource` for an entry that is neither a file nor a
 * folder.
 */
async function* listFiles(folder: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      yield* listFiles(folder, name);
      continue;
    }
    // A link counts as the file it leads to. Links to folders may lead in circles.
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(join(folder, name))));
    if (!isFile) throw new UnreadableSource(`${join(folder, name)} is neither a file nor a folder; take it away`);
    yield name;
  }
}

async function leadsToFile(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isFile();
  } catch (error) {
    throw unreadable(link, error);
  }
}
