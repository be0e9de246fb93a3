/**
 * Matches the next events of the history against every watch: the version that an event made and the one before, both
 * through one small segment. Its caller decides when, and in which process. Watched searches, and the marks of watches
 * for likeness, are conditions in memory. Equal conditions are one object, however many searches use it, so that a
 * sieve evaluates each only once. Invariant: after `refresh`, they are the searches that the transaction sees.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type GoodsRelation, type HeldAs, LIKENESS_STRATEGY_NAMES } from '@tmds/contract/likeness';
import type { HitLikeness } from '@tmds/contract/watches';
import type { Log } from '../base/log.ts';
import type { Database, Queryable, Transaction } from '../database/driver/db.ts';
import { fieldsOf, Sieve } from '../index/sift.ts';
import { type AlikeText, WatchedMarks } from '../likeness/watched-marks.ts';
import { parseSearchText } from '../parse/search.ts';
import { type Condition, planSearch } from '../plan/search.ts';
import { planMark, planNames } from '../plan/watches.ts';
import { RenderedContent } from '../record/content.ts';
import { listHeldAs } from '../record/row.ts';
import { insertLikeness, type NewLikeness } from '../store/watches/hit-handling.ts';
import { type EventHit, insertHits, type WatchHits } from '../store/watches/hit-rows.ts';
import {
  advance,
  findProgress,
  listChangedWatches,
  listOwnerWatches,
  listRecordWatches,
  readEvents,
  skipEvents,
  type WatchChange,
} from '../store/watches/matching.ts';
import type { EventLimits, VersionEvent } from '../store/watches/version-events.ts';

/** Events per transaction: a bound on memory, and on how long a change of a watch waits. */
const STEP: EventLimits = { events: 5_000, bytes: 24 * 1024 * 1024 };

/** Matches one step of events; resolves to whether more are waiting. */
export async function matchEvents(db: Database, searches: WatchedSearches, step: EventLimits = STEP): Promise<boolean> {
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
  // The database looks up listed records while this thread builds the sieve for the others.
  const [listed] = await Promise.all([
    listRecordWatches(tx, events),
    inNextTurn(() => sifted.prepare(searches.listConditions())),
  ]);
  const owned = await listOwnerWatches(tx, sifted.listOwners());
  const likeness: NewLikeness[] = [];
  await insertHits(tx, events, findHits(sifted, { listed, owned, searches }, likeness));
  await insertLikeness(tx, likeness);
}

interface Watching {
  readonly listed: readonly { readonly watch_id: string; readonly numbers: readonly number[] }[];
  readonly owned: readonly { readonly watch_id: string; readonly names: readonly string[] }[];
  readonly searches: WatchedSearches;
}

/** The hits of all watches, and of one that is diagnosed. `likeness`: gets why each hit of a watch for likeness is alike. */
export function* findHits(
  sifted: SiftedEvents,
  { listed, owned, searches }: Watching,
  likeness: NewLikeness[],
): Generator<WatchHits> {
  for (const { watch_id, numbers } of listed) yield { watch_id, hits: sifted.tellListed(numbers) };
  for (const { watch_id, names } of owned) yield { watch_id, hits: sifted.tell(sifted.findOwned(names)) };
  for (const { watchId, conditions } of searches.list()) {
    yield { watch_id: watchId, hits: sifted.tell(sifted.find(conditions)) };
  }
  if (!searches.hasMarks) return;
  for (const match of searches.matchMarks(sifted.listMarks())) {
    const alike = sifted.findAlike(match);
    const hits = sifted.tell(Uint32Array.from(alike.keys()).sort());
    for (const { number } of hits) likeness.push({ watch_id: match.watchId, ...sifted.tellLikeness(number, alike) });
    yield { watch_id: match.watchId, hits };
  }
}

function nearnessOf({ evidence }: Pick<HitLikeness, 'evidence'>): number {
  return Math.min(...evidence.map(({ strategy }) => LIKENESS_STRATEGY_NAMES.indexOf(strategy)));
}

/** After the pending messages have been sent. */
async function inNextTurn(work: () => void): Promise<void> {
  await nextTurn();
  work();
}

/**
 * Some events with their versions in a sieve: for each event the version it made, then the one before if there is one.
 */
