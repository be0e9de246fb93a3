/**
 * The normalized document: what every register format puts into `payload`, as one JSON Schema (draft 2020-12). Types,
 * the interface description and docs/document.md derive from it. Tests validate what every reader builds; only lines of
 * `ndjson` bring their own documents, to which it does not apply.
 *
 * A section is null when the register states nothing about it. Inside a section a value that is not stated is left out;
 * lists and texts are never empty. Texts are kept as the office writes them, trimmed, however the fields of the record
 * interpret them. A `details` member keeps what the source states beyond the members named here, under the source's own
 * names.
 */
import type { PartSchema, PartType, TypeOf } from './json-schema.ts';

const text = (description: string) => ({ type: 'string', minLength: 1, description }) as const;
const flag = (description: string) => ({ type: 'boolean', description }) as const;
const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  ({ type: 'string', enum: values, description }) as const;
const list = <const Item>(items: Item, description: string) =>
  ({ type: 'array', items, minItems: 1, description }) as const;
const refer = <const Name extends string>(name: Name) => ({ $ref: `#/$defs/${name}` }) as const;
const part = <const Members, const Required extends readonly (keyof Members & string)[]>(
  description: string,
  properties: Members,
  ...required: Required
) => ({ type: 'object', description, required, properties }) as const;

/** `YYYY-MM-DD` if the source states a calendar date, else its text (`18930000` for a year). Zeros are silence. */
const date = (description: string) => text(`${description} A calendar date, or the text given instead of one.`);
const details = { description: 'What else the source states here, under its own names.' };
const word = { type: 'string', minLength: 1 } as const;

/** What any party may state, in any role. */
const PARTY_MEMBERS = {
  office_role: text("The role as the office's code."),
  office_role_text: text('The meaning of that code.'),
  current: flag('Whether it is one today, where the office keeps former ones.'),
  sequence: text('Its number among the parties of its role.'),
  identifier: text("The office's key for the party."),
  uri: text("The address of the party's own record."),
  names: list(refer('PartyName'), 'All its names, each as stated.'),
  entity: refer('PartyEntity'),
  nationality: refer('PartyOrigin'),
  incorporation: refer('PartyOrigin'),
  address: refer('Address'),
  other_addresses: list(refer('Address'), 'Further addresses.'),
  notes: list(word, 'What the office says about the party in words: its members, changes of name.'),
} as const;

