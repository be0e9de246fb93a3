/**
 * Turns one mark of an answer into a source record. An answer states the whole mark as the service knows it; a blank
 * value is unknown.
 */
import type { MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import type { XmlNode } from '../../xml/xml-record.ts';
import { compactDate } from '../dates.ts';
import {
  buildDocument,
  type ClassEntry,
  isSilent,
  joinWords,
  type MarkImage,
  NOT_STATED,
  nameFields,
  type Party,
  type PartyRole,
  type Priority,
  type Publication,
  stated,
} from '../document.ts';
import { day, type Element, findChild, openElement } from '../element.ts';
import { checkStatus, lookUp, readViennaCodes } from '../meanings.ts';
import { ForeignRecord, type RecordItem, UnreadableRecord } from '../xml-records.ts';
import { listSpellings, type NameList, splitAgents, splitCodes, splitNames, splitOwners } from './names.ts';
import { type AnswerShape, findShape } from './shapes.ts';
import { FEATURES, readClasses, STATUSES } from './values.ts';

export const OFFICE = 'KR';

/** Other rights that are numbered like marks, by the first two digits. */
const OTHER_RIGHTS: Readonly<Record<string, string>> = { 10: 'a patent', 20: 'a utility model', 30: 'a design' };

/** Throws `UnreadableRecord` when the entry has no usable number or is not a mark. */
export function readAnswer(node: XmlNode, register: string): RecordItem {
  if (findChild(node, 'biblioSummaryInfoArray') !== null) {
    throw new ForeignRecord('it is an answer about the file of one mark, not an answer to a search');
  }
  const shape = findShape(node);
  const { names } = shape;
  const root = openElement(node, compactDate);
  const number = readNumber(root, shape);
  const international = root.text(names.internationalNumber);
  const registrationNumber = root.text(names.registrationNumber);
  const parties = readParties(root, shape);
  const priority = root.text(names.priorityNumber);
  const viennaCodes = splitCodes(root.text(names.viennaCodes));
  const applicationDate = root.day(names.applicationDate);
  const codes = splitCodes(root.text(names.classes));
  const classes = readClasses(root, { path: names.classes, codes, applicationDate, number });
  const status = root.text(names.status);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: `${OFFICE}50${number.replaceAll('-', '').padStart(13, '0')}`,
    office: international === null ? OFFICE : 'WO',
    application_number: number,
    registration_number: registrationNumber,
    mark_name: root.text(names.title),
    ...checkStatus(root, lookUp(STATUSES, status), {
      path: names.status,
      text: status,
      isRegistered: registrationNumber !== null,
    }),
    // The answers do not state it.
    kind_of_mark: null,
    mark_feature: readFeature(root, [names.drawingKind, names.division]),
    application_date: applicationDate,
    registration_date: root.day(names.registrationDate),
    publication_date: root.day(names.publicationDate) ?? root.day(names.registrationPublicationDate),
    nice_classes: classes.niceClasses,
    vienna_codes: readViennaCodes(root, names.viennaCodes, viennaCodes),
    ...nameFields(
      parties.map(({ party, spellings }) => ({ isOwner: party.role !== 'representative', names: spellings })),
    ),
    international_registration_numbers: international === null ? null : [international],
    // Blanks and commas are parts of priority numbers.
    priority_numbers: priority === null ? null : splitNames(priority),
  };
  const payload = buildAnswerDocument(root, shape, { parties, content, viennaCodes, classes: classes.entry });
  for (const name of shape.ignored) root.ignore(name);
  root.raiseUnread();
  return { record: { ...content, mark_name_variants: null, payload, source_version: null }, issues: root.issues };
}

