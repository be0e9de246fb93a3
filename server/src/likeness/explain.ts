/**
 * What each strategy says of a name, from the two texts and from how often words and grams occur. The scan decides
 * which names are listed and where; this says why, and a strategy that the texts do not bear out is not named.
 */
import {
  LIKENESS_STRATEGY_NAMES,
  type LikenessEvidence,
  type LikenessStrategy,
  type UnplacedEvidence,
} from '@tmds/contract/likeness';
import { isForeign, joinLetters, type SpelledWord } from '../record/spelling.ts';
import { codesOf, countEdits, EDITS_MAX, listGrams } from './grams.ts';
import { KEY_PAIRS, keyOf, LIKENESS_MIN } from './keys.ts';
import { ALIKE_LETTERS_MIN, type Frequencies } from './query.ts';

/** Letters in common at the beginning that are more than chance. */
export const BEGINNING_LETTERS_MIN = 3;

/** Null if the strategy does not find the name. */
type Explained = { [Strategy in LikenessStrategy]: Extract<UnplacedEvidence, { strategy: Strategy }> };
type Explain<Strategy extends LikenessStrategy> = (
  asked: readonly SpelledWord[],
  held: readonly SpelledWord[],
  frequencies: Frequencies,
) => Explained[Strategy] | null;

/** How alike letters are by their grams, from 0 to 1. */
function likenessOfLetters(one: string, other: string, { gramWeights }: Pick<Frequencies, 'gramWeights'>): number {
  const grams = listGrams(one);
  const others = new Set(listGrams(other));
  const weigh = (list: Iterable<number>): number => [...list].reduce((sum, gram) => sum + gramWeights[gram]!, 0);
  const weight = weigh(grams) + weigh(others);
  return weight === 0 ? 0 : (2 * weigh(grams.filter((gram) => others.has(gram)))) / weight;
}

function isSameScript(asked: readonly SpelledWord[], held: readonly SpelledWord[]): boolean {
  return isForeign(asked) === isForeign(held);
}

/** Whether a pair of keys of this strategy is equal; returns the pair. */
function findEqualKey(strategy: LikenessStrategy, asked: readonly SpelledWord[], held: readonly SpelledWord[]) {
  return KEY_PAIRS.find(
    (pair) =>
      pair.strategy === strategy &&
      (pair.anyScript || isSameScript(asked, held)) &&
      keyOf(pair.against, asked).length >= pair.lengthMin &&
      keyOf(pair.key, held) === keyOf(pair.against, asked),
  );
}

const round = (likeness: number): number => Math.round(likeness * 1_000) / 1_000;

function explainLetters(asked: readonly SpelledWord[], held: readonly SpelledWord[], frequencies: Frequencies): number {
  return likenessOfLetters(joinLetters(asked), joinLetters(held), frequencies);
}

const textsOf = (words: readonly SpelledWord[]): string[] => words.map(({ text }) => text);

/** The words of one of them, if all of them are words of the other. */
function findContained(asked: readonly SpelledWord[], held: readonly SpelledWord[]): readonly SpelledWord[] | null {
  const [askedTexts, heldTexts] = [new Set(textsOf(asked)), new Set(textsOf(held))];
  if (held.every(({ text }) => askedTexts.has(text))) return held;
  return asked.every(({ text }) => heldTexts.has(text)) ? asked : null;
}

