/**
 * The file side of the ST.66 family: transactions around trademarks, read as a stream although most offices put one
 * mark in a file. Each mark is read in the dialect of the office it names. Files of parties belong to the family too:
 * they are recognized by their elements, and an archive may mix them with marks.
 */
import type { Issue } from '../../../record/document.ts';
import { childText, nodeText, type XmlNode } from '../../xml/xml-node.ts';
import type { Format, ReadContext } from '../format.ts';
import { orderInstant } from '../instants.ts';
import type { IssueCode } from '../issues.ts';
import {
  checkRootName,
  ForeignRecord,
  isXmlName,
  type RecordItem,
  readXmlRecords,
  type XmlRecordReader,
} from '../xml-records.ts';
import type { St66Dialect } from './dialect.ts';
import { ST66_OFFICES } from './offices.ts';
import { officeOfCode, officeOfRoot, PARTY_ELEMENTS, PARTY_ENVELOPE, readPartyStatement } from './party-file.ts';
import { readTradeMark } from './record.ts';
import { addSibling, SIBLING_ELEMENTS } from './siblings.ts';

const ROOTS = ['Transaction', 'TradeMark'];

const ENVELOPE = [
  'Transaction',
  'TransactionHeader',
  'SenderDetails',
  'TradeMarkTransactionBody',
  'TransactionContentDetails',
  // These identify the message, not the mark.
  'TransactionIdentifier',
  'TransactionData',
  'TradeMarkDetails',
  ...PARTY_ENVELOPE,
];

/** Elements that say something about the file. */
const HEADER_ELEMENTS = ['RequestProducerDateTime', 'TransactionCode'];

/** One format name of the family, with the dialects it reads. */
export interface St66FormatOptions {
  name: string;
  title: string;
  dialects: readonly St66Dialect[];
}

export const st66Format = openSt66Format({
  name: 'st66',
  title: `ST.66 XML of one of the offices ${ST66_OFFICES.map(({ office }) => office).join(', ')}`,
  dialects: ST66_OFFICES,
});

export function openSt66Format(options: St66FormatOptions): Format {
  const { name, title, dialects } = options;
  return {
    name,
    title,
    register: dialects.length === 1 ? (dialects[0]?.office ?? null) : null,
    accepts: isXmlName,
    read: (entry, context) => readXmlRecords(entry, openTradeMarkReader(options, context), context),
  };
}

function openTradeMarkReader(options: St66FormatOptions, context: ReadContext): XmlRecordReader {
  let producedAt: string | null = null;
  /** The office that the envelope names; only parties need it. */
  let sender: string | null = null;
  let isBare = false;
  /** Issues found before the first mark they could belong to. */
  let early: Issue[] = [];
  return {
    selection: {
      records: new Set(['TradeMark', ...PARTY_ELEMENTS, ...HEADER_ELEMENTS, ...SIBLING_ELEMENTS]),
      envelope: new Set(ENVELOPE),
      checkRoot(root, entryName) {
        checkRootName(root, ROOTS, options.title, entryName);
        isBare = /(^|:)TradeMark$/.test(root.name);
        sender = officeOfRoot(root);
      },
    },
    readRecord(node) {
      if (node.name === 'TradeMark') {
        const choice = choosePlace('mark', childText(node, 'RegistrationOfficeCode'), options, context.register);
        const { record, issues } = readTradeMark(node, { ...choice, isBare });
        const item = { record: { ...record, source_version: producedAt }, issues: [...early, ...issues] };
        early = [];
        return item;
      }
      if (PARTY_ELEMENTS.has(node.name)) {
        const place = choosePlace('party', sender, options, context.register);
        return readPartyStatement(node, { ...place, version: producedAt });
      }
      if (node.name === 'RequestProducerDateTime') producedAt = readProducedAt(node, context);
      else if (node.name === 'TransactionCode') sender = officeOfCode(nodeText(node)) ?? sender;
      else if (early.every(({ path }) => path !== node.name)) early.push(strandedIssue(node));
      return null;
    },
    addDetail(node: XmlNode, last: RecordItem) {
      if (!SIBLING_ELEMENTS.has(node.name)) return false;
      if (!addSibling(node, last)) last.issues.push(strandedIssue(node));
      return true;
    },
    endFile() {
      // No mark came that they could belong to.
      for (const issue of early) context.noteIssue?.(issue, 1);
    },
  };
}

/** How a mark or a party is read, and into which register it comes. */
interface St66Place {
  dialect: St66Dialect;
  register: string;
}

/**
 * The dialect of the office that the mark states, or the file of a party, which is its register. The operator may name
 * it only if none is stated. Throws `ForeignRecord` when it is not to be read here.
 */
function choosePlace(
  what: 'mark' | 'party',
  stated: string | null,
  { name, dialects }: St66FormatOptions,
  register: string | null,
): St66Place {
  const only = dialects.length === 1 ? dialects[0] : undefined;
  const office = stated?.toUpperCase() ?? only?.office ?? register;
  const offices = dialects.map((dialect) => dialect.office).join(', ');
  if (office === null) {
    const reason = what === 'mark' ? 'the mark has no RegistrationOfficeCode' : 'no office is named around the party';
    throw new ForeignRecord(`${reason}; say by --register which of ${offices} it is of`);
  }
  const dialect = dialects.find((each) => each.office === office);
  if (dialect === undefined) {
    throw new ForeignRecord(`the ${what} is of the register ${office}; ${name} reads ${offices}`);
  }
  if (register !== null && register !== office) {
    throw new ForeignRecord(`the ${what} is of the register ${office}, not of ${register} as --register says`);
  }
  return { dialect, register: office };
}

/** Null when nothing orders this file before or after others, which is reported unless the file is silent about it. */
function readProducedAt(node: XmlNode, context: ReadContext): string | null {
  const text = nodeText(node);
  const producedAt = orderInstant(text);
  if (text !== null && producedAt === null) {
    const code: IssueCode = 'impossible_date';
    context.noteIssue?.({ code, path: node.name, value: text.slice(0, 200) }, 1);
  }
  return producedAt;
}

function strandedIssue(node: XmlNode): Issue {
  return { code: 'stranded_detail' satisfies IssueCode, path: node.name, value: '' };
}
