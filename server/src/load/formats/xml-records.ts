/**
 * The frame of every XML format: its roots, the elements around its records, and a reader for each element of its
 * files. The items of a file become records, rejects and supplements in source order, each with its position. A record
 * is held until the next one starts, so that later findings (an appeal next to the mark, an unknown element) are still
 * added to it.
 */
import { MARKS_FAULT } from '@tmds/contract/text';
import { OperatorError } from '../../base/errors.ts';
import type { Issue, SourceRecord } from '../../record/document.ts';
import { holdsTooManyMarks } from '../../record/marks.ts';
import { digestSource, type SourceEntry } from '../sources/files.ts';
import { readXml, type XmlItem, type XmlRoot, type XmlSelection } from '../xml/xml.ts';
import type { XmlNode } from '../xml/xml-record.ts';
import {
  buildIssue,
  type Format,
  type FormatItem,
  type IssueCode,
  type ReadContext,
  type RejectItem,
  type SupplementItem,
} from './format.ts';
import { EARLY_ST96, TSDR_ST66 } from './recognize.ts';

/** Why one record of a file cannot be read; the rest of the file can. */
export class UnreadableRecord extends Error {}

/** The record is of another register or of another right. A file that holds nothing else is refused as a whole. */
export class ForeignRecord extends UnreadableRecord {}

export interface RecordItem {
  record: SourceRecord;
  issues: Issue[];
}

/** The readers of one file. */
export interface XmlFileReader {
  /** By the names of the elements. They return nothing when the element only says something about the file. */
  readonly elements: Readonly<Record<string, (node: XmlNode) => RecordItem | SupplementItem | null | undefined>>;
  /** Checks what else the root states. `key`: its name in `roots`. May throw `OperatorError`. */
  checkRoot?(root: XmlRoot, key: string): void;
  /** Adds what an element after the last record says about it; false when it says nothing about that record. */
  addDetail?(node: XmlNode, last: RecordItem): boolean;
  /** Checks the file as a whole after reading it, before its last record is yielded. May throw `OperatorError`. */
  endFile?(): void;
}

interface XmlFormat {
  readonly name: string;
  readonly title: string;
  readonly register: string | null;
  /** Names of root elements; those of transactions may be followed by their standard, as in `TRANSACTIONS`. */
  readonly roots: readonly string[];
  /** Elements expected around the records. */
  readonly envelope: readonly string[];
  /** Its elements throw `UnreadableRecord`. */
  open(context: ReadContext, entry: SourceEntry): XmlFileReader;
}

export function openXmlFormat(format: XmlFormat): Format {
  const { name, title, register } = format;
  return {
    name,
    title,
    register,
    accepts: isXmlName,
    read: (entry, context) => readXmlRecords(entry, format, context),
  };
}

/** Whether a member of an archive is an XML file, not one of the files that some systems add to archives. */
export function isXmlName(entryName: string): boolean {
  return /(^|\/)[^/.][^/]*\.xml$/i.test(entryName) && !/(^|\/)__MACOSX\//.test(entryName);
}

/** Limit on the details added to one record; a file that exceeds it is of another kind. */
const DETAILS_MAX = 1_000;

interface HeldRecord extends RecordItem {
  kind: 'record';
  position: string;
  raw: () => string;
  sourceDigest?: string;
}

