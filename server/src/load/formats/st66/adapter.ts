/**
 * The file side of the ST.66 family: transactions around trademarks, read as a stream although most offices put one
 * mark in a file. Each mark is read in the dialect of the office it names. Files of parties belong to the family too:
 * they are recognized by their elements, and an archive may mix them with marks.
 */
import type { Issue } from '../../../record/document.ts';
import type { PartyKind } from '../../../record/parties.ts';
import type { XmlRoot } from '../../xml/xml.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { orderInstant } from '../dates.ts';
import { childText, nodeText } from '../element.ts';
import { buildIssue, type Format, type ReadContext } from '../format.ts';
import { ForeignRecord, openXmlFormat, type RecordItem, readersOf, type XmlFileReader } from '../xml-records.ts';
import { EUIPO_DIALECT, ST66_OFFICES, type St66Dialect } from './dialects.ts';
import { addSibling, SIBLING_ELEMENTS } from './document.ts';
import { readPartyStatement } from './parties.ts';
import { readTradeMark } from './record.ts';

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
  'ApplicantDetails',
  'RepresentativeDetails',
];

/** One format name of the family, with the dialects it reads. */
interface St66FormatOptions {
  name: string;
  title: string;
  dialects: readonly St66Dialect[];
}

/** EUIPO open data: a zip with one file per mark, or a single such file. */
export const euipoFormat = openSt66Format({ name: 'euipo', title: 'EUIPO open data XML', dialects: [EUIPO_DIALECT] });

export const st66Format = openSt66Format({
  name: 'st66',
  title: `ST.66 XML of one of the offices ${ST66_OFFICES.map(({ office }) => office).join(', ')}`,
  dialects: ST66_OFFICES,
});

export function openSt66Format(options: St66FormatOptions): Format {
  const { name, title, dialects } = options;
  return openXmlFormat({
    name,
    title,
    register: dialects.length === 1 ? (dialects[0]?.office ?? null) : null,
    roots: ['Transaction', 'TradeMark'],
    envelope: ENVELOPE,
    open: (context) => openSt66File(options, context),
  });
}

function openSt66File(options: St66FormatOptions, context: ReadContext): XmlFileReader {
  let producedAt: string | null = null;
  /** The office that the envelope names; only parties need it. */
  let sender: string | null = null;
  let isBare = false;
  /** Issues found before the first mark they could belong to. */
  let early: Issue[] = [];
  const readParty = (kind: PartyKind) => (node: XmlNode) =>
    readPartyStatement(node, kind, { ...choosePlace('party', sender, options, context.register), version: producedAt });
  return {
    elements: {
      TradeMark(node) {
        const place = choosePlace('mark', childText(node, 'RegistrationOfficeCode'), options, context.register);
        const { record, issues } = readTradeMark(node, { ...place, isBare });
        const item = { record: { ...record, source_version: producedAt }, issues: [...early, ...issues] };
        early = [];
        return item;
      },
      Applicant: readParty('applicant'),
      Representative: readParty('representative'),
      RequestProducerDateTime(node) {
        producedAt = readProducedAt(node, context);
      },
      TransactionCode(node) {
        sender = OFFICE_IN_CODE.exec(nodeText(node) ?? '')?.[1] ?? sender;
      },
      ...readersOf(SIBLING_ELEMENTS, ({ name }) => {
        if (early.every(({ path }) => path !== name)) early.push(strandedIssue(name));
      }),
    },
    checkRoot(root, key) {
      isBare = key === 'TradeMark';
      sender = officeOfRoot(root);
    },
    addDetail(node: XmlNode, last: RecordItem) {
      if (!SIBLING_ELEMENTS.has(node.name)) return false;
      if (!addSibling(node, last)) last.issues.push(strandedIssue(node.name));
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
  if (text !== null && producedAt === null) context.noteIssue?.(buildIssue('impossible_date', node.name, text), 1);
  return producedAt;
}

const strandedIssue = (name: string): Issue => buildIssue('stranded_detail', name, '');

/** `GB-TM-Search Applicant` */
const OFFICE_IN_CODE = /^([A-Z]{2})-/;
/** `http://gb.tmview.europa.eu/trademark/applicant`, `http://euipo.europa.eu/trademark/data` */
const OFFICE_IN_NAMESPACE = /^https?:\/\/(?:([a-z]{2})\.tmview|(?:www\.)?(euipo))\.europa\.eu\//i;

/** The office that a namespace of the root belongs to; null when none does. */
function officeOfRoot({ attributes }: XmlRoot): string | null {
  for (const namespace of Object.values(attributes)) {
    const [, office, euipo] = OFFICE_IN_NAMESPACE.exec(namespace) ?? [];
    if (office !== undefined) return office.toUpperCase();
    if (euipo !== undefined) return 'EM';
  }
  return null;
}
