/**
 * How deep a run tests. The everyday gate takes minutes: it tries some of the cases of a test, and each property a few
 * times. The proofs try them all, and so they run every file that imports this one as well (docs/design/testing.md).
 */
import { FULL_VARIABLE, SEED } from './cluster.ts';

export const isFull = process.env[FULL_VARIABLE] === '1';

const FULL_TIMES = 10;

/** All cases in the proofs; every day `count` of them, evenly spread from the one on that the seed chooses. */
export function chooseCases<Case>(cases: readonly Case[], count = 1): readonly Case[] {
  if (isFull || count >= cases.length) return cases;
  const places = Array.from({ length: count }, (_, at) => SEED + Math.floor((at * cases.length) / count));
  const chosen = new Set(places.map((place) => place % cases.length));
  return cases.filter((_, at) => chosen.has(at));
}

/** How often a property is tried; `TMDS_PROPERTY_RUNS` sets another number for all of them. */
export function runsOf(everyday: number): number {
  return Number(process.env.TMDS_PROPERTY_RUNS ?? (isFull ? FULL_TIMES * everyday : everyday));
}
