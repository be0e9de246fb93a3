/** The four usual answers: equal when folded, contains, trigram similarity as `pg_trgm` ranks, two edits. */
import { countEdits, EDITS_MAX } from '../../server/src/likeness/grams.ts';
import { joinLetters, spellName } from '../../server/src/record/spelling.ts';

/** Finds names that are like a mark, best first, names with the same rank in the order of their texts. */
export interface Baseline {
  readonly title: string;
  find(mark: string): readonly string[];
}

/** As the strategies see them: letters without case, accents, punctuation and gaps, transliterated. */
const foldedOf = (name: string): string => joinLetters(spellName(name));

export function buildBaselines(names: readonly string[]): Baseline[] {
  const folded = names.map(foldedOf);
  const ranked = (title: string, rank: (own: string, asked: string) => number | null): Baseline => ({
    title,
    find: (mark) => {
      const asked = foldedOf(mark);
      const found: { name: string; rank: number }[] = [];
      for (const [index, own] of folded.entries()) {
        const rankOf = own === '' ? null : rank(own, asked);
        if (rankOf !== null) found.push({ name: names[index]!, rank: rankOf });
      }
      return sortFound(found);
    },
  });
  return [
    ranked('equal when folded', (own, asked) => (own === asked ? 0 : null)),
    ranked('contains, either way', (own, asked) =>
      own.includes(asked) || asked.includes(own) ? Math.abs(own.length - asked.length) : null,
    ),
    buildTrigrams(names),
    ranked('two edits', (own, asked) => {
      if (Math.abs(own.length - asked.length) > EDITS_MAX) return null;
      const edits = countEdits(codesOf(own), codesOf(asked));
      return edits > EDITS_MAX ? null : edits;
    }),
  ];
}

function codesOf(letters: string): number[] {
  return Array.from(letters, (letter) => letter.charCodeAt(0));
}

function sortFound(found: { name: string; rank: number }[]): string[] {
  return found.sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1)).map(({ name }) => name);
}

/** Words of letters and digits, each with two blanks before it and one after; common trigrams among all of both. */
function trigramsOf(name: string): Set<string> {
  const trigrams = new Set<string>();
  for (const word of name.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const letters = [...`  ${word} `];
    for (let at = 2; at < letters.length; at += 1) trigrams.add(letters.slice(at - 2, at + 1).join(''));
  }
  return trigrams;
}

/** Less similar names are no hits: the default threshold of `pg_trgm` is 0.3, which would find less. */
const SIMILARITY_MIN = 0.1;

function buildTrigrams(names: readonly string[]): Baseline {
  const postings = new Map<string, number[]>();
  const sizes = names.map((name, index) => {
    const trigrams = trigramsOf(name);
    for (const trigram of trigrams) {
      const list = postings.get(trigram);
      if (list === undefined) postings.set(trigram, [index]);
      else list.push(index);
    }
    return trigrams.size;
  });
  return {
    title: 'trigram similarity',
    find: (mark) => {
      const asked = trigramsOf(mark);
      const shared = new Map<number, number>();
      for (const trigram of asked) {
        for (const index of postings.get(trigram) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
      }
      const found: { name: string; rank: number }[] = [];
      for (const [index, count] of shared) {
        const similarity = count / (asked.size + sizes[index]! - count);
        if (similarity >= SIMILARITY_MIN) found.push({ name: names[index]!, rank: -similarity });
      }
      return sortFound(found);
    },
  };
}