const EXPLAIN: { readonly [Strategy in LikenessStrategy]: Explain<Strategy> } = {
  equal: (asked, held) => (findEqualKey('equal', asked, held) === undefined ? null : { strategy: 'equal' }),
  glyphs: (asked, held) => (findEqualKey('glyphs', asked, held) === undefined ? null : { strategy: 'glyphs' }),
  edits: (asked, held) => {
    if (!isSameScript(asked, held)) return null;
    const edits = countEdits(codesOf(joinLetters(asked)), codesOf(joinLetters(held)));
    return edits >= 1 && edits <= EDITS_MAX ? { strategy: 'edits', edits } : null;
  },
  plural: (asked, held) =>
    findEqualKey('plural', asked, held) === undefined ? null : { strategy: 'plural', stem: keyOf('stem', held) },
  order: (asked, held) => {
    const [askedTexts, heldTexts] = [textsOf(asked), textsOf(held)];
    const isReordered =
      asked.length > 1 &&
      askedTexts.join(' ') !== heldTexts.join(' ') &&
      askedTexts.toSorted().join(' ') === heldTexts.toSorted().join(' ');
    return isReordered ? { strategy: 'order' } : null;
  },
  sound: (asked, held) => {
    const pair = findEqualKey('sound', asked, held);
    if (pair === undefined) return null;
    const read_as = pair.key === 'germanSound' ? 'german' : 'english';
    return { strategy: 'sound', read_as, sound: keyOf(pair.key, held) };
  },
  consonants: (asked, held) =>
    findEqualKey('consonants', asked, held) === undefined
      ? null
      : { strategy: 'consonants', consonants: keyOf('consonants', held) },
  transliteration: (asked, held, frequencies) => {
    if (isSameScript(asked, held)) return null;
    const likeness = explainLetters(asked, held, frequencies);
    return likeness < LIKENESS_MIN.transliteration ? null : { strategy: 'transliteration', likeness: round(likeness) };
  },
  within: (asked, held, frequencies) => {
    const contained = findContained(asked, held);
    if (contained === null) return null;
    const words = [...new Set(textsOf(contained))];
    return { strategy: 'within', words: words.map((word) => ({ word, ...frequencies.countWord(word) })) };
  },
  word: (asked, held, frequencies) => {
    const best = findBestWords(asked, held, frequencies);
    if (best === null) return null;
    return {
      strategy: 'word',
      likeness: round(best.likeness),
      asked: { word: best.asked.text, ...frequencies.countWord(best.asked.text) },
      held: { word: best.held.text, ...frequencies.countWord(best.held.text) },
    };
  },
  beginning: (asked, held) => {
    if (!isSameScript(asked, held)) return null;
    const [one, other] = [joinLetters(asked), joinLetters(held)];
    let common = 0;
    while (common < one.length && one[common] === other[common]) common += 1;
    return common < BEGINNING_LETTERS_MIN ? null : { strategy: 'beginning', letters: one.slice(0, common) };
  },
  letters: (asked, held, frequencies) => {
    if (!isSameScript(asked, held)) return null;
    const likeness = explainLetters(asked, held, frequencies);
    return likeness === 0 ? null : { strategy: 'letters', likeness: round(likeness) };
  },
};

interface BestWords {
  readonly asked: SpelledWord;
  readonly held: SpelledWord;
  readonly likeness: number;
  /** The likeness times how distinctive the more common word is, from 0 to 1. */
  readonly worth: number;
}

/** The two words, one of each, that are most alike and distinctive. */
function findBestWords(
  asked: readonly SpelledWord[],
  held: readonly SpelledWord[],
  frequencies: Frequencies,
): BestWords | null {
  const distinctionOf = ({ text }: SpelledWord): number => frequencies.distinctionOf(frequencies.findWord(text));
  let best: BestWords | null = null;
  for (const one of asked) {
    for (const other of held) {
      if (one.isForeign !== other.isForeign) continue;
      if (Math.min(one.letters.length, other.letters.length) < ALIKE_LETTERS_MIN) continue;
      const likeness = likenessOfLetters(one.letters, other.letters, frequencies);
      const worth = likeness * Math.min(distinctionOf(one), distinctionOf(other));
      if (worth > (best?.worth ?? 0)) best = { asked: one, held: other, likeness, worth };
    }
  }
  return best;
}

/** The same without places, of two names alone. */
export function explainPair(
  asked: readonly SpelledWord[],
  held: readonly SpelledWord[],
  strategies: ReadonlySet<LikenessStrategy>,
  frequencies: Frequencies,
): UnplacedEvidence[] {
  return LIKENESS_STRATEGY_NAMES.flatMap((strategy) => {
    const explained = strategies.has(strategy) ? EXPLAIN[strategy](asked, held, frequencies) : null;
    return explained === null ? [] : [explained];
  });
}

/** The evidence of a name, in the order of the table of strategies. */
export function explainName(
  asked: readonly SpelledWord[],
  held: readonly SpelledWord[],
  places: ReadonlyMap<LikenessStrategy, number>,
  frequencies: Frequencies,
): LikenessEvidence[] {
  return LIKENESS_STRATEGY_NAMES.flatMap((strategy) => {
    const place = places.get(strategy);
    const explained = place === undefined ? null : EXPLAIN[strategy](asked, held, frequencies);
    return explained === null ? [] : [{ ...explained, place } as LikenessEvidence];
  });
}
