/**
 * The first half of a check: the listing of a source is noted, and new files are fetched. It loads nothing. A file that
 * cannot be fetched ends it, since later files have to wait for it anyway; the files fetched before stay.
 */
import type { Clock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Database } from '../database/driver/db.ts';
import {
  changeSourceFile,
  listSourceFiles,
  noteSeenFiles,
  type SourceFile,
  withdrawFiles,
} from '../store/sync/source-files.ts';
import type { DeclaredSource } from './declared/source.ts';
import { type FetchStep, fetchFile, readChecksum } from './fetch.ts';
import { type Digests, isThere, measureFile, pathOf, removeBegun } from './files.ts';
import { isAsListed, listFolder, readBesideFolder } from './places/folder.ts';
import { openHttp } from './places/http.ts';
import { type ListedFile, type Listing, PassingFailure, type RemotePlace } from './places/place.ts';
import { openSftp } from './places/sftp.ts';

/** A report about a source while it is checked. */
export interface Note {
  source: string;
  level: 'info' | 'warn' | 'error';
  /** What happened, as a word for programs. */
  event: NoteEvent;
  file: string | null;
  /** A sentence. */
  text: string;
}

export type NoteEvent =
  | 'remark'
  | 'passed'
  | 'revised'
  | 'withdrawn'
  | 'fetching'
  | 'fetched'
  | 'double'
  | 'loaded'
  | 'rejects'
  | 'late'
  | 'gap'
  | 'waits'
  | 'overdue'
  | 'failed'
  | 'stopped'
  | 'pruned';

export interface CollectOptions {
  db: Database;
  clock: Clock;
  signal: AbortSignal;
  dataDir: string;
  note(note: Note): void;
  onStep: (step: FetchStep | 'listed' | 'noted' | 'fetched') => Promise<void>;
}

const LIST_TRIES = 3;
const LIST_WAIT_MS = 2_000;

/** A remote place, once it is needed. Null for a folder. */
export async function openRemote(
  source: DeclaredSource,
  options: Pick<CollectOptions, 'clock' | 'signal'>,
): Promise<RemotePlace | null> {
  const { place } = source;
  if (place.kind === 'http') return await openHttp({ place, ...options });
  return place.kind === 'sftp' ? await openSftp({ place, ...options }) : null;
}

/** The files that a source lists now that match its pattern and are not before its first period. */
export async function listSource(
  source: DeclaredSource,
  remote: RemotePlace | null,
  { clock, note }: Pick<CollectOptions, 'clock' | 'note'>,
): Promise<ListedFile[]> {
  const listing = source.place.kind === 'folder' ? await listFolder(source.place, clock) : await listRemote(remote);
  for (const text of listing.remarks) note({ source: source.name, level: 'warn', event: 'remark', file: null, text });
  const passed = [...(listing.passed ?? [])];
  const files = listing.files.filter(({ name }) => {
    const period = source.files.read(name);
    const isEarly = period !== null && source.since !== null && period.base < source.since;
    if (period === null && !isOfChecksums(source, name))
      passed.push({ name, reason: 'its name does not match the pattern' });
    if (isEarly) passed.push({ name, reason: 'its period is before the first one wanted' });
    return period !== null && !isEarly;
  });
  notePassed(source, passed, note);
  return files;
}

/** Whether a file holds checksums of others, as the source declares them. */
function isOfChecksums({ checksums }: DeclaredSource, name: string): boolean {
  const [before, after] = checksums?.split('{name}') ?? [];
  if (before === undefined) return false;
  return after === undefined ? name === before : name.startsWith(before) && name.endsWith(after);
}

/** Reports all of them, grouped by reason. */
function notePassed(
  source: DeclaredSource,
  passed: NonNullable<Listing['passed']>,
  note: CollectOptions['note'],
): void {
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of passed) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  for (const [reason, names] of byReason) {
    const text = `skipped, because ${reason}: ${names.join(', ')}`;
    note({ source: source.name, level: 'info', event: 'passed', file: names.length === 1 ? names[0]! : null, text });
  }
}

async function listRemote(remote: RemotePlace | null): Promise<Listing> {
  if (remote === null) throw new Error('a place that is not a folder is remote');
  return await remote.list();
}

/** Retries temporary failures a few times. */
export async function tryAgain<T>(
  { clock, signal }: Pick<CollectOptions, 'clock' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      signal.throwIfAborted();
      if (tries === LIST_TRIES) throw new OperatorError(error.message, { cause: error });
      await clock.sleep(error.afterMs ?? LIST_WAIT_MS * tries, signal);
    }
  }
}

