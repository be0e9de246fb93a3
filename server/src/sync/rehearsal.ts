/** What a check would do, without fetching, loading or storing anything. */
import type { Queryable } from '../database/driver/db.ts';
import { listSourceFiles, type SourceFile, showPeriod } from '../store/sync/source-files.ts';
import { type CollectOptions, listSource, openRemote, tryAgain } from './collect.ts';
import type { DeclaredSource } from './declared/source.ts';
import { planSource } from './plan.ts';

export interface Rehearsal {
  source: string;
  fetch: string[];
  load: string[];
  /** Why nothing more would be loaded; null if nothing is left. */
  waits: string | null;
  late: string[];
}

export async function rehearse(
  source: DeclaredSource,
  options: Pick<CollectOptions, 'clock' | 'signal' | 'note'> & { db: Queryable },
): Promise<Rehearsal> {
  const { db, clock } = options;
  const listed = await tryAgain(options, async () => {
    const remote = await openRemote(source, options);
    return await listSource(source, remote, options).finally(() => remote?.close());
  });
  const known = new Map((await listSourceFiles(db, source.name)).map((file) => [file.name, file]));
  const nowMs = clock.nowMs();
  for (const { name, fingerprint } of listed) {
    const file = known.get(name);
    if (file !== undefined && file.fingerprint === fingerprint && file.state !== 'superseded') continue;
    known.set(name, {
      ...{ source: source.name, name, revision: (file?.revision ?? 0) + 1, fingerprint, state: 'seen', seen_ms: nowMs },
      ...{ bytes: null, digest: null, load_id: null, reason: null, fetched_ms: null, ended_ms: null },
      period: source.files.read(name)?.label ?? '',
    });
  }
  const byPeriod = (one: SourceFile, other: SourceFile): number =>
    one.period === other.period ? (one.name < other.name ? -1 : 1) : one.period < other.period ? -1 : 1;
  let files = [...known.values()].filter(({ state }) => state !== 'superseded').sort(byPeriod);
  // Files of a folder are read where they are.
  const isRemote = source.place.kind !== 'folder';
  const fetch = files.filter(({ state }) => isRemote && state === 'seen').map(({ name }) => name);
  const found: Rehearsal = { source: source.name, fetch, load: [], waits: null, late: [] };
  for (;;) {
    const { step } = planSource({ source, files, nowMs, accepted: new Set() });
    if (step.kind === 'none') return found;
    if (step.kind === 'wait') return { ...found, waits: `${step.file.name} waits for ${showPeriod(step.period)}` };
    (step.kind === 'load' ? found.load : found.late).push(step.file.name);
    const state = step.kind === 'load' ? 'loaded' : 'late';
    files = files.map((file) => (file === step.file ? { ...file, state } : file));
  }
}
