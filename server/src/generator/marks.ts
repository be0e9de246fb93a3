/**
 * Mark texts: coined words, phrases, family names, initials, slogans and texts in two scripts, from the vocabulary of
 * one language. A text in another script has variants: the transliteration and, where known, a translation.
 */
import { normalForm } from '@tmds/contract/text';
import { type Language, NO_WORD, type Word } from './lexicon/language.ts';
import { WESTERN } from './lexicon/western.ts';
import { buildWeighted, pickWeighted, type Random } from './random.ts';

export interface MarkText {
  name: string;
  variants: string[] | null;
}

type Shape = 'coined' | 'phrase' | 'surname' | 'initials' | 'slogan' | 'coinedTrade' | 'twoScripts' | 'latinCoined';

const LATIN_SHAPES = buildWeighted<Shape>([
  ['coined', 47],
  ['phrase', 30],
  ['coinedTrade', 9],
  ['surname', 4.5],
  ['initials', 5],
  ['slogan', 4.5],
]);
const OTHER_SHAPES = buildWeighted<Shape>([
  ['coined', 30],
  ['phrase', 26],
  ['twoScripts', 12],
  ['latinCoined', 22],
  ['surname', 2],
  ['initials', 4],
  ['coinedTrade', 4],
]);

const SLOGAN_STARTS = (
  'Made for|Born in|The taste of|More than|Always|Simply|Powered by|Rooted in|Designed for|The art of|Crafted for|' +
  'Inspired by|Close to|Ready for|A little|Beyond|Grown with|Wake up to|The sound of|Hungry for|Your way to|Nothing but'
).split('|');
const SLOGAN_ENDS = (
  'every day|the mountains|tomorrow|good people|pure joy|real life|the open sea|small steps|your home|quiet moments|' +
  'the north|first light|long roads|summer evenings|honest work|big ideas|old friends|good bread|clean water|new paths'
).split('|');
const LETTERS = 'ABCDEFGHIKLMNOPRSTVXZ';

/** Upper case in this language: Turkish has a dotted and a dotless i. */
export function upperCase(text: string, language: Language): string {
  return language.code === 'tr' ? text.replaceAll('i', 'İ').toUpperCase() : text.toUpperCase();
}

function capitalize(text: string, language: Language): string {
  return upperCase(text.slice(0, 1), language) + text.slice(1);
}

export function capitalizeWord(word: Word, language: Language): Word {
  return { ...word, text: capitalize(word.text, language), latin: capitalize(word.latin, WESTERN.english) };
}

export function coinWord(random: Random, language: Language): Word {
  const count = random.chance(0.55) ? 1 : 2;
  let text = '';
  let latin = '';
  for (let i = 0; i < count; i += 1) {
    const syllable = random.pick(language.syllables);
    text += syllable.text;
    latin += syllable.latin;
  }
  const last = random.chance(0.9) ? random.pick(language.endings) : NO_WORD;
  const middle = count === 1 ? random.pick(language.syllables) : NO_WORD;
  return { text: text + middle.text + last.text, latin: latin + middle.latin + last.latin, english: null };
}

export function buildPhrase(random: Random, language: Language): Word {
  const first = random.pick(language.first);
  const second = random.pick(language.second);
  const english = first.english !== null && second.english !== null ? `${first.english} ${second.english}` : null;
  return {
    text: first.text + language.joint + second.text,
    latin: first.latin + language.latinJoint + second.latin,
    english,
  };
}

function buildInitials(random: Random): Word {
  let text = '';
  for (let i = random.between(2, 4); i > 0; i -= 1) text += LETTERS[random.below(LETTERS.length)];
  const tail = random.below(6);
  if (tail === 0) text += ` ${random.between(1, 999)}`;
  else if (tail === 1) text = text.split('').join('.');
  else if (tail === 2) text = `${text.slice(0, 1)}&${text.slice(1)}`;
  return { text, latin: text, english: null };
}

/** Languages without spaces put the trade directly after the name. */
export function addTrade(random: Random, language: Language, word: Word): Word {
  const trade = random.pick(language.trades);
  const gap = language.joint === '' && language.script !== 'Latn' ? '' : ' ';
  return { text: word.text + gap + trade.text, latin: `${word.latin} ${trade.latin}`, english: null };
}

function pairNames(random: Random, language: Language): Word {
  const family = random.pick(language.surnames);
  if (random.chance(0.5)) {
    const other = random.pick(language.surnames);
    return { text: `${family.text} & ${other.text}`, latin: `${family.latin} & ${other.latin}`, english: null };
  }
  const given = random.pick(language.givenNames);
  const [first, second] = language.surnameFirst ? [family, given] : [given, family];
  return { text: `${first.text} ${second.text}`, latin: `${first.latin} ${second.latin}`, english: null };
}

function buildWord(random: Random, language: Language, shape: Shape): Word {
  switch (shape) {
    case 'phrase':
      return random.chance(0.4)
        ? addTrade(random, language, buildPhrase(random, language))
        : buildPhrase(random, language);
    case 'surname':
      return pairNames(random, language);
    case 'initials':
      return buildInitials(random);
    case 'slogan': {
      const text = `${random.pick(SLOGAN_STARTS)} ${random.pick(SLOGAN_ENDS)}`;
      return { text, latin: text, english: null };
    }
    case 'coinedTrade':
      return addTrade(random, language, capitalizeWord(coinWord(random, language), language));
    case 'twoScripts': {
      const coined = coinWord(random, language);
      const latin = coined.latin.toUpperCase();
      return { text: `${coined.text} ${latin}`, latin, english: null };
    }
    default:
      return capitalizeWord(coinWord(random, language), language);
  }
}

/** Letter case as filed: upper case and title case are common, lower case is rare. */
function writeAsFiled(random: Random, text: string, language: Language): string {
  const draw = random.unit();
  if (draw < 0.5) return upperCase(text, language);
  if (draw < 0.93) return text;
  return language.code === 'tr' ? text.replaceAll('I', 'ı').replaceAll('İ', 'i').toLowerCase() : text.toLowerCase();
}

/** One mark in 80 has its accents as combining characters, as some offices send them. */
function writeForm(random: Random, text: string): string {
  return random.chance(0.0125) ? normalForm(text, 'NFD') : text;
}

export function buildMarkText(random: Random, language: Language): MarkText {
  const isLatin = language.script === 'Latn';
  const shape = pickWeighted(random, isLatin ? LATIN_SHAPES : OTHER_SHAPES);
  const word = buildWord(random, language, shape);
  if (shape === 'latinCoined') {
    const variants = random.chance(0.5) ? [word.text] : null;
    return { name: writeAsFiled(random, word.latin, WESTERN.english), variants };
  }
  const name = writeForm(random, writeAsFiled(random, word.text, language));
  if (word.text === word.latin) return { name, variants: null };
  const variants = [shape === 'twoScripts' ? word.latin : capitalize(word.latin, WESTERN.english)];
  if (word.english !== null && random.chance(0.7)) variants.push(word.english);
  return { name, variants: random.chance(0.93) ? variants : null };
}
