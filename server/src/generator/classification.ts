/**
 * Nice classes, Vienna codes, kinds and features, distributed as in real registers: classes go together by trade, word
 * marks and plain trademarks dominate, and in a large sample every value of the closed sets occurs.
 */
import { KINDS_OF_MARK, MARK_FEATURES, type MarkFeature } from '@tmds/contract/enums';
import { buildWeighted, pickWeighted, type Random, readShares } from './random.ts';

const ALL_CLASSES = Array.from({ length: 45 }, (_, i) => i + 1);

/** The classes of one trade: usual main classes, and classes often filed together with them. */
interface Trade {
  readonly main: readonly number[];
  readonly beside: readonly number[];
}

const TRADES = buildWeighted<Trade>([
  [{ main: [9, 9, 42], beside: [9, 35, 38, 41, 42] }, 19],
  [{ main: [35, 35, 36], beside: [9, 35, 36, 41, 42, 45] }, 13],
  [{ main: [25, 25, 18], beside: [3, 9, 14, 18, 24, 25, 35] }, 12],
  [{ main: [30, 29, 43], beside: [5, 29, 30, 31, 32, 35, 43] }, 14],
  [{ main: [5, 5, 3, 10], beside: [1, 3, 5, 10, 35, 42, 44] }, 13],
  [{ main: [3, 3, 44], beside: [3, 5, 21, 35, 44] }, 6],
  [{ main: [41, 41, 16, 28], beside: [9, 16, 25, 28, 35, 38, 41] }, 9],
  [{ main: [32, 33, 33], beside: [21, 30, 32, 33, 35, 43] }, 5],
  [{ main: [7, 12, 11, 8], beside: [4, 6, 7, 8, 9, 11, 12, 37, 40] }, 9],
  [{ main: [19, 6, 37, 20], beside: [2, 6, 17, 19, 20, 27, 37, 40, 42] }, 6],
  [{ main: [21, 20, 24, 14], beside: [8, 11, 14, 16, 20, 21, 24, 26, 27] }, 5],
  [{ main: [39, 12, 37], beside: [12, 35, 36, 37, 39, 43] }, 4],
  [{ main: [1, 2, 17, 4], beside: [1, 2, 4, 5, 17, 19, 40] }, 4],
  [{ main: [34, 13, 15, 22, 23, 26, 45], beside: ALL_CLASSES }, 3],
]);

const CLASS_COUNTS = buildWeighted<number>([
  [1, 620],
  [2, 150],
  [3, 120],
  [4, 45],
  [5, 28],
  [6, 14],
  [7, 8],
  [8, 5],
  [10, 4],
  [14, 2.5],
  [20, 1.5],
  [30, 0.7],
  [45, 0.5],
]);

/** Ascending and distinct. `single` is for registers that mostly take one class. */
export function drawNiceClasses(random: Random, single: boolean): number[] {
  const trade = pickWeighted(random, TRADES);
  const count = single && random.chance(0.85) ? 1 : pickWeighted(random, CLASS_COUNTS);
  if (count === 45) return ALL_CLASSES.slice();
  const classes = [random.pick(trade.main)];
  for (let tries = count * 4; classes.length < count && tries > 0; tries -= 1) {
    const next = random.pick(classes.length < trade.beside.length ? trade.beside : ALL_CLASSES);
    if (!classes.includes(next)) classes.push(next);
  }
  return classes.sort((a, b) => a - b);
}

/** The divisions of each category from 1 on, with the weight of the category. */
const VIENNA_TABLE = `
  1 3 5 7 13 15: 6; 1 3 5 7 9: 8; 1 3 4 5 6 7 9 11 13: 9; 1 2 3 5: 2; 1 3 5 7 9 11 13: 9; 1 3 6 7 19: 2.5;
  1 3 5 11 15: 3; 1 3 5 7: 2; 1 3 5 7 9: 2; 1 3 5: 0.7; 1 3 7: 1.5; 1 3: 0.6; 1 3: 0.5; 1 3 5 7: 0.8; 1 5 7 9: 1;
  1 3: 1; 1 2 5: 0.8; 1 3 4 5: 2; 1 3 7 8: 1; 1 5 7: 0.7; 1 3: 0.6; 1 3: 0.4; 1 3 5: 0.5; 1 3 5 7 9 13 15 17: 7;
  1 3 5 7: 6; 1 2 3 4 5 7 11 13 15: 26; 1 3 5 7: 30; 1 3 5 11 19: 4; 1: 12
`;
const VIENNA = buildWeighted(
  VIENNA_TABLE.split(';').map((entry, i) => {
    const [divisions = '', weight] = entry.split(':');
    return [[i + 1, divisions.trim().split(' ').map(Number)], Number(weight)] as const;
  }),
);

/** `cc.dd.ss`, distinct. */
export function drawViennaCodes(random: Random): string[] {
  const codes: string[] = [];
  for (let i = random.between(1, random.chance(0.1) ? 9 : 4); i > 0; i -= 1) {
    const [category, divisions] = pickWeighted(random, VIENNA);
    const section = Math.floor(random.unit() * random.unit() * 25) + 1;
    const code = [category, random.pick(divisions), section].map((part) => (part < 10 ? `0${part}` : part)).join('.');
    if (!codes.includes(code)) codes.push(code);
  }
  return codes;
}

export const KINDS = buildWeighted(
  readShares(KINDS_OF_MARK)(`
  Trademark 6800, Individual 1900, Service 950, Collective 130, Certificate 70, Other 45, Guarantee 18,
  Geographical 16, Defensive 14, Logotype 9, Denomination 7, Common right 5
`),
);

export const FEATURES = buildWeighted(
  readShares(MARK_FEATURES)(`
  Word 54_000, Combined 24_500, Figurative 13_500, Stylized characters 4500, Three-dimensional 800,
  Undefined 350, Other 220, Colour 110, Sound 90, Position 70, Motion 60, Pattern 55, Multimedia 45,
  Combination of colours 40, Hologram 25, Touch 14, Olfactory 12, Chimney 10, Taste 9
`),
);

/** Features with a figurative part, which have Vienna codes and an image. */
const PICTURED = new Set<MarkFeature>([
  'Figurative',
  'Combined',
  'Three-dimensional',
  'Position',
  'Pattern',
  'Motion',
  'Hologram',
]);
/** For features that may have no words, the share of marks without words. */
const WORDLESS = new Map(
  readShares(MARK_FEATURES)(`
  Figurative 0.45, Three-dimensional 0.5, Colour 0.9, Combination of colours 0.9, Sound 0.7, Olfactory 0.9,
  Touch 0.8, Taste 0.9, Position 0.6, Pattern 0.8, Chimney 0.8, Hologram 0.6, Motion 0.5
`),
);

export function isPictured(feature: MarkFeature | null): boolean {
  return feature !== null && PICTURED.has(feature);
}

export function wordlessShare(feature: MarkFeature): number {
  return WORDLESS.get(feature) ?? 0;
}
