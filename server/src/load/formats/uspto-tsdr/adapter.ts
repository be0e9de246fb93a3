/**
 * Answers of the office's case service (TSDR): one case per file, or an archive of such files, in any of its standards:
 * ST.96 in three editions, or the older ST.66, whose elements are first renamed to those of ST.96. Every answer is the
 * full current state of its case.
 */
import type { Issue } from '../../../record/document.ts';
import { findChild, type XmlNode } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import type { IssueCode } from '../issues.ts';
import { checkRegister, findDialect, ST96_ENVELOPE } from '../st96/adapter.ts';
import { readTrademark } from '../st96/record.ts';
import { US_DIALECT } from '../st96/us.ts';
import {
  checkRootName,
  ForeignRecord,
  isXmlName,
  type RecordItem,
  readXmlRecords,
  type XmlRecordReader,
} from '../xml-records.ts';
import { ST66_NAMES } from './st66-names.ts';
import { translate } from './translate.ts';

/** A transaction of ST.66 whose namespace does not identify its office. */
const ANY_ST66 = 'Transaction';

const ROOTS = ['TrademarkTransaction', 'Transaction (ST.96)', 'Trademark', 'Transaction (TSDR)', ANY_ST66, 'TradeMark'];

const ENVELOPE = [
  ...ST96_ENVELOPE,
  'TradeMarkTransactionBody',
  'TransactionContentDetails',
  'TransactionCode',
  'TradeMarkDetails',
];

/** The mark in ST.96, the mark in ST.66, and the applicants next to it in ST.66. */
const MARK_96 = 'Trademark';
const MARK_66 = 'TradeMark';
const APPLICANTS = 'ApplicantDetails';

export const usptoTsdrFormat: Format = {
  name: 'uspto-tsdr',
  title: 'USPTO TSDR XML in ST.96 or ST.66',
  register: US_DIALECT.office,
  accepts: isXmlName,
  read: (entry, context) => readXmlRecords(entry, openTsdrReader(context, entry.name), context),
};

function openTsdrReader(context: ReadContext, entryName: string): XmlRecordReader {
  /** The last ST.66 mark with its applicants so far, and the issues raised by reading it. */
  let held: XmlNode | null = null;
  let found: Issue[] = [];
  /** Applicants that precede the first mark. */
  let early: XmlNode[] = [];
  let mustNameOffice = false;
  const readHeld = (mark: XmlNode): RecordItem => {
    held = mark;
    const item = readSt66Mark(mark);
    // A copy, because later parts of the file add to the record's own list.
    found = [...item.issues];
    return item;
  };
  return {
    selection: {
      records: new Set([MARK_96, MARK_66, APPLICANTS]),
      envelope: new Set(ENVELOPE),
      checkRoot(root) {
        mustNameOffice = checkRootName(root, ROOTS, usptoTsdrFormat.title, entryName) === ANY_ST66;
      },
    },
    readRecord(node) {
      if (node.name === APPLICANTS) {
        early.push(node);
        return null;
      }
      held = null;
      if (mustNameOffice && findChild(node, 'RegistrationOfficeCode') === null) {
        throw new ForeignRecord('neither the mark nor the file says that it is of the office US');
      }
      checkRegister(context, findDialect(node, US_DIALECT.office));
      if (node.name === MARK_96) return readTrademark(node, US_DIALECT);
      const mark = addChildren(node, early);
      early = [];
      return readHeld(mark);
    },
    addDetail(node: XmlNode, last: RecordItem) {
      if (node.name !== APPLICANTS || held === null) return false;
      const others = last.issues.filter((issue) => !found.includes(issue));
      const { record, issues } = readHeld(addChildren(held, [node]));
      last.record = record;
      last.issues = [...others, ...issues];
      return true;
    },
    endFile() {
      // No mark came that they could belong to.
      const code: IssueCode = 'stranded_detail';
      if (early.length > 0) context.noteIssue?.({ code, path: APPLICANTS, value: '' }, early.length);
    },
  };
}

function addChildren(node: XmlNode, children: readonly XmlNode[]): XmlNode {
  return children.length === 0 ? node : { ...node, children: [...node.children, ...children] };
}

function readSt66Mark(node: XmlNode): RecordItem {
  const strange: Issue[] = [];
  const mark = translate(node, MARK_96, ST66_NAMES, (path, value) => {
    const code: IssueCode = 'unknown_element';
    if (strange.every((issue) => issue.path !== path)) strange.push({ code, path, value: value.slice(0, 200) });
  });
  const { record, issues } = readTrademark(mark, US_DIALECT);
  return { record, issues: [...issues, ...strange] };
}
