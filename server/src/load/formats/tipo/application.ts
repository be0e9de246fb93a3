/**
 * Turns one application into a source record. The office's application data state what was applied for and by whom, but
 * not the outcome, so the status is unknown.
 */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import type { XmlNode } from '../../xml/xml-record.ts';
import { slashedDate } from '../dates.ts';
import {
  type Address,
  buildDocument,
  type ClassScheme,
  type GoodsAndServices,
  type LanguageText,
  listOrNull,
  listTexts,
  type MarkSection,
  NOT_STATED,
  nameFields,
  type Party,
  type PartyRole,
  type StatedSource,
  stated,
} from '../document.ts';
import { type Element, openElement, texts } from '../element.ts';
import { checkCountry, checkMeaning, listNiceClasses, lookUp, sortClasses } from '../meanings.ts';
import type { RecordItem } from '../xml-records.ts';
import { buildUid, FEATURES, KINDS, NICE_SINCE, OFFICE, readNumber } from './values.ts';

const GOODS = 'goodsclasses/goodsclass';
const APPLICANTS = 'parties/applicants/applicant';

/** The words in the mark, by language. */
const DRAFTS = { 'tmark-draft-c': 'zh', 'tmark-draft-e': 'en', 'tmark-draft-j': 'ja' } as const;
const NAMES = { 'chinese-name': 'zh', 'english-name': 'en', 'japanese-name': 'ja' } as const;

/** Throws `UnreadableRecord` when the application has no usable number. */
export function readApplication(node: XmlNode, register: string): RecordItem {
  const root = openElement(node, slashedDate);
  const number = readNumber(root, 'appl-no');
  // The position in the answer.
  root.attribute('sequence');
  const name = root.text('tmark-name');
  const drafts = readLanguageTexts(root, DRAFTS);
  const variants = listOrNull(drafts.map(({ text }) => text).filter((text) => text !== name));
  const applicationDate = root.day('appl-date');
  const goods = root.list(GOODS).map((entry) => readGoods(entry, applicationDate));
  const applicants = listParties(root, APPLICANTS, 'applicant');
  const agents = listParties(root, 'parties/agents/agent', 'representative');
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildUid(number),
    office: OFFICE,
    application_number: number,
    mark_name: name,
    status: 'Unknown',
    kind_of_mark: readKind(root),
    mark_feature: readFeature(root),
    application_date: applicationDate,
    nice_classes: readNiceClasses(root, goods),
    ...nameFields([
      ...applicants.map((party) => ({
        names: listTexts(party),
        isOwner: true,
        countries: checkCountry(root, `${APPLICANTS}/country-code`, party.address?.country),
      })),
      ...agents.map((party) => ({ names: listTexts(party), isOwner: false })),
    ]),
  };
  const payload = buildDocument(readSource(root), {
    parties: [...applicants, ...agents],
    mark: stated<MarkSection>({
      texts: [...(name === null ? [] : [{ text: name }]), ...drafts],
      descriptions: root.texts('word-description').map((text) => ({ text })),
    }),
    goods_and_services: goods,
    images: listImages(root),
    statements: root.texts('tmark-sign').map((text) => ({ code: 'tmark-sign', text })),
  });
  root.raiseUnread();
  return {
    // The outcome of the application comes with the gazette.
    record: { ...content, mark_name_variants: variants, payload, source_version: null, is_partial: true },
    issues: root.issues,
  };
}

function readSource(root: Element): StatedSource {
  const read = (path: string): string | null => root.text(path);
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
    received_date: root.statedDay('receive-date'),
    audio_file: read('tmark-image-url/audio-filename'),
  };
}

function readLanguageTexts(node: Element, languages: Readonly<Record<string, string>>): LanguageText[] {
  return Object.entries(languages).flatMap(([path, language]) => node.texts(path).map((text) => ({ text, language })));
}

function readKind(root: Element): KindOfMark | null {
  const path = 'tmark-class-desc';
  const text = root.text(path);
  return checkMeaning(root, lookUp(KINDS, text), { issue: 'unmapped_kind', path, text });
}

function readFeature(root: Element): MarkFeature | null {
  const path = 'tmark-type-desc';
  const text = root.text(path);
  return checkMeaning(root, lookUp(FEATURES, text), { issue: 'unmapped_feature', path, text });
}

function readGoods(goods: Element, applicationDate: string | null): GoodsAndServices {
  goods.attribute('sequence');
  const number = goods.text('goodsclass-code');
  const group = goods.text('goods-group');
  return stated<GoodsAndServices>({
    scheme: number === null ? null : findScheme(number, group, applicationDate),
    class: number,
    code: group,
    texts: goods.texts('goods-name').map((text) => ({ text })),
  });
}

/** Older applications use the office's own classes, numbered like Nice classes. Only Nice classes have groups. */
function findScheme(number: string, group: string | null, applicationDate: string | null): ClassScheme {
  if (group?.startsWith(number.slice(-2)) === true) return 'nice';
  if (applicationDate === null) return 'unknown';
  return applicationDate >= NICE_SINCE ? 'nice' : 'national';
}

function readNiceClasses(root: Element, goods: readonly GoodsAndServices[]): number[] | null {
  const path = `${GOODS}/goodsclass-code`;
  const classes = goods.flatMap(({ scheme, class: text }) => {
    if (text === undefined || scheme === 'national') return [];
    return listNiceClasses(root, { path, texts: [text], isAssumed: () => scheme === 'unknown', isStrict: true });
  });
  return sortClasses(classes);
}

function listParties(root: Element, path: string, role: PartyRole): Party[] {
  return root.mapAll<Party>(path, {
    role: () => role,
    sequence: (party) => party.attribute('sequence'),
    names: (party) => readLanguageTexts(party, NAMES),
    address: (party) =>
      party.map<Address>({
        lines: texts('address'),
        country: 'country-code',
        // The country as a name.
        other: 'chinese-country-name',
      }),
  });
}

function listImages(root: Element): { uri: string }[] {
  const images = root.find('tmark-image-url')?.children.filter(({ name }) => /^image-data-\d$/.test(name)) ?? [];
  return images.flatMap((image) => {
    const uri = image.own();
    return uri === null ? [] : [{ uri }];
  });
}
