/**
 * Snapshots: a view saved as files, so that a process can start without building the index again. Each segment is
 * written once, and the manifest names it only after it is on the disk. Anything unexpected (another database, another
 * version of this code, a wrong size or checksum) invalidates the whole snapshot.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { systemClock } from '../base/clock.ts';
import { type Numbers, shareZeros } from './arrays.ts';
import { CHUNK_WORDS } from './postings.ts';
import { type DeadRecords, Segment, type SegmentParts, type View } from './segment.ts';

/** Raise this whenever the meaning of a section changes: older snapshots are then ignored. */
export const SNAPSHOT_FORM = 4;
/** Normal forms of names depend on the version of Unicode, so a snapshot is only valid for its own. */
const UNICODE = process.versions.unicode ?? 'none';
const MANIFEST = 'snapshot.json';
/** Bytes written or read at once; bounds the memory that Node copies for one call. */
const TRANSFER_BYTES = 8 * 1024 * 1024;
/** Age at which a file outside the manifest is deleted. A younger one may belong to a process that is still saving. */
const SWEPT_AFTER_MS = 60 * 60 * 1000;

const KINDS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array };
type KindName = keyof typeof KINDS;

interface SavedFile {
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
}

interface SavedSection {
  readonly name: string;
  readonly kind: KindName;
  readonly length: number;
}

interface SavedSegment {
  readonly parts: Omit<SegmentParts, 'sections'>;
  readonly sections: readonly SavedSection[];
  readonly file: SavedFile;
  readonly dead: { readonly file: SavedFile; readonly total: number } | null;
}

interface Manifest {
  readonly form: number;
  readonly unicode: string;
  readonly databaseId: string;
  readonly stamp: number;
  /** Absent: it was written before this was kept. */
  readonly seen?: SeenOfDatabase | null;
  readonly pseudoMarksHeldAt: string | null;
  readonly segments: readonly SavedSegment[];
}

/** The last publish in a view, and the lineage of its database then (rule I-47). */
interface SeenOfDatabase {
  readonly lineage: string;
  readonly stamp: string;
}

/** A view in the form in which it is sent to the thread that saves or merges it. */
export interface SavedView {
  readonly stamp: number;
  readonly seen?: SeenOfDatabase | null;
  /** Until when pseudo marks that rows got without a publish are included; null: none are. */
  readonly pseudoMarksHeldAt?: string | null;
  readonly parts: readonly { readonly parts: SegmentParts; readonly dead: DeadRecords | null }[];
}

export function describeView(parts: View['parts'], stamp: number): SavedView {
  return { stamp, parts: parts.map(({ segment, dead }) => ({ parts: segment.parts, dead })) };
}

/** Writes what is not on the disk yet. A crash at any step leaves the previous snapshot valid. */
export async function saveView(folder: string, databaseId: string, view: SavedView): Promise<void> {
  await mkdir(folder, { recursive: true });
  const known = new Map((await readManifest(folder))?.segments.map((segment) => [segment.parts.id, segment]) ?? []);
  const segments: SavedSegment[] = [];
  for (const { parts, dead } of view.parts) {
    const { sections, ...head } = parts;
    const before = known.get(parts.id);
    const kept = before !== undefined && (await isThere(folder, before.file)) ? before : null;
    const listed = Object.entries(sections);
    segments.push({
      parts: head,
      sections: listed.map(([name, numbers]) => ({ name, kind: kindOf(numbers), length: numbers.length })),
      file: kept?.file ?? (await writeNumbers(folder, `${parts.id}.segment`, Object.values(sections))),
      dead: await saveDead(folder, parts.id, dead, kept),
    });
  }
  const manifest: Manifest = {
    form: SNAPSHOT_FORM,
    unicode: UNICODE,
    databaseId,
    stamp: view.stamp,
    seen: view.seen ?? null,
    pseudoMarksHeldAt: view.pseudoMarksHeldAt ?? null,
    segments,
  };
  await replaceFile(join(folder, MANIFEST), sealText(JSON.stringify(manifest)));
  await sweep(folder, manifest);
}

async function saveDead(
  folder: string,
  id: string,
  dead: DeadRecords | null,
  before: SavedSegment | null,
): Promise<SavedSegment['dead']> {
  if (dead === null) return null;
  const { total } = dead;
  if (before?.dead?.total === total && (await isThere(folder, before.dead.file))) return before.dead;
  return { file: await writeNumbers(folder, `${id}.${total}.dead`, [dead.words, dead.counts]), total };
}

/**
 * The snapshot of a database; null, with the reason for the log, if there is none that can be used. `lastStamp`: the
 * last stamp of the database in microseconds; a later snapshot was made before the database was restored from a backup.
 * `seen` is given even if the snapshot is unusable.
 */
export async function loadView(
  folder: string,
  databaseId: string,
  lastStamp: number,
): Promise<
  ({ view: View; pseudoMarksHeldAt: string | null } | { view: null; reason: string }) & { seen: SeenOfDatabase | null }
