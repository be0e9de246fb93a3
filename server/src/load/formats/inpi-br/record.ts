/**
 * Turns one `processo` into a source record. It states what the office published in one week, so everything it leaves
 * out is unknown, not gone (`is_partial`). Nothing is computed or guessed, and anything left unread is reported.
 */
import type { RecordContent } from '@tmds/contract/record';
import { normalForm } from '@tmds/contract/text';
import { findChild, listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull } from '../codes.ts';
import type { IssueCode } from '../issues.ts';
import { NOT_STATED } from '../not-stated.ts';
import { nameFields } from '../parties.ts';
import { buildDocument, type InternationalSection, type MarkSection, type RelatedMark, stated } from '../payload.ts';
import {
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readAttribute,
  readNode,
  readText,
  readTexts,
} from '../reading.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import { readClasses } from './classes.ts';
import { readDespachos } from './despachos.ts';
import type { Journal } from './journal.ts';
import { isCountry, readParties } from './parties.ts';
import { readPriorities } from './priorities.ts';
import { brazilianDate, FEATURES, KINDS, OFFICE } from './values.ts';

/** `journal`: null for a `processo` outside of a journal. Throws `UnreadableRecord` when it has no usable number. */
export function readProcess(node: XmlNode, journal: Journal | null, register: string): RecordItem {
  const reading = openReading(node);
  const number = readNumber(reading);
  const despachos = readDespachos(reading, journal);
  const classes = readClasses(reading);
  const parties = readParties(reading);
  const priorities = readPriorities(reading);
  const mark = readMark(reading);
  const madrid = readMadrid(reading);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: `${OFFICE}50${number.padStart(13, '0')}`,
    office: madrid.number === null ? OFFICE : 'WO',
    application_number: number,
    // The office numbers the application and the registration alike and never states the second.
    registration_number: null,
    mark_name: mark.name,
    status: despachos.status ?? 'Unknown',
    tm5_status: despachos.lastName,
    kind_of_mark: findMeaning(reading, KINDS, { text: mark.nature, path: 'marca@natureza', issue: 'unmapped_kind' }),
    mark_feature: findMeaning(reading, FEATURES, {
      text: mark.presentation,
      path: 'marca@apresentacao',
      issue: 'unmapped_feature',
      otherwise: 'Other',
    }),
    application_date: readDateAttribute(reading, 'data-deposito'),
    registration_date: readDateAttribute(reading, 'data-concessao'),
    publication_date: despachos.publishes ? (journal?.date ?? null) : null,
    expiry_date: readDateAttribute(reading, 'data-vigencia'),
    status_date: despachos.basis === null ? null : (journal?.date ?? null),
    external_update_date: journal?.date ?? null,
    nice_classes: classes.niceClasses,
    vienna_codes: classes.viennaCodes,
    ...nameFields(
      parties.map(({ role, names = [], address }) => ({
        isOwner: role === 'owner',
        names: names.map(({ text }) => text),
        countries: address?.country !== undefined && isCountry(address.country) ? [address.country] : [],
      })),
    ),
    international_registration_numbers: madrid.number === null ? null : [madrid.number],
    priority_numbers: listOrNull(priorities.flatMap((priority) => priority.number ?? [])),
  };
  const payload = buildDocument(
    {
      format: 'inpi-br',
      status_code: despachos.basis?.code ?? null,
      status_text: despachos.basis?.text ?? null,
      kind_code: null,
      kind_text: mark.nature,
      feature_code: null,
      feature_text: mark.presentation,
      ...stated({
        journal: journal?.number,
        madrid_received_date: madrid.receivedDate,
      }),
    },
    {
      parties,
      mark: mark.section,
      goods_and_services: classes.goods,
      priorities,
      events: despachos.events,
      images: classes.images,
      classification: classes.classification,
      international: stated<InternationalSection>({ registration: stated({ number: madrid.number }) }),
      related_marks: readSuspending(reading),
    },
  );
  raiseUnread(reading);
  const source_version = journal?.date ?? null;
  return {
    record: { ...content, mark_name_variants: null, payload, source_version, is_partial: true },
    issues: reading.issues,
  };
}

function readNumber(reading: Reading): string {
  const number = readAttribute(reading, reading.root, 'numero');
  if (number === null) throw new UnreadableRecord('processo has no number');
  if (!/^\d{1,13}$/.test(number)) {
    throw new UnreadableRecord(`the number of a processo has nine digits, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  return number;
}

/** A date of the `processo` itself; null when it is not stated, of zeros, or in no calendar. */
function readDateAttribute(reading: Reading, name: string): string | null {
  const text = readAttribute(reading, reading.root, name);
  if (text === null || /^[0/]+$/.test(text)) return null;
  const date = brazilianDate(text);
  if (date === null) raiseIssue(reading, 'impossible_date', `@${name}`, text);
  return date;
}

interface Mark {
  name: string | null;
  nature: string | null;
  presentation: string | null;
  section: MarkSection;
}

function readMark(reading: Reading): Mark {
  const node = findChild(reading.root, 'marca');
  const name = readText(reading, reading.root, 'marca/nome');
  return {
    name,
    nature: node === null ? null : readAttribute(reading, node, 'natureza'),
    presentation: node === null ? null : readAttribute(reading, node, 'apresentacao'),
    section: stated<MarkSection>({
      texts: name === null ? null : [{ text: name }],
      // Words for which the registration gives no exclusive right.
      disclaimers: readTexts(reading, reading.root, 'apostila').map((text) => ({ text })),
    }),
  };
}

interface Wording<Meaning> {
  text: string | null;
  path: string;
  issue: IssueCode;
  /** For a text that is not in the table. */
  otherwise?: Meaning;
}

function findMeaning<Meaning>(
  reading: Reading,
  meanings: Readonly<Record<string, Meaning>>,
  { text, path, issue, otherwise }: Wording<Meaning>,
): Meaning | null {
  if (text === null) return null;
  const key = normalForm(text).toLowerCase();
  const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
  if (meaning === undefined) raiseIssue(reading, issue, path, text);
  return meaning ?? otherwise ?? null;
}

/** The international registration that designates Brazil, for marks that came by way of Madrid. */
function readMadrid(reading: Reading): { number: string | null; receivedDate: string | null } {
  const node = findChild(reading.root, 'dados-de-madri');
  if (node === null) return { number: null, receivedDate: null };
  const received = readAttribute(reading, node, 'data-recebimento-inpi');
  return {
    number: readAttribute(reading, node, 'numero-inscricao-internacional'),
    receivedDate: received === null ? null : (brazilianDate(received) ?? received),
  };
}

/** Other marks for whose outcome the examination waits. */
function readSuspending(reading: Reading): RelatedMark[] {
  return listChildren(reading.root, 'sobrestadores/sobrestador').map((node) => {
    const name = readAttribute(reading, node, 'marca') ?? readNode(reading, node);
    return stated<RelatedMark>({
      relationship: 'examination waits for',
      number: readAttribute(reading, node, 'processo'),
      details: stated({ mark_name: name }),
    });
  });
}
