/**
 * Reads XML as a stream of records, one subtree at a time, whatever the size of the file. It decides what is XML and
 * how large a record may be; it knows no format. It holds only the record being read, and reads on only when everything
 * read so far has been consumed. It fetches nothing, and replaces no entities but XML's own five and numeric ones, so a
 * document type declaration can neither reach outside nor exhaust memory.
 */
import { SaxesParser } from 'saxes';
import { OperatorError } from '../../base/errors.ts';
import type { SourceEntry } from '../sources/files.ts';
import { decodeUtf8, explainFault, explainRecordFault, inspectDeclaration, nameFault } from './text.ts';
import {
  addRecordText,
  checkRecordSize,
  localAttributes,
  type OpenRecord,
  openRecordElement,
  openXmlSource,
  refuseRecord,
  XML_LIMITS,
  type XmlLimits,
  type XmlNode,
  type XmlSource,
} from './xml-record.ts';

export interface XmlRoot {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

/** The elements that a format looks for, by local names. */
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
  /** A character or a reference outside the records that XML forbids; nothing of it is read. */
  | { kind: 'forbidden'; path: string; line: number; reason: string }
  /** A record that is beyond a bound or has a character or a reference that XML forbids, skipped as a whole. */
  | { kind: 'reject'; name: string; line: number; reason: string; source: () => string };

/**
 * Throws `OperatorError` naming entry and line: UTF-16, malformed, truncated, a declared entity used, the wrong root.
 */
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
  /** The names of the entities that the file declares. */
  readonly declared: Set<string>;
  /** The last forbidden character outside records. It may be in a tag that turns out to begin a record. */
  loose: { position: number; line: number; reason: string } | null;
}

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
    declared: new Set(),
    loose: null,
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
      settleLoose(state, Number.POSITIVE_INFINITY);
      parser.close();
      return takeItems();
    },
  };
}

function subscribe(parser: Parser, state: FileState): void {
  const localName = openNameTable();
  parser.on('error', (error) => {
    reportFault(parser, state, error);
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
    const reason = settleLoose(state, start);
    if (reason !== null) refuseRecord(state.record, reason);
  }
  if (state.record === null) {
    settleLoose(state, Number.POSITIVE_INFINITY);
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

function checkToken(parser: Parser, state: FileState): void {
  if (parser.position - state.tokenEnd > state.limits.tokenCharactersMax) {
    throw failAt(parser, state, `has a single text or tag of more than ${state.limits.tokenCharactersMax} characters`);
  }
}

function checkDeclaration(parser: Parser, state: FileState, declaration: string): void {
  const { declared, declaresExternal } = inspectDeclaration(declaration);
  for (const name of declared) state.declared.add(name);
  if (declaresExternal) throw failAt(parser, state, 'declares an external entity; nothing outside the file is read');
}

/** A forbidden character or reference costs its record; every other fault of the file is thrown. */
function reportFault(parser: Parser, state: FileState, error: Error): void {
  const { position, line } = parser;
  const fault = nameFault(error);
  const character = state.source.characterAt(position - 1);
  const reference = character === ';' ? state.source.referenceBefore(position) : null;
  const reason = explainRecordFault(fault, { character, reference }, state.declared);
  if (reason === null) throw failAt(parser, state, explainFault(fault), error);
  if (state.record !== null) refuseRecord(state.record, reason);
  else {
    settleLoose(state, Number.POSITIVE_INFINITY);
    state.loose = { position, line, reason };
  }
}

/** Reports the loose character, unless it belongs to the record that begins at `start`: then it returns the reason. */
function settleLoose(state: FileState, start: number): string | null {
  const { loose } = state;
  state.loose = null;
  if (loose === null) return null;
  if (loose.position > start) return loose.reason;
  state.items.push({ kind: 'forbidden', path: state.outer.join('/'), line: loose.line, reason: loose.reason });
  return null;
}

function failAt(parser: Parser, state: FileState, reason: string, cause?: Error): OperatorError {
  return new OperatorError(`${state.entryName}, line ${parser.line}: the file ${reason}`, { cause });
}

function checkFirstCharacter(text: string, entryName: string): void {
  const first = text.trimStart().slice(0, 1);
  if (first !== '' && first !== '<')
    throw new OperatorError(`${entryName} is not XML: it starts with ${JSON.stringify(first)}`);
}
