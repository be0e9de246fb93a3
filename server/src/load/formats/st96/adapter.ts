/**
 * The file side of ST.96: transactions around bags of trademarks, read as a stream although most offices put one mark
 * in a file. Each mark names its office; answers from Switzerland are also recognized by their root element.
 */

import type { SourceEntry } from '../../sources/entry.ts';
import { childText, findChild, nodeText, type XmlNode } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import type { IssueCode } from '../issues.ts';
import { checkRootName, ForeignRecord, isXmlName, readXmlRecords, type XmlRecordReader } from '../xml-records.ts';
import { CA_DIALECT } from './ca.ts';
import { CH_DIALECT } from './ch.ts';
import type { St96Dialect } from './dialect.ts';
import { readTrademark } from './record.ts';
import { US_DIALECT } from './us.ts';

const DIALECTS: readonly St96Dialect[] = [US_DIALECT, CA_DIALECT, CH_DIALECT];
const OFFICES = DIALECTS.map(({ office }) => office).join(', ');

const ST96_ROOTS = [
  'TrademarkTransaction',
  'Transaction (ST.96)',
  'TrademarkApplication',
  'TrademarkBag',
  'Trademark',
  'ApiResponse',
] as const;

/** Elements around the marks: the message, its requests, and the paging of an answer. */
export const ST96_ENVELOPE = [
  'TrademarkTransaction',
  'Transaction',
  'TransactionHeader',
  'TrademarkTransactionBody',
  'TransactionContentBag',
  'TransactionIdentifier',
  'TransactionCategory',
  'TransactionData',
  'TrademarkApplication',
  'RequestSearch',
  'RequestSearchCategory',
  'RequestExamination',
  'RequestExaminationCategory',
  'TrademarkBag',
  'ApiResponse',
  'Result',
  'Data',
  'Continuations',
  'Continuation',
] as const;

export const st96Format: Format = {
  name: 'st96',
  title: `ST.96 XML of ${OFFICES}`,
  register: null,
  accepts: isXmlName,
  read: (entry, context) => readXmlRecords(entry, openSt96Reader(context, entry), context),
};

function openSt96Reader(context: ReadContext, { name: entryName, placedAs = entryName }: SourceEntry): XmlRecordReader {
  /** The office, where the root element of the file identifies it. */
  let office: string | null = null;
  let marks = 0;
  /** How many marks the answer says it holds; null if it does not say. */
  let counted: number | null = null;
  return {
    selection: {
      records: new Set(['Trademark', 'Meta']),
      envelope: new Set(ST96_ENVELOPE),
      checkRoot(root) {
        checkRootName(root, ST96_ROOTS, st96Format.title, entryName);
        if (root.name === 'ApiResponse') office = CH_DIALECT.office;
      },
    },
    readRecord(node) {
      if (node.name === 'Meta') {
        if (nodeText(findChild(node, 'TotalItemCount') ?? node) === '0') context.noteNoRecords?.();
        counted = readItemCount(node);
        return null;
      }
      marks += 1;
      const dialect = findDialect(node, office);
      checkRegister(context, dialect);
      return readTrademark(node, dialect, placedAs);
    },
    endFile() {
      if (counted === null || counted === marks) return;
      const value = `${counted} counted, ${marks} held`;
      context.noteIssue?.({ code: 'count_differs' satisfies IssueCode, path: 'Meta/ItemCount', value }, 1);
    },
  };
}

/** The marks of this page; all marks if the answer has no pages. */
function readItemCount(meta: XmlNode): number | null {
  const text = childText(meta, 'ItemCount') ?? childText(meta, 'TotalItemCount') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Throws `ForeignRecord` when the mark's office has no table, or differs from the office of its file. */
export function findDialect(mark: XmlNode, expected: string | null): St96Dialect {
  const stated = findChild(mark, 'RegistrationOfficeCode') ?? findChild(mark, 'ApplicationNumber/IPOfficeCode') ?? mark;
  const office = (nodeText(stated) ?? expected ?? '').toUpperCase();
  const dialect = DIALECTS.find((each) => each.office === office);
  if (dialect === undefined || (expected !== null && office !== expected)) {
    const what = office === '' ? 'states no office' : `is of the office ${office}`;
    throw new ForeignRecord(`the mark ${what}; ${expected ?? OFFICES} is read here`);
  }
  return dialect;
}

/** Throws `ForeignRecord` when the operator named another register than the mark's. */
export function checkRegister({ register }: ReadContext, { office }: St96Dialect): void {
  if (register === null || register === office) return;
  throw new ForeignRecord(`the mark is of the register ${office}, not of ${register} as --register says`);
}
