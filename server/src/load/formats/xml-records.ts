/**
 * What the readers of XML formats share: from the items of a file to records and rejects in source order, each with
 * its place. A record is held until the next one starts, so that what the file says about it afterwards (an appeal
 * beside the mark, an unknown element) still lands on it.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Issue, SourceRecord } from '../../record/document.ts';
import { readXml, type XmlItem, type XmlRoot, type XmlSelection } from '../xml.ts';
import type { XmlNode } from '../xml-node.ts';
import type { FormatItem, SourceEntry } from './format.ts';
import type { IssueCode } from './issues.ts';

/** Whether a member of an archive is an XML file; what some systems add beside the files is none. */
export function isXmlName(entryName: string): boolean {
  return /(^|\/)[^/.][^/]*\.xml$/i.test(entryName) && !/(^|\/)__MACOSX\//.test(entryName);
}

/** Why one record of a file cannot be read; the rest of the file can. */
export class UnreadableRecord extends Error {}

export interface RecordItem {
  record: SourceRecord;
  issues: Issue[];
}

export interface XmlRecordReader {
  selection: XmlSelection;
  /** Reads a record; null when the element only says something about the file. Throws `UnreadableRecord`. */
  readRecord(node: XmlNode): RecordItem | null;
  /** Adds to the last record what an element beside it says; false when it says nothing about that record. */
  addDetail?(node: XmlNode, last: RecordItem): boolean;
  /** Throws `OperatorError` when an unexpected element shows that the file is another kind of file. */
  checkStray?(path: string, entryName: string): void;
}

interface HeldRecord extends RecordItem {
  position: string;
  raw: () => string;
}

export async function* readXmlRecords(
  entry: SourceEntry,
  reader: XmlRecordReader,
): AsyncGenerator<FormatItem, void, undefined> {
  let held: HeldRecord | null = null;
  /** Issues of the file from before its first record. */
  let early: Issue[] = [];
  const release = function* (): Generator<FormatItem> {
    if (held !== null) yield { kind: 'record', ...held };
    held = null;
  };
  for await (const item of readXml(entry, reader.selection)) {
    const position = `${entry.name}, line ${item.line}`;
    if (item.kind === 'stray') {
      reader.checkStray?.(item.path, entry.name);
      (heldIssues(held) ?? early).push({ code: 'unknown_element' satisfies IssueCode, path: item.path, value: '' });
      continue;
    }
    if (item.kind === 'element' && held !== null && reader.addDetail?.(item.node, held)) continue;
    const result = item.kind === 'reject' ? refusedItem(item, position) : readItem(reader, item, position);
    if (result === null) continue;
    yield* release();
    if (result.kind === 'reject') {
      yield result;
      continue;
    }
    const { record, issues } = result;
    held = { record, issues: [...early, ...issues], position, raw: item.source };
    early = [];
  }
  yield* release();
}

function heldIssues(held: HeldRecord | null): Issue[] | null {
  return held?.issues ?? null;
}

function refusedItem(item: Extract<XmlItem, { kind: 'reject' }>, position: string): FormatItem {
  return { kind: 'reject', raw: item.source(), reason: `${item.name} ${item.reason}`, position };
}

function readItem(
  reader: XmlRecordReader,
  item: Extract<XmlItem, { kind: 'element' }>,
  position: string,
): FormatItem | null {
  try {
    const result = reader.readRecord(item.node);
    return result === null ? null : { kind: 'record', ...result, position };
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    return { kind: 'reject', raw: item.source(), reason: error.message, position };
  }
}

/** What a file is by its root element, for the message that refuses it. */
const KNOWN_ROOTS: Readonly<Record<string, string>> = {
  'trademark-applications-daily': 'USPTO trademark-applications-daily XML: try the format uspto-apc',
  'case-file': 'a USPTO case-file: try the format uspto-apc',
  Transaction: 'ST.66 XML of the EUIPO family: try the format euipo',
  TradeMark: 'one ST.66 trade mark: try the format euipo',
  TrademarkTransaction: 'ST.96 XML, which is not read yet',
  TrademarkBag: 'ST.96 XML, which is not read yet',
  Trademark: 'ST.96 XML, which is not read yet',
  'trademark-assignments': 'USPTO assignment XML, which holds no trademark records',
  'ttab-proceedings': 'USPTO TTAB XML, which holds no trademark records',
  RegContentList: 'a TIPO gazette index, which is not read yet',
  tmarkappl: 'a TIPO application answer, which is not read yet',
  revista: 'an INPI Brazil gazette, which is not read yet',
  response: 'a KIPRIS answer, which is not read yet',
  html: 'a web page, perhaps an error page saved under this name',
};

/** Throws `OperatorError` unless the root is one of the format's own. */
export function checkRootName(root: XmlRoot, roots: readonly string[], title: string, entryName: string): void {
  const name = root.name.slice(root.name.indexOf(':') + 1);
  if (roots.includes(name)) return;
  const known = KNOWN_ROOTS[name] ?? KNOWN_ROOTS[name.toLowerCase()];
  const hint = known === undefined ? '' : `; it looks like ${known}`;
  throw new OperatorError(`${entryName} is not ${title}: its root element is ${name}${hint}`);
}
