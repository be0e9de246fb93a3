/**
 * The file side of the ST.66 family: transactions around trademarks, read as a stream although most offices put one
 * mark in a file. Each mark is read in the dialect of the office it names. Files of parties belong to the family too:
 * what they hold is recognized by its elements, and an archive may mix them with marks.
 */
import { OperatorError } from '../../../base/errors.ts';
import type { Issue } from '../../../record/document.ts';
import { childText, nodeText, type XmlNode } from '../../xml-node.ts';
import type { Format, ReadContext, SourceEntry } from '../format.ts';
import type { IssueCode } from '../issues.ts';
import {
  checkRootName,
  isXmlName,
  type RecordItem,
  readXmlRecords,
  UnreadableRecord,
  type XmlRecordReader,
} from '../xml-records.ts';
import type { St66Dialect } from './dialect.ts';
import { ST66_OFFICES } from './offices.ts';
import { officeOfCode, officeOfRoot, PARTY_ELEMENTS, PARTY_ENVELOPE, readPartyStatement } from './party-file.ts';
import { readTradeMark } from './record.ts';
import { addSibling, SIBLING_ELEMENTS } from './siblings.ts';
import { parseProducedAt } from './versions.ts';

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

/** What a transaction may hold instead of marks. */
const OTHER_CONTENTS: Readonly<Record<string, string>> = {
  TransactionErrorDetails: 'an answer of the office that reports an error, not trade marks',
};

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
    read: (entry, context) => readXmlRecords(entry, openTradeMarkReader(options, entry, context)),
  };
}

function openTradeMarkReader(options: St66FormatOptions, entry: SourceEntry, context: ReadContext): XmlRecordReader {
  /** A file whose first mark is of a foreign office is refused as a whole, unless it is one member of an archive. */
  let refusesFile = entry.isMember !== true;
  let producedAt: string | null = null;
  /** The office that the envelope names; only parties need it. */
  let sender: string | null = null;
  let isBare = false;
  /** Issues found before the first mark they could belong to. */
  let early: Issue[] = [];
  const choose = (what: 'mark' | 'party', stated: string | null): St66Place => {
    const choice = choosePlace(stated, what, options, context.register);
    if ('refusal' in choice) throw refuse(choice.refusal, refusesFile ? entry.name : null);
    refusesFile = false;
    return choice;
  };
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
        const choice = choose('mark', childText(node, 'RegistrationOfficeCode'));
        const { record, issues } = readTradeMark(node, { ...choice, isBare });
        const item = { record: { ...record, source_version: producedAt }, issues: [...early, ...issues] };
        early = [];
        return item;
      }
      if (PARTY_ELEMENTS.has(node.name)) {
        return readPartyStatement(node, { ...choose('party', sender), version: producedAt });
      }
      if (node.name === 'RequestProducerDateTime') producedAt = parseProducedAt(nodeText(node));
      else if (node.name === 'TransactionCode') sender = officeOfCode(nodeText(node)) ?? sender;
      else if (early.every(({ path }) => path !== node.name)) early.push(strandedIssue(node));
      return null;
    },
    addDetail(node: XmlNode, last: RecordItem) {
      if (!SIBLING_ELEMENTS.has(node.name)) return false;
      if (!addSibling(node, last)) last.issues.push(strandedIssue(node));
      return true;
    },
    checkStray(path, entryName) {
      const contents = OTHER_CONTENTS[path.slice(path.lastIndexOf('/') + 1)];
      if (contents !== undefined) throw new OperatorError(`${entryName} is ${contents}`);
    },
  };
}

/** How a mark or a party is read, and into which register it comes. */
interface St66Place {
  dialect: St66Dialect;
  register: string;
}

/**
 * The operator may name another register for a format of one office. For a format of several offices, the register the
 * operator names must be the one that is stated.
 */
function choosePlace(
  stated: string | null,
  what: 'mark' | 'party',
  { name, dialects }: St66FormatOptions,
  register: string | null,
): St66Place | { refusal: string } {
  const only = dialects.length === 1 ? dialects[0] : undefined;
  const office = stated?.toUpperCase() ?? only?.office ?? register;
  const offices = dialects.map((dialect) => dialect.office).join(', ');
  if (office === null) {
    const reason = what === 'mark' ? 'the mark has no RegistrationOfficeCode' : 'no office is named around the party';
    return { refusal: `${reason}; say by --register which of ${offices} it is of` };
  }
  const dialect = dialects.find((each) => each.office === office);
  if (dialect === undefined) {
    const other = ST66_OFFICES.some((each) => each.office === office) ? ': try the format st66' : '';
    return { refusal: `the ${what} is of the register ${office}; ${name} reads ${offices}${other}` };
  }
  if (only === undefined && register !== null && register !== office) {
    return { refusal: `the ${what} is of the register ${office}, not of ${register} as --register says` };
  }
  return { dialect, register: register ?? office };
}

/** `entryName`: the file that is refused as a whole; null refuses one mark or party. */
function refuse(refusal: string, entryName: string | null): Error {
  return entryName === null ? new UnreadableRecord(refusal) : new OperatorError(`${entryName}: ${refusal}`);
}

function strandedIssue(node: XmlNode): Issue {
  return { code: 'stranded_detail' satisfies IssueCode, path: node.name, value: '' };
}