export async function* readXmlRecords(
  entry: SourceEntry,
  { title, roots, envelope, open }: Pick<XmlFormat, 'title' | 'roots' | 'envelope' | 'open'>,
  context: ReadContext,
): AsyncGenerator<FormatItem, void, undefined> {
  const reader = open(context, entry);
  const selection: XmlSelection = {
    records: new Set(Object.keys(reader.elements)),
    envelope: new Set(envelope),
    checkRoot(root) {
      const key = checkRootName(root, roots, title, entry.name);
      reader.checkRoot?.(root, key);
    },
  };
  let held: HeldRecord | SupplementItem | null = null;
  let details = 0;
  /** The digest of elements before a record that are not records themselves. */
  let aside = '';
  /** Issues found before the first of them. */
  let early: Issue[] = [];
  for await (const item of readXml(entry, selection)) {
    if (item.kind === 'stray') {
      noteOnce(held?.issues ?? early, 'unknown_element', { path: item.path, value: '' });
      continue;
    }
    if (item.kind === 'forbidden') {
      noteOnce(held?.issues ?? early, 'forbidden_character', { path: item.path, value: item.reason });
      continue;
    }
    const last: HeldRecord | null = held?.kind === 'record' ? held : null;
    if (item.kind === 'element' && last !== null && details < DETAILS_MAX && reader.addDetail?.(item.node, last)) {
      details++;
      last.sourceDigest = digestSource((last.sourceDigest ?? digestSource(last.raw())) + item.source());
      continue;
    }
    const result = readItem(reader, item, `${entry.name}, line ${item.line}`);
    if (result === null) {
      if (item.kind === 'element') aside = digestSource(aside + item.source());
      continue;
    }
    if (held !== null) yield held;
    held = null;
    details = 0;
    if (result.kind === 'reject') {
      yield result;
      continue;
    }
    if (result.kind === 'record' && aside !== '') {
      result.sourceDigest = digestSource(aside + digestSource(result.raw()));
      aside = '';
    }
    result.issues.unshift(...early);
    early = [];
    held = result;
  }
  reader.endFile?.();
  if (held !== null) yield held;
  // No record came that they could belong to.
  for (const issue of early) context.noteIssue?.(issue, 1);
}

/** Adds one issue for each path, however often the element occurs. */
function noteOnce(issues: Issue[], code: IssueCode, { path, value }: Omit<Issue, 'code'>): void {
  if (!issues.some((issue) => issue.code === code && issue.path === path)) issues.push({ code, path, value });
}

function readItem(
  reader: XmlFileReader,
  item: Extract<XmlItem, { kind: 'element' | 'reject' }>,
  position: string,
): HeldRecord | RejectItem | SupplementItem | null {
  if (item.kind === 'reject') {
    return { kind: 'reject', raw: item.source(), reason: `${item.name} ${item.reason}`, position };
  }
  try {
    const result = reader.elements[item.node.name]?.(item.node) ?? null;
    if (result !== null && 'kind' in result && holdsTooManyMarks(result.rows)) {
      throw new UnreadableRecord(`what it states ${MARKS_FAULT}`);
    }
    if (result === null || 'kind' in result) return result;
    return { kind: 'record', ...result, position, raw: item.source };
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    const reject: RejectItem = { kind: 'reject', raw: item.source(), reason: error.message, position };
    return error instanceof ForeignRecord ? { ...reject, isForeign: true } : reject;
  }
}

/** Files with a `Transaction` root that their namespace shows to be of another standard or office. */
const TRANSACTIONS: readonly (readonly [namespace: RegExp, root: string])[] = [
  [EARLY_ST96, 'Transaction (ST.96)'],
  [TSDR_ST66, 'Transaction (TSDR)'],
];

function rootKey(name: string, { attributes }: XmlRoot): string {
  const namespaces = name === 'Transaction' ? Object.values(attributes) : [];
  return TRANSACTIONS.find(([namespace]) => namespaces.some((each) => namespace.test(each)))?.[1] ?? name;
}

/**
 * The key of a root that the format reads. Throws `OperatorError`; the caller that catches it says what the file is.
 */
function checkRootName(root: XmlRoot, roots: readonly string[], title: string, entryName: string): string {
  const name = root.name.slice(root.name.indexOf(':') + 1);
  const key = rootKey(name, root);
  if (roots.includes(key)) return key;
  throw new OperatorError(`${entryName} is not ${title}: its root element is ${name}`);
}

/** The same reader for several elements that say something about the file. */
export function readersOf(names: Iterable<string>, read: (node: XmlNode) => void): XmlFileReader['elements'] {
  const reader = (node: XmlNode): null => {
    read(node);
    return null;
  };
  return Object.fromEntries([...names].map((name) => [name, reader]));
}

/** Reports a file that counts more or fewer records than it holds. */
export function noteCount(context: ReadContext, path: string, counted: number | null, held: number): void {
  if (counted === null || counted === held) return;
  context.noteIssue?.(buildIssue('count_differs', path, `${counted} counted, ${held} held`), 1);
}

/** The number that an element states; null for anything else. */
export function parseCount(text: string | null | undefined): number | null {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : null;
}