export class SiftedEvents {
  readonly events: readonly VersionEvent[];
  private readonly sieve: Sieve;
  /** For each version in the sieve: the event. */
  private readonly eventOf: readonly number[];
  /** For each event: the version it made. */
  private readonly firstOf: readonly number[];

  constructor(events: readonly VersionEvent[]) {
    this.events = events;
    this.eventOf = events.flatMap(({ before }, event) => (before === null ? [event] : [event, event]));
    const firstOf: number[] = [];
    for (const [version, event] of this.eventOf.entries()) firstOf[event] ??= version;
    this.firstOf = firstOf;
    this.sieve = new Sieve(events.flatMap(({ after, before }) => (before === null ? [after] : [after, before])));
  }

  /** Builds the segments by which owners and these conditions are matched. */
  prepare(conditions: Iterable<Condition>): void {
    this.sieve.prepare(['owner_name', ...[...conditions].flatMap(fieldsOf)]);
  }

  find(conditions: readonly Condition[]): Uint32Array {
    return this.sieve.find(conditions);
  }

  /** The names of owners by which watches list them. */
  listOwners(): string[] {
    return [...this.sieve.listNames('owner_name'), ...this.sieve.listWholes('owner_names')];
  }

  /** The versions with any of the owners. */
  findOwned(names: readonly string[]): Uint32Array {
    return this.sieve.find([{ kind: 'names', family: 'owner_name', texts: names }]);
  }

  /** The names of marks, other forms included. */
  listMarks(): string[] {
    return this.sieve.listHeld();
  }

  /** The versions with names that are alike, each with what makes it so. */
  findAlike({ conditions, classes, heldAs, texts }: MarkMatch): Map<number, HitLikeness> {
    const found = new Map<number, HitLikeness>();
    for (const { name, evidence } of texts) {
      for (const version of this.find([planNames([name], heldAs), ...conditions])) {
        const known = found.get(version);
        // The nearest of several names of a version counts.
        if (known !== undefined && nearnessOf(known) <= nearnessOf({ evidence })) continue;
        const { detail, mark_variants } = this.textOf(version);
        const ways = listHeldAs(new RenderedContent(detail).mark_name, mark_variants, name);
        const held_as = ways.find((way) => heldAs.includes(way))!;
        found.set(version, { name, held_as, evidence, goods: this.relateGoods(version, classes) });
      }
    }
    return found;
  }

  /** Of the version after the event, or the one before if only that is alike. */
  tellLikeness(number: number, alike: ReadonlyMap<number, HitLikeness>): Omit<NewLikeness, 'watch_id'> {
    const { stamp, jurisdiction_code, uid } = this.events[number]!;
    const first = this.firstOf[number]!;
    return { stamp, jurisdiction_code, uid, likeness: (alike.get(first) ?? alike.get(first + 1))! };
  }

  private textOf(version: number): VersionEvent['after'] {
    const number = this.eventOf[version]!;
    const { after, before } = this.events[number]!;
    return version === this.firstOf[number] ? after : before!;
  }

  private relateGoods(version: number, asked: readonly number[]): GoodsRelation | null {
    if (asked.length === 0) return null;
    const own = new RenderedContent(this.textOf(version).detail).nice_classes;
    if (own === null) return { relation: 'unknown', nice_classes: [] };
    const nice_classes = own.filter((each) => asked.includes(each));
    return { relation: nice_classes.length > 0 ? 'same' : 'apart', nice_classes };
  }

  /** The hits of a watch among events whose records it lists. */
  tellListed(numbers: readonly number[]): EventHit[] {
    return numbers.map((number) => ({ number, event: this.events[number]!.before === null ? 'begins' : 'changes' }));
  }

  /** The hits of a watch among versions that match it, ascending. */
  tell(versions: Uint32Array): EventHit[] {
    const hits: EventHit[] = [];
    for (let at = 0; at < versions.length; at += 1) {
      const version = versions[at]!;
      const number = this.eventOf[version]!;
      const isAfter = this.eventOf[version - 1] !== number;
      const isBoth = isAfter && this.eventOf[version + 1] === number && versions[at + 1] === version + 1;
      if (isBoth) at += 1;
      hits.push({ number, event: isBoth ? 'changes' : isAfter ? 'begins' : 'stops' });
    }
    return hits;
  }
}

const CHANGES_AT_ONCE = 5_000;

