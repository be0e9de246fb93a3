/** One mark, from the rows that a set has about it. */
import type { MarkFeature, Status } from '@tmds/contract/enums';
import { normalizeMadridNumber } from '@tmds/contract/numbers';
import type { RecordContent } from '@tmds/contract/record';
import { listOrNull } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { buildDocument, joinWords, type Priority, type RelatedMark, stated } from '../payload.ts';
import type { RecordItem } from '../xml-records.ts';
import { readClasses } from './classes.ts';
import { readEvents } from './events.ts';
import { readParties } from './parties.ts';
import { cell, dateCell, listRows, type MarkRows, type Row, raiseIssue, restOf, statedDate } from './rows.ts';
import { combineFeatures, IMAGE_WORDS, isFeature, KINDS, STATUSES, WORDS } from './values.ts';

export const OFFICE = 'AU';

export interface MarkIdentity {
  number: string;
  register: string;
  /** The set lacks a table, so it does not state all of the mark. */
  isPartial: boolean;
}

/** Null when no row describes the mark. */
export function deriveMark(rows: MarkRows, { number, register, isPartial }: MarkIdentity): RecordItem | null {
  const [application] = listRows(rows, 'application');
  if (application === undefined) return null;
  const registrationDate = dateCell(rows, application, 'gained_registration_status_date');
  const words = readDescriptions(rows);
  const parties = readParties(rows);
  const classes = readClasses(rows);
  const links = readLinks(rows);
  const events = readEvents(rows);
  const kind = readKind(rows, application);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: `${OFFICE}50${number.toUpperCase().padStart(13, '0')}`,
    office: links.isDesignation ? 'WO' : OFFICE,
    application_number: number,
    mark_name: words.texts[0] ?? null,
    ...readStatus(rows, application, registrationDate),
    kind_of_mark: kind.kind,
    mark_feature: words.feature,
    application_date: dateCell(rows, application, 'application_date'),
    registration_date: registrationDate,
    // Dates of publication are among the events only.
    publication_date: null,
    termination_date: dateCell(rows, application, 'deemed_retired_date'),
    nice_classes: classes.niceClasses,
    owner_names: parties.owner_names,
    owner_countries: parties.owner_countries,
    representative_names: parties.representative_names,
    international_registration_numbers: listOrNull(links.international),
    priority_numbers: listOrNull(links.priorities.flatMap(({ number: claimed }) => claimed ?? [])),
  };
  const payload = buildDocument(
    {
      format: 'ip-australia',
      status_code: null,
      status_text: content.tm5_status,
      kind_code: null,
      kind_text: kind.text,
      feature_code: null,
      feature_text: joinWords(words.types),
      application: restOf(application),
    },
    {
      parties: parties.parties,
      mark: stated({
        texts: words.texts.map((text) => ({ text })),
        descriptions: words.imageWords.map((text) => ({ text })),
        details: words.others,
      }),
      goods_and_services: classes.goods,
      publications: events.publications,
      priorities: links.priorities,
      events: [...events.events, ...parties.events],
      classification: stated({ classes: classes.former }),
      international: stated({ registration: stated({ number: links.international[0] ?? null }) }),
      related_marks: links.related,
    },
  );
  return {
    record: {
      ...content,
      mark_name_variants: listOrNull(words.texts.slice(1)),
      payload,
      source_version: rows.day,
      ...(isPartial ? { is_partial: true } : {}),
    },
    issues: rows.issues,
  };
}

function readStatus(
  rows: MarkRows,
  row: Row,
  registrationDate: string | null,
): { status: Status; tm5_status: string | null } {
  const text = cell(row, 'status');
  const word = text?.toLowerCase() ?? '';
  const found = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  if (found === undefined) raiseIssue(rows, 'unmapped_status', row, 'status', text ?? '');
  if (found === 'ended') return { status: registrationDate === null ? 'Abandoned' : 'Cancelled', tm5_status: text };
  return { status: found ?? 'Unknown', tm5_status: text };
}

function readKind(rows: MarkRows, row: Row): { kind: RecordContent['kind_of_mark']; text: string | null } {
  const text = cell(row, 'ip_right_sub_type');
  const word = text?.toLowerCase() ?? '';
  const kind = Object.hasOwn(KINDS, word) ? (KINDS[word] ?? null) : null;
  if (text !== null && kind === null) raiseIssue(rows, 'unmapped_kind', row, 'ip_right_sub_type', text);
  return { kind, text };
}

interface Descriptions {
  texts: string[];
  imageWords: string[];
  types: string[];
  feature: MarkFeature | null;
  /** The texts of other descriptions, by their type. */
  others: Readonly<Record<string, readonly string[]>> | null;
}

function readDescriptions(rows: MarkRows): Descriptions {
  const texts: string[] = [];
  const imageWords: string[] = [];
  const types = new Set<string>();
  const others = new Map<string, string[]>();
  let last: Row | undefined;
  for (const row of listRows(rows, 'application_description')) {
    const type = cell(row, 'description_type');
    const text = cell(row, 'description_value');
    const word = type?.toLowerCase() ?? '';
    if (isFeature(word)) types.add(word);
    else if (word !== WORDS && word !== IMAGE_WORDS) {
      raiseIssue(rows, 'unknown_element', row, 'description_type', type ?? '');
    }
    last = row;
    if (text === null) continue;
    if (word === WORDS) texts.push(text);
    else if (word === IMAGE_WORDS) imageWords.push(text);
    else others.set(word, [...(others.get(word) ?? []), text]);
  }
  const listed = [...types].sort();
  const feature = listed.length === 0 ? null : combineFeatures(listed);
  if (listed.length > 0 && feature === null && last !== undefined) {
    raiseIssue(rows, 'unmapped_feature', last, 'description_type', listed.join(', '));
  }
  return {
    texts,
    imageWords,
    types: listed,
    feature: listed.length > 0 ? (feature ?? 'Other') : null,
    others: others.size === 0 ? null : Object.fromEntries(others),
  };
}

interface Links {
  isDesignation: boolean;
  /** Numbers of the international registrations of which the mark is the Australian part, as stated. */
  international: string[];
  priorities: Priority[];
  related: RelatedMark[];
}

const IMPORTS = 'madrid_import';
const CLAIMS: ReadonlySet<string> = new Set(['convention', 'convention_priority']);
const MADRID_NUMBER = /^\d{1,8}[A-Z]?$/;

function readLinks(rows: MarkRows): Links {
  const links: Links = { isDesignation: false, international: [], priorities: [], related: [] };
  for (const row of listRows(rows, 'application_links')) {
    const relationship = cell(row, 'link_type');
    const number = cell(row, 'linked_application_number');
    const country = cell(row, 'linked_application_country');
    const date = statedDate(row, 'link_date');
    const type = relationship?.toLowerCase() ?? '';
    if (CLAIMS.has(type)) {
      links.priorities.push(stated<Priority>({ number, country, date, details: { link_type: relationship } }));
      continue;
    }
    if (type === IMPORTS) {
      links.isDesignation = true;
      if (number !== null && MADRID_NUMBER.test(normalizeMadridNumber(number))) links.international.push(number);
      else raiseIssue(rows, 'unfindable_value', row, 'linked_application_number', number ?? '');
    }
    links.related.push(stated<RelatedMark>({ relationship: relationship ?? 'link', number, country, date }));
  }
  return links;
}
