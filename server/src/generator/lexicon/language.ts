/**
 * The vocabulary of a language, from which marks, companies and people are put together. All of it is generic, so the
 * results are invented. Words in other scripts are written `original|latin` or `original|latin|english`, which gives
 * their transliteration and translation.
 */

type Script = 'Latn' | 'Cyrl' | 'Grek' | 'Hans' | 'Hant' | 'Jpan' | 'Hang' | 'Hebr' | 'Arab' | 'Deva' | 'Thai';

export interface Word {
  readonly text: string;
  /** The word in Latin letters; equal to `text` when that is Latin. */
  readonly latin: string;
  /** An English translation; null when there is none. */
  readonly english: string | null;
}

export interface Language {
  readonly code: string;
  readonly script: Script;
  /** Phrases are `first + joint + second`. */
  readonly first: readonly Word[];
  readonly second: readonly Word[];
  readonly joint: string;
  /** The joint in the Latin form of a phrase. */
  readonly latinJoint: string;
  /** Coined words are syllables with an ending. */
  readonly syllables: readonly Word[];
  readonly endings: readonly Word[];
  readonly surnames: readonly Word[];
  readonly givenNames: readonly Word[];
  /** Whether the surname comes before the given name. */
  readonly surnameFirst: boolean;
  /** What companies say they do. */
  readonly trades: readonly Word[];
}

/** The words of a text, as a type. */
export type WordsOf<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : Text;

/** `alpha beta_gamma` or `東|higashi|east`, separated by spaces; `_` is a space inside a word. */
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

const LISTS = ['first', 'second', 'syllables', 'endings', 'surnames', 'givenNames', 'trades'] as const;

/** `joint`: of phrases, in the language and in Latin letters. The vocabulary has each list of words after its name. */
export function language(
  code: string,
  script: Script,
  { joint, latinJoint = joint, surnameFirst = false }: { joint: string; latinJoint?: string; surnameFirst?: boolean },
): (vocabulary: string) => Language {
  return (vocabulary) => {
    const [, ...parts] = ` ${vocabulary}`.split(/\s(\w+):\s/);
    const lists = LISTS.map((name) => {
      const list = parts[parts.indexOf(name) + 1];
      if (!parts.includes(name) || list === undefined) throw new Error(`the language ${code} has no ${name}`);
      return [name, words(list)] as const;
    });
    const read = Object.fromEntries(lists) as Record<(typeof LISTS)[number], Word[]>;
    return { code, script, joint, latinJoint, surnameFirst, ...read };
  };
}