/** Which conditions are likely to fail first, so that most searches fail at the first one. */
const RANKS: Readonly<Record<Condition['kind'], number>> = {
  number: 0,
  numbers: 0,
  name: 1,
  names: 1,
  held: 1,
  dates: 2,
  terms: 3,
  changes: 4,
};

interface Shared {
  readonly condition: Condition;
  uses: number;
}

/** A mark that is like some names, and what the records have to satisfy too. */
interface MarkMatch {
  readonly watchId: string;
  readonly conditions: readonly Condition[];
  /** Classes of its goods; empty if none are stated. */
  readonly classes: readonly number[];
  /** The texts that are compared. */
  readonly heldAs: readonly HeldAs[];
  readonly texts: readonly AlikeText[];
}

export class WatchedSearches {
  private readonly log: Pick<Log, 'error'>;
  private readonly searches = new Map<string, readonly string[]>();
  private readonly shared = new Map<string, Shared>();
  private readonly marks = new WatchedMarks();
  private readonly watched = new Map<string, Pick<MarkMatch, 'classes' | 'heldAs'>>();
  private changeNumber = 0;

  constructor(log: Pick<Log, 'error'>) {
    this.log = log;
  }

  /** Takes over what changed. To be called in a transaction in which no watch changes. */
  async refresh(tx: Queryable): Promise<void> {
    for (;;) {
      const changes = await listChangedWatches(tx, this.changeNumber, CHANGES_AT_ONCE);
      for (const change of changes) this.take(change);
      this.changeNumber = changes.at(-1)?.change_number ?? this.changeNumber;
      if (changes.length < CHANGES_AT_ONCE) return;
    }
  }

  *list(): Generator<{ readonly watchId: string; readonly conditions: readonly Condition[] }> {
    for (const [watchId, keys] of this.searches) {
      if (this.watched.has(watchId)) continue;
      yield { watchId, conditions: keys.map((key) => this.shared.get(key)!.condition) };
    }
  }

  /** Whether this watch has a search that is understood. */
  has(watchId: string): boolean {
    return this.searches.has(watchId);
  }

  get hasMarks(): boolean {
    return this.marks.size > 0;
  }

  /** The marks that are like any of these names. */
  *matchMarks(names: Iterable<string>): Generator<MarkMatch> {
    for (const [watchId, texts] of this.marks.match(names)) {
      const conditions = this.searches.get(watchId)!.map((key) => this.shared.get(key)!.condition);
      yield { watchId, conditions, ...this.watched.get(watchId)!, texts };
    }
  }

  *listConditions(): Generator<Condition> {
    for (const { condition } of this.shared.values()) yield condition;
  }

  /** Takes over one watch as it is. */
  take({ watch_id, id, is_live, kind, search }: Omit<WatchChange, 'change_number'>): void {
    for (const key of this.searches.get(watch_id) ?? []) this.release(key);
    this.searches.delete(watch_id);
    this.marks.delete(watch_id);
    this.watched.delete(watch_id);
    if (!is_live || (kind !== 'search' && kind !== 'similar')) return;
    try {
      const conditions = [...this.read(watch_id, kind, search ?? '')].sort(
        (one, other) => RANKS[one.kind] - RANKS[other.kind],
      );
      this.searches.set(
        watch_id,
        conditions.map((condition) => this.share(condition)),
      );
    } catch (error) {
      // It was accepted once: a later version of the program must not refuse it.
      this.log.error({ err: error, watch_id, id, search }, 'a watched search is not understood and is not matched');
    }
  }

  private read(watchId: string, kind: 'search' | 'similar', search: string): readonly Condition[] {
    if (kind === 'search') {
      return planSearch(parseSearchText(search)).conditions;
    }
    const { mark, strategies, heldAs, classes, conditions } = planMark(search);
    this.marks.put(watchId, mark, strategies);
    this.watched.set(watchId, { classes, heldAs });
    return conditions;
  }

  private share(condition: Condition): string {
    const key = JSON.stringify(condition);
    const known = this.shared.get(key);
    if (known === undefined) this.shared.set(key, { condition, uses: 1 });
    else known.uses += 1;
    return key;
  }

  private release(key: string): void {
    const known = this.shared.get(key)!;
    known.uses -= 1;
    if (known.uses === 0) this.shared.delete(key);
  }
}
