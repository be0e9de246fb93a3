/** Searches for names that are alike: the strategies, the order of their hits, the bounds, and what an answer says. */
import type { TrademarkDetail } from './record.ts';
import type { Count, NiceClass, Positive, Share, Text } from './values.ts';

/** How near a hit is; nearer ones come first. */
export const LIKENESS_TIERS = ['identical', 'near', 'shared', 'alike'] as const;
export type LikenessTier = (typeof LIKENESS_TIERS)[number];

interface StrategyDefinition {
  /** The tier to which it can raise a name. */
  readonly tier: LikenessTier;
  readonly description: string;
}

/** Each can be switched off. The order is that of the evidence of a hit. */
export const LIKENESS_STRATEGIES = {
  equal: {
    tier: 'identical',
    description: 'The same letters: letter case, accents, punctuation, spaces and digits for letters do not count.',
  },
  glyphs: { tier: 'near', description: 'The letters look the same: rn and m, vv and w, 1 and l, Cyrillic с and c.' },
  edits: { tier: 'near', description: 'One or two letters added, left out, changed or exchanged with a neighbour.' },
  plural: { tier: 'near', description: 'The same but for endings of plurals and genders, and for articles.' },
  order: { tier: 'near', description: 'The same words in another order.' },
  sound: { tier: 'near', description: 'The same sound, read as a name in English or in German.' },
  consonants: { tier: 'near', description: 'The same consonants in the same order, two or more.' },
  transliteration: {
    tier: 'near',
    description:
      'Names in another script, alike once their letters are written as Latin letters. The transliteration is made here.',
  },
  within: { tier: 'shared', description: 'All words of one occur in the other.' },
  word: { tier: 'shared', description: 'A word of one is a word of the other or much like it; the rarer, the better.' },
  beginning: { tier: 'shared', description: 'The same first letters, three or more.' },
  letters: {
    tier: 'alike',
    description: 'Two and three letters in a row in common, weighted by how rare they are among all names.',
  },
} as const satisfies Record<string, StrategyDefinition>;

export type LikenessStrategy = keyof typeof LIKENESS_STRATEGIES;
export const LIKENESS_STRATEGY_NAMES = Object.keys(LIKENESS_STRATEGIES) as LikenessStrategy[];

/** The texts that names are compared with. Each can be switched off, as strategies can. */
export const HELD_AS = {
  mark: 'The text of the mark.',
  variant: 'A translation or transliteration that the register holds.',
  pseudo_mark:
    'Another spelling that the office states so that its examiners find the mark: a pseudo mark of the USPTO.',
} as const satisfies Record<string, string>;

export type HeldAs = keyof typeof HELD_AS;
export const HELD_AS_NAMES = Object.keys(HELD_AS) as HeldAs[];
/** The texts that a register holds in addition to that of the mark. */
export type HeldForm = Exclude<HeldAs, 'mark'>;
/** What the parameter `strategies` takes. */
export const LIKENESS_CHOICES: readonly (LikenessStrategy | HeldAs)[] = [...LIKENESS_STRATEGY_NAMES, ...HELD_AS_NAMES];

/** Characters of a mark that is asked for. */
export const LIKENESS_MARK_MAX = 200;
/** Words of a mark that is asked for. */
export const LIKENESS_WORDS_MAX = 30;
/** Entries of an answer. */
export const LIKENESS_ENTRIES_MAX = 200;
export const LIKENESS_ENTRIES_DEFAULT = 50;
/** Names and records of which entries are made, for each entry that is asked for. */
export const LIKENESS_RECORDS_PER_ENTRY = 2;
/** Records of one name among them. */
export const LIKENESS_NAME_RECORDS_MAX = 20;

/** In how many names a word occurs. */
export interface CountedWord {
  /** The word, in compared form. */
  readonly word: Text;
  /** In how many of all held names it occurs. */
  readonly names: Count;
  /** In how many of the names in the classes that were asked for; null without `classes`. */
  readonly names_in_classes: Count | null;
}

/** A text as it was compared. @schema */
export interface ComparedText {
  /** Words in Latin letters and digits. */
  readonly words: readonly Text[];
  /** Whether letters of another script were transliterated for the comparison. */
  readonly is_transliterated: boolean;
}

/** 1: as alike as can be. */
type Degree = Share;

