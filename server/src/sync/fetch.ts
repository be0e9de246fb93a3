/**
 * Fetches one file completely. It is written next to its final place, resumed where it broke off, compared with every
 * stated size and checksum, and gets its name only after that. Invariants: a file under its name is complete and
 * checked, whenever the process ends; nobody else writes to it, not even a process that was paused and does not know
 * yet that another has taken over.
 */
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { unwritable } from '../load/sources/files.ts';
import { parseManifest } from '../load/sources/manifest.ts';
import { type Digests, measureFile } from './files.ts';
import { CannotResume, type ListedFile, PassingFailure, type RemotePlace, type Resumption } from './places/place.ts';

interface FetchOptions {
  remote: RemotePlace;
  file: ListedFile;
  /** Its final path. */
  path: string;
  /** The file of checksums next to it; null if there is none. */
  checksums: string | null;
  bytesMax: number;
  timeMsMax: number;
  clock: Clock;
  signal: AbortSignal;
  onStep: (step: FetchStep) => Promise<void>;
}

export type FetchStep = 'opened' | 'partly' | 'written' | 'checked' | 'renamed';

/** In a row, without a single byte. */
const FRUITLESS_MAX = 5;
const TRIES_MAX = 500;
/** A file that arrives whole and wrong is fetched again once. */
const WRONG_MAX = 2;
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 60_000;

/** Throws `OperatorError` when the file cannot be fetched, or differs from its stated size or checksum. */
export async function fetchFile(options: FetchOptions): Promise<Digests> {
  const { file, path, clock, signal } = options;
  const part = `${path}.part`;
  const deadlineMs = clock.monotonicMs() + options.timeMsMax;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unwritable(dirname(path), error);
  });
  const arrived = await measureIfThere(path);
  if (arrived !== null) return arrived;
  let fruitless = 0;
  let wrong = 0;
  const own = new OwnFile(part, file.name);
  for (let tries = 1; ; tries += 1) {
    const before = await sizeOf(part);
    try {
      await fetchOnce(options, own, deadlineMs);
      await options.onStep('written');
      await own.check();
      const digests = await check(options, part);
      await options.onStep('checked');
      await own.check();
      await settle(part, path);
      await options.onStep('renamed');
      return digests;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      signal.throwIfAborted();
      await own.check();
      if (error instanceof CannotResume || error instanceof WrongContent) await own.discard();
      if (error instanceof WrongContent) wrong += 1;
      fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1;
      if (wrong === WRONG_MAX || fruitless === FRUITLESS_MAX || tries === TRIES_MAX) {
        throw new OperatorError(`${file.name} cannot be fetched: ${error.message}`, { cause: error });
      }
      await clock.sleep(error.afterMs ?? Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** fruitless), signal);
      if (clock.monotonicMs() > deadlineMs) throw overTime(file);
    }
  }
}

/**
 * The file in which the content arrives. A process that takes over replaces it by another file under the same name, so
 * that late writes of the previous process have no effect.
 */
class OwnFile {
  readonly path: string;
  private readonly name: string;
  private inode: bigint | null = null;

  constructor(path: string, name: string) {
    this.path = path;
    this.name = name;
  }

