/**
 * Recognizes a file by its beginning alone: one table of every kind of file that an operator may have, and of the
 * formats that read it. Loads refuse by this table, and `tmds inspect` chooses a format by it. It reads no record and
 * knows formats only by name, so that readers of formats may import it.
 */
import { basename } from 'node:path';
import type { Head } from './head.ts';

export interface Recognition {
  /** For a sentence: "a TIPO gazette index". */
  readonly seen: string;
  /** The formats that read it, the best first; empty if none does. */
  readonly formats: readonly string[];
  /** What to do if no format reads it; null if nothing can be done with this file. */
  readonly remedy: string | null;
}

/** A kind of file: all conditions that a row states must hold, and the first row that fits counts. */
interface FileKind {
  seen: string;
  formats?: readonly string[];
  remedy?: string;
  /** Local names of the root element; the row is of XML then. */
  roots?: readonly string[];
  /** A value of one of the root's namespace declarations. */
  namespace?: RegExp;
  /** The first office that the file states, empty where it states none. */
  office?: RegExp;
  /** An element that the head contains, as `child` or `parent/child`. */
  element?: string;
  /** What the first element with a name states. */
  stated?: readonly [element: string, text: RegExp];
  /** The start of the text, ignoring letter case, whatever the root. */
  text?: RegExp;
  /** How the bytes start, one character a byte. */
  bytes?: RegExp;
  /** The name of the file, without its folders. */
  name?: RegExp;
}

const ST66_ROOTS = ['Transaction', 'TradeMark'];
const ST96_ROOTS = ['TrademarkTransaction', 'TrademarkApplication', 'TrademarkBag', 'Trademark', 'ApiResponse'];
/** Namespaces of files with the root `Transaction` that are not of ST.66 as other offices write it. */
export const EARLY_ST96 = /^http:\/\/www\.wipo\.int\/standards\/XMLSchema\/Trademark\/1$/;
export const TSDR_ST66 = /^urn:us:gov:doc:uspto:trademark:status$/;

/** Namespaces of files that national offices write for the common search of Europe, such as `gb.tmview.europa.eu`. */
const NATIONAL = /^https?:\/\/[a-z]{2}\.tmview\.europa\.eu\//;

/** Offices whose marks are read; a file that names none may be of one of them. */
const ST66_READ = /^(?:EM|GB|SE|DE|FR|RO|WO)?$/;
const ST96_READ = /^(?:US|CA|CH)?$/;

