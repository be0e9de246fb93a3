/**
 * Makes one order of the lists of all strategies. Each strategy that lists a name adds 1 / (5 + its place), and names
 * come by tier first: the order follows from the places alone, which every hit shows (docs/design/likeness.md).
 */
import { LIKENESS_STRATEGIES, LIKENESS_TIERS, type LikenessStrategy, type LikenessTier } from '@tmds/contract/likeness';
import type { Rankings } from './rankings.ts';

/** Dampens the first places, so that one list alone does not decide. From 2 to 20 the yardstick hardly changes. */
const PLACE_OFFSET = 5;
/** A strategy raises a name to its tier only if it finds at most this many names that are as alike. */
const RAISING_PLACE_MAX: Readonly<Record<LikenessTier, number>> = {
  identical: Number.POSITIVE_INFINITY,
  near: 5,
  shared: 3,
  alike: Number.POSITIVE_INFINITY,
};

export interface RankedName {
  readonly name: number;
  readonly tier: LikenessTier;
  /** Larger is better; says something only within the tier. */
  readonly sum: number;
  /** Where each strategy has it; strategies that do not list it are missing. */
  readonly places: ReadonlyMap<LikenessStrategy, number>;
}

/** All listed names, best first. Among equals, names come in the order of their letters. */
export function fuseRankings(rankings: Rankings, readLetters: (name: number) => string): RankedName[] {
  const placesOf = new Map<number, Map<LikenessStrategy, number>>();
  for (const [strategy, ranking] of rankings) {
    for (const { name, place } of ranking.list()) {
      const places = placesOf.get(name) ?? new Map<LikenessStrategy, number>();
      places.set(strategy, place);
      placesOf.set(name, places);
    }
  }
  const ranked = Array.from(placesOf, ([name, places]) => ({ name, places, tier: tierOf(places), sum: sumOf(places) }));
  return ranked.sort(
    (one, other) =>
      LIKENESS_TIERS.indexOf(one.tier) - LIKENESS_TIERS.indexOf(other.tier) ||
      other.sum - one.sum ||
      compareTexts(readLetters(one.name), readLetters(other.name)),
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function tierOf(places: ReadonlyMap<LikenessStrategy, number>): LikenessTier {
  let best: LikenessTier = 'alike';
  for (const [strategy, place] of places) {
    const { tier } = LIKENESS_STRATEGIES[strategy];
    const isRaised = place <= RAISING_PLACE_MAX[tier];
    if (isRaised && LIKENESS_TIERS.indexOf(tier) < LIKENESS_TIERS.indexOf(best)) best = tier;
  }
  return best;
}

function sumOf(places: ReadonlyMap<LikenessStrategy, number>): number {
  let sum = 0;
  for (const place of places.values()) sum += 1 / (PLACE_OFFSET + place);
  return sum;
}