/** Every part of the document. */
export const DOCUMENT_PARTS = {
  Party: part(
    'A person or firm of the record, in the order of the office; owners come first, the current ones before former ones.',
    {
      role: oneOf(
        ['applicant', 'owner', 'representative', 'attorney', 'domestic_representative', 'correspondent', 'other'],
        'What the party is to the mark; `other` neither owns nor represents, such as an opponent.',
      ),
      ...PARTY_MEMBERS,
      details,
    },
    'role',
  ),
  PartyName: part(
    'One name of a party, whole, as stated.',
    {
      text: text('The name, with "doing business as" and an alias where the office writes them into it.'),
      kind: oneOf(
        ['organization', 'person', 'trading_as'],
        'What kind of name it is; `trading_as` is what the office states as an alias.',
      ),
      language: text('Language code, as stated.'),
    },
    'text',
  ),
  PartyEntity: part('The legal form of a party.', {
    code: text("The office's code."),
    text: text('The meaning of that code.'),
    statement: text('The form in the words of the party.'),
  }),
  PartyOrigin: part('Where a party is a citizen or is incorporated; not where it lives.', {
    country: text('Country, as stated.'),
    state: text('State.'),
    other: text('In other words.'),
  }),
  Address: part('An address, as far as the office divides it.', {
    lines: list(word, 'Lines that the office does not divide.'),
    city: text('City.'),
    region: text('State, county or province.'),
    postcode: text('Postal code.'),
    country: text('Country, as stated: a code in most registers.'),
    other: text('In other words, such as the country by its name.'),
  }),
  LanguageText: part(
    'A text, with its language where stated.',
    { text: text('As stated.'), language: text('Language code, as stated.') },
    'text',
  ),
  Mark: part('The mark itself.', {
    texts: list(refer('LanguageText'), 'The words of the mark; the first, less notes of the office, is `mark_name`.'),
    translations: list(refer('LanguageText'), 'Held translations.'),
    transliterations: list(refer('LanguageText'), 'Held transliterations and readings.'),
    descriptions: list(refer('LanguageText'), 'Descriptions of the mark.'),
    disclaimers: list(refer('LanguageText'), 'Parts for which no exclusive right is claimed.'),
    details,
  }),
  GoodsAndServices: {
    ...part('The goods or services of one class, or of one statement of the office.', {
      scheme: oneOf(
        ['nice', 'national', 'unknown'],
        "The scheme that `class` belongs to: the Nice classification; the office's own classes, such as those of the " +
          'United States, of Japan until 1992, of Taiwan until 1994; or one that the source does not name.',
      ),
      edition: text('Edition of the scheme, as stated.'),
      classification: text('The scheme in the words of the office.'),
      class: text('The class as the office writes it.'),
      code: text("The office's code for the statement or group of goods."),
      texts: list(refer('LanguageText'), 'The goods and services.'),
      details,
    }),
    // A number without its scheme would be ambiguous: class 25 is clothing in one scheme, locks in another.
    dependentRequired: { class: ['scheme'] },
  },
  Publication: part('A publication in the gazette of the office.', {
    kind: text('What was published.'),
    identifier: text('Issue or number.'),
    section: text('Section of the gazette.'),
    date: date('Date of publication.'),
    page: text('Page.'),
    details,
  }),
  Priority: part('A claim of priority from an earlier filing.', {
    number: text('Number of the earlier application, as stated.'),
    registration_number: text('Number of the earlier registration, as stated.'),
    country: text('Country or office of the earlier filing, as stated.'),
    date: date('Date of the earlier filing.'),
    claimed: flag('Whether priority is claimed.'),
    status: text("The office's status of the claim."),
    details,
  }),
  RecordEvent: part(
    'Something that happened to the record.',
    {
      kind: oneOf(
        [
          'history',
          'record',
          'opposition',
          'cancellation',
          'appeal',
          'proceeding',
          'removal',
          'absent_from_register_file',
        ],
        'A step of the procedure, an entry into the register, a proceeding, the removal from the files of the office, or ' +
          'its absence from a file of the whole register.',
      ),
      source: text('The format that stated the event, if a different one stated the record.'),
      code: text("The office's code."),
      type: text("The office's type."),
      text: text("The event in the office's words."),
      status: text("The office's status of the event."),
      status_date: date('Since when it has that status.'),
      date: date('When it happened.'),
      number: text('Its number.'),
      removed: flag(
        'The office has withdrawn the event from its files or from this mark. What was stated about it stays.',
      ),
      marks: list(refer('NamedMark'), 'The mark of this record as the event names it, in each of its wordings.'),
      parties: list(refer('EventParty'), 'The parties that take part in it.'),
      history: list(refer('RecordEvent'), 'What happened in the course of the event, newest first.'),
      details,
    },
    'kind',
  ),
  NamedMark: part('A mark as an event names it.', {
    role: oneOf(
      ['subject', 'relied_upon', 'named'],
      'What the proceeding is about; an earlier mark on which the plaintiff relies; or unknown.',
    ),
    identifier: text("The office's key for it in the event."),
    number: text('Its application number.'),
    registration_number: text('Its registration number.'),
    international_registration_number: text('Its number at the International Bureau.'),
    text: text('Its words.'),
    description: text('Its description.'),
    details,
  }),
  EventParty: part(
    'A person or firm that takes part in an event.',
    {
      role: oneOf(
        ['assignor', 'assignee', 'plaintiff', 'defendant', 'correspondent', 'other'],
        'What the party is to the event.',
      ),
      ...PARTY_MEMBERS,
      execution_date: date('When the party signed.'),
      acknowledgment_date: date('When its signature was acknowledged.'),
      statements: list(
        refer('Statement'),
        'Statements that belong to the name: `formerly`, `trading_as`, `composed_of`.',
      ),
      members: list(refer('PartyMember'), 'Whom the party consists of.'),
      marks: list(refer('NamedMark'), 'Marks that the party brings into the event.'),
      contacts: list(refer('EventParty'), 'Those who act for the party.'),
    },
    'role',
  ),
  PartyMember: part('A member of a party.', {
    name: text('Its name, as stated.'),
    entity: refer('PartyEntity'),
    region: part('The state or country of its seat.', {
      code: text("The office's code."),
      text: text('In words.'),
    }),
    members: list(refer('PartyMember'), 'Its own members.'),
  }),
  MarkImage: part('An image of the mark; the picture itself is not kept.', {
    identifier: text('Name of the file.'),
    format: text('Format of the file.'),
    uri: text('Where the office serves it.'),
    vienna_codes: list(word, 'Vienna codes of the image, as stated.'),
    details,
  }),
  Classification: part('How the goods and the figures of the mark are classified.', {
    nice_version: text('Edition of the Nice classification.'),
    leading_class: text('The class that the office puts first.'),
    classes: list(refer('ClassEntry'), 'The classes, with what the office states about each.'),
    design_codes: list(word, "Codes of the office's own classification of figures, which are not Vienna codes."),
  }),
  ClassEntry: part('A class of the mark.', {
    international_codes: list(word, 'Nice classes, as stated.'),
    national_codes: list(word, "Classes of the office's own scheme."),
    unknown_codes: list(word, 'Classes of another scheme, or of one that the source does not name.'),
    primary_code: text('The class under which the office files it, of either scheme.'),
    status_code: text("The office's status of the class, as its code."),
    status_text: text('The same in words.'),
    status_date: date('When that changed.'),
    first_use_date: date('First use anywhere.'),
    first_use_in_commerce_date: date('First use in commerce.'),
    details,
  }),
  International: part('What ties the record to the international register.', {
    registration: refer('InternationalRegistration'),
    filings: list(refer('InternationalFiling'), 'International applications based on this record.'),
    designations: list(word, 'Designated countries, as stated.'),
  }),
  InternationalRegistration: part('The international registration of which this record is the national part.', {
    number: text('Its number, as stated.'),
    registration_date: date('Date of international registration.'),
    publication_date: date('Publication by the international office.'),
    renewal_date: date('Renewal.'),
    auto_protection_date: date('When protection takes effect without a decision.'),
    end_date: date('When the registration ended.'),
    status_code: text("The office's code for its status."),
    status_date: date('When that changed.'),
    priority_claimed: flag('Whether it claims priority.'),
    priority_date: date('Date of that priority.'),
    first_refusal: flag('Whether the office has refused it once.'),
  }),
  InternationalFiling: part('An international application or registration based on this record.', {
    sequence: text('Its number among the filings.'),
    reference_number: text("The office's reference, which is not a registration number."),
    filing_date: date('Filing with the office of origin.'),
    number: text('Number of the international registration, as stated.'),
    registration_date: date('Date of international registration.'),
    renewal_date: date('Renewal.'),
    status_code: text("The office's code for its status."),
    status_date: date('When that changed.'),
    reply_by_date: date('Last day for a reply to an irregularity.'),
    events: list(refer('RecordEvent'), 'What happened to it.'),
  }),
  RelatedMark: part(
    'Another mark that the record names.',
    {
      relationship: text('How it is related to this mark.'),
      number: text('Its application number.'),
      registration_number: text('Its registration number.'),
      country: text('Its country or office.'),
      date: date('Its date.'),
      details,
    },
    'relationship',
  ),
  Statement: part(
    'A statement about the mark in words.',
    { code: text("The office's code."), text: text('As stated.'), language: text('Language code.') },
    'text',
  ),
  Source: {
    ...part(
      'What the office says about the record itself. Its own words complement what the service derives from them in ' +
        '`status`, `kind_of_mark` and `mark_feature`. Further members keep values that have no place ' +
        "elsewhere, under the source's names.",
      {
        format: text('The format the record was read from.'),
        status_code: text("The office's status, as its code."),
        status_text: text('The same in words; delivered as `tm5_status` too.'),
        kind_code: text("The office's kind of mark, as its code or codes."),
        kind_text: text('The same in words; several are separated by commas.'),
        feature_code: text("The office's feature of the mark, as its code or codes."),
        feature_text: text('The same in words; several are separated by commas.'),
      },
      'format',
    ),
    additionalProperties: true,
  },
} as const satisfies Readonly<Record<string, PartSchema>>;

