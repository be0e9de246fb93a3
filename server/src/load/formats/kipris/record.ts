/**
 * Turns one mark of an answer into a source record. An answer states the whole mark as the service knows it; a blank
 * value is unknown. The texts are Korean and are mapped untranslated.
 */
import type { Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { findChild, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull, parseViennaCode } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { nameFields } from '../parties.ts';
import type { PartyRole } from '../payload.ts';
import {
  compactDate,
  ignore,
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readDate,
  readStatedDate,
  readText,
} from '../reading.ts';
import { ForeignRecord, type RecordItem, UnreadableRecord } from '../xml-records.ts';
import type { Answer, AnswerParty } from './answer.ts';
import { readClasses } from './classes.ts';
import { buildAnswerDocument } from './document.ts';
import { readFeature } from './features.ts';
import { listSpellings, type NameList, splitAgents, splitCodes, splitNames, splitOwners } from './names.ts';
import { type AnswerShape, findShape } from './shapes.ts';

const OFFICE = 'KR';

/** `ended`: cancelled when the mark has been registered, abandoned when it has not. */
const STATUSES: Readonly<Record<string, Status | 'ended'>> = {
  출원: 'Pending',
  공고: 'Pending',
  등록: 'Registered',
  거절: 'ended',
  포기: 'ended',
  취하: 'ended',
  무효: 'ended',
  소멸: 'Cancelled',
  실효: 'Cancelled',
};

/** Other rights that are numbered like marks, by the first two digits. */
const OTHER_RIGHTS: Readonly<Record<string, string>> = { 10: 'a patent', 20: 'a utility model', 30: 'a design' };

/** Throws `UnreadableRecord` when the entry has no usable number or is not a mark. */
export function readAnswer(node: XmlNode, register: string): RecordItem {
  if (findChild(node, 'biblioSummaryInfoArray') !== null) {
    throw new ForeignRecord('it is an answer about the file of one mark, not an answer to a search');
  }
  const shape = findShape(node);
  const reading = openReading(node);
  const answer = openAnswer(reading, shape);
  const number = readNumber(node.name, answer);
  const international = answer.text('internationalNumber');
  const registrationNumber = answer.text('registrationNumber');
  const parties = readParties(reading, answer, shape);
  const priority = answer.text('priorityNumber');
  const viennaCodes = splitCodes(answer.text('viennaCodes'));
  const applicationDate = answer.date('applicationDate');
  const classes = readClasses(reading, {
    path: shape.names.classes,
    codes: splitCodes(answer.text('classes')),
    applicationDate,
    number,
  });
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: `${OFFICE}50${number.replaceAll('-', '').padStart(13, '0')}`,
    office: international === null ? OFFICE : 'WO',
    application_number: number,
    registration_number: registrationNumber,
    mark_name: answer.text('title'),
    ...readStatus(reading, shape, answer.text('status'), registrationNumber),
    // The answers do not state it.
    kind_of_mark: null,
    mark_feature: readFeature(reading, [
      [shape.names.drawingKind, answer.text('drawingKind')],
      [shape.names.division, answer.text('division')],
    ]),
    application_date: applicationDate,
    registration_date: answer.date('registrationDate'),
    publication_date: answer.date('publicationDate') ?? answer.date('registrationPublicationDate'),
    nice_classes: classes.niceClasses,
    vienna_codes: readViennaCodes(reading, shape, viennaCodes),
    ...nameFields(
      parties.map(({ party, spellings }) => ({
        isOwner: party.role !== 'representative',
        names: spellings,
        countries: [],
      })),
    ),
    international_registration_numbers: international === null ? null : [international],
    // Blanks and commas are parts of priority numbers.
    priority_numbers: priority === null ? null : splitNames(priority),
  };
  const payload = buildAnswerDocument(answer, { parties, content, viennaCodes, classes: classes.entry });
  for (const name of shape.ignored) ignore(reading, node, name);
  raiseUnread(reading);
  return { record: { ...content, mark_name_variants: null, payload, source_version: null }, issues: reading.issues };
}

function openAnswer(reading: Reading, { names }: AnswerShape): Answer {
  const { root } = reading;
  return {
    text: (value) => readText(reading, root, names[value]),
    date: (value) => readDate(reading, root, names[value], compactDate),
    statedDate: (value) => readStatedDate(reading, root, names[value], compactDate),
  };
}

function readNumber(entry: string, answer: Answer): string {
  const number = answer.text('number');
  if (number === null) throw new UnreadableRecord(`${entry} has no application number`);
  if (!/^\d{2}-?\d{4}-?\d{1,7}$/.test(number)) {
    throw new UnreadableRecord(`an application number has 13 digits, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  const right = OTHER_RIGHTS[number.slice(0, 2)];
  if (right !== undefined) throw new ForeignRecord(`${number} is the number of ${right}, not of a mark`);
  return number;
}

function readStatus(
  reading: Reading,
  { names }: AnswerShape,
  text: string | null,
  registrationNumber: string | null,
): { status: Status; tm5_status: string | null } {
  const meaning = text !== null && Object.hasOwn(STATUSES, text) ? STATUSES[text] : undefined;
  if (meaning === undefined) raiseIssue(reading, 'unmapped_status', names.status, text ?? '');
  if (meaning === 'ended') return { status: registrationNumber === null ? 'Abandoned' : 'Cancelled', tm5_status: text };
  return { status: meaning ?? 'Unknown', tm5_status: text };
}

function readViennaCodes(reading: Reading, { names }: AnswerShape, stated: readonly string[]): string[] | null {
  const codes: string[] = [];
  for (const text of stated) {
    const code = parseViennaCode(text);
    if (code === null) raiseIssue(reading, 'unmapped_vienna_code', names.viennaCodes, text);
    else codes.push(code);
  }
  return listOrNull(codes);
}

/** Right holders come before applicants, because owners are listed current first. */
function readParties(reading: Reading, answer: Answer, { names, separatesByBlanks }: AnswerShape): AnswerParty[] {
  const [holders, applicants, agents] = (['holders', 'applicants', 'agents'] as const).map(
    (value) => answer.text(value) ?? '',
  ) as [string, string, string];
  const list = (role: PartyRole, value: 'holders' | 'applicants' | 'agents', split: () => NameList): AnswerParty[] => {
    const text = { holders, applicants, agents }[value];
    const found = separatesByBlanks ? split() : { names: splitNames(text), isDoubtful: false };
    if (found.isDoubtful) raiseIssue(reading, 'joined_names', names[value], text);
    return found.names.map((name) => ({ party: { role, names: [{ text: name }] }, spellings: listSpellings(name) }));
  };
  return [
    ...list('owner', 'holders', () => splitOwners(holders, applicants)),
    ...list('applicant', 'applicants', () => splitOwners(applicants, holders)),
    ...list('representative', 'agents', () => splitAgents(agents)),
  ];
}
