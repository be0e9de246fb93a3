/** The files of a source on this machine: where each is, and which are no longer kept. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../base/clock.ts';
import { unreadable } from '../load/sources/files.ts';
import { CHECKSUM_ALGORITHMS } from '../load/sources/manifest.ts';
import type { SourceFile } from '../store/sync/source-files.ts';
import type { DeclaredSource } from './declared/source.ts';

/** Files of a folder stay where they are; others go into the data folder, each revision of a name separately. */
export function pathOf(source: DeclaredSource, file: Pick<SourceFile, 'name' | 'revision'>, dataDir: string): string {
  if (source.place.kind === 'folder') return join(source.place.folder, file.name);
  const folder = join(dataDir, 'sources', source.name);
  return file.revision === 1 ? join(folder, file.name) : join(folder, `revision-${file.revision}`, file.name);
}

/** Deletes only files that have been handled. Resolves to their names. */
export async function pruneFiles(
  source: DeclaredSource,
  { files, dataDir, nowMs }: { files: readonly SourceFile[]; dataDir: string; nowMs: number },
): Promise<string[]> {
  const { keep } = source;
  if (keep.keep === 'all') return [];
  const done = files.filter(({ state }) => state === 'loaded' || state === 'double' || state === 'skipped');
  const kept = keep.keep === 'last' ? new Set(done.slice(-keep.files)) : new Set<SourceFile>();
  const isOld = ({ ended_ms }: SourceFile): boolean =>
    keep.keep === 'none' || keep.keep === 'last' || (ended_ms ?? nowMs) < nowMs - keep.days * DAY_MS;
  const pruned: string[] = [];
  for (const file of done) {
    if (kept.has(file) || !isOld(file)) continue;
    for (const path of listPaths(source, file, dataDir)) {
      if (!(await isThere(path))) continue;
      await rm(path, { force: true });
      pruned.push(file.name);
    }
  }
  return [...new Set(pruned)];
}

/** A file and its earlier revisions. */
function listPaths(source: DeclaredSource, file: SourceFile, dataDir: string): string[] {
  if (source.place.kind === 'folder') return [pathOf(source, file, dataDir)];
  return Array.from({ length: file.revision }, (_, at) =>
    pathOf(source, { name: file.name, revision: at + 1 }, dataDir),
  );
}

type KeptFile = Pick<SourceFile, 'name' | 'revision'>;

export async function removeFile(source: DeclaredSource, file: KeptFile, dataDir: string): Promise<void> {
  if (source.place.kind === 'folder') return;
  await rm(pathOf(source, file, dataDir), { force: true });
  await removeBegun(source, file, dataDir);
}

/** The partially fetched files of a name. */
export async function removeBegun(source: DeclaredSource, file: KeptFile, dataDir: string): Promise<void> {
  if (source.place.kind === 'folder') return;
  const part = `${pathOf(source, file, dataDir)}.part`;
  for (const each of [part, `${part}.json`, `${part}.taken`]) await rm(each, { force: true });
}

export async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

export interface Digests {
  bytes: number;
  /** SHA-256, hexadecimal. */
  digest: string;
  /** That, and one of each kind that was asked for. */
  all: ReadonlySet<string>;
}

/** @param like checksums whose lengths show which kinds are wanted */
export async function measureFile(path: string, like: readonly string[]): Promise<Digests> {
  const kinds = new Set(['sha256', ...like.map(({ length }) => CHECKSUM_ALGORITHMS[length] ?? 'sha256')]);
  const hashes = [...kinds].map((kind) => createHash(kind));
  let bytes = 0;
  try {
    for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      for (const hash of hashes) hash.update(part as Buffer);
      bytes += (part as Buffer).length;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  const all = hashes.map((hash) => hash.digest('hex'));
  return { bytes, digest: all[0] ?? '', all: new Set(all) };
}