function readNumber(root: Element, { names }: AnswerShape): string {
  const number = root.text(names.number);
  if (number === null) throw new UnreadableRecord(`${root.name} has no application number`);
  if (!/^\d{2}-?\d{4}-?\d{1,7}$/.test(number)) {
    throw new UnreadableRecord(`an application number has 13 digits, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  const right = OTHER_RIGHTS[number.slice(0, 2)];
  if (right !== undefined) throw new ForeignRecord(`${number} is the number of ${right}, not of a mark`);
  return number;
}

function readFeature(root: Element, paths: readonly string[]): MarkFeature | null {
  let feature: MarkFeature | null = null;
  for (const path of paths) {
    for (const word of root.text(path)?.split(/\s+/) ?? []) {
      const known = lookUp(FEATURES, word);
      if (known === undefined) root.raise('unmapped_feature', path, word);
      feature ??= known ?? null;
    }
  }
  return feature;
}

interface AnswerParty {
  party: Party;
  spellings: string[];
}

/** Right holders come before applicants, because owners are listed current first. */
function readParties(root: Element, { names, separatesByBlanks }: AnswerShape): AnswerParty[] {
  const [holders, applicants, agents] = [names.holders, names.applicants, names.agents].map(
    (path) => root.text(path) ?? '',
  ) as [string, string, string];
  const list = (role: PartyRole, path: string, text: string, split: () => NameList): AnswerParty[] => {
    const found = separatesByBlanks ? split() : { names: splitNames(text), isDoubtful: false };
    if (found.isDoubtful) root.raise('joined_names', path, text);
    return found.names.map((name) => ({ party: { role, names: [{ text: name }] }, spellings: listSpellings(name) }));
  };
  return [
    ...list('owner', names.holders, holders, () => splitOwners(holders, applicants)),
    ...list('applicant', names.applicants, applicants, () => splitOwners(applicants, holders)),
    ...list('representative', names.agents, agents, () => splitAgents(agents)),
  ];
}

interface AnswerParts {
  parties: AnswerParty[];
  content: RecordContent;
  viennaCodes: string[];
  classes: ClassEntry | null;
}

function buildAnswerDocument(
  root: Element,
  { names }: AnswerShape,
  { parties, content, viennaCodes, classes }: AnswerParts,
): ReturnType<typeof buildDocument> {
  const drawing = [root.text(names.drawingKind), root.text(names.division)].filter((text) => text !== null);
  const publications = [
    root.map<Publication>({
      kind: () => 'application',
      identifier: names.publicationNumber,
      date: day(names.publicationDate),
    }),
    root.map<Publication>({
      kind: () => 'registration',
      identifier: names.registrationPublicationNumber,
      date: day(names.registrationPublicationDate),
    }),
  ].filter(({ identifier, date }) => identifier !== undefined || date !== undefined);
  const thumbnail = root.text(names.thumbnail);
  const images = [
    stated<MarkImage>({ uri: root.text(names.image), vienna_codes: viennaCodes }),
    stated<MarkImage>({ format: thumbnail === null ? null : 'thumbnail', uri: thumbnail }),
  ].filter((image) => !isSilent(image));
  const priority = root.map<Priority>({ number: names.priorityNumber, date: day(names.priorityDate) });
  return buildDocument(
    {
      format: 'kipris',
      // The answers state the status in words and no kind.
      status_code: null,
      status_text: content.tm5_status,
      kind_code: null,
      kind_text: null,
      feature_code: null,
      feature_text: joinWords([...new Set(drawing)]),
      reference_number: root.text(names.reference),
      registration_reference_number: root.text(names.registrationReference),
    },
    {
      parties: parties.map(({ party }) => party),
      mark: content.mark_name === null ? null : { texts: [{ text: content.mark_name }] },
      goods_and_services: splitCodes(root.text(names.similarGroups)).map((code) => ({ code })),
      publications,
      priorities: isSilent(priority) ? null : [priority],
      images,
      classification: stated({ classes: classes === null ? null : [classes] }),
      international: stated({
        registration: stated({
          number: root.text(names.internationalNumber),
          registration_date: root.statedDay(names.internationalDate),
        }),
      }),
    },
  );
}
