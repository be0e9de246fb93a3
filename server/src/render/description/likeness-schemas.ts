/** The schemas of searches for likeness, derived from the contract. */
import { GOODS_RELATIONS, LIKENESS_STRATEGIES, LIKENESS_STRATEGY_NAMES, LIKENESS_TIERS } from '@tmds/contract/likeness';
import { closed, type Json, refer } from './schema-parts.ts';

const text = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const niceClass = { type: 'integer', minimum: 1, maximum: 45 };
const counted = closed({ word: text, names: { ...count, description: 'In how many of all held names it occurs.' } });

/** What the evidence of each strategy has in addition to its name and its place. */
const MEMBERS: Readonly<Record<keyof typeof LIKENESS_STRATEGIES, Json>> = {
  equal: {},
  glyphs: {},
  edits: { edits: { type: 'integer', minimum: 1, maximum: 2 } },
  plural: { stem: text },
  order: {},
  sound: { read_as: { type: 'string', enum: ['english', 'german'] }, sound: text },
  consonants: { consonants: text },
  transliteration: { likeness: share },
  within: { words: { type: 'array', items: counted } },
  word: { likeness: { ...share, description: '1: the same word.' }, asked: counted, held: counted },
  beginning: { letters: text },
  letters: { likeness: share },
};

function buildEvidence(): Json {
  return {
    description: 'What one strategy says of a name.',
    oneOf: LIKENESS_STRATEGY_NAMES.map((strategy) =>
      closed(
        {
          strategy: { type: 'string', const: strategy },
          ...MEMBERS[strategy],
          place: { type: 'integer', minimum: 1, description: 'How many names are as alike in this way, or more.' },
        },
        LIKENESS_STRATEGIES[strategy].description,
      ),
    ),
  };
}

export function buildLikenessSchemas(): Json {
  const compared = closed(
    {
      words: { type: 'array', items: text, description: 'In Latin letters and digits.' },
      is_transliterated: { type: 'boolean', description: 'Letters of another script were transliterated here.' },
    },
    'A text as it was compared.',
  );
  const members = {
    name: { ...text, description: 'The name that is alike, in compared form.' },
    held_as: {
      type: 'string',
      enum: ['mark', 'variant'],
      description: 'The text of the mark, or a translation or transliteration that the register holds.',
    },
    compared: refer('schemas', 'ComparedText'),
    tier: { type: 'string', enum: LIKENESS_TIERS },
    evidence: { type: 'array', minItems: 1, items: refer('schemas', 'LikenessEvidence') },
    goods: {
      description: 'How its classes relate to those that were asked for; null without `classes`.',
      oneOf: [
        closed({
          relation: { type: 'string', enum: GOODS_RELATIONS },
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
  const family = closed(
    {
      owner: text,
      beginning: { ...text, description: 'The letters with which all of them begin.' },
      members: { type: 'array', minItems: 1, items: refer('schemas', 'SimilarRecord') },
    },
    'Further records of the same owner that begin with the same letters.',
  );
  return {
    ComparedText: compared,
    LikenessEvidence: buildEvidence(),
    SimilarRecord: closed(members),
    SimilarEntry: closed({ ...members, family: { oneOf: [family, { type: 'null' }] } }),
    SimilarPage: closed({
      mark: { ...text, description: 'The mark that was asked for, in compared form.' },
      compared: refer('schemas', 'ComparedText'),
      names_compared: { ...count, description: 'Distinct names of the records that satisfy the filters.' },
      strategies: {
        type: 'array',
        items: closed({
          strategy: { type: 'string', enum: LIKENESS_STRATEGY_NAMES },
          names_found: { ...count, type: ['integer', 'null'], description: 'Null where it is a matter of degree.' },
          names_listed: { ...count, description: 'Those with a place of at most 500, which may become entries.' },
        }),
      },
      related_classes: {
        type: 'array',
        items: closed({
          nice_class: niceClass,
          related_class: niceClass,
          share: { ...share, description: 'Of the owners that filed in the one, in a register and a year.' },
        }),
      },
      bounds_met: {
        type: 'array',
        items: { type: 'string', enum: ['entries', 'records', 'records_of_a_name'] },
        description: 'Bounds that left something out. Empty: nothing was.',
      },
      items: { type: 'array', items: refer('schemas', 'SimilarEntry') },
    }),
  };
}
