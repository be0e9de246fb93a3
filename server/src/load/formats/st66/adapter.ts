/**
 * The file side of the ST.66 family: transactions around trade marks, read as a stream although most offices put one
 * mark in a file. Files of parties belong to the family too; they are recognised and refused, as reading one as marks
 * would load nothing and say nothing.
 */
import { OperatorError } from '../../../base/errors.ts';
import type { Issue } from '../../../record/document.ts';
import { nodeText, type XmlNode } from '../../xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import type { IssueCode } from '../issues.ts';
import { checkRootName, isXmlName, type RecordItem, readXmlRecords, type XmlRecordReader } from '../xml-records.ts';
import type { St66Dialect } from './dialect.ts';
import { readTradeMark } from './record.ts';
import { addSibling, SIBLING_ELEMENTS } from './siblings.ts';

const ROOTS = ['Transaction', 'TradeMark'];

const ENVELOPE = [
  'Transaction',
  'TransactionHeader',
  'SenderDetails',
  'TradeMarkTransactionBody',
  'TransactionContentDetails',
  // Both name the message, not the mark.
  'TransactionIdentifier',
  'TransactionCode',
  'TransactionData',
  'TradeMarkDetails',
];

const PARTY_FILES: Readonly<Record<string, string>> = {
  ApplicantDetails: 'applicants',
  RepresentativeDetails: 'representatives',
};

export function openSt66Format(dialect: St66Dialect): Format {
  return {
    name: dialect.format,
    title: dialect.title,
    register: dialect.office,
    accepts: isXmlName,
    read: (entry, context) => readXmlRecords(entry, openTradeMarkReader(dialect, context)),
  };
}

function openTradeMarkReader(dialect: St66Dialect, context: ReadContext): XmlRecordReader {
  const register = context.register ?? dialect.office;
  let producedAt: string | null = null;
  /** What stood before the first mark it could belong to. */
  let early: Issue[] = [];
  return {
    selection: {
      records: new Set(['TradeMark', 'RequestProducerDateTime', ...SIBLING_ELEMENTS]),
      envelope: new Set(ENVELOPE),
      checkRoot: (root, entryName) => checkRootName(root, ROOTS, dialect.title, entryName),
    },
    readRecord(node) {
      if (node.name === 'TradeMark') {
        const { record, issues } = readTradeMark(node, dialect, register);
        const item = { record: { ...record, source_version: producedAt }, issues: [...early, ...issues] };
        early = [];
        return item;
      }
      if (node.name === 'RequestProducerDateTime') producedAt = parseProducedAt(nodeText(node));
      else if (early.every(({ path }) => path !== node.name)) early.push(strandedIssue(node));
      return null;
    },
    addDetail(node: XmlNode, last: RecordItem) {
      if (!SIBLING_ELEMENTS.has(node.name)) return false;
      if (!addSibling(node, last)) last.issues.push(strandedIssue(node));
      return true;
    },
    checkStray(path, entryName) {
      const parties = PARTY_FILES[path.slice(path.lastIndexOf('/') + 1)];
      if (parties === undefined) return;
      throw new OperatorError(`${entryName} is a file of ${parties}, not of trade marks; it is not read yet`);
    },
  };
}

function strandedIssue(node: XmlNode): Issue {
  return { code: 'stranded_detail' satisfies IssueCode, path: node.name, value: '' };
}

/** Orders versions of one mark as text, so only the one form without a zone counts. */
function parseProducedAt(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text) ? text : null;
}
