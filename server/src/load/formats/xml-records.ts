/**
 * What the readers of XML formats share: they turn the items of a file into records and rejects in source order, each
 * with its position. A record is held until the next one starts, so that details about it found later (an appeal beside
 * the mark, an unknown element) are still added to it.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Issue, SourceRecord } from '../../record/document.ts';
import { readXml, type XmlItem, type XmlRoot, type XmlSelection } from '../xml.ts';
import type { XmlNode } from '../xml-node.ts';
import type { FormatItem, SourceEntry } from './format.ts';
import type { IssueCode } from './issues.ts';

/** Whether a member of an archive is an XML file, not one of those that some systems add beside them. */
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
  /** Adds what an element beside the last record says about it; false when it says nothing about that record. */
  addDetail?(node: XmlNode, last: RecordItem): boolean;
  /** Throws `OperatorError` when an unexpected element shows that the file is of another kind. */
  checkStray?(path: string, entryName: string): void;
  /** Checks the file as a whole after reading it, before its last record is yielded. May throw `OperatorError`. */
  endFile?(): void;
}

/** Limit on the details added to one record; a file that exceeds it is of another kind. */
const DETAILS_MAX = 1_000;

interface HeldRecord extends RecordItem {
  kind: 'record';
  position: string;
  raw: () => string;
}

export async function* readXmlRecords(
  entry: SourceEntry,
  reader: XmlRecordReader,
): AsyncGenerator<FormatItem, void, undefined> {
  let held: HeldRecord | null = null;
  let details = 0;
  /** Issues found before the first record. */
  let early: Issue[] = [];
  for await (const item of readXml(entry, reader.selection)) {
    if (item.kind === 'stray') {
      reader.checkStray?.(item.path, entry.name);
      noteStray(held?.issues ?? early, item.path);
      continue;
    }
    if (item.kind === 'element' && held !== null && details < DETAILS_MAX && reader.addDetail?.(item.node, held)) {
      details++;
      continue;
    }
    const result = readItem(reader, item, `${entry.name}, line ${item.line}`);
    if (result === null) continue;
    if (held !== null) yield held;
    held = null;
    details = 0;
    if (result.kind === 'reject') {
      yield result;
      continue;
    }
    result.issues.unshift(...early);
    early = [];
    held = result;
  }
  reader.endFile?.();
  if (held !== null) yield held;
}

/** Adds one issue for each path, however often the element occurs. */
function noteStray(issues: Issue[], path: string): void {
  const code: IssueCode = 'unknown_element';
  if (!issues.some((issue) => issue.code === code && issue.path === path)) issues.push({ code, path, value: '' });
}

function readItem(
  reader: XmlRecordReader,
  item: Exclude<XmlItem, { kind: 'stray' }>,
  position: string,
): HeldRecord | Extract<FormatItem, { kind: 'reject' }> | null {
  if (item.kind === 'reject') {
    return { kind: 'reject', raw: item.source(), reason: `${item.name} ${item.reason}`, position };
  }
  try {
    const result = reader.readRecord(item.node);
    return result === null ? null : { kind: 'record', ...result, position, raw: item.source };
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    return { kind: 'reject', raw: item.source(), reason: error.message, position };
  }
}

/** Names of known kinds of files by root element, for the message that refuses a file. */
const KNOWN_ROOTS: Readonly<Record<string, string>> = {
  'trademark-applications-daily': 'USPTO trademark-applications-daily XML: try the format uspto-apc',
  'case-file': 'a USPTO case-file: try the format uspto-apc',
  Transaction: 'ST.66 XML: try the format st66',
  TradeMark: 'one ST.66 trade mark: try the format st66',
  HitList: 'the hits of a search at the DPMA, which are no full records: load the record of each mark',
  trademarkSearch: 'the hits of a search at the INPI, which are no full records: load the notice of each mark',
  'Transaction (ST.96)': 'ST.96 XML of an early edition: try the format st96',
  'Transaction (TSDR)': 'a USPTO TSDR answer in ST.66: try the format uspto-tsdr',
  TrademarkTransaction: 'ST.96 XML: try the format st96',
  TrademarkApplication: 'ST.96 XML: try the format st96',
  TrademarkBag: 'ST.96 XML: try the format st96',
  Trademark: 'one ST.96 trade mark: try the format st96',
  ApiResponse: 'an answer of the Swiss data delivery in ST.96: try the format st96',
  'trademark-assignments': 'USPTO assignment XML, which holds no trademark records',
  'ttab-proceedings': 'USPTO TTAB XML, which holds no trademark records',
  RegContentList: 'a TIPO gazette index: try the format tipo',
  tmarkappl: 'TIPO application data: try the format tipo',
  API: 'a TIPO answer: try the format tipo',
  revista: 'a journal of the INPI in Brazil: try the format inpi-br',
  processo: 'a process of the INPI in Brazil: try the format inpi-br',
  response: 'a KIPRIS answer: try the format kipris',
  html: 'a web page, perhaps an error page saved under this name',
};

/** Files with a `Transaction` root that their namespace shows to be of another standard or office. */
const TRANSACTIONS: readonly (readonly [namespace: string, root: string])[] = [
  ['http://www.wipo.int/standards/XMLSchema/Trademark/1', 'Transaction (ST.96)'],
  ['urn:us:gov:doc:uspto:trademark:status', 'Transaction (TSDR)'],
];

function rootKey(name: string, { attributes }: XmlRoot): string {
  if (name.toLowerCase() === 'html') return 'html';
  const namespaces = name === 'Transaction' ? Object.values(attributes) : [];
  return TRANSACTIONS.find(([namespace]) => namespaces.includes(namespace))?.[1] ?? name;
}

/** Throws `OperatorError` unless the root is one of those the format reads. */
export function checkRootName(root: XmlRoot, roots: readonly string[], title: string, entryName: string): void {
  const name = root.name.slice(root.name.indexOf(':') + 1);
  const key = rootKey(name, root);
  if (roots.includes(key)) return;
  const known = Object.hasOwn(KNOWN_ROOTS, key) ? KNOWN_ROOTS[key] : undefined;
  const hint = known === undefined ? '' : `; it looks like ${known}`;
  throw new OperatorError(`${entryName} is not ${title}: its root element is ${name}${hint}`);
}
