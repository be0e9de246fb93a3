/**
 * The core of a first filing: when, by whom, which words, which classes. It is a pure function of (seed, register,
 * rank). Members of a family (national parts of an international registration, priority claims) use the core of the
 * record they derive from, so they agree with it without a look-up.
 */
import type { MarkFeature } from '@tmds/contract/enums';
import { drawNiceClasses, drawViennaCodes, FEATURES, isPictured, wordlessShare } from './classification.ts';
import { type CountryCode, countryOf } from './countries.ts';
import { WESTERN } from './lexicon/western.ts';
import { dayOf } from './lifecycle.ts';
import { buildMarkText, type MarkText } from './marks.ts';
import type { Parties, Party } from './parties.ts';
import { pickWeighted, Random, type Seed } from './random.ts';
import type { Register } from './registers.ts';

/** Everything a record depends on, except its position. */
export interface World {
  readonly seed: Seed;
  readonly asOfDay: number;
  readonly parties: Parties;
}

export interface Core {
  applicationDay: number;
  owners: Party[];
  mark: MarkText;
  hasWords: boolean;
  feature: MarkFeature | null;
  niceClasses: number[];
  viennaCodes: string[] | null;
}

const CORE_SPACE = 100;
const RECENT_DAYS = 10_600;
/** Fewer filings fall on a weekend; day 0, 1970-01-01, was a Thursday. */
const WEEKEND = new Set([2, 3]);

/** Filings become more frequent towards the reference date, with a long tail back to the register's first year. */
function drawApplicationDay(random: Random, register: Register, asOfDay: number): number {
  const span = asOfDay - dayOf(register.firstYear, 1, 1);
  const isRecent = random.chance(0.86);
  const draw = random.unit();
  const age = isRecent ? Math.min(RECENT_DAYS, span) * (0.35 * draw + 0.65 * draw * Math.sqrt(draw)) : span * draw;
  const day = asOfDay - Math.floor(age);
  return WEEKEND.has(((day % 7) + 7) % 7) && random.chance(0.8) ? Math.max(day - 2, asOfDay - span) : day;
}

/** The application day of a core, without building the rest of it. */
export function findApplicationDay(world: World, register: Register, rank: number): number {
  return drawApplicationDay(new Random(world.seed, CORE_SPACE + register.place, rank), register, world.asOfDay);
}

function drawOwners(random: Random, world: World, home: CountryCode): Party[] {
  const owners = [world.parties.drawOwner(random, home)];
  if (random.chance(0.035)) owners.push(world.parties.drawOwner(random, random.chance(0.8) ? home : 'US'));
  return owners;
}

/** Most marks are in the owner's language, many in English. */
function drawLanguage(random: Random, home: CountryCode) {
  const { language } = countryOf(home);
  const english = language.script === 'Latn' ? 0.32 : 0.12;
  return random.chance(english) ? WESTERN.english : language;
}

export function buildCore(world: World, register: Register, rank: number): Core {
  const random = new Random(world.seed, CORE_SPACE + register.place, rank);
  const applicationDay = drawApplicationDay(random, register, world.asOfDay);
  const home = pickWeighted(random, register.homes);
  const owners = drawOwners(random, world, home);
  const mark = buildMarkText(random, drawLanguage(random, home));
  const feature = random.chance(0.02) ? null : pickWeighted(random, FEATURES);
  const niceClasses = drawNiceClasses(random, register.code === 'CN' || register.code === 'US');
  const hasWords = feature === null || !random.chance(wordlessShare(feature));
  const viennaCodes = isPictured(feature) ? drawViennaCodes(random) : null;
  return { applicationDay, owners, mark, hasWords, feature, niceClasses, viennaCodes };
}
