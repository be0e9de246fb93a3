/**
 * The record that is being read: its subtree as it grows, the bounds that it must keep, and its source text for the
 * rejects file. A record beyond a bound is refused with a reason, and the rest of it is not held. It knows no parser
 * and no format.
 */
import { UNDECODABLE } from './text.ts';

/**
 * One element of a record, as plain data. Names are local names (no prefix): the offices of one family differ only in
 * their namespaces. Text is kept exactly as the source states it; `childText` trims and folds nothing but the ends.
 */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** The element's own character data. Blanks between child elements are left out. */
  readonly text: string;
}

/** Bounds of one file. Characters are UTF-16 units, at most the bytes of the source. */
export interface XmlLimits {
  recordCharactersMax: number;
  recordElementsMax: number;
  elementAttributesMax: number;
  /** Levels inside one record. */
  depthMax: number;
  /** One tag, text, comment or declaration. The parser buffers these whole, so a larger one cannot even be skipped. */
  tokenCharactersMax: number;
  /** Levels of the whole file. */
  fileDepthMax: number;
}

/** The largest real record known has 10.9 MB and about 134,000 elements (a case with 26,496 history events). */
export const XML_LIMITS: XmlLimits = {
  recordCharactersMax: 64 * 1024 * 1024,
  recordElementsMax: 1_000_000,
  elementAttributesMax: 200,
  depthMax: 100,
  tokenCharactersMax: 96 * 1024 * 1024,
  fileDepthMax: 10_000,
};

interface BuildingNode extends XmlNode {
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlNode[];
  text: string;
}

export interface OpenRecord {
  name: string;
  line: number;
  start: number;
  /** Open elements of the record, outermost first; emptied once the record is refused. */
  nodes: BuildingNode[];
  depth: number;
  elements: number;
  refusal: string | null;
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});
const NO_CHILDREN: readonly XmlNode[] = Object.freeze([]);
const BLANK = /^\s*$/;

export function openRecordElement(
  record: OpenRecord,
  name: string,
  attributes: Readonly<Record<string, string>>,
  limits: XmlLimits,
): void {
  record.depth++;
  record.elements++;
  if (record.refusal !== null) return;
  const excess = findExcess(record, attributes, limits);
  if (excess !== null) {
    refuseRecord(record, excess);
    return;
  }
  const node: BuildingNode = { name, attributes, children: NO_CHILDREN, text: '' };
  const parent = record.nodes.at(-1);
  if (parent !== undefined) {
    if (parent.children === NO_CHILDREN) parent.children = [];
    if (parent.text !== '' && BLANK.test(parent.text)) parent.text = '';
    (parent.children as XmlNode[]).push(node);
  }
  record.nodes.push(node);
}

function findExcess(
  { depth, elements }: OpenRecord,
  attributes: Readonly<Record<string, string>>,
  limits: XmlLimits,
): string | null {
  if (depth > limits.depthMax) return `nests elements more than ${limits.depthMax} levels deep`;
  if (elements > limits.recordElementsMax) return `has more than ${limits.recordElementsMax} elements`;
  if (attributes !== NO_ATTRIBUTES && Object.keys(attributes).length > limits.elementAttributesMax) {
    return `has an element with more than ${limits.elementAttributesMax} attributes`;
  }
  return null;
}

export function addRecordText(record: OpenRecord, text: string): void {
  const node = record.nodes.at(-1);
  if (node === undefined || (node.children !== NO_CHILDREN && BLANK.test(text))) return;
  node.text = node.text === '' ? text : node.text + text;
}

/** The rest of the record is skipped. */
export function refuseRecord(record: OpenRecord, reason: string): void {
  record.refusal = reason;
  record.nodes = [];
}

export function checkRecordSize(position: number, record: OpenRecord, limits: XmlLimits): void {
  if (record.refusal === null && position - record.start > limits.recordCharactersMax) {
    refuseRecord(record, `is longer than ${limits.recordCharactersMax} characters`);
  }
}

export function localAttributes(stated: Record<string, string>): Readonly<Record<string, string>> {
  let attributes: Record<string, string> | null = null;
  for (const name in stated) {
    if (name.startsWith('xmlns')) continue;
    attributes ??= {};
    attributes[name.slice(name.indexOf(':') + 1)] = stated[name] ?? '';
  }
  return attributes ?? NO_ATTRIBUTES;
}

/** The most that the rejects file holds of one record, in bytes of UTF-8. */
const SOURCE_BYTES_MAX = 16 * 1024 * 1024;

export interface XmlSource {
  isEmpty(): boolean;
  /** Adds the next text, and drops what lies before `keepFrom`. */
  append(text: string, keepFrom: number): void;
  /** Notes that the name of a tag ends just before `position`. */
  markTag(position: number): void;
  /** Where that tag starts. */
  tagStart(): number;
  /** The character at a position; empty where its text is no longer held. */
  characterAt(position: number): string;
  /** The text from the last `&` before a position on; null if it is longer than a reference may be. */
  referenceBefore(position: number): string | null;
  /**
   * The text between two positions, cut at `SOURCE_BYTES_MAX`; built when the function is called. Bytes that were not
   * UTF-8 are replacement characters in it.
   */
  capture(start: number, end: number): () => string;
}

/** Longer texts after an ampersand are no names of entities. */
const REFERENCE_LENGTH_MAX = 10_000;

export function openXmlSource(): XmlSource {
  const parts: { start: number; text: string }[] = [];
  let length = 0;
  let tagNameEnd = 0;
  const characterAt = (position: number): string => {
    const part = parts.findLast(({ start }) => start <= position);
    return part?.text.charAt(position - part.start) ?? '';
  };
  return {
    isEmpty: () => length === 0,
    append(text, keepFrom) {
      const dropped = parts.findIndex((part) => part.start + part.text.length > keepFrom);
      parts.splice(0, dropped < 0 ? parts.length : dropped);
      // A record beyond the bound loses its middle: a reject shows its head, and the last part may hold the start of
      // the next record.
      if (length - keepFrom > SOURCE_BYTES_MAX) parts.pop();
      parts.push({ start: length, text });
      length += text.length;
    },
    markTag(position) {
      tagNameEnd = position;
    },
    tagStart() {
      for (const { start, text } of parts.toReversed()) {
        const index = start < tagNameEnd ? text.lastIndexOf('<', tagNameEnd - start - 1) : -1;
        if (index >= 0) return start + index;
      }
      return tagNameEnd;
    },
    characterAt,
    referenceBefore(position) {
      let reference = '';
      for (let at = position - 1; reference.length < REFERENCE_LENGTH_MAX; at -= 1) {
        const character = characterAt(at);
        if (character === '') return null;
        reference = character + reference;
        if (character === '&') return reference;
      }
      return null;
    },
    capture(start, end) {
      const captured = parts.filter((part) => part.start < end && part.start + part.text.length > start);
      return () =>
        cutBytes(captured.map(({ start: at, text }) => text.slice(Math.max(0, start - at), end - at)).join(''));
    },
  };
}

function cutBytes(stated: string): string {
  const text = stated.replaceAll(UNDECODABLE, '\ufffd');
  if (text.length * 3 <= SOURCE_BYTES_MAX || Buffer.byteLength(text) <= SOURCE_BYTES_MAX) return text;
  const bytes = Buffer.from(text).subarray(0, SOURCE_BYTES_MAX);
  // The cut may fall inside a character, which then decodes to a replacement character.
  return bytes.toString('utf8').replace(/\ufffd$/, '');
}