/** What one strategy says of a name. Letters are a to z and 0 to 9, as both texts are compared. */
export type UnplacedEvidence =
  | { readonly strategy: 'equal' }
  | { readonly strategy: 'glyphs' }
  | {
      /** How the name was found. */
      readonly strategy: 'edits';
      /** How many letters differ. @minimum 1 @maximum 2 */
      readonly edits: number;
    }
  | {
      /** How the name was found. */
      readonly strategy: 'plural';
      /** What both have without their endings. */
      readonly stem: Text;
    }
  | { readonly strategy: 'order' }
  | {
      /** How the name was found. */
      readonly strategy: 'sound';
      /** The language in which both sound the same. */
      readonly read_as: 'english' | 'german';
      /** The code of the sound. */
      readonly sound: Text;
    }
  | {
      /** How the name was found. */
      readonly strategy: 'consonants';
      /** The consonants of both. */
      readonly consonants: Text;
    }
  | { readonly strategy: 'transliteration'; readonly likeness: Degree }
  | {
      /** How the name was found. */
      readonly strategy: 'within';
      /** The words that both have. */
      readonly words: readonly CountedWord[];
    }
  | {
      /** How the name was found. */
      readonly strategy: 'word';
      /** 1: the same word. */
      readonly likeness: Share;
      /** The word of the mark that was asked for. */
      readonly asked: CountedWord;
      /** The word of the name that was found. */
      readonly held: CountedWord;
    }
  | {
      /** How the name was found. */
      readonly strategy: 'beginning';
      /** The letters with which both begin. */
      readonly letters: Text;
    }
  | { readonly strategy: 'letters'; readonly likeness: Degree };

/** What one strategy says of a name. @schema */
export type LikenessEvidence = UnplacedEvidence & {
  /** How many of the compared names are as alike in this way, or more. */
  readonly place: Positive;
};

export const GOODS_RELATIONS = ['same', 'related', 'apart', 'unknown'] as const;

/** How the classes of a record relate to those that were asked for, or that the watch names. */
export interface GoodsRelation {
  /** Same, related, apart, or not known. */
  readonly relation: (typeof GOODS_RELATIONS)[number];
  /** Classes in common, or those that are related. */
  readonly nice_classes: readonly NiceClass[];
}

/** A record whose name is alike. @schema */
export interface SimilarRecord {
  /** The name that is alike, in compared form. */
  readonly name: Text;
  /** What the name is of the mark. {@link HELD_AS} */
  readonly held_as: HeldAs;
  readonly compared: ComparedText;
  /** How near the name is, the nearest first. */
  readonly tier: LikenessTier;
  /** What each strategy that found it says. @minItems 1 */
  readonly evidence: readonly LikenessEvidence[];
  /** How its classes relate to those that were asked for; null without `classes`. @oneOf */
  readonly goods: GoodsRelation | null;
  /** Whole years since the application or, if its date is not stated, the registration; null if neither is. */
  readonly age_years: Count | null;
  readonly record: TrademarkDetail;
}

/** A record whose name is alike, with its family. @schema */
export interface SimilarEntry extends SimilarRecord {
  /** Null if there are no others. @oneOf */
  readonly family: {
    /** The owner of all of them. */
    readonly owner: Text;
    /** The letters with which all of them begin. */
    readonly beginning: Text;
    /** The records. @minItems 1 */
    readonly members: readonly SimilarRecord[];
  } | null;
}

/** The share of the owners filing in a class, in a register and a year, that also filed in another class there then. */
export interface RelatedClass {
  /** A class that was asked for. */
  readonly nice_class: NiceClass;
  /** A class that is filed together with it. */
  readonly related_class: NiceClass;
  /** Of the owners that filed in the one, in a register and a year. */
  readonly share: Share;
}

/** What was compared, and what is alike. @schema */
export interface SimilarPage {
  /** The mark that was asked for, in compared form. */
  readonly mark: Text;
  readonly compared: ComparedText;
  /** How many distinct names were compared: all that a record holds, in these ways, that satisfies the filters. */
  readonly names_compared: Count;
  /** What the names that were compared are of their marks. */
  readonly held_as: readonly HeldAs[];
  /** What each strategy found. */
  readonly strategies: readonly {
    /** Its name. */
    readonly strategy: LikenessStrategy;
    /** How many names it found; null where it is a matter of degree. */
    readonly names_found: Count | null;
    /** How many of them have a place of at most 500, and may become entries. */
    readonly names_listed: Count;
  }[];
  /** Classes that are often filed together with those that were asked for. */
  readonly related_classes: readonly RelatedClass[];
  /**
   * Bounds that left something out: of the entries, of the records read for them, of the records of one name. Empty:
   * nothing was left out.
   */
  readonly bounds_met: readonly ('entries' | 'records' | 'records_of_a_name')[];
  /** The entries, by tier. */
  readonly items: readonly SimilarEntry[];
}
