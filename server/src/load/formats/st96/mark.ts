/** The words and the images of a mark. */
import { writeViennaCode } from '../../../record/terms.ts';
import { findChild, listChildren, listDescendants, nodeText, type XmlNode } from '../../xml/xml-node.ts';
import { isSilent, type LanguageText, type MarkImage, type MarkSection, stated } from '../payload.ts';
import { type Reading, raiseIssue, readRest, readText } from '../reading.ts';
import { readTranslations } from '../uspto-apc/translations.ts';
import type { St96Dialect } from './dialect.ts';
import { readLanguageTexts } from './reading.ts';

const REPRODUCTION = 'MarkRepresentation/MarkReproduction';
const WORDS = `${REPRODUCTION}/WordMarkSpecification`;
const IMAGES = `${REPRODUCTION}/MarkImageBag/MarkImage`;
const VIENNA =
  'MarkImageClassification/FigurativeElementClassificationBag/ViennaClassificationBag/ViennaClassification';

/** What an office writes instead of a file name when there is no image. */
const NO_IMAGE = 'No image available';

export interface MarkTexts {
  name: string | null;
  /** Every other text by which the mark can be found; null for none. */
  variants: string[] | null;
  section: MarkSection;
}

/** The significant words are the name. If the full text differs, the mark can be found by that too. */
export function readMarkTexts(reading: Reading, dialect: St96Dialect): MarkTexts {
  const read = (path: string) => readLanguageTexts(reading, reading.root, path);
  const texts = [...read(`${WORDS}/MarkSignificantVerbalElementText`), ...read(`${WORDS}/MarkVerbalElementText`)];
  const translations = [...read(`${WORDS}/MarkTranslationText`), ...read(`${WORDS}/MarkTranslation`)];
  const transliterations = [
    ...read(`${WORDS}/MarkTransliterationText`),
    ...read(`${WORDS}/MarkTransliteration`),
    ...read(`${WORDS}/MarkTransliteration/MarkTransliterationText`),
  ];
  const nameOf = ({ text }: LanguageText): string => withoutNotes(reading, dialect, text);
  const name = texts[0] === undefined ? null : nameOf(texts[0]) || null;
  const names = dialect.translatesInSentences
    ? readSentences(reading, name, { translations, transliterations })
    : [...translations, ...transliterations];
  const variants = [...texts.slice(1), ...names].map(nameOf).filter((text) => text !== name && text !== '');
  const section = stated<MarkSection>({
    texts,
    translations,
    transliterations,
    descriptions: read('MarkRepresentation/MarkDescriptionBag/MarkDescriptionText'),
    disclaimers: read('MarkDisclaimerBag/MarkDisclaimerText'),
  });
  return { name, variants: variants.length === 0 ? null : [...new Set(variants)], section };
}

/** The texts that sentences about words of the mark give for it. */
function readSentences(
  reading: Reading,
  name: string | null,
  { translations, transliterations }: { translations: LanguageText[]; transliterations: LanguageText[] },
): LanguageText[] {
  const textsOf = (sentences: readonly LanguageText[]): string[] => sentences.map(({ text }) => text);
  const { variants, unread } = readTranslations(name, {
    transliterations: textsOf(transliterations),
    translations: textsOf(translations),
  });
  for (const text of unread) raiseIssue(reading, 'unread_statement', WORDS, text);
  return variants?.map((text) => ({ text })) ?? [];
}

/** A note in the same brackets that is not in the table of the office stays in the name, and is reported. */
function withoutNotes(reading: Reading, { notesInName }: St96Dialect, text: string): string {
  if (notesInName === null || !text.includes('((')) return text;
  const name = text.replaceAll(notesInName, ' ').replace(/\s+/gu, ' ').trim();
  if (name.includes('((')) raiseIssue(reading, 'unmapped_feature', WORDS, name);
  return name;
}

/** What else the mark states about its appearance; to be called after the images have been read. */
export function readMarkDetails(reading: Reading): unknown {
  const details = ['MarkRepresentation', 'MarkDisclaimerBag']
    .flatMap((path) => listChildren(reading.root, path))
    .map((node) => readRest(reading, node))
    .filter((rest) => !isSilent(rest));
  return details.length > 1 ? details : details[0];
}

export function readImages(reading: Reading): MarkImage[] {
  return listChildren(reading.root, IMAGES)
    .map((node) => readImage(reading, node))
    .filter((image) => !isSilent(image));
}

function readImage(reading: Reading, node: XmlNode): MarkImage {
  const file = readText(reading, node, 'FileName') ?? readText(reading, node, 'ImageFileName');
  return stated<MarkImage>({
    identifier: file === NO_IMAGE ? null : file,
    format: readText(reading, node, 'ImageFormatCategory'),
    vienna_codes: listChildren(node, VIENNA)
      .map((code) => readSegments(reading, code).join('.'))
      .filter((code) => code !== ''),
    details: readRest(reading, node),
  });
}

/** Vienna codes as dotted two-digit numbers. A level that is missing or is not a number raises an issue. */
export function readViennaCodes(reading: Reading): string[] | null {
  const codes: string[] = [];
  for (const node of listChildren(reading.root, `${IMAGES}/${VIENNA}`)) {
    const segments = readSegments(reading, node);
    if (segments.length > 0 && segments.every((segment) => /^\d{1,2}$/.test(segment))) {
      codes.push(writeViennaCode(segments.map(Number)));
    } else raiseIssue(reading, 'unmapped_vienna_code', `${IMAGES}/${VIENNA}`, segments.join('.'));
  }
  return codes.length === 0 ? null : [...new Set(codes)];
}

/** Every level down to the last one stated; a missing level in between is an empty text. */
function readSegments(reading: Reading, node: XmlNode): string[] {
  const segments = ['ViennaCategory', 'ViennaDivision', 'ViennaSection'].map((part) => readText(reading, node, part));
  const length = segments.findLastIndex((segment) => segment !== null) + 1;
  return segments.slice(0, length).map((segment) => segment ?? '');
}

/** Codes of the office's own classification of designs. They look like Vienna codes but are not. */
export function readDesignCodes(reading: Reading): string[] {
  const bag = findChild(reading.root, `${REPRODUCTION}/MarkImageBag`);
  // Not marked as read: the image keeps each code again, with its description.
  return (bag === null ? [] : listDescendants(bag, 'NationalDesignCode')).map(nodeText).filter((code) => code !== null);
}
