/**
 * Turns one `processo` into a source record. It states what the office published in one week, so everything it leaves
 * out is unknown, not gone (`is_partial`). Nothing is computed or guessed, and anything left unread is reported.
 */
import type { MarkFeature } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { normalForm } from '@tmds/contract/text';
import { isCountryCode } from '../../../record/parties.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { brazilianDate } from '../dates.ts';
import {
  type Address,
  buildDocument,
  type InternationalSection,
  listOrNull,
  type MarkSection,
  NOT_STATED,
  nameFields,
  type Party,
  type Priority,
  type RelatedMark,
  stated,
} from '../document.ts';
import { type Element, type Mapping, openElement } from '../element.ts';
import { checkCountry, checkMeaning, lookUp } from '../meanings.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import { readClasses } from './classes.ts';
import { readDespachos } from './despachos.ts';
import { FEATURES, type Journal, KINDS, OFFICE } from './values.ts';

/** `journal`: null for a `processo` outside of a journal. Throws `UnreadableRecord` when it has no usable number. */
export function readProcess(node: XmlNode, journal: Journal | null, register: string): RecordItem {
  const root = openElement(node, brazilianDate);
  const number = readNumber(root);
  const despachos = readDespachos(root, journal);
  const classes = readClasses(root);
  const agents = root.texts('procurador').map((text): Party => ({ role: 'representative', names: [{ text }] }));
  const parties = [...root.mapAll(HOLDERS, HOLDER), ...agents];
  const priorities = root.mapAll('prioridade-unionista/prioridade', PRIORITY);
  const mark = readMark(root);
  const madrid = readMadrid(root);
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
    kind_of_mark: checkMeaning(root, lookUpWord(KINDS, mark.nature), {
      issue: 'unmapped_kind',
      path: 'marca@natureza',
      text: mark.nature,
    }),
    mark_feature: readFeature(root, mark.presentation),
    application_date: readDateAttribute(root, 'data-deposito'),
    registration_date: readDateAttribute(root, 'data-concessao'),
    publication_date: despachos.publishes ? (journal?.date ?? null) : null,
    expiry_date: readDateAttribute(root, 'data-vigencia'),
    status_date: despachos.basis === null ? null : (journal?.date ?? null),
    external_update_date: journal?.date ?? null,
    nice_classes: classes.niceClasses,
    vienna_codes: classes.viennaCodes,
    ...nameFields(
      parties.map(({ role, names = [], address }) => ({
        isOwner: role === 'owner',
        names: names.map(({ text }) => text),
        countries: address?.country !== undefined && isCountryCode(address.country) ? [address.country] : [],
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
      related_marks: root.mapAll('sobrestadores/sobrestador', SUSPENDING),
    },
  );
  root.raiseUnread();
  const source_version = journal?.date ?? null;
  return {
    record: { ...content, mark_name_variants: null, payload, source_version, is_partial: true },
    issues: root.issues,
  };
}

function readNumber(root: Element): string {
  const number = root.attribute('numero');
  if (number === null) throw new UnreadableRecord('processo has no number');
  if (!/^\d{1,13}$/.test(number)) {
    throw new UnreadableRecord(`the number of a processo has nine digits, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  return number;
}

/** A date of the `processo` itself; null when it is not stated, of zeros, or in no calendar. */
function readDateAttribute(root: Element, name: string): string | null {
  const text = root.attribute(name);
  if (text === null || /^[0/]+$/.test(text)) return null;
  const date = brazilianDate(text);
  if (date === null) root.raise('impossible_date', `@${name}`, text);
  return date;
}

interface Mark {
  name: string | null;
  nature: string | null;
  presentation: string | null;
  section: MarkSection;
}

function readMark(root: Element): Mark {
  const node = root.find('marca');
  const name = root.text('marca/nome');
  return {
    name,
    nature: node === null ? null : node.attribute('natureza'),
    presentation: node === null ? null : node.attribute('apresentacao'),
    section: stated<MarkSection>({
      texts: name === null ? null : [{ text: name }],
      // Words for which the registration gives no exclusive right.
      disclaimers: root.texts('apostila').map((text) => ({ text })),
    }),
  };
}

const lookUpWord = <Meaning>(table: Readonly<Record<string, Meaning>>, text: string | null): Meaning | undefined =>
  text === null ? undefined : lookUp(table, normalForm(text).toLowerCase());

function readFeature(root: Element, text: string | null): MarkFeature | null {
  if (text === null) return null;
  const feature = lookUpWord(FEATURES, text);
  return checkMeaning(root, feature, { issue: 'unmapped_feature', path: 'marca@apresentacao', text }) ?? 'Other';
}

/** The international registration that designates Brazil, for marks that came by way of Madrid. */
function readMadrid(root: Element): { number: string | null; receivedDate: string | null } {
  const node = root.find('dados-de-madri');
  if (node === null) return { number: null, receivedDate: null };
  return {
    number: node.attribute('numero-inscricao-internacional'),
    receivedDate: statedDay(node, 'data-recebimento-inpi'),
  };
}

const HOLDERS = 'titulares/titular';

/** Names stand as written, with the tax number that some of them hold. */
const HOLDER: Mapping<Party> = {
  role: () => 'owner',
  names(holder) {
    const text = holder.attribute('nome-razao-social');
    return text === null ? null : [{ text }];
  },
  address(holder) {
    const country = holder.attribute('pais');
    checkCountry(holder, `${HOLDERS}@pais`, country);
    return stated<Address>({ region: holder.attribute('uf'), country });
  },
};

/** A number is kept as written; the office of first filing is a country code. */
const PRIORITY: Mapping<Priority> = {
  number: (claim) => claim.attribute('numero'),
  country: (claim) => claim.attribute('pais'),
  date: (claim) => statedDay(claim, 'data'),
};

/** Other marks for whose outcome the examination waits. */
const SUSPENDING: Mapping<RelatedMark> = {
  relationship: () => 'examination waits for',
  number: (suspending) => suspending.attribute('processo'),
  details: (suspending) => stated({ mark_name: suspending.attribute('marca') ?? suspending.own() }),
};

function statedDay(element: Element, attribute: string): string | null {
  const text = element.attribute(attribute);
  return text === null ? null : (brazilianDate(text) ?? text);
}
