/**
 * Unescapes texts that an office escapes before it writes them as XML, so that one level of escapes is left after
 * parsing.
 */
import type { XmlNode } from '../../xml/xml-node.ts';

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function unescapeNode(node: XmlNode): XmlNode {
  const attributes = Object.entries(node.attributes).map(([name, value]) => [name, unescapeText(value)]);
  return {
    name: node.name,
    attributes: Object.fromEntries(attributes),
    children: node.children.map(unescapeNode),
    text: unescapeText(node.text),
  };
}

/** Unescapes once only: an escape that results from it is text. */
export function unescapeText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (written, name, decimal, hex) => {
    if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? written;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : written;
  });
}
