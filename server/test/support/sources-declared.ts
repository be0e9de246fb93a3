/** Sources in tests: declared as an operator would, checked by the product's own round, at a time of the test. */
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { listSourceFiles } from '../../src/store/sync/source-files.ts';
import type { Note } from '../../src/sync/collect.ts';
import type { DeclaredSource } from '../../src/sync/declared/source.ts';
import { parseSources } from '../../src/sync/declared/sources-file.ts';
import { type RoundOptions, runRound, type SourceResult } from '../../src/sync/round.ts';
import { testLog } from './database.ts';
import { renderLines } from './loads.ts';

export function declareSources(toml: string): DeclaredSource[] {
  const { sources, problems } = parseSources(toml);
  if (problems.length > 0) throw new Error(problems.map(({ line, text }) => `${line}: ${text}`).join('\n'));
  return sources;
}

/** Stands still at an instant; waits end at once, and are noted. */
export function buildStandingClock(instant: string): Clock & { waits: number[]; set(instant: string): void } {
  let nowMs = Date.parse(instant);
  const waits: number[] = [];
  return {
    ...systemClock,
    nowMs: () => nowMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    waits,
    set: (other) => {
      nowMs = Date.parse(other);
    },
  };
}

export interface Checked {
  results: SourceResult[];
  notes: Note[];
  /** `uspto: loaded apc261120.zip`, without remarks on what was fetched or skipped. */
  said: string[];
}

export type CheckOptions = Partial<RoundOptions> & { db: Database; dataDir: string; clock: Clock };

export async function checkSources(sources: readonly DeclaredSource[], options: CheckOptions): Promise<Checked> {
  const notes: Note[] = [];
  const results = await runRound(sources, {
    declared: sources,
    accepted: new Set(),
    isHeld: async () => true,
    log: testLog,
    signal: new AbortController().signal,
    note: (note) => void notes.push(note),
    ...options,
  });
  const said = notes
    .filter(({ event }) => !['fetched', 'fetching', 'passed'].includes(event))
    .map(({ source, event, file }) => [`${source}:`, event, file].filter((word) => word !== null).join(' '));
  return { results, notes, said };
}

/** `apc261120.zip loaded`, in the order of periods. */
export async function listStates(db: Database, source: string): Promise<string[]> {
  return (await listSourceFiles(db, source)).map(({ name, revision, state }) =>
    [name, state, ...(revision === 1 ? [] : [`revision ${revision}`])].join(' '),
  );
}

/** A file of the format `ndjson` that states a record of the register XA. */
export function statement(uid: string, name: string, register = 'XA'): Buffer {
  return Buffer.from(renderLines([{ jurisdiction_code: register, uid, status: 'Pending', mark_name: name }]));
}
