/** What the readers of ST.96 share: attributes, dates and application numbers. */
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { isSilent, type LanguageText, stated } from '../payload.ts';
import {
  compactDate,
  dashedDate,
  type PlainValue,
  type Reading,
  readAttribute,
  readNode,
  readRest,
} from '../reading.ts';

/** Attributes about markup, not content: schema type and location, position in a list, kind. */
const IGNORED_ATTRIBUTES = ['type', 'schemaLocation', 'sequenceNumber', 'geographicRegionCategory'] as const;

/** Ignores these attributes throughout a mark; one that does mean something can still be read by name. */
export function ignoreAttributes(reading: Reading, node: XmlNode): void {
  for (const name of IGNORED_ATTRIBUTES) readAttribute(reading, node, name);
  for (const child of node.children) ignoreAttributes(reading, child);
}

/** Calendar dates have dashes, with or without a zone; dates of first use are compact. */
export function statedDate(text: string): string | null {
  return dashedDate(text) ?? compactDate(text);
}

/** The texts at the end of a path, each with its language, without blank ones. */
export function readLanguageTexts(reading: Reading, node: XmlNode, path: string): LanguageText[] {
  return listChildren(node, path).flatMap((child) => {
    const language = readAttribute(reading, child, 'languageCode');
    const text = readNode(reading, child);
    return text === null ? [] : [stated<LanguageText>({ text, language })];
  });
}

/** The unread rest of every element of that name below the mark: one value, or a list of several. */
export function readKept(reading: Reading, name: string): PlainValue | undefined {
  const values = listChildren(reading.root, name)
    .map((node) => readRest(reading, node))
    .filter((value): value is PlainValue => !isSilent(value));
  return values.length > 1 ? values : values[0];
}
