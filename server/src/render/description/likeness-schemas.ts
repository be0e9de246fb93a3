/** The schemas of searches for likeness, derived from the contract. */
import {
  type ComparedText,
  type CountedWord,
  GOODS_RELATIONS,
  type GoodsRelation,
  HELD_AS,
  HELD_AS_NAMES,
  LIKENESS_STRATEGIES,
  LIKENESS_STRATEGY_NAMES,
  LIKENESS_TIERS,
  type LikenessStrategy,
  type RelatedClass,
  type SimilarEntry,
  type SimilarPage,
  type SimilarRecord,
  type UnplacedEvidence,
} from '@tmds/contract/likeness';
import { closed, type Json, refer } from './schema-parts.ts';

const text = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const niceClass = { type: 'integer', minimum: 1, maximum: 45 };
const counted = closed<CountedWord>({
  word: { ...text, description: 'The word, in compared form.' },
  names: { ...count, description: 'In how many of all held names it occurs.' },
  names_in_classes: {
    ...count,
    type: ['integer', 'null'],
    description: 'In how many of the names in the classes that were asked for; null without `classes`.',
  },
});
/** What a name is of its mark. */
const heldAs = {
  type: 'string',
  enum: HELD_AS_NAMES,
  description: HELD_AS_NAMES.map((name) => `\`${name}\`: ${HELD_AS[name]}`).join(' '),
};
const degree = { ...share, description: '1: as alike as can be.' };

/** What the evidence of each strategy has in addition to its name and its place. */
const MEMBERS: {
  readonly [Strategy in LikenessStrategy]: {
    readonly [Member in Exclude<keyof Extract<UnplacedEvidence, { strategy: Strategy }>, 'strategy'>]: Json;
  };
} = {
  equal: {},
  glyphs: {},
  edits: { edits: { type: 'integer', minimum: 1, maximum: 2, description: 'How many letters differ.' } },
  plural: { stem: { ...text, description: 'What both have without their endings.' } },
  order: {},
  sound: {
    read_as: { type: 'string', enum: ['english', 'german'], description: 'The language in which both sound the same.' },
    sound: { ...text, description: 'The code of the sound.' },
  },
  consonants: { consonants: { ...text, description: 'The consonants of both.' } },
  transliteration: { likeness: degree },
  within: { words: { type: 'array', items: counted, description: 'The words that both have.' } },
  word: {
    likeness: { ...share, description: '1: the same word.' },
    asked: { ...counted, description: 'The word of the mark that was asked for.' },
    held: { ...counted, description: 'The word of the name that was found.' },
  },
  beginning: { letters: { ...text, description: 'The letters with which both begin.' } },
  letters: { likeness: degree },
};

function buildEvidence(): Json {
  return {
    description: 'What one strategy says of a name.',
    oneOf: LIKENESS_STRATEGY_NAMES.map((strategy) =>
      closed(
        {
          strategy: { type: 'string', const: strategy, description: 'How the name was found.' },
          ...MEMBERS[strategy],
          place: { type: 'integer', minimum: 1, description: 'How many names are as alike in this way, or more.' },
        },
        LIKENESS_STRATEGIES[strategy].description,
      ),
    ),
  };
}

export function buildLikenessSchemas(): Json {
  const compared = closed<ComparedText>(
    {
      words: { type: 'array', items: text, description: 'In Latin letters and digits.' },
      is_transliterated: { type: 'boolean', description: 'Letters of another script were transliterated here.' },
    },
    'A text as it was compared.',
  );
  const members = {
    name: { ...text, description: 'The name that is alike, in compared form.' },
    held_as: heldAs,
    compared: refer('schemas', 'ComparedText'),
    tier: { type: 'string', enum: LIKENESS_TIERS, description: 'How near the name is, the nearest first.' },
    evidence: {
      type: 'array',
      minItems: 1,
      items: refer('schemas', 'LikenessEvidence'),
      description: 'What each strategy that found it says.',
    },
    goods: {
      description: 'How its classes relate to those that were asked for; null without `classes`.',
      oneOf: [
        closed<GoodsRelation>({
          relation: { type: 'string', enum: GOODS_RELATIONS, description: 'How they relate.' },
          nice_classes: { type: 'array', items: niceClass, description: 'Those in common, or those that are related.' },
        }),
        { type: 'null' },
      ],
    },
    age_years: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Whole years since the application, or the registration if only that is stated.',
    },
    record: refer('schemas', 'TrademarkDetail'),
  };
  const family = closed<NonNullable<SimilarEntry['family']>>(
    {
      owner: { ...text, description: 'The owner of all of them.' },
      beginning: { ...text, description: 'The letters with which all of them begin.' },
      members: { type: 'array', minItems: 1, items: refer('schemas', 'SimilarRecord'), description: 'The records.' },
    },
    'Further records of the same owner that begin with the same letters.',
  );
  return {
    ComparedText: compared,
    LikenessEvidence: buildEvidence(),
    SimilarRecord: closed<SimilarRecord>(members, 'A record whose name is alike.'),
    SimilarEntry: closed<SimilarEntry>(
      { ...members, family: { oneOf: [family, { type: 'null' }], description: 'Null if there are no others.' } },
      'A record whose name is alike, with its family.',
    ),
    SimilarPage: closed<SimilarPage>(
      {
        mark: { ...text, description: 'The mark that was asked for, in compared form.' },
        compared: refer('schemas', 'ComparedText'),
        names_compared: { ...count, description: 'Distinct names of the records that satisfy the filters.' },
        held_as: {
          type: 'array',
          items: { type: 'string', enum: HELD_AS_NAMES },
          description: 'What the names that were compared are of their marks.',
        },
        strategies: {
          type: 'array',
          items: closed<SimilarPage['strategies'][number]>({
            strategy: { type: 'string', enum: LIKENESS_STRATEGY_NAMES, description: 'Its name.' },
            names_found: { ...count, type: ['integer', 'null'], description: 'Null where it is a matter of degree.' },
            names_listed: { ...count, description: 'Those with a place of at most 500, which may become entries.' },
          }),
          description: 'What each strategy found.',
        },
        related_classes: {
          type: 'array',
          items: closed<RelatedClass>({
            nice_class: { ...niceClass, description: 'A class that was asked for.' },
            related_class: { ...niceClass, description: 'A class that is filed together with it.' },
            share: { ...share, description: 'Of the owners that filed in the one, in a register and a year.' },
          }),
          description: 'Classes that are often filed together with those that were asked for.',
        },
        bounds_met: {
          type: 'array',
          items: { type: 'string', enum: ['entries', 'records', 'records_of_a_name'] },
          description: 'Bounds that left something out. Empty: nothing was.',
        },
        items: { type: 'array', items: refer('schemas', 'SimilarEntry'), description: 'The entries, by tier.' },
      },
      'What was compared, and what is alike.',
    ),
  };
}