  /** Opened for writing at its end, with its first bytes. */
  async open(bytes: number): Promise<FileHandle> {
    try {
      if (this.inode === null && bytes === 0) await rm(this.path, { force: true });
      if (this.inode === null && bytes > 0) {
        await copyFile(this.path, `${this.path}.taken`, constants.COPYFILE_FICLONE);
        await rename(`${this.path}.taken`, this.path);
      }
      const handle = await open(this.path, 'a');
      this.inode ??= (await handle.stat({ bigint: true })).ino;
      return handle;
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  /** Throws `OperatorError` if another process has taken over. */
  async check(): Promise<void> {
    if (this.inode === null) return;
    const found = await stat(this.path, { bigint: true }).catch(() => null);
    if (found?.ino !== this.inode) throw new OperatorError(`another process has taken over ${this.name}`);
  }

  async discard(): Promise<void> {
    this.inode = null;
    await rm(this.path, { force: true });
    await rm(`${this.path}.json`, { force: true });
  }
}

/** The file arrived completely but differs from what is stated about it. */
class WrongContent extends PassingFailure {}

function overTime({ name }: ListedFile): OperatorError {
  return new OperatorError(`${name} was not fetched within time_max; the next check continues where it stopped`);
}

async function fetchOnce(
  { remote, file, bytesMax, clock, onStep }: FetchOptions,
  own: OwnFile,
  deadlineMs: number,
): Promise<void> {
  const part = own.path;
  await own.check();
  const begun = await readBegun(part, file);
  if (begun.isWhole) return;
  const opened = await remote.open(file, begun.from);
  const { offset, bytes, validator } = opened;
  const tooLarge = (seen: number): OperatorError =>
    new OperatorError(`${file.name} has ${seen} bytes or more, and size_max is ${bytesMax}`);
  if (bytes !== null && bytes > bytesMax) throw tooLarge(bytes);
  if (bytes !== null && file.bytes !== null && bytes !== file.bytes) {
    throw new WrongContent(`the list says ${file.bytes} bytes, the server ${bytes}`);
  }
  await noteBegun(part, { fingerprint: file.fingerprint, validator, bytes });
  const handle = await own.open(offset);
  let length = offset;
  try {
    await handle.truncate(offset);
    await onStep('opened');
    for await (const bytesOf of opened.parts) {
      length += bytesOf.length;
      if (length > bytesMax) throw tooLarge(length);
      if (clock.monotonicMs() > deadlineMs) throw overTime(file);
      await write(handle, part, bytesOf);
      await onStep('partly');
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (bytes !== null && length < bytes) throw new PassingFailure(`it broke off after ${length} of ${bytes} bytes`);
  if (bytes !== null && length > bytes) throw new WrongContent(`it has more than the ${bytes} bytes it should have`);
}

async function write(handle: FileHandle, part: string, bytes: Uint8Array): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    throw unwritable(part, error);
  }
}

/** The notes kept next to a partially fetched file. */
interface Begun {
  fingerprint: string;
  validator: string | null;
  bytes: number | null;
}

async function noteBegun(part: string, begun: Begun): Promise<void> {
  const path = `${part}.json`;
  try {
    const handle = await open(`${path}.new`, 'w', 0o600);
    try {
      await handle.writeFile(JSON.stringify(begun));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.new`, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function readBegun(part: string, file: ListedFile): Promise<{ from: Resumption | null; isWhole: boolean }> {
  const fresh = { from: null, isWhole: false };
  const offset = await sizeOf(part);
  if (offset === 0) return fresh;
  const noted = await readFile(`${part}.json`, 'utf8').catch(() => '');
  let begun: Begun;
  try {
    begun = JSON.parse(noted) as Begun;
  } catch {
    return fresh;
  }
  if (begun.fingerprint !== file.fingerprint) return fresh;
  if (begun.bytes !== null && offset === begun.bytes) return { from: null, isWhole: true };
  return { from: { offset, validator: begun.validator }, isWhole: false };
}

/** Throws `WrongContent` unless the file agrees with the list and the checksums next to it. */
async function check({ remote, file, checksums }: FetchOptions, part: string): Promise<Digests> {
  const stated = checksums === null ? null : await readChecksum(remote, file, checksums);
  const wanted = [file.checksum, stated?.checksum ?? null].filter((each) => each !== null);
  const digests = await measureFile(part, wanted);
  const bytes = [file.bytes, stated?.bytes ?? null].find((each) => each !== null && each !== digests.bytes);
  if (bytes !== undefined) throw new WrongContent(`it has ${digests.bytes} bytes and should have ${bytes}`);
  const other = wanted.find((checksum) => !digests.all.has(checksum));
  if (other !== undefined) throw new WrongContent(`its checksum is not ${other}, as is stated`);
  return digests;
}

/** What a file of checksums states about a file. Throws `OperatorError` if it states nothing. */
export async function readChecksum(
  remote: Pick<RemotePlace, 'readBeside'>,
  file: ListedFile,
  checksums: string,
): Promise<{ bytes: number | null; checksum: string | null }> {
  const name = checksums.replaceAll('{name}', file.name);
  const content = await remote.readBeside(file, name);
  if (content === null) throw new OperatorError(`${file.name}: there is no ${name} with its checksum yet`);
  const entries = parseManifest(content.toString('utf8'), name);
  const [only] = entries;
  const entry =
    entries.find((each) => each.name === file.name) ?? (only?.name === null && entries.length === 1 ? only : null);
  if (entry === null) throw new OperatorError(`${name} does not name ${file.name}`);
  return entry;
}

async function settle(part: string, path: string): Promise<void> {
  try {
    await rename(part, path);
    for (const beside of ['json', 'taken']) await rm(`${part}.${beside}`, { force: true });
    const folder = await open(dirname(path), 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    throw unwritable(path, error);
  }
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function measureIfThere(path: string): Promise<Digests | null> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? await measureFile(path, []) : null;
}
