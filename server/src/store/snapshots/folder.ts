/**
 * The folder of snapshots and deltas. Each of them is a folder named by its id, with a manifest. It has another name
 * while it is written and before it is removed, so that nothing incomplete ever looks like a snapshot. Only the holder
 * of the lock of `claimSnapshot` writes here; everybody may read.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Delta, Snapshot, SnapshotFile } from '@tmds/contract/snapshots';
import { OperatorError } from '../../base/errors.ts';
import {
  encodeManifest,
  isDeltaId,
  isSnapshotId,
  MANIFEST,
  readManifest,
  type StoredDelta,
  type StoredManifest,
  snapshotMs,
} from './manifest.ts';

/** Where the snapshots of a service are. */
export function snapshotsFolder({ dataDir, snapshotsDir }: { dataDir: string; snapshotsDir: string | null }): string {
  return snapshotsDir ?? join(dataDir, 'snapshots');
}

export interface Workspace {
  /** Where the files go. */
  readonly path: string;
  /** Writes the manifest and gives the folder its name; resolves to its path. */
  finish(manifest: StoredManifest | StoredDelta): Promise<string>;
  /** Removes what was written; never rejects. */
  abandon(): Promise<void>;
}

const UNFINISHED = '.unfinished-';

/** Throws OperatorError if the folder cannot be written. Removes what killed programs left. */
export async function openWorkspace(folder: string, id: string): Promise<Workspace> {
  const path = join(folder, `${UNFINISHED}${id}`);
  const finished = join(folder, id);
  try {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    for (const name of await readdir(folder)) if (name.startsWith(UNFINISHED)) await removeAll(join(folder, name));
    await mkdir(path, { mode: 0o750 });
  } catch (error) {
    throw explainSnapshot(folder, error);
  }
  return {
    path,
    finish: async (manifest) => {
      const file = await open(join(path, MANIFEST), 'wx', 0o640);
      try {
        await file.writeFile(encodeManifest(manifest));
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(path);
      await rename(path, finished);
      await syncFolder(folder);
      return finished;
    },
    abandon: () => removeAll(path).catch(() => undefined),
  };
}

async function removeAll(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  // Not every system can do this; on those the rename has to be enough.
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** Removes all but the newest; resolves to the ids of the removed ones. */
export async function pruneSnapshots(folder: string, keep: number): Promise<string[]> {
  return await removeMade(folder, (await listIds(folder)).slice(keep));
}

/** Removes the deltas that were made before; resolves to their ids. */
export async function pruneDeltas(folder: string, beforeMs: number): Promise<string[]> {
  const ids = await listIds(folder, isDeltaId);
  return await removeMade(
    folder,
    ids.filter((id) => snapshotMs(id) <= beforeMs),
  );
}

async function removeMade(folder: string, ids: string[]): Promise<string[]> {
  for (const id of ids) {
    const renamed = join(folder, `${UNFINISHED}${id}`);
    await rename(join(folder, id), renamed);
    await removeAll(renamed);
  }
  return ids;
}

/** Newest first. */
async function listIds(folder: string, isOne: (name: string) => boolean = isSnapshotId): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isOne).sort().reverse();
}

/** When the newest one was made, in milliseconds since 1970; null if there is none. */
export async function findNewestSnapshotMs(folder: string): Promise<number | null> {
  const [newest] = await listIds(folder).catch(() => []);
  return newest === undefined ? null : snapshotMs(newest);
}

/** The database and lineage that snapshots have to belong to. */
interface ShelvedOf {
  readonly databaseId: string;
  readonly lineage: string;
}

/** The snapshots and deltas of one database and lineage. */
export interface Shelved<Shot = Snapshot, Change = Delta> {
  /** Newest first. */
  readonly snapshots: readonly Shot[];
  /** Oldest first. */
  readonly deltas: readonly Change[];
}

export interface SnapshotShelf {
  /** The snapshots of this database and lineage, newest first. */
  list(of: ShelvedOf): Promise<readonly Snapshot[]>;
  /** The deltas of this database and lineage, by their ends; of those that end together the longest last. */
  listDeltas(of: ShelvedOf): Promise<readonly Delta[]>;
  /** A file of one of them; null when there is none of this name. */
  find(of: ShelvedOf, id: string, name: string): Promise<ShelvedFile | null>;
}

