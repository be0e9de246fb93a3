/**
 * Holds the watched searches, and the marks of watches for likeness, as conditions in memory. Equal conditions are
 * one object, however many searches use it, so that a sieve evaluates each only once. Invariant: after
 * `refresh`, they are the searches that the transaction sees.
 */
import type { HeldAs } from '@tmds/contract/likeness';
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import { type AlikeText, WatchedMarks } from '../likeness/watched-marks.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { type Condition, planSearch } from '../plan/search.ts';
import { planMark } from '../plan/watches.ts';
import { listChangedWatches, type WatchChange } from '../store/watches/matching.ts';

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
export interface MarkMatch {
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
      return planSearch(parseSearch(checkDeclared('search', splitQuery(search)), null)).conditions;
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
