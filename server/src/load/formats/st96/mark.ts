/** The words, the images, the kind and the feature of a mark, by the table of its office. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import { writeViennaCode } from '../../../record/terms.ts';
import { isSilent, type LanguageText, listOrNull, type MarkImage, type MarkSection, stated } from '../document.ts';
import { type Element, type Mapping, nodeText, rest } from '../element.ts';
import { foldValue, lookUpFolded } from '../meanings.ts';
import { readTranslations } from '../uspto-apc/translations.ts';
import type { St96Dialect } from './dialects.ts';
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
export function readMarkTexts(root: Element, dialect: St96Dialect): MarkTexts {
  const read = (path: string): LanguageText[] => readLanguageTexts(root, path);
  const texts = [...read(`${WORDS}/MarkSignificantVerbalElementText`), ...read(`${WORDS}/MarkVerbalElementText`)];
  const translations = [...read(`${WORDS}/MarkTranslationText`), ...read(`${WORDS}/MarkTranslation`)];
  const transliterations = [
    ...read(`${WORDS}/MarkTransliterationText`),
    ...read(`${WORDS}/MarkTransliteration`),
    ...read(`${WORDS}/MarkTransliteration/MarkTransliterationText`),
  ];
  const nameOf = ({ text }: LanguageText): string => withoutNotes(root, dialect, text);
  const name = texts[0] === undefined ? null : nameOf(texts[0]) || null;
  const names = dialect.translatesInSentences
    ? readSentences(root, name, { translations, transliterations })
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
  root: Element,
  name: string | null,
  { translations, transliterations }: { translations: LanguageText[]; transliterations: LanguageText[] },
): LanguageText[] {
  const textsOf = (sentences: readonly LanguageText[]): string[] => sentences.map(({ text }) => text);
  const { variants, unread } = readTranslations(name, {
    transliterations: textsOf(transliterations),
    translations: textsOf(translations),
  });
  for (const text of unread) root.raise('unread_statement', WORDS, text);
  return variants?.map((text) => ({ text })) ?? [];
}

/** A note in the same brackets that is not in the table of the office stays in the name, and is reported. */
function withoutNotes(root: Element, { notesInName }: St96Dialect, text: string): string {
  if (notesInName === null || !text.includes('((')) return text;
  const name = text.replaceAll(notesInName, ' ').replace(/\s+/gu, ' ').trim();
  if (name.includes('((')) root.raise('unmapped_feature', WORDS, name);
  return name;
}

/** What else the mark states about its appearance; to be called after the images have been read. */
export function readMarkDetails(root: Element): unknown {
  const details = ['MarkRepresentation', 'MarkDisclaimerBag']
    .flatMap((path) => root.list(path))
    .map((element) => element.rest())
    .filter((each) => each !== null);
  return details.length > 1 ? details : details[0];
}

const IMAGE: Mapping<MarkImage> = {
  identifier(image) {
    const file = image.first(['FileName', 'ImageFileName']);
    return file === NO_IMAGE ? null : file;
  },
  format: 'ImageFormatCategory',
  vienna_codes: (image) =>
    image
      .list(VIENNA)
      .map((code) => readSegments(code).join('.'))
      .filter((code) => code !== ''),
  details: rest,
};

export function readImages(root: Element): MarkImage[] {
  return root.mapAll(IMAGES, IMAGE).filter((image) => !isSilent(image));
}

/** Vienna codes as dotted two-digit numbers. A level that is missing or is not a number raises an issue. */
export function readViennaCodes(root: Element): string[] | null {
  const codes = root.list(`${IMAGES}/${VIENNA}`).flatMap((code) => {
    const segments = readSegments(code);
    if (segments.length > 0 && segments.every((segment) => /^\d{1,2}$/.test(segment))) {
      return writeViennaCode(segments.map(Number));
    }
    root.raise('unmapped_vienna_code', `${IMAGES}/${VIENNA}`, segments.join('.'));
    return [];
  });
  return listOrNull(codes);
}

/** Every level down to the last one stated; a missing level in between is an empty text. */
function readSegments(node: Element): string[] {
  const segments = ['ViennaCategory', 'ViennaDivision', 'ViennaSection'].map((part) => node.text(part));
  const length = segments.findLastIndex((segment) => segment !== null) + 1;
  return segments.slice(0, length).map((segment) => segment ?? '');
}

/** Codes of the office's own classification of designs. They look like Vienna codes but are not. */
export function readDesignCodes(root: Element): string[] {
  const bag = root.find(`${REPRODUCTION}/MarkImageBag`);
  // Not marked as read: the image keeps each code again, with its description.
  return bag?.descendants('NationalDesignCode').flatMap(({ node }) => nodeText(node) ?? []) ?? [];
}

/** A mark may have several kinds: the first one in the office's table counts. */
export function readKind(root: Element, dialect: St96Dialect): KindOfMark | null {
  const categories = root.texts('MarkCategory');
  const meanings = categories.map((category) => {
    const key = foldValue(category);
    const place = dialect.kinds.findIndex(([name]) =>
      name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name,
    );
    if (place === -1) root.raise('unmapped_kind', 'MarkCategory', category);
    return place;
  });
  const first = Math.min(...meanings.filter((place) => place !== -1));
  return dialect.kinds[first]?.[1] ?? null;
}

export const FEATURE_CODE = 'MarkRepresentation/MarkDescriptionBag/NationalMarkDescription/MarkFeatureCode';
export const FEATURE_TEXT = 'MarkRepresentation/MarkFeatureCategory';

export function readFeature(root: Element, dialect: St96Dialect): MarkFeature | null {
  const code = root.text(FEATURE_CODE);
  const text = root.text(FEATURE_TEXT);
  const standard = 'MarkRepresentation/MarkReproduction/WordMarkSpecification/MarkStandardCharacterIndicator';
  const coded = code === null ? undefined : lookUpFolded(dialect.featureCodes, code.slice(0, 1));
  const feature = coded ?? (text === null ? undefined : lookUpFolded(dialect.features, text));
  if (feature !== undefined) return feature;
  if (root.text(standard) === 'true') return 'Word';
  if (code !== null && code !== '0') root.raise('unmapped_feature', FEATURE_CODE, code);
  else if (text !== null) root.raise('unmapped_feature', FEATURE_TEXT, text);
  else return null;
  return dialect.unknownFeature;
}
