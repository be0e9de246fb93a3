/** Classes, and the goods and services of each. */

import { type ClassEntry, type ClassScheme, type GoodsAndServices, isSilent, stated } from '../document.ts';
import { day, type Element, rest } from '../element.ts';
import {
  findScheme,
  findSchemeAmong,
  foldValue,
  listNiceClasses,
  mayBeNice,
  parseNiceClass,
  sortClasses,
} from '../meanings.ts';
import type { St96Dialect } from './dialects.ts';
import { readLanguageTexts } from './reading.ts';

const GROUPS = 'GoodsServicesBag/GoodsServices';
const CLASSIFICATION = 'GoodsServicesClassificationBag/GoodsServicesClassification';
const DESCRIPTION = 'ClassDescriptionBag/ClassDescription';
const STATUS = `${DESCRIPTION}/NationalStatusBag/NationalStatus`;

/** The class under which the office files the goods; it is stated again as a Nice class or as a national one. */
const PRIMARY = 'primary';

export interface GoodsParts {
  niceClasses: number[] | null;
  goods: GoodsAndServices[];
  classes: ClassEntry[];
  niceVersion: string | null;
}

/** Classes in force, or all classes when none is marked as in force. Each group of goods is kept unchanged. */
export function readGoods(root: Element, dialect: St96Dialect, applicationDate: string | null): GoodsParts {
  const { usesNiceSince } = dialect;
  const usesNice = usesNiceSince === null || (applicationDate !== null && applicationDate >= usesNiceSince);
  const niceVersion = root.text(`${GROUPS}/ClassificationVersion`);
  const groups = root.list(GROUPS).map((node) => readGroup(node, usesNice));
  const active = groups.filter(
    ({ entry }) => dialect.activeClass !== null && entry.status_code === dialect.activeClass,
  );
  const codes = (active.length > 0 ? active : groups).flatMap(({ nice }) => nice);
  return {
    niceClasses: sortClasses(listNiceClasses(root, { path: `${GROUPS}/${CLASSIFICATION}/ClassNumber`, texts: codes })),
    goods: groups.flatMap(({ goods }) => goods),
    classes: groups.map(({ entry }) => entry).filter((entry) => !isSilent(entry)),
    niceVersion,
  };
}

function readGroup(
  group: Element,
  usesNice: boolean,
): { nice: string[]; goods: GoodsAndServices[]; entry: ClassEntry } {
  const groupKind = group.text('ClassificationKindCode');
  const classifications = group.list(CLASSIFICATION).map((node) => ({
    node,
    kind: readClassificationKind(node, { groupKind, usesNice }),
  }));
  const groupScheme = classifications.length > 0 ? null : readGroupScheme(group, { groupKind, usesNice });
  const listNodes = (wanted: ClassScheme | typeof PRIMARY): Element[] =>
    classifications.filter(({ kind }) => kind === wanted).map(({ node }) => node);
  const listNumbers = (wanted: ClassScheme): string[] =>
    listNodes(wanted).flatMap((node) => [...node.texts('ClassNumber'), ...node.texts('NationalClassNumber')]);
  // There should be only one; a second is kept with the rest.
  const [primary] = listNodes(PRIMARY);
  const nice = listNumbers('nice');
  // Read before the goods, because one of its elements carries the status of the whole group.
  const [standing] = group.list(STATUS);
  const status = standing?.map<ClassEntry>({
    status_code: 'NationalStatusCode',
    status_text: 'NationalStatusExternalDescriptionText',
    status_date: day('NationalStatusDate'),
  });
  const numbered = stated<ClassEntry>({
    international_codes: nice,
    national_codes: listNumbers('national'),
    unknown_codes: listNumbers('unknown'),
    primary_code: primary?.text('ClassNumber'),
  });
  const edition = group.text('ClassificationVersion');
  const goods = group.list(DESCRIPTION).flatMap((node) =>
    readDescription(node, {
      classification: groupKind,
      edition,
      findScheme: (number) => groupScheme ?? findSchemeAmong(number, [numbered]),
    }),
  );
  const described = goods.flatMap((entry) => (entry.scheme === 'nice' ? (entry.class ?? []) : []));
  const entry = stated<ClassEntry>({
    ...numbered,
    ...status,
    first_use_date: group.statedDay('NationalFilingBasis/FirstUsedDate'),
    first_use_in_commerce_date: group.statedDay('NationalFilingBasis/FirstUsedCommerceDate'),
    details: rest(group),
  });
  return { nice: classifications.length > 0 ? nice : described, goods, entry };
}

interface SchemeContext {
  groupKind: string | null;
  /** Whether the office classed by Nice when the mark was filed. */
  usesNice: boolean;
}

function readClassificationKind(node: Element, { groupKind, usesNice }: SchemeContext): ClassScheme | typeof PRIMARY {
  const text = node.text('ClassificationKindCode') ?? groupKind ?? '';
  if (foldValue(text) === PRIMARY) return PRIMARY;
  const scheme = findScheme(text);
  if (scheme !== 'unknown') return scheme;
  const isNice = usesNice && mayBeNice(text) && holdsNiceClass(node);
  raiseUnknownScheme(node, isNice, `${GROUPS}/${CLASSIFICATION}/ClassificationKindCode`, text);
  return isNice ? 'nice' : 'unknown';
}

/** The scheme of classes that are stated with the goods alone; the Nice classification if the group names none. */
function readGroupScheme(group: Element, { groupKind, usesNice }: SchemeContext): ClassScheme {
  const scheme = findScheme(groupKind);
  const isClassed = group.list(`${DESCRIPTION}/ClassNumber`).length > 0;
  if (scheme !== 'unknown' || !isClassed) return scheme;
  const isNice = usesNice && mayBeNice(groupKind);
  raiseUnknownScheme(group, isNice, `${GROUPS}/ClassificationKindCode`, groupKind ?? '');
  return isNice ? 'nice' : 'unknown';
}

function raiseUnknownScheme(root: Element, isNice: boolean, path: string, name: string): void {
  root.raise(isNice ? 'assumed_nice_class' : 'unmapped_class', path, name);
}

function holdsNiceClass(classification: Element): boolean {
  const numbers = ['ClassNumber', 'NationalClassNumber'].flatMap((name) => classification.list(name));
  return numbers.some(({ node }) => parseNiceClass(node.text.trim()) !== null);
}

interface GroupScheme {
  classification: string | null;
  edition: string | null;
  findScheme: (number: string) => ClassScheme;
}

/** Nothing for an element that states neither a class nor goods: it only holds the status of its group. */
function readDescription(node: Element, { classification, edition, findScheme }: GroupScheme): GoodsAndServices[] {
  const path = 'GoodsServicesDescriptionText';
  const texts = readLanguageTexts(node, path);
  const number = node.text('ClassNumber');
  // An office that refers to its goods by name writes the name where others write the number.
  const code = node
    .list(path)
    .map((text) => text.attribute('sequenceNumber'))
    .find((name) => name !== null && !/^\d+$/.test(name));
  if (texts.length === 0 && number === null && code === undefined) return [];
  return [
    stated<GoodsAndServices>({
      scheme: number === null ? null : findScheme(number),
      edition,
      classification,
      class: number,
      code,
      texts,
      details: rest(node),
    }),
  ];
}
