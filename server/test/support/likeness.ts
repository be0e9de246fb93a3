/**
 * A slow reference for searches for likeness: it compares a mark with one name after the other, from their texts
 * alone, as docs/likeness.md describes each strategy. It shares nothing with the scan but the spelling of names and the
 * keys of words.
 */
import type { LikenessStrategy } from '@tmds/contract/likeness';
import { type KeyName, keyOf } from '../../src/likeness/keys.ts';
import { isForeign, joinLetters, type SpelledWord, spellName } from '../../src/record/spelling.ts';

/** The distinct pairs and triples of letters, `_` for a border. */
export function gramsOf(letters: string): Set<string> {
  const padded = `_${letters}_`;
  const grams = new Set<string>();
  for (let at = 0; at + 2 <= padded.length; at += 1) {
    grams.add(padded.slice(at, at + 2));
    if (at + 3 <= padded.length) grams.add(padded.slice(at, at + 3));
  }
  return grams;
}

/** Less is not found. */
export const LEAST: Partial<Record<LikenessStrategy, number>> = { transliteration: 0.5, word: 0.2, letters: 0.2 };

export class SlowNames {
  readonly names: readonly (readonly SpelledWord[])[];
  private readonly words = new Map<string, number>();
  private readonly grams = new Map<string, number>();
  private readonly counted: number;

  /** Names that are spelled alike are one. */
  constructor(texts: readonly string[]) {
    const spelled = new Map(texts.map((text) => [rowOf(spellName(text)), spellName(text)]));
    spelled.delete('');
    this.names = [...spelled.values()];
    for (const name of this.names) {
      for (const word of new Set(name.map(({ text }) => text))) count(this.words, word);
      if (!isForeign(name)) for (const gram of gramsOf(joinLetters(name))) count(this.grams, gram);
    }
    this.counted = this.names.filter((name) => !isForeign(name)).length;
  }

  private weightOf(gram: string): number {
    return Math.log((this.counted + 1) / ((this.grams.get(gram) ?? 0) + 1));
  }

  rarityOf(word: string): number {
    return Math.log((this.names.length + 1) / ((this.words.get(word) ?? 0) + 1));
  }

  likenessOf(one: string, other: string): number {
    const weigh = (grams: Iterable<string>) => [...grams].reduce((sum, gram) => sum + this.weightOf(gram), 0);
    const [first, second] = [gramsOf(one), gramsOf(other)];
    const weight = weigh(first) + weigh(second);
    return weight === 0 ? 0 : (2 * weigh([...first].filter((gram) => second.has(gram)))) / weight;
  }

  /** How alike name and mark are by a strategy; not found: 0, or less than `LEAST`. */
  compare(strategy: LikenessStrategy, asked: readonly SpelledWord[], name: readonly SpelledWord[]): number {
    const isSameScript = isForeign(asked) === isForeign(name);
    const same = (key: KeyName, against: KeyName = key): number =>
      keyOf(key, name) === keyOf(against, asked) && keyOf(against, asked) !== '' ? 1 : 0;
    const [letters, own] = [joinLetters(asked), joinLetters(name)];
    const [askedTexts, texts] = [asked.map(({ text }) => text), name.map(({ text }) => text)];
    switch (strategy) {
      case 'equal':
        return same('plain');
      case 'glyphs':
        return same('glyphs');
      case 'plural':
        return isSameScript ? same('stem') : 0;
      case 'consonants':
        return isSameScript && keyOf('consonants', asked).length >= 2 ? same('consonants') : 0;
      case 'sound': {
        const english: readonly KeyName[] = ['sound', 'otherSound'];
        const readings = english.flatMap((key) => english.map((against) => same(key, against)));
        return Math.max(...readings, same('germanSound'));
      }
      case 'edits': {
        const edits = isSameScript ? countAllEdits(letters, own) : 0;
        return edits === 1 ? 2 : edits === 2 ? 1 : 0;
      }
      case 'order':
        return asked.length > 1 &&
          texts.join(' ') !== askedTexts.join(' ') &&
          texts.toSorted().join(' ') === askedTexts.toSorted().join(' ')
          ? 1
          : 0;
      case 'within':
        return texts.every((text) => askedTexts.includes(text)) || askedTexts.every((text) => texts.includes(text))
          ? 1
          : 0;
      case 'word': {
        const pairs = asked.flatMap((one) =>
          name
            .filter((other) => one.isForeign === other.isForeign)
            .filter((other) => Math.min(one.letters.length, other.letters.length) >= 3)
            .map(
              (other) =>
                (this.likenessOf(one.letters, other.letters) *
                  Math.min(this.rarityOf(one.text), this.rarityOf(other.text))) /
                Math.log(this.names.length + 1),
            ),
        );
        return Math.max(0, ...pairs);
      }
      case 'beginning': {
        if (!isSameScript) return 0;
        let common = 0;
        while (common < letters.length && letters[common] === own[common]) common += 1;
        return common >= 3 ? common : 0;
      }
      case 'letters':
        return isSameScript ? this.likenessOf(letters, own) : 0;
      case 'transliteration':
        return isSameScript ? 0 : this.likenessOf(letters, own);
    }
  }
}

/** The words of a name in a row, as one text. */
export function rowOf(words: readonly SpelledWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Optimal string alignment, the whole matrix. */
function countAllEdits(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const changed = rows[row - 1]![column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      let edits = Math.min(changed, rows[row - 1]![column]! + 1, rows[row]![column - 1]! + 1);
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) edits = Math.min(edits, rows[row - 2]![column - 2]! + 1);
      rows[row]![column] = edits;
    }
  }
  return rows[one.length]![other.length]!;
}
