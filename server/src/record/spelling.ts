/**
 * A name as words of Latin letters and digits. Letters of other scripts are transliterated here, word by word, and a
 * word says so: nobody is shown a transliteration as the text of a mark. The Latin form is one of 36 characters, so two
 * or three of them in a row have a number without a dictionary (`grams.ts`).
 */
import { normalForm } from '@tmds/contract/text';
import anyAscii from 'any-ascii';

export interface SpelledWord {
  /** Without letter case, accents and punctuation, in its script. Two words with the same text are the same word. */
  readonly text: string;
  /** Characters a to z and 0 to 9; at least one. */
  readonly letters: string;
  /** Whether the letters are a transliteration made here. */
  readonly isForeign: boolean;
}

/** Names in compared form that are only ASCII need no tables. */
const PLAIN = /^[\0-\u007f]*$/;
const PLAIN_WORD = /[a-z0-9]+/g;
/** They join what is on both sides: "bed's" is one word. */
const APOSTROPHES = /['\u2019\u2018\u00b4`\u02bc\u2032]/g;
/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are vowels. */
const ACCENTS = /[\u0300-\u036f]+/g;
const RUN = /[\p{Script=Latin}0-9]+|(?:(?![\p{Script=Latin}0-9])[\p{L}\p{N}\p{M}])+/gu;
const IS_LATIN = /^[\p{Script=Latin}0-9]/u;
const NOT_A_LETTER = /[^a-z0-9]+/g;

/** The words of a name, in order. Empty if it has neither letters nor digits. */
export function spellName(name: string): SpelledWord[] {
  const joined = name.toLowerCase().replace(APOSTROPHES, '');
  if (PLAIN.test(joined)) return (joined.match(PLAIN_WORD) ?? []).map(spellPlain);
  const folded = normalForm(normalForm(joined, 'NFKD').replace(ACCENTS, '')).toLowerCase();
  return (folded.match(RUN) ?? []).flatMap((run) => {
    const letters = anyAscii(run).toLowerCase().replace(NOT_A_LETTER, '');
    if (letters === '') return [];
    const isForeign = !IS_LATIN.test(run);
    return [{ text: isForeign ? run : letters, letters, isForeign }];
  });
}

function spellPlain(letters: string): SpelledWord {
  return { text: letters, letters, isForeign: false };
}

/** The letters of all words in a row. */
export function joinLetters(words: readonly SpelledWord[]): string {
  return words.map(({ letters }) => letters).join('');
}

/** Whether some of the letters are a transliteration made here. */
export function isForeign(words: readonly SpelledWord[]): boolean {
  return words.some((word) => word.isForeign);
}