> {
  let seen: SeenOfDatabase | null = null;
  try {
    const manifest = await readManifest(folder);
    if (manifest === null) return { view: null, reason: 'there is none', seen };
    seen = manifest.seen ?? null;
    const mismatch = findMismatch(manifest, databaseId, lastStamp);
    if (mismatch !== null) return { view: null, reason: mismatch, seen };
    const parts = [];
    for (const saved of manifest.segments) parts.push(await loadPart(folder, saved));
    const { pseudoMarksHeldAt } = manifest;
    return { view: { number: 1, stamp: manifest.stamp, parts }, pseudoMarksHeldAt, seen };
  } catch (error) {
    return { view: null, reason: (error as Error).message, seen };
  }
}

function findMismatch(manifest: Manifest, databaseId: string, lastStamp: number): string | null {
  if (manifest.unicode !== UNICODE) return 'it was made with another version of Unicode';
  if (manifest.databaseId !== databaseId) return 'it belongs to another database';
  return manifest.stamp > lastStamp ? 'it is newer than the database, which has been restored' : null;
}

async function loadPart(folder: string, saved: SavedSegment): Promise<View['parts'][number]> {
  const arrays = saved.sections.map(({ kind, length }) => shareZeros(KINDS[kind] as never, length) as Numbers);
  await readNumbers(folder, saved.file, arrays);
  const sections = Object.fromEntries(saved.sections.map(({ name }, index) => [name, arrays[index]!]));
  const segment = new Segment({ ...saved.parts, sections });
  if (saved.dead === null) return { segment, dead: null };
  const words = shareZeros(Uint32Array, segment.chunks * CHUNK_WORDS);
  const counts = shareZeros(Uint32Array, segment.chunks);
  await readNumbers(folder, saved.dead.file, [words, counts]);
  return { segment, dead: { words, counts, total: saved.dead.total } };
}

function kindOf(numbers: Numbers): KindName {
  return numbers.constructor.name as KindName;
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function writeNumbers(folder: string, name: string, arrays: readonly Numbers[]): Promise<SavedFile> {
  const path = join(folder, name);
  const file = await open(`${path}.new`, 'w');
  let bytes = 0;
  let checksum = 0;
  try {
    for (const array of arrays) {
      const all = bytesOf(array);
      for (let from = 0; from < all.length; from += TRANSFER_BYTES) {
        const portion = all.subarray(from, from + TRANSFER_BYTES);
        checksum = crc32(portion, checksum);
        await file.writeFile(portion);
        bytes += portion.length;
      }
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return { name, bytes, crc32: checksum };
}

async function readNumbers(folder: string, saved: SavedFile, arrays: readonly Numbers[]): Promise<void> {
  const file = await open(join(folder, saved.name), 'r');
  try {
    if ((await file.stat()).size !== saved.bytes) throw new Error(`${saved.name} does not have its original size`);
    let checksum = 0;
    for (const array of arrays) {
      const all = bytesOf(array);
      for (let from = 0; from < all.length; from += TRANSFER_BYTES) {
        const portion = all.subarray(from, from + TRANSFER_BYTES);
        for (let read = 0; read < portion.length; ) {
          const { bytesRead } = await file.read(portion, read, portion.length - read);
          if (bytesRead === 0) throw new Error(`${saved.name} is cut short`);
          read += bytesRead;
        }
        checksum = crc32(portion, checksum);
      }
    }
    if (checksum !== saved.crc32) throw new Error(`${saved.name} does not match its checksum`);
  } finally {
    await file.close();
  }
}

async function isThere(folder: string, { name, bytes }: SavedFile): Promise<boolean> {
  const found = await stat(join(folder, name)).catch(() => null);
  return found?.size === bytes;
}

/** Null if there is none that this version can read. */
async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  const body = text === null ? null : openText(text);
  if (body === null) return null;
  const manifest = JSON.parse(body) as Manifest;
  return manifest.form === SNAPSHOT_FORM ? manifest : null;
}

function sealText(text: string): string {
  return `${crc32(text)}\n${text}`;
}

function openText(sealed: string): string | null {
  const end = sealed.indexOf('\n');
  const text = sealed.slice(end + 1);
  return sealed.slice(0, end) === String(crc32(text)) ? text : null;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const file = `${path}.${process.pid}.new`;
  await writeFile(file, text, { flush: true });
  await rename(file, path);
}

/** Deletes files that the manifest no longer names. */
async function sweep(folder: string, { segments }: Manifest): Promise<void> {
  const named = new Set(segments.flatMap(({ file, dead }) => [file.name, ...(dead === null ? [] : [dead.file.name])]));
  for (const name of await readdir(folder)) {
    if (named.has(name) || !/\.(segment|dead|new)$/.test(name)) continue;
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs + SWEPT_AFTER_MS < systemClock.nowMs()) await rm(join(folder, name), { force: true });
  }
}
