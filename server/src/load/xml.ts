/**
 * Reads XML as a stream of records, one subtree at a time, whatever the size of the file. It decides what is XML and
 * how large a record may be; it knows no format. It holds only the record being read, and reads on only when everything
 * read so far has been consumed. It fetches nothing, and replaces no entities but XML's own five and numeric ones, so a
 * document type declaration can neither reach outside nor blow up in memory.
 */
import { SaxesParser } from 'saxes';
import { OperatorError } from '../base/errors.ts';
import type { SourceEntry } from './formats/format.ts';
import { decodeUtf8 } from './utf8.ts';
import type { XmlNode } from './xml-node.ts';
import { openXmlSource, type XmlSource } from './xml-source.ts';

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

export interface XmlRoot {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

/** What a format looks for, by local names. */
export interface XmlSelection {
  /** Elements yielded as a subtree each; they never contain one another. */
  records: ReadonlySet<string>;
  /** Elements expected around the records; their own text is not read. */
  envelope: ReadonlySet<string>;
  /** Throws `OperatorError` if a file with this root is not of the format. */
  checkRoot(root: XmlRoot, entryName: string): void;
}

export type XmlItem =
  | { kind: 'element'; node: XmlNode; line: number; source: () => string }
  /** An element outside the records that the selection does not name; its content is skipped. */
  | { kind: 'stray'; path: string; line: number }
  /** A record beyond a bound, skipped as a whole. */
  | { kind: 'reject'; name: string; line: number; reason: string; source: () => string };

/** Throws `OperatorError` naming entry and line: not UTF-8, malformed, truncated, an entity used, the wrong root. */
export async function* readXml(
  entry: SourceEntry,
  selection: XmlSelection,
  limits: XmlLimits = XML_LIMITS,
): AsyncGenerator<XmlItem, void, undefined> {
  const reader = openReader(entry.name, selection, limits);
  for await (const text of decodeUtf8(entry)) {
    yield* reader.write(text);
  }
  yield* reader.close();
}

interface BuildingNode extends XmlNode {
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlNode[];
  text: string;
}

interface OpenRecord {
  name: string;
  line: number;
  start: number;
  /** Open elements of the record, outermost first; emptied once the record is refused. */
  nodes: BuildingNode[];
  depth: number;
  elements: number;
  refusal: string | null;
}

interface FileState {
  readonly entryName: string;
  readonly limits: XmlLimits;
  readonly selection: XmlSelection;
  readonly source: XmlSource;
  items: XmlItem[];
  /** Open elements outside records. */
  outer: string[];
  /** The length of `outer` at which a stray element began; 0 outside of any. */
  strayFrom: number;
  record: OpenRecord | null;
  /** Where the last tag, text or comment ended. */
  tokenEnd: number;
  entitiesDeclared: boolean;
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});
const NO_CHILDREN: readonly XmlNode[] = Object.freeze([]);
const BLANK = /^\s*$/;

type Parser = SaxesParser<{ xmlns: false; position: true }>;

interface Reader {
  write(text: string): XmlItem[];
  close(): XmlItem[];
}

function openReader(entryName: string, selection: XmlSelection, limits: XmlLimits): Reader {
  const state: FileState = {
    entryName,
    limits,
    selection,
    source: openXmlSource(),
    items: [],
    outer: [],
    strayFrom: 0,
    record: null,
    tokenEnd: 0,
    entitiesDeclared: false,
  };
  const parser = new SaxesParser({ xmlns: false, position: true });
  subscribe(parser, state);
  const takeItems = (): XmlItem[] => {
    const items = state.items;
    state.items = [];
    return items;
  };
  return {
    write(text) {
      if (state.source.isEmpty()) checkFirstCharacter(text, entryName);
      // The last character read may have been the start of a tag.
      state.source.append(text, state.record?.start ?? state.tokenEnd - 1);
      parser.write(text);
      checkToken(parser, state);
      if (state.record !== null) checkRecordSize(parser.position, state.record, limits);
      return takeItems();
    },
    close() {
      if (state.source.isEmpty()) throw new OperatorError(`${entryName} is empty`);
      const open = state.record?.name ?? state.outer.at(-1);
      if (open !== undefined) throw failAt(parser, state, `ends inside the element ${open}: the file is truncated`);
      parser.close();
      return takeItems();
    },
  };
}

function subscribe(parser: Parser, state: FileState): void {
  const localName = openNameTable();
  parser.on('error', (error) => {
    throw describeFault(parser, state, error);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(encoding)) {
      throw failAt(parser, state, `declares the encoding ${encoding}; only UTF-8 is read`);
    }
  });
  parser.on('doctype', (declaration) => {
    state.tokenEnd = parser.position;
    checkDeclaration(parser, state, declaration);
  });
  parser.on('comment', () => {
    state.tokenEnd = parser.position;
  });
  parser.on('opentagstart', () => {
    if (state.record === null) state.source.markTag(parser.position);
  });
  parser.on('opentag', (tag) => {
    state.tokenEnd = parser.position;
    openElement(parser, state, localName(tag.name), tag.attributes);
  });
  const addText = (text: string): void => {
    state.tokenEnd = parser.position;
    if (state.record !== null) addRecordText(state.record, text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    state.tokenEnd = parser.position;
    closeElement(parser.position, state);
  });
}