type Parts = typeof DOCUMENT_PARTS;

export type DocumentPartName = keyof Parts;

/** The type of a part, such as `DocumentPart<'Party'>`. */
export type DocumentPart<Name extends DocumentPartName> = PartType<Parts[Name], Parts>;

const orNull = <const Schema>(schema: Schema) => ({ anyOf: [schema, { type: 'null' }] }) as const;

/** The sections in their order. Every document has all of them. */
export const DOCUMENT_SECTIONS = {
  parties: orNull(list(refer('Party'), 'Owners, applicants, representatives.')),
  mark: orNull(refer('Mark')),
  goods_and_services: orNull(list(refer('GoodsAndServices'), 'Goods and services, class by class.')),
  publications: orNull(list(refer('Publication'), 'Publications.')),
  priorities: orNull(list(refer('Priority'), 'Claims of priority.')),
  events: orNull(
    list(refer('RecordEvent'), 'What happened to the record, in the order of the source or newest first.'),
  ),
  images: orNull(list(refer('MarkImage'), 'Images.')),
  classification: orNull(refer('Classification')),
  international: orNull(refer('International')),
  related_marks: orNull(list(refer('RelatedMark'), 'Other marks that the record names.')),
  statements: orNull(list(refer('Statement'), 'Statements in words.')),
  source: refer('Source'),
} as const;

export type NormalizedDocument = {
  -readonly [Name in keyof typeof DOCUMENT_SECTIONS]: TypeOf<(typeof DOCUMENT_SECTIONS)[Name], Parts>;
};

/** The schema as a whole. */
export const DOCUMENT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'NormalizedDocument',
  description: 'The full normalized document of a record, as every register format builds it.',
  type: 'object',
  required: Object.keys(DOCUMENT_SECTIONS),
  properties: DOCUMENT_SECTIONS,
  $defs: DOCUMENT_PARTS,
} as const;
