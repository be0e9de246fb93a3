/**
 * Makes the entries of an answer: what a record says of its goods and its age, the order within a tier, and families of
 * marks, which fold into one entry. It changes no tier and hides no record.
 */
import type { GoodsRelation, RelatedClass, SimilarEntry, SimilarPage, SimilarRecord } from '@tmds/contract/likeness';
import { GOODS_RELATIONS } from '@tmds/contract/likeness';
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import { foldName } from '../record/names.ts';
import type { AlikeNames } from './find.ts';

/** Marks of one owner that begin with the same letters, this many or all of the shorter one, are a family. */
const FAMILY_LETTERS = 4;

export interface Arranged {
  readonly mark: string;
  readonly classes: readonly number[];
  readonly limit: number;
  readonly today: DateText;
}

export function keyOfRecord(record: { readonly jurisdiction_code: string; readonly uid: string }): string {
  return `${record.jurisdiction_code}\0${record.uid}`;
}

/** `details`: the records of the names, by `keyOfRecord`; a name whose records are missing is left out. */
export function arrangeNames(
  alike: AlikeNames,
  details: ReadonlyMap<string, TrademarkDetail>,
  { mark, classes, limit, today }: Arranged,
): SimilarPage {
  const records = listRecords(alike, details, classes, today);
  const entries = foldFamilies(records);
  return {
    mark,
    compared: alike.compared,
    names_compared: alike.namesCompared,
    held_as: alike.heldAs,
    strategies: alike.strategies,
    related_classes: alike.related,
    bounds_met: [
      ...(entries.length > limit ? (['entries'] as const) : []),
      ...(alike.hasMore ? (['records'] as const) : []),
      ...(alike.hasMoreRecords ? (['records_of_a_name'] as const) : []),
    ],
    items: entries.slice(0, limit),
  };
}

/** Best first. A record that several names lead to comes once, with the best of them. */
function listRecords(
  { names, related }: AlikeNames,
  details: ReadonlyMap<string, TrademarkDetail>,
  classes: readonly number[],
  today: DateText,
): SimilarRecord[] {
  const listed = new Set<string>();
  const tiers = new Map<string, SimilarRecord[]>();
  for (const { name, compared, tier, evidence, records } of names) {
    for (const found of records) {
      const key = keyOfRecord(found);
      const record = details.get(key);
      if (record === undefined || listed.has(key)) continue;
      listed.add(key);
      const { held_as } = found;
      const goods = classes.length === 0 ? null : relateGoods(record.nice_classes, classes, related);
      const one = { name, held_as, compared, tier, evidence, goods, age_years: ageOf(record, today), record } as const;
      tiers.set(tier, [...(tiers.get(tier) ?? []), one]);
    }
  }
  // Names come by tier, and sorting is stable.
  return [...tiers.values()].flatMap((tier) => tier.sort((one, other) => rankOfGoods(one) - rankOfGoods(other)));
}

function rankOfGoods({ goods }: SimilarRecord): number {
  return goods === null ? 0 : GOODS_RELATIONS.indexOf(goods.relation);
}

function relateGoods(
  own: readonly number[] | null,
  asked: readonly number[],
  related: readonly RelatedClass[],
): GoodsRelation {
  if (own === null) return { relation: 'unknown', nice_classes: [] };
  const same = own.filter((nice) => asked.includes(nice));
  if (same.length > 0) return { relation: 'same', nice_classes: same };
  const near = own.filter((nice) => related.some(({ related_class }) => related_class === nice));
  return near.length > 0 ? { relation: 'related', nice_classes: near } : { relation: 'apart', nice_classes: [] };
}

function ageOf({ application_date, registration_date }: TrademarkDetail, today: DateText): number | null {
  const from = application_date ?? registration_date;
  if (from === null || from > today) return from === null ? null : 0;
  const years = Number(today.slice(0, 4)) - Number(from.slice(0, 4));
  return today.slice(4) < from.slice(4) ? years - 1 : years;
}

function foldFamilies(records: readonly SimilarRecord[]): SimilarEntry[] {
  const families = new Map<string, SimilarRecord[]>();
  for (const each of records) {
    const family = familyOf(each);
    const key = family === null ? keyOfRecord(each.record) : `${family.owner}\0${family.beginning}`;
    const members = families.get(key) ?? [];
    members.push(each);
    families.set(key, members);
  }
  return Array.from(families.values(), ([first, ...members]) => {
    const family = familyOf(first!);
    return { ...first!, family: family === null || members.length === 0 ? null : { ...family, members } };
  });
}

function familyOf({ compared, record }: SimilarRecord): { owner: string; beginning: string } | null {
  const owner = record.owner_names?.[0];
  if (owner === undefined) return null;
  return { owner: foldName(owner), beginning: compared.words.join('').slice(0, FAMILY_LETTERS) };
}
