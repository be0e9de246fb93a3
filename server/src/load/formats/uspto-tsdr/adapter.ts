/**
 * Answers of the office's case service (TSDR): one case per file, or an archive of such files, in any of its standards:
 * ST.96 in three editions, or the older ST.66, whose elements are first renamed to those of ST.96. Every answer is the
 * full current state of its case.
 */

import type { Issue } from '../../../record/document.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { findChild } from '../element.ts';
import { buildIssue, type ReadContext } from '../format.ts';
import { checkRegister, findDialect, ST96_ENVELOPE } from '../st96/adapter.ts';
import { US_DIALECT } from '../st96/dialects.ts';
import { readTrademark } from '../st96/record.ts';
import { ForeignRecord, openXmlFormat, type RecordItem, type XmlFileReader } from '../xml-records.ts';
import { ST66_NAMES } from './st66-names.ts';
import { translate } from './translate.ts';

/** A transaction of ST.66 whose namespace does not identify its office. */
const ANY_ST66 = 'Transaction';
/** The applicants next to a mark in ST.66. */
const APPLICANTS = 'ApplicantDetails';

export const usptoTsdrFormat = openXmlFormat({
  name: 'uspto-tsdr',
  title: 'USPTO TSDR XML in ST.96 or ST.66',
  register: US_DIALECT.office,
  roots: ['TrademarkTransaction', 'Transaction (ST.96)', 'Trademark', 'Transaction (TSDR)', ANY_ST66, 'TradeMark'],
  envelope: [
    ...ST96_ENVELOPE,
    'TradeMarkTransactionBody',
    'TransactionContentDetails',
    'TransactionCode',
    'TradeMarkDetails',
  ],
  open: openTsdrFile,
});

function openTsdrFile(context: ReadContext): XmlFileReader {
  /** The last ST.66 mark with its applicants so far, and the issues raised by reading it. */
  let held: XmlNode | null = null;
  let found: Issue[] = [];
  /** Applicants that precede the first mark. */
  let early: XmlNode[] = [];
  let mustNameOffice = false;
  const checkOffice = (mark: XmlNode): void => {
    held = null;
    if (mustNameOffice && findChild(mark, 'RegistrationOfficeCode') === null) {
      throw new ForeignRecord('neither the mark nor the file says that it is of the office US');
    }
    checkRegister(context, findDialect(mark, US_DIALECT.office));
  };
  const readHeld = (mark: XmlNode): RecordItem => {
    held = mark;
    const item = readSt66Mark(mark);
    // A copy, because later parts of the file add to the record's own list.
    found = [...item.issues];
    return item;
  };
  return {
    elements: {
      Trademark(mark) {
        checkOffice(mark);
        return readTrademark(mark, US_DIALECT);
      },
      TradeMark(node) {
        checkOffice(node);
        const mark = addChildren(node, early);
        early = [];
        return readHeld(mark);
      },
      [APPLICANTS](applicants) {
        early.push(applicants);
      },
    },
    checkRoot(_root, key) {
      mustNameOffice = key === ANY_ST66;
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
      if (early.length > 0) context.noteIssue?.(buildIssue('stranded_detail', APPLICANTS, ''), early.length);
    },
  };
}

function addChildren(node: XmlNode, children: readonly XmlNode[]): XmlNode {
  return children.length === 0 ? node : { ...node, children: [...node.children, ...children] };
}

function readSt66Mark(node: XmlNode): RecordItem {
  const strange: Issue[] = [];
  const mark = translate(node, 'Trademark', ST66_NAMES, (path, value) => {
    if (strange.some((issue) => issue.path === path)) return;
    strange.push({ ...buildIssue('unknown_element', path, ''), value: value.slice(0, 200) });
  });
  const { record, issues } = readTrademark(mark, US_DIALECT);
  return { record, issues: [...issues, ...strange] };
}
