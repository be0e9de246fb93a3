/** One mark, from the rows that a set has about it. */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import { normalizeMadridNumber } from '@tmds/contract/numbers';
import type { RecordContent } from '@tmds/contract/record';
import {
  buildDocument,
  type ClassEntry,
  type ClassScheme,
  type GoodsAndServices,
  joinWords,
  listOrNull,
  NOT_STATED,
  newestFirst,
  type Priority,
  type Publication,
  type RecordEvent,
  type RelatedMark,
  stated,
} from '../document.ts';
import { checkMeaning, checkStatus, lookUp, parseNiceClass, sortClasses } from '../meanings.ts';
import type { Row } from '../tables.ts';
import type { RecordItem } from '../xml-records.ts';
import { readParties } from './parties.ts';
import type { MarkRows, OpenedRows } from './tables.ts';
import { combineFeatures, IMAGE_WORDS, isFeature, KINDS, STATUSES, WORDS } from './values.ts';

export const OFFICE = 'AU';

interface MarkIdentity {
  number: string;
  register: string;
  /** The set lacks a table, so it does not state all of the mark. */
  isPartial: boolean;
}

/** Null when no row describes the mark. */
export function deriveMark(
  { rows, day }: OpenedRows,
  { number, register, isPartial }: MarkIdentity,
): RecordItem | null {
  const [application] = rows.list('application');
  if (application === undefined) return null;
  const registrationDate = application.day('gained_registration_status_date');
  const words = readDescriptions(rows);
  const parties = readParties(rows);
  const classes = readClasses(rows);
  const links = readLinks(rows);
  const events = readEvents(rows);
  const kind = readKind(application);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: `${OFFICE}50${number.toUpperCase().padStart(13, '0')}`,
    office: links.isDesignation ? 'WO' : OFFICE,
    application_number: number,
    mark_name: words.texts[0] ?? null,
    ...readStatus(application, registrationDate !== null),
    kind_of_mark: kind.kind,
    mark_feature: words.feature,
    application_date: application.day('application_date'),
    registration_date: registrationDate,
    // Dates of publication are among the events only.
    publication_date: null,
    termination_date: application.day('deemed_retired_date'),
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
      application: application.rest(),
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
      source_version: day,
      ...(isPartial ? { is_partial: true } : {}),
    },
    issues: rows.issues,
  };
}

function readStatus(application: Row, isRegistered: boolean): { status: Status; tm5_status: string | null } {
  const text = application.text('status');
  const meaning = lookUp(STATUSES, text?.toLowerCase() ?? '');
  return checkStatus(application, meaning, { path: 'status', text, isRegistered });
}

function readKind(application: Row): { kind: KindOfMark | null; text: string | null } {
  const path = 'ip_right_sub_type';
  const text = application.text(path);
  const meaning = lookUp(KINDS, text?.toLowerCase() ?? '');
  return { kind: checkMeaning(application, meaning, { issue: 'unmapped_kind', path, text }), text };
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
  for (const row of rows.list('application_description')) {
    const type = row.text('description_type');
    const text = row.text('description_value');
    const word = type?.toLowerCase() ?? '';
    if (isFeature(word)) types.add(word);
    else if (word !== WORDS && word !== IMAGE_WORDS) {
      row.raise('unknown_element', 'description_type', type ?? '');
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
    last.raise('unmapped_feature', 'description_type', listed.join(', '));
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
  for (const row of rows.list('application_links')) {
    const relationship = row.text('link_type');
    const number = row.text('linked_application_number');
    const country = row.text('linked_application_country');
    const date = row.statedDay('link_date');
    const type = relationship?.toLowerCase() ?? '';
    if (CLAIMS.has(type)) {
      links.priorities.push(stated<Priority>({ number, country, date, details: { link_type: relationship } }));
      continue;
    }
    if (type === IMPORTS) {
      links.isDesignation = true;
      if (number !== null && MADRID_NUMBER.test(normalizeMadridNumber(number))) links.international.push(number);
      else row.raise('unfindable_value', 'linked_application_number', number ?? '');
    }
    links.related.push(stated<RelatedMark>({ relationship: relationship ?? 'link', number, country, date }));
  }
  return links;
}

interface MarkClasses {
  niceClasses: number[] | null;
  goods: GoodsAndServices[];
  former: ClassEntry[];
}

/** Systems of the classification of other rights. */
const OTHER_SYSTEMS: ReadonlySet<string> = new Set(['ipc_mark', 'cpc_mark', 'locarno']);

function readClasses(rows: MarkRows): MarkClasses {
  const niceClasses: number[] = [];
  const goods: GoodsAndServices[] = [];
  const former: ClassEntry[] = [];
  for (const row of rows.list('application_classification')) {
    const text = row.text('classification');
    if (row.flag('is_current') === false) {
      former.push(readFormer(row, text));
      continue;
    }
    const { scheme, system } = readScheme(row);
    const number = text === null || OTHER_SYSTEMS.has(system?.toLowerCase() ?? '') ? null : parseNiceClass(text);
    if (number !== null) niceClasses.push(number);
    else row.raise('unmapped_class', 'classification', text ?? '');
    goods.push(
      stated<GoodsAndServices>({
        scheme,
        edition: row.text('classification_system_version'),
        classification: scheme === 'nice' ? null : system,
        class: text,
        details: row.rest(),
      }),
    );
  }
  goods.sort((one, other) => Number(one.class ?? 0) - Number(other.class ?? 0));
  return { niceClasses: sortClasses(niceClasses), goods, former };
}

/** A system that is not stated, or of a name that the dictionary does not have, is an issue. */
function readScheme(row: Row): { scheme: ClassScheme; system: string | null } {
  const system = row.text('classification_system');
  const word = system?.toLowerCase() ?? '';
  if (word === 'nice') return { scheme: 'nice', system };
  if (!OTHER_SYSTEMS.has(word)) row.raise('unmapped_class', 'classification_system', system ?? '');
  return { scheme: 'unknown', system };
}

function readFormer(row: Row, text: string | null): ClassEntry {
  return stated<ClassEntry>({
    international_codes: text === null || row.text('classification_system')?.toLowerCase() !== 'nice' ? null : [text],
    status_date: row.statedDay('classification_removal_date'),
    details: stated({
      is_current: row.cells.is_current,
      classification: row.cells.classification_system?.toLowerCase() === 'nice' ? null : text,
      classification_system: row.cells.classification_system,
      ...row.rest(),
    }),
  });
}

const PUBLISHED = 'publish_';

function readEvents(rows: MarkRows): { events: RecordEvent[]; publications: Publication[] } {
  const events: RecordEvent[] = [];
  const publications: RecordEvent[] = [];
  for (const row of rows.list('application_events')) {
    const code = row.text('event_category');
    const isStanding = row.flag('is_standing');
    const effective = row.statedDay('event_effective_date');
    const event = stated<RecordEvent>({
      kind: 'history',
      code,
      type: row.text('event_type'),
      date: effective ?? row.statedDay('event_declared_date'),
      // What the office has undone afterwards did not happen.
      removed: isStanding === false ? true : null,
      details: row.rest(),
    });
    const isPublication = code?.toLowerCase().startsWith(PUBLISHED) === true && isStanding !== false;
    (isPublication ? publications : events).push(event);
  }
  return {
    events: newestFirst(events),
    publications: newestFirst(publications).map(({ code, type, date, details }) =>
      stated<Publication>({ kind: type, section: code, date, details }),
    ),
  };
}
