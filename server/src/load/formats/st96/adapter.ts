/**
 * The file side of ST.96: transactions around bags of trademarks, read as a stream although most offices put one mark
 * in a file. Each mark names its office; answers from Switzerland are also recognized by their root element.
 */

import type { SourceEntry } from '../../sources/files.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { splitWords } from '../document.ts';
import { childText, findChild, nodeText } from '../element.ts';
import type { ReadContext } from '../format.ts';
import { ForeignRecord, noteCount, openXmlFormat, parseCount, type XmlFileReader } from '../xml-records.ts';
import { CA_DIALECT, CH_DIALECT, type St96Dialect, US_DIALECT } from './dialects.ts';
import { readTrademark } from './record.ts';

const DIALECTS: readonly St96Dialect[] = [US_DIALECT, CA_DIALECT, CH_DIALECT];
const OFFICES = DIALECTS.map(({ office }) => office).join(', ');

/** Elements around the marks: the message, its requests, and the paging of an answer. */
export const ST96_ENVELOPE = splitWords(`
  TrademarkTransaction Transaction TransactionHeader TrademarkTransactionBody TransactionContentBag
  TransactionIdentifier TransactionCategory TransactionData TrademarkApplication RequestSearch RequestSearchCategory
  RequestExamination RequestExaminationCategory TrademarkBag ApiResponse Result Data Continuations Continuation
`);

export const st96Format = openXmlFormat({
  name: 'st96',
  title: `ST.96 XML of ${OFFICES}`,
  register: null,
  roots: [
    'TrademarkTransaction',
    'Transaction (ST.96)',
    'TrademarkApplication',
    'TrademarkBag',
    'Trademark',
    'ApiResponse',
  ],
  envelope: ST96_ENVELOPE,
  open: openSt96File,
});

function openSt96File(context: ReadContext, { name, placedAs = name }: SourceEntry): XmlFileReader {
  /** The office, where the root element of the file identifies it. */
  let office: string | null = null;
  let marks = 0;
  /** How many marks the answer says it holds; null if it does not say. */
  let counted: number | null = null;
  return {
    elements: {
      Meta(meta) {
        if (nodeText(findChild(meta, 'TotalItemCount') ?? meta) === '0') context.noteNoRecords?.();
        // The marks of this page; all marks if the answer has no pages.
        counted = parseCount(childText(meta, 'ItemCount') ?? childText(meta, 'TotalItemCount'));
      },
      Trademark(mark) {
        marks += 1;
        const dialect = findDialect(mark, office);
        checkRegister(context, dialect);
        return readTrademark(mark, dialect, placedAs);
      },
    },
    checkRoot(root) {
      if (root.name === 'ApiResponse') office = CH_DIALECT.office;
    },
    endFile: () => noteCount(context, 'Meta/ItemCount', counted, marks),
  };
}

/** Throws `ForeignRecord` when the mark's office has no table, or differs from the office of its file. */
export function findDialect(mark: XmlNode, expected: string | null): St96Dialect {
  const stated = findChild(mark, 'RegistrationOfficeCode') ?? findChild(mark, 'ApplicationNumber/IPOfficeCode') ?? mark;
  const office = (nodeText(stated) ?? expected ?? '').toUpperCase();
  const dialect = DIALECTS.find((each) => each.office === office);
  if (dialect === undefined || (expected !== null && office !== expected)) {
    const what = office === '' ? 'states no office' : `is of the office ${office}`;
    throw new ForeignRecord(`the mark ${what}; ${expected === null ? `${OFFICES} are` : `${expected} is`} read here`);
  }
  return dialect;
}

/** Throws `ForeignRecord` when the operator named another register than the mark's. */
export function checkRegister({ register }: ReadContext, { office }: St96Dialect): void {
  if (register === null || register === office) return;
  throw new ForeignRecord(`the mark is of the register ${office}, not of ${register} as --register says`);
}
