/**
 * Turns one application into a source record. The office's application data state what was applied for and by whom, but
 * not the outcome, so the status is unknown.
 */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { findChild, listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull, parseNiceClass } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { listTexts, nameFields } from '../parties.ts';
import {
  buildDocument,
  type ClassScheme,
  type GoodsAndServices,
  type LanguageText,
  type MarkSection,
  type Party,
  type PartyRole,
  type StatedSource,
  stated,
} from '../payload.ts';
import {
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readAttribute,
  readDate,
  readNode,
  readStatedDate,
  readText,
  readTexts,
} from '../reading.ts';
import type { RecordItem } from '../xml-records.ts';
import { slashedDate } from './dates.ts';
import { buildUid, OFFICE, readNumber } from './identity.ts';
import { FEATURES, KINDS, NICE_SINCE } from './values.ts';

const GOODS = 'goodsclasses/goodsclass';
const APPLICANTS = 'parties/applicants/applicant';

/** The words in the mark, by language. */
const DRAFTS = { 'tmark-draft-c': 'zh', 'tmark-draft-e': 'en', 'tmark-draft-j': 'ja' } as const;
const NAMES = { 'chinese-name': 'zh', 'english-name': 'en', 'japanese-name': 'ja' } as const;

/** Throws `UnreadableRecord` when the application has no usable number. */
export function readApplication(node: XmlNode, register: string): RecordItem {
  const reading = openReading(node);
  const number = readNumber(reading, 'appl-no');
  // The position in the answer.
  readAttribute(reading, node, 'sequence');
  const name = readText(reading, node, 'tmark-name');
  const texts = readLanguageTexts(reading, node, DRAFTS);
  const variants = listOrNull(texts.map(({ text }) => text).filter((text) => text !== name));
  const applicationDate = readDate(reading, node, 'appl-date', slashedDate);
  const goods = listChildren(node, GOODS).map((entry) => readGoods(reading, entry, applicationDate));
  const applicants = listParties(reading, APPLICANTS, 'applicant');
  const agents = listParties(reading, 'parties/agents/agent', 'representative');
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildUid(number),
    office: OFFICE,
    application_number: number,
    mark_name: name,
    status: 'Unknown',
    kind_of_mark: readKind(reading),
    mark_feature: readFeature(reading),
    application_date: applicationDate,
    nice_classes: listNiceClasses(reading, goods),
    ...nameFields([
      ...applicants.map((party) => ({
        names: listTexts(party),
        isOwner: true,
        countries: listCountries(reading, party),
      })),
      ...agents.map((party) => ({ names: listTexts(party), isOwner: false, countries: [] })),
    ]),
  };
  const payload = buildDocument(readSource(reading), {
    parties: [...applicants, ...agents],
    mark: stated<MarkSection>({
      texts: [...(name === null ? [] : [{ text: name }]), ...texts],
      descriptions: readTexts(reading, node, 'word-description').map((text) => ({ text })),
    }),
    goods_and_services: goods,
    images: listImages(reading),
    statements: readTexts(reading, node, 'tmark-sign').map((text) => ({ code: 'tmark-sign', text })),
  });
  raiseUnread(reading);
  return {
    // The outcome of the application comes with the gazette.
    record: { ...content, mark_name_variants: variants, payload, source_version: null, is_partial: true },
    issues: reading.issues,
  };
}

function readSource(reading: Reading): StatedSource {
  const read = (path: string): string | null => readText(reading, reading.root, path);
  return {
    format: 'tipo',
    status_code: null,
    status_text: null,
    kind_code: read('tmark-class'),
    kind_text: read('tmark-class-desc'),
    feature_code: read('tmark-type'),
    feature_text: read('tmark-type-desc'),
    color: read('tmark-color'),
    color_text: read('tmark-color-desc'),
    received_date: readStatedDate(reading, reading.root, 'receive-date', slashedDate),
    audio_file: read('tmark-image-url/audio-filename'),
  };
}

function readLanguageTexts(
  reading: Reading,
  node: XmlNode,
  languages: Readonly<Record<string, string>>,
): LanguageText[] {
  return Object.entries(languages).flatMap(([path, language]) =>
    readTexts(reading, node, path).map((text) => ({ text, language })),
  );
}

function readKind(reading: Reading): KindOfMark | null {
  const text = readText(reading, reading.root, 'tmark-class-desc');
  const kind = text !== null && Object.hasOwn(KINDS, text) ? KINDS[text] : undefined;
  if (text !== null && kind === undefined) raiseIssue(reading, 'unmapped_kind', 'tmark-class-desc', text);
  return kind ?? null;
}

function readFeature(reading: Reading): MarkFeature | null {
  const text = readText(reading, reading.root, 'tmark-type-desc');
  if (text === null) return null;
  const feature = Object.hasOwn(FEATURES, text) ? FEATURES[text] : undefined;
  if (feature === undefined) raiseIssue(reading, 'unmapped_feature', 'tmark-type-desc', text);
  return feature ?? null;
}

function readGoods(reading: Reading, node: XmlNode, applicationDate: string | null): GoodsAndServices {
  readAttribute(reading, node, 'sequence');
  const number = readText(reading, node, 'goodsclass-code');
  const group = readText(reading, node, 'goods-group');
  return stated<GoodsAndServices>({
    scheme: number === null ? null : findScheme(number, group, applicationDate),
    class: number,
    code: group,
    texts: readTexts(reading, node, 'goods-name').map((text) => ({ text })),
  });
}

/** Older applications use the office's own classes, numbered like Nice classes. Only Nice classes have groups. */
function findScheme(number: string, group: string | null, applicationDate: string | null): ClassScheme {
  if (group?.startsWith(number.slice(-2)) === true) return 'nice';
  if (applicationDate === null) return 'unknown';
  return applicationDate >= NICE_SINCE ? 'nice' : 'national';
}

function listNiceClasses(reading: Reading, goods: readonly GoodsAndServices[]): number[] | null {
  const classes: number[] = [];
  for (const { scheme, class: text } of goods) {
    if (text === undefined || scheme === 'national') continue;
    const niceClass = parseNiceClass(text);
    if (niceClass === null) raiseIssue(reading, 'unmapped_class', `${GOODS}/goodsclass-code`, text);
    else classes.push(niceClass);
    if (niceClass !== null && scheme === 'unknown') {
      raiseIssue(reading, 'assumed_nice_class', `${GOODS}/goodsclass-code`, text);
    }
  }
  return listOrNull(classes.sort((a, b) => a - b));
}

function listParties(reading: Reading, path: string, role: PartyRole): Party[] {
  return listChildren(reading.root, path).map((node) =>
    stated<Party>({
      role,
      sequence: readAttribute(reading, node, 'sequence'),
      names: readLanguageTexts(reading, node, NAMES),
      address: stated({
        lines: readTexts(reading, node, 'address'),
        country: readText(reading, node, 'country-code'),
        // The country as a name.
        other: readText(reading, node, 'chinese-country-name'),
      }),
    }),
  );
}

function listCountries(reading: Reading, { address }: Party): string[] {
  const code = address?.country;
  if (code === undefined) return [];
  if (/^[A-Za-z]{2}$/.test(code)) return [code];
  raiseIssue(reading, 'unmapped_country', `${APPLICANTS}/country-code`, code);
  return [];
}

function listImages(reading: Reading): { uri: string }[] {
  const images = findChild(reading.root, 'tmark-image-url');
  const nodes = images?.children.filter(({ name }) => /^image-data-\d$/.test(name)) ?? [];
  return nodes.map((node) => readNode(reading, node)).flatMap((uri) => (uri === null ? [] : [{ uri }]));
}
