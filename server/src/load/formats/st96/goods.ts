/** Classes, and the goods and services of each. */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { parseNiceClass } from '../codes.ts';
import { type ClassEntry, type ClassScheme, type GoodsAndServices, isSilent, stated } from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readRest, readStatedDate, readText, readTexts } from '../reading.ts';
import { findScheme, findSchemeAmong, mayBeNice } from '../schemes.ts';
import { foldValue } from '../st66/dialect.ts';
import { NON_NICE_CODES } from '../uspto-apc/lookups.ts';
import type { St96Dialect } from './dialect.ts';
import { readLanguageTexts, statedDate } from './reading.ts';

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
export function readGoods(reading: Reading, dialect: St96Dialect, applicationDate: string | null): GoodsParts {
  const { usesNiceSince } = dialect;
  const usesNice = usesNiceSince === null || (applicationDate !== null && applicationDate >= usesNiceSince);
  const niceVersion = readText(reading, reading.root, `${GROUPS}/ClassificationVersion`);
  const groups = listChildren(reading.root, GROUPS).map((node) => readGroup(reading, node, usesNice));
  const active = groups.filter(
    ({ entry }) => dialect.activeClass !== null && entry.status_code === dialect.activeClass,
  );
  const codes = (active.length > 0 ? active : groups).flatMap(({ nice }) => nice);
  return {
    niceClasses: parseNiceClasses(reading, codes),
    goods: groups.flatMap(({ goods }) => goods),
    classes: groups.map(({ entry }) => entry).filter((entry) => !isSilent(entry)),
    niceVersion,
  };
}

interface Group {
  nice: string[];
  goods: GoodsAndServices[];
  entry: ClassEntry;
}

function readGroup(reading: Reading, group: XmlNode, usesNice: boolean): Group {
  const groupKind = readText(reading, group, 'ClassificationKindCode');
  const classifications = listChildren(group, CLASSIFICATION).map((node) => ({
    node,
    kind: readClassificationKind(reading, node, { groupKind, usesNice }),
  }));
  const groupScheme = classifications.length > 0 ? null : readGroupScheme(reading, group, { groupKind, usesNice });
  const listNodes = (wanted: ClassScheme | typeof PRIMARY): XmlNode[] =>
    classifications.filter(({ kind }) => kind === wanted).map(({ node }) => node);
  const listNumbers = (wanted: ClassScheme): string[] =>
    listNodes(wanted).flatMap((node) => [
      ...readTexts(reading, node, 'ClassNumber'),
      ...readTexts(reading, node, 'NationalClassNumber'),
    ]);
  // There should be only one; a second is kept with the rest.
  const [primary] = listNodes(PRIMARY);
  const nice = listNumbers('nice');
  // Read before the goods, because one of its elements carries the status of the whole group.
  const [standing] = listChildren(group, STATUS);
  const status = standing && {
    status_code: readText(reading, standing, 'NationalStatusCode'),
    status_text: readText(reading, standing, 'NationalStatusExternalDescriptionText'),
    status_date: readStatedDate(reading, standing, 'NationalStatusDate', statedDate),
  };
  const numbered = stated<ClassEntry>({
    international_codes: nice,
    national_codes: listNumbers('national'),
    unknown_codes: listNumbers('unknown'),
    primary_code: primary && readText(reading, primary, 'ClassNumber'),
  });
  const edition = readText(reading, group, 'ClassificationVersion');
  const goods = listChildren(group, DESCRIPTION).flatMap((node) =>
    readDescription(reading, node, {
      classification: groupKind,
      edition,
      findScheme: (number) => groupScheme ?? findSchemeAmong(number, [numbered]),
    }),
  );
  const described = goods.flatMap((entry) => (entry.scheme === 'nice' ? (entry.class ?? []) : []));
  const entry = stated<ClassEntry>({
    ...numbered,
    ...status,
    first_use_date: readStatedDate(reading, group, 'NationalFilingBasis/FirstUsedDate', statedDate),
    first_use_in_commerce_date: readStatedDate(reading, group, 'NationalFilingBasis/FirstUsedCommerceDate', statedDate),
    details: readRest(reading, group),
  });
  return { nice: classifications.length > 0 ? nice : described, goods, entry };
}

interface SchemeContext {
  groupKind: string | null;
  /** Whether the office classed by Nice when the mark was filed. */
  usesNice: boolean;
}

function readClassificationKind(
  reading: Reading,
  node: XmlNode,
  { groupKind, usesNice }: SchemeContext,
): ClassScheme | typeof PRIMARY {
  const text = readText(reading, node, 'ClassificationKindCode') ?? groupKind ?? '';
  if (foldValue(text) === PRIMARY) return PRIMARY;
  const scheme = findScheme(text);
  if (scheme !== 'unknown') return scheme;
  const isNice = usesNice && mayBeNice(text) && holdsNiceClass(node);
  raiseUnknownScheme(reading, isNice, `${GROUPS}/${CLASSIFICATION}/ClassificationKindCode`, text);
  return isNice ? 'nice' : 'unknown';
}

/** The scheme of classes that are stated with the goods alone; the Nice classification if the group names none. */
function readGroupScheme(reading: Reading, group: XmlNode, { groupKind, usesNice }: SchemeContext): ClassScheme {
  const scheme = findScheme(groupKind);
  const isClassed = listChildren(group, `${DESCRIPTION}/ClassNumber`).length > 0;
  if (scheme !== 'unknown' || !isClassed) return scheme;
  const isNice = usesNice && mayBeNice(groupKind);
  raiseUnknownScheme(reading, isNice, `${GROUPS}/ClassificationKindCode`, groupKind ?? '');
  return isNice ? 'nice' : 'unknown';
}

function raiseUnknownScheme(reading: Reading, isNice: boolean, path: string, name: string): void {
  raiseIssue(reading, isNice ? 'assumed_nice_class' : 'unmapped_class', path, name);
}

function holdsNiceClass(classification: XmlNode): boolean {
  const numbers = ['ClassNumber', 'NationalClassNumber'].flatMap((name) => listChildren(classification, name));
  return numbers.some(({ text }) => parseNiceClass(text.trim()) !== null);
}

interface GroupScheme {
  classification: string | null;
  edition: string | null;
  findScheme: (number: string) => ClassScheme;
}

/** Nothing for an element that states neither a class nor goods: it only holds the status of its group. */
function readDescription(
  reading: Reading,
  node: XmlNode,
  { classification, edition, findScheme }: GroupScheme,
): GoodsAndServices[] {
  const path = 'GoodsServicesDescriptionText';
  const texts = readLanguageTexts(reading, node, path);
  const number = readText(reading, node, 'ClassNumber');
  // An office that refers to its goods by name writes the name where others write the number.
  const code = listChildren(node, path)
    .map((text) => readAttribute(reading, text, 'sequenceNumber'))
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
      details: readRest(reading, node),
    }),
  ];
}

function parseNiceClasses(reading: Reading, codes: readonly string[]): number[] | null {
  const classes: number[] = [];
  for (const code of codes) {
    const niceClass = parseNiceClass(code);
    if (niceClass !== null) classes.push(niceClass);
    else if (!NON_NICE_CODES.has(code)) {
      raiseIssue(reading, 'unmapped_class', `${GROUPS}/${CLASSIFICATION}/ClassNumber`, code);
    }
  }
  return classes.length === 0 ? null : [...new Set(classes)].sort((a, b) => a - b);
}
