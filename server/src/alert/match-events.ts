/**
 * Matches the next events of the history against every watch: the version that an event made and the one before, both
 * through one small segment. It does not decide when, nor in which process.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldsOf, Sieve } from '../index/sift.ts';
import type { Condition } from '../plan/search.ts';
import type { Database, Transaction } from '../store/driver/db.ts';
import {
  advance,
  findProgress,
  insertHits,
  insertRecordHits,
  listOwnerWatches,
  readEvents,
  skipEvents,
  type VersionEvent,
  type WatchHit,
} from '../store/watches/matching.ts';
import type { WatchedSearches } from './watched-searches.ts';

/** Of one transaction: a bound on memory, and on how long somebody who changes a watch waits. */
const STEP = { events: 5_000, bytes: 24 * 1024 * 1024 } as const;
/** Written by one statement, while the next ones are found. */
const HITS_AT_ONCE = 4_000;

/** Matches one step of events; resolves to whether more are waiting. */
export async function matchEvents(
  db: Database,
  searches: WatchedSearches,
  step: { readonly events: number; readonly bytes: number } = STEP,
): Promise<boolean> {
  if (await skipEvents(db)) return false;
  const from = await findProgress(db);
  const { events, reached, hasMore } = await readEvents(db, from, step);
  const sifted = new SiftedEvents(events);
  await advance(db, from, reached, async (tx) => {
    await searches.refresh(tx);
    await writeHits(tx, sifted, searches);
  });
  return hasMore;
}

async function writeHits(tx: Transaction, sifted: SiftedEvents, searches: WatchedSearches): Promise<void> {
  const { events } = sifted;
  if (events.length === 0) return;
  // The database writes what lists of records hit while this thread makes what the others are matched by.
  await Promise.all([insertRecordHits(tx, events), inNextTurn(() => sifted.prepare(searches.listConditions()))]);
  let hits: WatchHit[] = [];
  let writing: Promise<void> = Promise.resolve();
  /** Waits for the hits before, not for these: the next ones are found while these are written. */
  const write = async (): Promise<void> => {
    await writing;
    if (hits.length === 0) return;
    writing = insertHits(tx, events, hits);
    writing.catch(() => undefined);
    hits = [];
  };
  for (const { watch_id, names } of await listOwnerWatches(tx, sifted.listOwners())) {
    hits.push(...sifted.findHits(watch_id, sifted.findOwned(names)));
    if (hits.length >= HITS_AT_ONCE) await write();
  }
  for (const { watchId, conditions } of searches.list()) {
    hits.push(...sifted.findHits(watchId, sifted.find(conditions)));
    if (hits.length >= HITS_AT_ONCE) await write();
  }
  await write();
  await writing;
}

/** After what waits to be sent has been sent. */
async function inNextTurn(work: () => void): Promise<void> {
  await nextTurn();
  work();
}

/** Some events with their versions in a sieve: of each event the one it made, then the one before if there is one. */
export class SiftedEvents {
  readonly events: readonly VersionEvent[];
  private readonly sieve: Sieve;
  /** For each version in the sieve: the event. */
  private readonly eventOf: readonly number[];

  constructor(events: readonly VersionEvent[]) {
    this.events = events;
    this.eventOf = events.flatMap(({ before }, event) => (before === null ? [event] : [event, event]));
    this.sieve = new Sieve(events.flatMap(({ after, before }) => (before === null ? [after] : [after, before])));
  }

  /** Makes what owners and these conditions are matched by. */
  prepare(conditions: Iterable<Condition>): void {
    this.sieve.prepare(['owner_name', ...[...conditions].flatMap(fieldsOf)]);
  }

  find(conditions: readonly Condition[]): Uint32Array {
    return this.sieve.find(conditions);
  }

  listOwners(): string[] {
    return this.sieve.listNames('owner_name');
  }

  /** The versions with any of the owners. */
  findOwned(names: readonly string[]): Uint32Array {
    return this.sieve.find([{ kind: 'names', family: 'owner_name', texts: names }]);
  }

  /** What a watch is told of versions that match it, ascending. */
  findHits(watch_id: string, versions: Uint32Array): WatchHit[] {
    const hits: WatchHit[] = [];
    for (let at = 0; at < versions.length; at += 1) {
      const version = versions[at]!;
      const number = this.eventOf[version]!;
      const isAfter = this.eventOf[version - 1] !== number;
      const isBoth = isAfter && this.eventOf[version + 1] === number && versions[at + 1] === version + 1;
      if (isBoth) at += 1;
      hits.push({ watch_id, number, event: isBoth ? 'changes' : isAfter ? 'begins' : 'stops' });
    }
    return hits;
  }
}
