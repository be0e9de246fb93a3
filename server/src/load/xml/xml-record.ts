/**
 * The record that is being read: its subtree as it grows, and the bounds that it must keep. A record beyond one of them
 * is refused with a reason, and the rest of it is not held. It knows no parser and no format.
 */
import type { XmlNode } from './xml-node.ts';

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
