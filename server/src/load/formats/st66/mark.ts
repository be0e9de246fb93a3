/** The words of a mark: its text, and the translations and transliterations the office holds. */
import { isSilent, type LanguageText, type MarkSection, stated } from '../document.ts';
import type { Element } from '../element.ts';

export interface MarkTexts {
  name: string | null;
  /** Every other text by which the mark can be found; null for none. */
  variants: string[] | null;
  section: MarkSection;
}

const SPECIFICATION = 'WordMarkSpecification';

/** The first verbal element is the name; the office may repeat it in other languages. */
export function readMarkTexts(root: Element): MarkTexts {
  const texts = readLanguageTexts(root, `${SPECIFICATION}/MarkVerbalElementText`);
  const translations = readLanguageTexts(root, `${SPECIFICATION}/MarkTranslation`);
  const transliterations = readLanguageTexts(root, `${SPECIFICATION}/MarkTransliteration`);
  const name = texts[0]?.text ?? null;
  const variants = [...texts.slice(1), ...translations, ...transliterations].map(({ text }) => text);
  const others = [...new Set(variants)].filter((text) => text !== name);
  const details = root
    .list(SPECIFICATION)
    .map((node) => node.rest())
    .filter((rest) => !isSilent(rest));
  const section = stated<MarkSection>({
    texts,
    translations,
    transliterations,
    descriptions: readLanguageTexts(root, 'MarkDescriptionDetails/MarkDescription'),
    disclaimers: readLanguageTexts(root, 'MarkDisclaimerDetails/MarkDisclaimer'),
    details: details.length > 1 ? details : details[0],
  });
  return { name, variants: others.length === 0 ? null : others, section };
}

function readLanguageTexts(root: Element, path: string): LanguageText[] {
  return root.list(path).flatMap((node) => readTextsOf(node));
}

/** The text of an element, or of its child elements where an office nests them once more. */
function readTextsOf(node: Element): LanguageText[] {
  const language = node.attribute('languageCode');
  const text = node.own();
  const inner = node.children.flatMap((child) => readTextsOf(child));
  return [...(text === null ? [] : [stated<LanguageText>({ text, language })]), ...inner];
}