export const KINDS: readonly FileKind[] = [
  { seen: 'an empty file', remedy: 'fetch the file again', bytes: /^$/ },

  // ST.66 and ST.96. The first edition of ST.96 has the root of ST.66.
  { seen: 'USPTO TSDR XML in early ST.96', formats: ['uspto-tsdr', 'st96'], namespace: EARLY_ST96, office: /^US$/ },
  { seen: 'ST.96 XML of an early edition', formats: ['st96'], namespace: EARLY_ST96, office: ST96_READ },
  { seen: 'ST.96 XML of an office whose marks are not read', namespace: EARLY_ST96 },
  { seen: 'USPTO TSDR XML in ST.96', formats: ['uspto-tsdr', 'st96'], roots: ST96_ROOTS, office: /^US$/ },
  { seen: 'an answer of the Swiss data delivery in ST.96', formats: ['st96'], roots: ['ApiResponse'] },
  { seen: 'ST.96 XML', formats: ['st96'], roots: ST96_ROOTS, office: ST96_READ },
  { seen: 'ST.96 XML of an office whose marks are not read', roots: ST96_ROOTS },
  {
    seen: 'an ST.66 answer that reports an error',
    remedy: 'ask the service again',
    roots: ST66_ROOTS,
    element: 'TransactionErrorDetails',
  },
  { seen: 'USPTO TSDR XML in ST.66', formats: ['uspto-tsdr'], roots: ST66_ROOTS, namespace: TSDR_ST66 },
  { seen: 'a US mark in ST.66', formats: ['uspto-tsdr'], roots: ST66_ROOTS, office: /^US$/ },
  {
    seen: 'an ST.66 file of applicants of a national office',
    formats: ['st66'],
    roots: ['Transaction'],
    namespace: NATIONAL,
    element: 'TransactionData/ApplicantDetails',
  },
  {
    seen: 'an ST.66 file of representatives of a national office',
    formats: ['st66'],
    roots: ['Transaction'],
    namespace: NATIONAL,
    element: 'TransactionData/RepresentativeDetails',
  },
  {
    seen: 'an ST.66 file of applicants',
    formats: ['euipo', 'st66'],
    roots: ['Transaction'],
    element: 'TransactionData/ApplicantDetails',
  },
  {
    seen: 'an ST.66 file of representatives',
    formats: ['euipo', 'st66'],
    roots: ['Transaction'],
    element: 'TransactionData/RepresentativeDetails',
  },
  { seen: 'an EU mark in ST.66', formats: ['euipo', 'st66'], roots: ST66_ROOTS, office: /^EM$/ },
  { seen: 'ST.66 XML', formats: ['st66'], roots: ST66_ROOTS, office: ST66_READ },
  { seen: 'ST.66 XML of an office whose marks are not read', roots: ST66_ROOTS },
  {
    seen: 'the hits of a search at the DPMA, which are not full records',
    remedy: 'load the record of each mark',
    roots: ['HitList'],
  },
  {
    seen: 'the hits of a search at the INPI, which are not full records',
    remedy: 'load the notice of each mark',
    roots: ['trademarkSearch'],
  },

  // Offices with their own form.
  {
    seen: 'USPTO trademark-applications-daily XML',
    formats: ['uspto-apc'],
    roots: ['trademark-applications-daily', 'case-file'],
  },
  { seen: 'USPTO assignments', formats: ['uspto-assignments'], roots: ['trademark-assignments'] },
  { seen: 'USPTO TTAB proceedings', formats: ['uspto-ttab'], roots: ['ttab-proceedings'] },
  {
    seen: 'an answer of USPTO TTABVUE',
    remedy: 'the TTAB files of the office (ttab-proceedings) hold the same proceedings',
    roots: ['uspto-ttabvue-document'],
  },
  {
    seen: 'a KIPRIS answer about the goods of a mark that it does not name',
    remedy: 'load the answer about the mark',
    roots: ['response'],
    element: 'items/trademarkDesignationGoodstInfo',
  },
  {
    seen: 'a KIPRIS answer about the file of one mark',
    remedy: 'load the answer of a search',
    roots: ['response'],
    element: 'item/biblioSummaryInfoArray',
  },
  {
    seen: 'a KIPRIS answer that reports an error',
    remedy: 'ask the service again',
    roots: ['response'],
    // 20 says that nothing was found.
    stated: ['resultCode', /^(?!20$)0*[^0]/],
  },
  { seen: 'a KIPRIS answer', formats: ['kipris'], roots: ['response', 'items'] },
  { seen: 'a KIPRIS answer', formats: ['kipris'], roots: ['root'], element: 'items' },
  { seen: 'a TIPO gazette index', formats: ['tipo'], roots: ['RegContentList'] },
  { seen: 'TIPO application data', formats: ['tipo'], roots: ['tmarkappl', 'API'] },
  { seen: 'a journal of the INPI in Brazil, or a process of it', formats: ['inpi-br'], roots: ['revista', 'processo'] },

  // Text.
  { seen: 'a table of the Japanese weekly set', formats: ['jpo'], name: /^(upd|del)_\w+\.tsv$/i },
  {
    seen: 'a table of the open data of IP Australia',
    formats: ['ip-australia'],
    text: /^"?ip_right_type"?,"?application_number"?[,\r\n]/i,
  },
  { seen: 'normalized records, one a line', formats: ['ndjson'], text: /^\{[^\n]*"jurisdiction_code"\s*:/ },
  {
    seen: 'a web page, perhaps an error page saved under this name',
    remedy: 'fetch the file again',
    text: /^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*)*(<!doctype html|<html|<head)/i,
  },
  { seen: 'XML of an unknown kind', text: /^<(\?xml|!doctype|!--|[a-z_])/i },
  {
    seen: 'a USPTO TSDR answer in JSON',
    remedy: 'ask for the same case in XML',
    text: /^\{[^{}]*"(?:trademarks|transactionList)"\s*:\s*\[/,
  },
  {
    seen: 'the hits of a search at TMview, which are not full records',
    remedy: 'load the files of the offices',
    text: /^\{[^{}]*"tradeMarks"\s*:\s*\[/,
  },
  { seen: 'JSON', text: /^[{[]/ },

  // Containers and binary files.
  { seen: 'a zip archive', remedy: 'unpack it and load its contents', bytes: /^PK(\x03\x04|\x05\x06)/ },
  { seen: 'a gzip file', remedy: 'unpack it and load its contents', bytes: /^\x1f\x8b/ },
  { seen: 'a tar archive', remedy: 'unpack it and load its contents', bytes: /^[\s\S]{257}ustar/ },
  { seen: 'a PDF document', bytes: /^%PDF-/ },
  { seen: 'a picture', bytes: /^(\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*)/ },
  { seen: 'UTF-16 text', remedy: 'convert it to UTF-8', bytes: /^(\xff\xfe|\xfe\xff)/ },
  { seen: 'tab-separated text', bytes: /^[^\0\n\t]*\t[^\0]*$/ },
  { seen: 'separated text (CSV)', bytes: /^[^\0\n,;|]*[,;|][^\0]*$/ },
  { seen: 'text', bytes: /^[^\0]*$/ },
];

const UNKNOWN: Recognition = { seen: 'binary data', formats: [], remedy: null };

/** Never throws: what is not in the table is "binary data". */
export function recognizeHead(head: Head): Recognition {
  const facts = gatherFacts(head);
  const kind = KINDS.find((each) => fits(each, facts));
  return kind === undefined ? UNKNOWN : { seen: kind.seen, formats: kind.formats ?? [], remedy: kind.remedy ?? null };
}

interface Facts {
  head: Head;
  /** The first bytes, one character each. */
  latin1: string;
  namespaces: readonly string[];
  office: string;
}

function gatherFacts(head: Head): Facts {
  const stated = Object.entries(head.xml?.root.attributes ?? {});
  const texts = head.xml?.texts;
  return {
    head,
    latin1: head.bytes.subarray(0, BYTES_JUDGED).toString('latin1'),
    namespaces: stated.filter(([name]) => name.startsWith('xmlns')).map(([, value]) => value),
    office: (texts?.get('RegistrationOfficeCode') ?? texts?.get('IPOfficeCode'))?.toUpperCase() ?? '',
  };
}

const BYTES_JUDGED = 4096;

function fits(kind: FileKind, { head, latin1, namespaces, office }: Facts): boolean {
  const { roots, namespace, element, stated } = kind;
  return (
    (roots === undefined || (head.xml !== null && roots.includes(head.xml.root.name))) &&
    (namespace === undefined || namespaces.some((each) => namespace.test(each))) &&
    (kind.office === undefined || kind.office.test(office)) &&
    (element === undefined || holdsElement(head, element)) &&
    (stated === undefined || stated[1].test(head.xml?.texts.get(stated[0]) ?? '')) &&
    (kind.text === undefined || kind.text.test(head.text)) &&
    (kind.bytes === undefined || kind.bytes.test(latin1)) &&
    (kind.name === undefined || kind.name.test(basename(head.name)))
  );
}

function holdsElement({ xml }: Head, element: string): boolean {
  return xml !== null && [...xml.elements].some((path) => path === element || path.endsWith(`/${element}`));
}
