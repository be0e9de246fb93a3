/** What the readers of ST.96 share: attributes, dates and texts with their language. */
import { compactDate, dashedDate } from '../dates.ts';
import { type LanguageText, stated } from '../document.ts';
import type { Element } from '../element.ts';

/** Attributes about markup, not content: schema type and location, position in a list, kind. */
const IGNORED_ATTRIBUTES = ['type', 'schemaLocation', 'sequenceNumber', 'geographicRegionCategory'] as const;

/** Ignores these attributes throughout a mark; one that does mean something can still be read by name. */
export function ignoreAttributes(element: Element): void {
  for (const name of IGNORED_ATTRIBUTES) element.attribute(name);
  for (const child of element.children) ignoreAttributes(child);
}

/** Calendar dates have dashes, with or without a zone; dates of first use are compact. */
export function statedDate(text: string): string | null {
  return dashedDate(text) ?? compactDate(text);
}

/** The texts at the end of a path, each with its language, without blank ones. */
export function readLanguageTexts(element: Element, path: string): LanguageText[] {
  return element.list(path).flatMap((child) => {
    const language = child.attribute('languageCode');
    const text = child.own();
    return text === null ? [] : [stated<LanguageText>({ text, language })];
  });
}
