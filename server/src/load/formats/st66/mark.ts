/** The words of a mark: its text, and the translations and transliterations the office holds. */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { isSilent, type LanguageText, type MarkSection, stated } from '../payload.ts';
import { type Reading, readAttribute, readNode, readRest } from '../reading.ts';

export interface MarkTexts {
  name: string | null;
  /** Every other text by which the mark can be found; null for none. */
  variants: string[] | null;
  section: MarkSection;
}

const SPECIFICATION = 'WordMarkSpecification';

/** The first verbal element is the name; the office may repeat it in other languages. */
export function readMarkTexts(reading: Reading): MarkTexts {
  const texts = readLanguageTexts(reading, `${SPECIFICATION}/MarkVerbalElementText`);
  const translations = readLanguageTexts(reading, `${SPECIFICATION}/MarkTranslation`);
  const transliterations = readLanguageTexts(reading, `${SPECIFICATION}/MarkTransliteration`);
  const name = texts[0]?.text ?? null;
  const variants = [...texts.slice(1), ...translations, ...transliterations].map(({ text }) => text);
  const others = [...new Set(variants)].filter((text) => text !== name);
  const details = listChildren(reading.root, SPECIFICATION)
    .map((node) => readRest(reading, node))
    .filter((rest) => !isSilent(rest));
  const section = stated<MarkSection>({
    texts,
    translations,
    transliterations,
    descriptions: readLanguageTexts(reading, 'MarkDescriptionDetails/MarkDescription'),
    disclaimers: readLanguageTexts(reading, 'MarkDisclaimerDetails/MarkDisclaimer'),
    details: details.length > 1 ? details : details[0],
  });
  return { name, variants: others.length === 0 ? null : others, section };
}

function readLanguageTexts(reading: Reading, path: string): LanguageText[] {
  return listChildren(reading.root, path).flatMap((node) => readTextsOf(reading, node));
}

/** The text of an element, or of its child elements where an office nests them once more. */
function readTextsOf(reading: Reading, node: XmlNode): LanguageText[] {
  const language = readAttribute(reading, node, 'languageCode');
  const text = readNode(reading, node);
  const inner = node.children.flatMap((child) => readTextsOf(reading, child));
  return [...(text === null ? [] : [stated<LanguageText>({ text, language })]), ...inner];
}