/** Local names, one string instance for each, so that comparing a name with a path compares pointers. */
function openNameTable(): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    let local = names.get(name);
    if (local === undefined) {
      local = name.slice(name.indexOf(':') + 1);
      if (names.size < 10_000) names.set(name, local);
    }
    return local;
  };
}

function openElement(parser: Parser, state: FileState, name: string, stated: Record<string, string>): void {
  const attributes = localAttributes(stated);
  if (state.outer.length === 0 && state.record === null) {
    state.selection.checkRoot({ name, attributes: stated }, state.entryName);
  }
  if (state.record === null && state.strayFrom === 0 && state.selection.records.has(name)) {
    const start = state.source.tagStart();
    state.record = { name, line: parser.line, start, nodes: [], depth: 0, elements: 0, refusal: null };
  }
  if (state.record === null) {
    state.outer.push(name);
    if (state.strayFrom === 0 && !state.selection.envelope.has(name)) {
      state.strayFrom = state.outer.length;
      state.items.push({ kind: 'stray', path: state.outer.join('/'), line: parser.line });
    }
  } else {
    openRecordElement(state.record, name, attributes, state.limits);
    checkRecordSize(parser.position, state.record, state.limits);
  }
  if (state.outer.length + (state.record?.depth ?? 0) > state.limits.fileDepthMax) {
    throw failAt(parser, state, `nests elements more than ${state.limits.fileDepthMax} levels deep`);
  }
}

function openRecordElement(
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
    refuse(record, excess);
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

function addRecordText(record: OpenRecord, text: string): void {
  const node = record.nodes.at(-1);
  if (node === undefined || (node.children !== NO_CHILDREN && BLANK.test(text))) return;
  node.text = node.text === '' ? text : node.text + text;
}

function closeElement(position: number, state: FileState): void {
  const { record } = state;
  if (record === null) {
    state.outer.pop();
    if (state.outer.length < state.strayFrom) state.strayFrom = 0;
    return;
  }
  checkRecordSize(position, record, state.limits);
  record.depth--;
  const node = record.nodes.pop();
  if (record.depth > 0) return;
  const source = state.source.capture(record.start, position);
  const { name, line, refusal } = record;
  state.items.push(
    refusal === null && node !== undefined
      ? { kind: 'element', node, line, source }
      : { kind: 'reject', name, line, reason: refusal ?? 'has no content', source },
  );
  state.record = null;
}

function refuse(record: OpenRecord, reason: string): void {
  record.refusal = reason;
  record.nodes = [];
}

function checkRecordSize(position: number, record: OpenRecord, limits: XmlLimits): void {
  if (record.refusal === null && position - record.start > limits.recordCharactersMax) {
    refuse(record, `is longer than ${limits.recordCharactersMax} characters`);
  }
}

function checkToken(parser: Parser, state: FileState): void {
  if (parser.position - state.tokenEnd > state.limits.tokenCharactersMax) {
    throw failAt(parser, state, `has a single text or tag of more than ${state.limits.tokenCharactersMax} characters`);
  }
}

function localAttributes(stated: Record<string, string>): Readonly<Record<string, string>> {
  let attributes: Record<string, string> | null = null;
  for (const name in stated) {
    if (name.startsWith('xmlns')) continue;
    attributes ??= {};
    attributes[name.slice(name.indexOf(':') + 1)] = stated[name] ?? '';
  }
  return attributes ?? NO_ATTRIBUTES;
}

/** An internal subset is fine. An external entity is refused where it is declared, an internal one where it is used. */
function checkDeclaration(parser: Parser, state: FileState, declaration: string): void {
  const bare = declaration.replace(/<!--[\s\S]*?-->/g, '');
  if (!bare.includes('<!ENTITY')) return;
  state.entitiesDeclared = true;
  if (/<!ENTITY\s+(?:%\s+)?[^\s>]+\s+(?:SYSTEM|PUBLIC)\b/.test(bare)) {
    throw failAt(parser, state, 'declares an external entity; nothing outside the file is ever read');
  }
}

function describeFault(parser: Parser, state: FileState, error: Error): OperatorError {
  const fault = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
  if (fault === 'undefined entity') {
    const reason = state.entitiesDeclared
      ? 'uses an entity of its own document type declaration; declared entities are refused, never expanded'
      : 'uses an entity that XML does not define';
    return failAt(parser, state, reason, error);
  }
  return failAt(parser, state, `is not well-formed XML: ${fault}`, error);
}

function failAt(parser: Parser, state: FileState, reason: string, cause?: Error): OperatorError {
  return new OperatorError(`${state.entryName}, line ${parser.line}: the file ${reason}`, { cause });
}

function checkFirstCharacter(text: string, entryName: string): void {
  const first = text.trimStart().slice(0, 1);
  if (first !== '' && first !== '<')
    throw new OperatorError(`${entryName} is not XML: it starts with ${JSON.stringify(first)}`);
}
