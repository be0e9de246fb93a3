/**
 * What the sample knows of a language: word material from which marks, companies and people are put together. All of
 * it is generic vocabulary; what comes out is invented. Words of other scripts are written `original|latin` or
 * `original|latin|english`, so that a transliteration and a translation can be held beside them.
 */

type Script = 'Latn' | 'Cyrl' | 'Grek' | 'Hans' | 'Hant' | 'Jpan' | 'Hang' | 'Hebr' | 'Arab' | 'Deva' | 'Thai';

export interface Word {
  readonly text: string;
  /** The same word in Latin letters; equal to `text` where it is Latin already. */
  readonly latin: string;
  /** A translation into English; null where none is held. */
  readonly english: string | null;
}

export interface Language {
  readonly code: string;
  readonly script: Script;
  /** Phrases are `first + joint + second`. */
  readonly first: readonly Word[];
  readonly second: readonly Word[];
  readonly joint: string;
  /** Joint of the Latin form of a phrase. */
  readonly latinJoint: string;
  /** Coined words are syllables put together, with one of the endings. */
  readonly syllables: readonly Word[];
  readonly endings: readonly Word[];
  readonly surnames: readonly Word[];
  readonly givenNames: readonly Word[];
  /** Surname before given name. */
  readonly surnameFirst: boolean;
  /** What companies say they do. */
  readonly trades: readonly Word[];
}

/** `alpha beta_gamma` or `東|higashi|east` … separated by blanks; `_` stands for a blank inside a word. */
export function words(list: string): Word[] {
  return list
    .trim()
    .split(/\s+/u)
    .map((entry) => {
      const [text = '', latin = text, english] = entry.replaceAll('_', ' ').split('|');
      return { text, latin, english: english ?? null };
    });
}

export const NO_WORD: Word = { text: '', latin: '', english: null };
