/** Searches for names that are alike: the strategies, the order of their hits, the bounds, and what an answer says. */
import type { TrademarkDetail } from './record.ts';

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
  readonly word: string;
  /** Of all that are held. */
  readonly names: number;
  /** Of those with a record in one of the classes that were asked for; null if none were. */
  readonly names_in_classes: number | null;
}

/** What one strategy says of a name. Letters are a to z and 0 to 9, as both texts are compared. */
export type UnplacedEvidence =
  | { readonly strategy: 'equal' }
  | { readonly strategy: 'glyphs' }
  | { readonly strategy: 'edits'; readonly edits: number }
  | { readonly strategy: 'plural'; readonly stem: string }
  | { readonly strategy: 'order' }
  | { readonly strategy: 'sound'; readonly read_as: 'english' | 'german'; readonly sound: string }
  | { readonly strategy: 'consonants'; readonly consonants: string }
  | { readonly strategy: 'transliteration'; readonly likeness: number }
  | { readonly strategy: 'within'; readonly words: readonly CountedWord[] }
  | {
      readonly strategy: 'word';
      /** From 0 to 1; 1 = the same word. */
      readonly likeness: number;
      readonly asked: CountedWord;
      readonly held: CountedWord;
    }
  | { readonly strategy: 'beginning'; readonly letters: string }
  | { readonly strategy: 'letters'; readonly likeness: number };

/** `place`: how many names are as alike or more in this way, among those that were compared. */
export type LikenessEvidence = UnplacedEvidence & { readonly place: number };

/** A text as it was compared. */
export interface ComparedText {
  /** Words in Latin letters. */
  readonly words: readonly string[];
  /** Whether letters of another script were transliterated for the comparison. */
  readonly is_transliterated: boolean;
}

export const GOODS_RELATIONS = ['same', 'related', 'apart', 'unknown'] as const;

/** How the classes of a record relate to those that were asked for. */
export interface GoodsRelation {
  readonly relation: (typeof GOODS_RELATIONS)[number];
  /** Classes in common, or those that are related. */
  readonly nice_classes: readonly number[];
}

/** A record with a name that is alike. */
export interface SimilarRecord {
  /** The name that is alike, in compared form. */
  readonly name: string;
  /** What the name is of the mark. */
  readonly held_as: HeldAs;
  readonly compared: ComparedText;
  readonly tier: LikenessTier;
  readonly evidence: readonly LikenessEvidence[];
  /** Null if no classes were asked for. */
  readonly goods: GoodsRelation | null;
  /** Whole years since the application or, if its date is not stated, the registration; null if neither is. */
  readonly age_years: number | null;
  readonly record: TrademarkDetail;
}

/** A record, and those of the same owner that begin with the same letters. */
export interface SimilarEntry extends SimilarRecord {
  readonly family: {
    readonly owner: string;
    readonly beginning: string;
    readonly members: readonly SimilarRecord[];
  } | null;
}

/** The share of the owners filing in a class, in a register and a year, that also filed in another class there then. */
export interface RelatedClass {
  readonly nice_class: number;
  readonly related_class: number;
  readonly share: number;
}

export interface SimilarPage {
  readonly mark: string;
  readonly compared: ComparedText;
  /** How many distinct names were compared: all that a record holds, in these ways, that satisfies the filters. */
  readonly names_compared: number;
  /** The texts that were compared. */
  readonly held_as: readonly HeldAs[];
  readonly strategies: readonly {
    readonly strategy: LikenessStrategy;
    /** How many names it found; null where it is a matter of degree. */
    readonly names_found: number | null;
    /** How many of them could become hits: those with a place of at most 500. */
    readonly names_listed: number;
  }[];
  readonly related_classes: readonly RelatedClass[];
  /** Bounds that left something out: of the entries, of the records read for them, of the records of one name. */
  readonly bounds_met: readonly ('entries' | 'records' | 'records_of_a_name')[];
  readonly items: readonly SimilarEntry[];
}