export interface ShelvedFile extends SnapshotFile {
  /** The bytes from `start` to before `end`. Opens the file when it is first read, and closes it in every case. */
  read(start: number, end: number): AsyncIterable<Buffer>;
}

const READ_BYTES = 256 * 1024;

/** A manifest never changes, so it is read once. */
type KnownManifests = Map<string, StoredManifest | StoredDelta>;

async function listStored({ databaseId, lineage }: ShelvedOf, folder: string, known: KnownManifests) {
  const readAll = async <Stored extends StoredManifest | StoredDelta>(isOne: (name: string) => boolean) => {
    const found: Stored[] = [];
    for (const id of await listIds(folder, isOne)) {
      const manifest = (known.get(id) as Stored | undefined) ?? (await readStored<Stored>(join(folder, id), id));
      if (manifest !== null) found.push(manifest);
    }
    return found;
  };
  const snapshots = await readAll<StoredManifest>(isSnapshotId);
  const deltas = await readAll<StoredDelta>(isDeltaId);
  known.clear();
  for (const manifest of [...snapshots, ...deltas]) known.set(manifest.id, manifest);
  const isOf = (manifest: StoredManifest | StoredDelta): boolean =>
    manifest.database_id === databaseId && (manifest.lineage ?? manifest.database_id) === lineage;
  return { snapshots: snapshots.filter(isOf), deltas: deltas.filter(isOf).sort(compareEnds) };
}

/** What the folder has of this database and lineage. */
export async function listStoredOf(folder: string, of: ShelvedOf): Promise<Shelved> {
  return await listStored(of, folder, new Map());
}

function compareEnds(one: Delta, other: Delta): number {
  if (one.as_of !== other.as_of) return one.as_of < other.as_of ? -1 : 1;
  return one.from_as_of > other.from_as_of ? -1 : 1;
}

/** @param folder null: there are no snapshots */
export function openShelf(folder: string | null): SnapshotShelf {
  const known: KnownManifests = new Map();

  const listAll = async (of: ShelvedOf): Promise<Shelved<StoredManifest, StoredDelta>> =>
    folder === null ? { snapshots: [], deltas: [] } : await listStored(of, folder, known);

  return {
    list: async (of) =>
      (await listAll(of)).snapshots.map(({ database_id: _database, lineage: _lineage, ...snapshot }) => snapshot),
    listDeltas: async (of) =>
      (await listAll(of)).deltas.map(({ database_id: _database, lineage: _lineage, ...delta }) => delta),
    find: async (of, id, name) => {
      const { snapshots, deltas } = await listAll(of);
      const manifest = [...snapshots, ...deltas].find((each) => each.id === id);
      const file = manifest?.registers.flatMap(({ files }) => files).find((each) => each.name === name);
      if (file === undefined) return null;
      const path = join(folder!, id, file.name);
      const size = await stat(path).then(
        (found) => found.size,
        () => null,
      );
      if (size !== file.bytes) return null;
      return { ...file, read: (start, end) => readBetween(path, start, end) };
    },
  };
}

async function readStored<Stored extends StoredManifest | StoredDelta>(
  folder: string,
  id: string,
): Promise<Stored | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  return text === null ? null : readManifest<Stored>(id, text);
}

async function* readBetween(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  if (end > start) yield* createReadStream(path, { start, end: end - 1, highWaterMark: READ_BYTES });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write there; name another folder, or set TMDS_SNAPSHOTS',
  EROFS: 'its disk is read-only; name another folder, or set TMDS_SNAPSHOTS',
  ENOTDIR: 'something above it is not a folder; name another folder',
  EEXIST: 'something of that name is not a folder; name another folder',
  ENOSPC: 'its disk is full; make room, or name a folder on another disk',
  EDQUOT: 'its disk quota is used up; make room, or name a folder on another disk',
};

/** The same error if there is no better advice for the operator. */
export function explainSnapshot(folder: string, error: unknown): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined || error instanceof OperatorError) return error;
  return new OperatorError(`the snapshot cannot be written to ${folder}: ${reason}`, { cause: error });
}
