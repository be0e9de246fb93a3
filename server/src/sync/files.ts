/** The files of a source on this machine: where each is, and which are no longer kept. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../store/sync/source-files.ts';
import { DAY_MS } from './declared/days.ts';
import type { DeclaredSource } from './declared/source.ts';

/** Files of a folder stay where they are; others come into the data folder, each issue of a name by itself. */
export function pathOf(source: DeclaredSource, file: Pick<SourceFile, 'name' | 'issue'>, dataDir: string): string {
  if (source.place.kind === 'folder') return join(source.place.folder, file.name);
  const folder = join(dataDir, 'sources', source.name);
  return file.issue === 1 ? join(folder, file.name) : join(folder, `issue-${file.issue}`, file.name);
}

/** Only what has been dealt with is ever deleted. Resolves to the names of what was. */
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

/** A file and its earlier issues. */
function listPaths(source: DeclaredSource, file: SourceFile, dataDir: string): string[] {
  if (source.place.kind === 'folder') return [pathOf(source, file, dataDir)];
  return Array.from({ length: file.issue }, (_, at) => pathOf(source, { name: file.name, issue: at + 1 }, dataDir));
}

export async function removeFile(source: DeclaredSource, file: SourceFile, dataDir: string): Promise<void> {
  if (source.place.kind === 'folder') return;
  const path = pathOf(source, file, dataDir);
  for (const each of [path, `${path}.part`, `${path}.part.json`]) await rm(each, { force: true });
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
