/**
 * Where a record comes from: a first filing, the national part of an international registration, a priority claim from
 * a first filing elsewhere, or a division of the filing before it. Both records of such a link derive it from the same
 * numbers, so nothing has to be remembered. A link points to a record that a sample of about the same size contains.
 */

import { findApplicationDay, type World } from './core.ts';
import { addMonths, dayOf } from './lifecycle.ts';
import { buildWeighted, pickWeighted, Random, readShares } from './random.ts';
import { REGISTER_CODES, REGISTERS, type Register, registerOf } from './registers.ts';

export type Origin =
  | { kind: 'own' }
  | { kind: 'international'; rank: number; day: number }
  | { kind: 'priority'; register: Register; rank: number; day: number; firstDay: number }
  | { kind: 'division'; parentRank: number };

const ORIGIN_SPACE = 200;
const DESIGNATION_SPACE = 300;
const PRIORITY_SHARE = 0.075;
const DIVISION_SHARE = 0.02;
const TRIES = 6;
const OWN: Origin = { kind: 'own' };

/** Registers with national parts, each with the share of international registrations that designate it. */
const DESIGNATED = new Map(
  readShares(REGISTER_CODES)(`
  EM 0.55, US 0.52, CN 0.5, CH 0.42, JP 0.4, GB 0.4, KR 0.34, AU 0.34, RU 0.34, DE 0.26, FR 0.24, TR 0.25,
  IN 0.24, CA 0.22, MX 0.2, IT 0.2, ES 0.2, AT 0.18, PL 0.16, BR 0.14, SE 0.14, VN 0.16, IL 0.12, GR 0.1, TH 0.1
`),
);
const FURTHER_DESIGNATIONS = 'NO SG NZ BX UA CZ HU DK PT MA EG KZ RS FI IE PH OA AE'.split(' ');

const FIRST_FILINGS = buildWeighted(
  readShares(REGISTER_CODES)(`
  US 24, DE 14, EM 14, CN 10, JP 8, FR 7, GB 8, KR 4, IT 3, CH 4, AU 2, CA 1.5, ES 1.5, SE 1, AT 1, BR 1, TR 1,
  IN 1
`),
);

/** The codes that the international registration at `rank` designates: at least one, sorted. */
export function listDesignations(world: World, rank: number): string[] {
  const random = new Random(world.seed, DESIGNATION_SPACE, rank);
  const breadth = 0.35 + 1.3 * random.unit();
  const codes: string[] = [];
  for (const register of REGISTERS) {
    const share = DESIGNATED.get(register.code);
    if (share !== undefined && random.chance(share * breadth)) codes.push(register.code);
  }
  for (const code of FURTHER_DESIGNATIONS) if (random.chance(0.09 * breadth)) codes.push(code);
  return codes.length === 0 ? ['EM'] : codes.sort();
}

/** How many records of `other` a sample has when `register` has reached `rank`. */
function reachOf(register: Register, rank: number, other: Register): number {
  return Math.max(1, Math.floor(((rank + 1) * other.size) / register.size));
}

function findInternational(world: World, random: Random, register: Register, rank: number): Origin | null {
  const international = registerOf('WO');
  const reach = reachOf(register, rank, international);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const candidate = random.below(reach);
    if (!isFirstFiling(world, international, candidate)) continue;
    if (!listDesignations(world, candidate).includes(register.code)) continue;
    const registered = findApplicationDay(world, international, candidate);
    const joined = Math.max(registered, dayOf(register.madridSince, 1, 1) + random.below(400));
    const day = random.chance(0.12) ? joined + random.below(3000) : joined;
    if (day <= world.asOfDay) return { kind: 'international', rank: candidate, day };
  }
  return null;
}

function drawKind(random: Random, register: Register): Origin['kind'] {
  const draw = random.unit();
  if (draw < register.madrid) return 'international';
  if (draw < register.madrid + PRIORITY_SHARE) return 'priority';
  return draw < register.madrid + PRIORITY_SHARE + DIVISION_SHARE ? 'division' : 'own';
}

function isFirstFiling(world: World, register: Register, rank: number): boolean {
  return drawKind(new Random(world.seed, ORIGIN_SPACE + register.place, rank), register) === 'own';
}

function findPriority(world: World, random: Random, register: Register, rank: number): Origin | null {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const first = registerOf(pickWeighted(random, FIRST_FILINGS));
    const candidate = random.below(reachOf(register, rank, first));
    if (first === register || !isFirstFiling(world, first, candidate)) continue;
    const firstDay = findApplicationDay(world, first, candidate);
    const day = Math.min(firstDay + random.between(5, 183), addMonths(firstDay, 6));
    if (day > world.asOfDay || day < dayOf(register.firstYear, 1, 1)) continue;
    return { kind: 'priority', register: first, rank: candidate, day, firstDay };
  }
  return null;
}

export function findOrigin(world: World, register: Register, rank: number): Origin {
  const random = new Random(world.seed, ORIGIN_SPACE + register.place, rank);
  switch (drawKind(random, register)) {
    case 'international':
      return findInternational(world, random, register, rank) ?? OWN;
    case 'priority':
      return findPriority(world, random, register, rank) ?? OWN;
    case 'division':
      return rank > 0 && isFirstFiling(world, register, rank - 1) ? { kind: 'division', parentRank: rank - 1 } : OWN;
    default:
      return OWN;
  }
}
