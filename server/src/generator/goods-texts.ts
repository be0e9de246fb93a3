/** The goods and services of a record, class by class, in English and, where known, in the register's language. */
import { countryOf } from './countries.ts';
import { findGoodsTerm, listGoods, PURPOSES } from './lexicon/goods.ts';
import type { Random } from './random.ts';
import type { Draft } from './record.ts';

export interface GoodsEntry {
  scheme: 'nice';
  class: string;
  texts: { text: string; language: string }[];
}

function listTerms(random: Random, niceClass: number, isLong: boolean): string {
  const terms = listGoods(niceClass);
  const start = random.below(terms.length);
  const parts: string[] = [];
  for (let i = random.between(2, isLong ? terms.length : 3); i > 0; i -= 1) {
    const term = terms[(start + i) % terms.length] as string;
    parts.push(isLong && random.chance(0.35) ? `${term} ${random.pick(PURPOSES)}` : term);
  }
  return parts.join('; ');
}

/** Repeats goods until the text has about `units` UTF-16 units. */
function listAtLength(random: Random, niceClass: number, units: number): string {
  const terms = listGoods(niceClass);
  const parts: string[] = [];
  let length = 0;
  while (length < units) {
    const part = `${random.pick(terms)} ${random.pick(PURPOSES)}, ${random.pick(PURPOSES)}`;
    parts.push(part);
    length += part.length + 2;
  }
  return parts.join('; ');
}

/** Spreads `extraUnits` over the classes. Null when the record has no classes. */
export function buildGoods(random: Random, draft: Draft, isLong: boolean, extraUnits: number): GoodsEntry[] | null {
  const classes = draft.content.nice_classes;
  if (classes === null) return null;
  const { agents } = draft.position.register;
  const local = agents === null ? null : countryOf(agents).language.code.slice(0, 2);
  const share = extraUnits / classes.length;
  const longMax = classes.length > 10 ? 0.2 : 1;
  return classes.map((niceClass) => {
    const text =
      share > 300
        ? listAtLength(random, niceClass, share)
        : listTerms(random, niceClass, isLong && random.chance(longMax));
    const texts = [{ text, language: 'en' }];
    const localTerm = local === null ? null : findGoodsTerm(local, niceClass);
    if (localTerm !== null && local !== null) texts.unshift({ text: localTerm, language: local });
    return { scheme: 'nice', class: niceClass < 10 ? `0${niceClass}` : String(niceClass), texts };
  });
}