/** Throws `OperatorError` when the list or a file cannot be fetched. */
export async function collectFiles(source: DeclaredSource, options: CollectOptions): Promise<void> {
  const { remote, listed } = await tryAgain(options, async () => {
    const opened = await openRemote(source, options);
    try {
      return { remote: opened, listed: await listSource(source, opened, options) };
    } catch (error) {
      await opened?.close();
      throw error;
    }
  });
  try {
    await options.onStep('listed');
    await noteListed(source, listed, options);
    await options.onStep('noted');
    const byName = new Map(listed.map((file) => [file.name, file]));
    for (const file of await listSourceFiles(options.db, source.name)) {
      const found = byName.get(file.name);
      if (found === undefined || !(await isWanted(source, file, options.dataDir))) continue;
      options.signal.throwIfAborted();
      await bring(source, { file, listed: found, remote }, options);
    }
  } finally {
    await remote?.close();
  }
}

/**
 * The files that are not here: nobody has them, or a process on another machine fetched them and ended before they were
 * loaded.
 */
async function isWanted(source: DeclaredSource, file: SourceFile, dataDir: string): Promise<boolean> {
  if (file.state !== 'fetched' || source.place.kind === 'folder') return file.state === 'seen';
  return !(await isThere(pathOf(source, file, dataDir)));
}

async function noteListed(
  source: DeclaredSource,
  listed: readonly ListedFile[],
  { db, clock, dataDir, note }: CollectOptions,
): Promise<void> {
  const seen = listed.map(({ name, fingerprint }) => ({
    name,
    fingerprint,
    period: source.files.read(name)?.label ?? '',
  }));
  for (const { name, revision } of await noteSeenFiles(db, source.name, seen, clock.nowMs())) {
    if (revision === 1) continue;
    await removeBegun(source, { name, revision: revision - 1 }, dataDir);
    const text = `${name} comes with other content than before; it is taken as revision ${revision}`;
    note({ source: source.name, level: 'warn', event: 'revised', file: name, text });
  }
  // A file fetched from a server is here; a file of a folder is only in the folder.
  const states = source.place.kind === 'folder' ? (['seen', 'fetched'] as const) : (['seen'] as const);
  const withdrawn = await withdrawFiles(
    db,
    { source: source.name, states, listed: listed.map(({ name }) => name) },
    clock.nowMs(),
  );
  for (const name of withdrawn) {
    const text = `${name} is no longer listed, and was not fetched before`;
    note({ source: source.name, level: 'warn', event: 'withdrawn', file: name, text });
  }
}

interface Wanted {
  file: SourceFile;
  listed: ListedFile;
  remote: RemotePlace | null;
}

/** Brings one file here. */
async function bring(source: DeclaredSource, wanted: Wanted, options: CollectOptions): Promise<void> {
  const { db, clock, note } = options;
  const { file } = wanted;
  if (wanted.remote !== null) {
    const size = wanted.listed.bytes === null ? '' : ` (${wanted.listed.bytes} bytes)`;
    note({
      ...{ source: source.name, level: 'info', event: 'fetching', file: file.name },
      text: `${file.name} is being fetched${size}`,
    });
  }
  const { bytes, digest } = await (wanted.remote === null ? measure(source, wanted) : fetch(source, wanted, options));
  await changeSourceFile(db, file, { state: 'fetched', bytes, digest }, clock.nowMs());
  await options.onStep('fetched');
  const text = `${file.name} is here (${bytes} bytes)`;
  note({ source: source.name, level: 'info', event: 'fetched', file: file.name, text });
}

async function fetch(
  source: DeclaredSource,
  { file, listed, remote }: Wanted,
  options: CollectOptions,
): Promise<Digests> {
  if (remote === null) throw new Error('only a remote file is fetched');
  const { checksums, bytesMax, fetchMsMax: timeMsMax } = source;
  const path = pathOf(source, file, options.dataDir);
  return await fetchFile({ ...options, remote, file: listed, path, checksums, bytesMax, timeMsMax });
}

async function measure(source: DeclaredSource, { listed }: Wanted): Promise<Digests> {
  const { place, checksums, bytesMax } = source;
  if (place.kind !== 'folder') throw new Error('only a file of a folder is measured where it is');
  if (listed.bytes !== null && listed.bytes > bytesMax) {
    throw new OperatorError(`${listed.name} has ${listed.bytes} bytes, and size_max is ${bytesMax}`);
  }
  const beside = { readBeside: async (_: ListedFile, name: string) => await readBesideFolder(place, name) };
  const stated = checksums === null ? null : await readChecksum(beside, listed, checksums);
  const wanted = stated?.checksum == null ? [] : [stated.checksum];
  const digests = await measureFile(listed.address, wanted);
  if (!(await isAsListed(listed))) throw new OperatorError(`${listed.name} is still being written`);
  const other = wanted.find((checksum) => !digests.all.has(checksum));
  if (other !== undefined) throw new OperatorError(`the checksum of ${listed.name} is not ${other}, as is stated`);
  return digests;
}
