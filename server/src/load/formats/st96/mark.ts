/** The words and the images of a mark. */
import { findChild, listChildren, listDescendants, nodeText, type XmlNode } from '../../xml-node.ts';
import { isSilent, type MarkImage, type MarkSection, stated } from '../payload.ts';
import { type Reading, raiseIssue, readRest, readText } from '../reading.ts';
import type { St96Dialect } from './dialect.ts';
import { readLanguageTexts } from './reading.ts';

const REPRODUCTION = 'MarkRepresentation/MarkReproduction';
const WORDS = `${REPRODUCTION}/WordMarkSpecification`;
const IMAGES = `${REPRODUCTION}/MarkImageBag/MarkImage`;
const VIENNA =
  'MarkImageClassification/FigurativeElementClassificationBag/ViennaClassificationBag/ViennaClassification';

/** What an office writes in place of the name of a file that there is none of. */
const NO_IMAGE = 'No image available';

export interface MarkTexts {
  name: string | null;
  /** Every other text by which the mark can be found; null for none. */
  variants: string[] | null;
  section: MarkSection;
}

/** The significant words are the name; the whole of them is found by too where it differs. */
export function readMarkTexts(reading: Reading, dialect: St96Dialect): MarkTexts {
  const read = (path: string) => readLanguageTexts(reading, reading.root, path);
  const texts = [...read(`${WORDS}/MarkSignificantVerbalElementText`), ...read(`${WORDS}/MarkVerbalElementText`)];
  const translations = [...read(`${WORDS}/MarkTranslationText`), ...read(`${WORDS}/MarkTranslation`)];
  const transliterations = [
    ...read(`${WORDS}/MarkTransliterationText`),
    ...read(`${WORDS}/MarkTransliteration`),
    ...read(`${WORDS}/MarkTransliteration/MarkTransliterationText`),
  ];
  const names = dialect.translatesInSentences ? [] : [...translations, ...transliterations];
  const name = texts[0]?.text ?? null;
  const variants = [...texts.slice(1), ...names].map(({ text }) => text).filter((text) => text !== name);
  const section = stated<MarkSection>({
    texts,
    translations,
    transliterations,
    descriptions: read('MarkRepresentation/MarkDescriptionBag/MarkDescriptionText'),
    disclaimers: read('MarkDisclaimerBag/MarkDisclaimerText'),
  });
  return { name, variants: variants.length === 0 ? null : [...new Set(variants)], section };
}

/** After the images have been read: what else is said about how the mark looks. */
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

/** Dotted two-digit segments; a part that is no number, or a gap before one, raises an issue. */
export function readViennaCodes(reading: Reading): string[] | null {
  const codes: string[] = [];
  for (const node of listChildren(reading.root, `${IMAGES}/${VIENNA}`)) {
    const segments = readSegments(reading, node);
    if (segments.length > 0 && segments.every((segment) => /^\d{1,2}$/.test(segment))) {
      codes.push(segments.map((segment) => segment.padStart(2, '0')).join('.'));
    } else raiseIssue(reading, 'unmapped_vienna_code', `${IMAGES}/${VIENNA}`, segments.join('.'));
  }
  return codes.length === 0 ? null : [...new Set(codes)];
}

/** Down to the last level that is stated; a level above it that is not is an empty segment. */
function readSegments(reading: Reading, node: XmlNode): string[] {
  const segments = ['ViennaCategory', 'ViennaDivision', 'ViennaSection'].map((part) => readText(reading, node, part));
  const length = segments.findLastIndex((segment) => segment !== null) + 1;
  return segments.slice(0, length).map((segment) => segment ?? '');
}

/** Codes of the office's own classification of designs, which look like Vienna codes and are none. */
export function readDesignCodes(reading: Reading): string[] {
  const bag = findChild(reading.root, `${REPRODUCTION}/MarkImageBag`);
  // Not booked as read: beside its description in the image each code is kept a second time.
  return (bag === null ? [] : listDescendants(bag, 'NationalDesignCode')).map(nodeText).filter((code) => code !== null);
}
