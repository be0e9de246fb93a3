/**
 * The parties of a mark, owners first. A contact states a name in one of several forms, or in two of them. Where the
 * office numbers the stages of ownership, the highest stage is the current owner's.
 */
import { findChild, listChildren, type XmlNode } from '../../xml/xml-node.ts';
import {
  type Address,
  type EventParty,
  type EventPartyRole,
  isSilent,
  type Party,
  type PartyName,
  stated,
} from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readRest, readText, readTexts } from '../reading.ts';
import { foldValue } from '../st66/dialect.ts';
import { ENTITY_TEXTS } from '../uspto-apc/lookups.ts';
import type { PartyMeaning, PartySide, St96Dialect } from './dialect.ts';
import { readLanguageTexts } from './reading.ts';

export interface MarkParty {
  side: PartySide;
  /** As stated, without duplicates. */
  names: string[];
  /** The country of an owner, two letters; empty when the address states no country of that form. */
  countries: string[];
  party: Party;
}

const APPLICANT_PATH = 'ApplicantBag/Applicant';
const INTERESTED_PATH = 'NationalTrademarkInformation/InterestedPartyBag/InterestedParty';

/** The parties whose names are names of the record. */
export function listNamed(parties: readonly MarkParty[]): (MarkParty & { isOwner: boolean })[] {
  return parties.flatMap((party) => (party.side === null ? [] : [{ ...party, isOwner: party.side === 'owner' }]));
}

export function readParties(reading: Reading, dialect: St96Dialect): MarkParty[] {
  const list = (path: string, meaning: PartyMeaning): MarkParty[] =>
    listChildren(reading.root, path).map((node) => readParty(reading, dialect, node, meaning));
  const parties = [
    ...readApplicants(reading, dialect),
    ...readInterestedParties(reading, dialect),
    ...list('RecordAttorney', { role: 'attorney', side: 'representative' }),
    ...list('NationalRepresentative', { role: dialect.nationalRepresentative, side: 'representative' }),
    ...list('RepresentativeBag/Representative', { role: 'representative', side: 'representative' }),
    ...list('NationalCorrespondent', { role: 'correspondent', side: 'representative' }),
  ];
  // Owners of today, former ones, then all others.
  const rankOf = ({ side, party }: MarkParty): number => (side === 'owner' ? 0 : party.current === false ? 1 : 2);
  const stating = parties.toSorted((a, b) => rankOf(a) - rankOf(b));
  return stating.filter(({ party: { role, ...rest } }) => !isSilent(rest));
}

function readApplicants(reading: Reading, dialect: St96Dialect): MarkParty[] {
  const nodes = listChildren(reading.root, APPLICANT_PATH);
  const { findStage } = dialect;
  if (findStage !== null) return orderStages(nodes.map((node) => readStage(reading, dialect, node, findStage)));
  return nodes.map((node) => {
    const applicant = readParty(reading, dialect, node, { role: 'applicant', side: 'owner' });
    const sequence = readAttribute(reading, node, 'sequenceNumber');
    return { ...applicant, party: stated<Party>({ ...applicant.party, sequence }) };
  });
}

interface StagedParty {
  stage: number;
  applicant: MarkParty;
}

function readStage(
  reading: Reading,
  dialect: St96Dialect,
  node: XmlNode,
  findStage: NonNullable<St96Dialect['findStage']>,
): StagedParty {
  const code = readAttribute(reading, node, 'sequenceNumber');
  const stage = code === null ? null : findStage(code);
  if (stage === null) raiseIssue(reading, 'unmapped_party_type', `${APPLICANT_PATH}@sequenceNumber`, code ?? '');
  const role = stage?.role ?? 'owner';
  const { party, ...rest } = readParty(reading, dialect, node, {
    role,
    side: role === 'correspondent' ? 'representative' : 'owner',
  });
  const office_role_text = party.office_role_text ?? stage?.text;
  return {
    stage: stage === null ? 0 : Number(code),
    applicant: { ...rest, party: stated<Party>({ ...party, office_role: code, office_role_text }) },
  };
}

/** The latest stage first; owners of the same stage stay in source order. */
function orderStages(stages: StagedParty[]): MarkParty[] {
  const owners = stages.filter(({ applicant }) => applicant.side === 'owner');
  const current = Math.max(0, ...owners.map(({ stage }) => stage));
  for (const { stage, applicant } of owners) applicant.party.current = stage === current;
  return stages.toSorted((a, b) => b.stage - a.stage).map(({ applicant }) => applicant);
}

function readInterestedParties(reading: Reading, dialect: St96Dialect): MarkParty[] {
  return listChildren(reading.root, INTERESTED_PATH).map((node) => {
    const category = readText(reading, node, 'InterestedPartyCategory');
    const key = foldValue(category ?? '');
    const meaning = Object.hasOwn(dialect.interestedParties, key) ? dialect.interestedParties[key] : undefined;
    if (meaning === undefined) {
      raiseIssue(reading, 'unmapped_party_type', `${INTERESTED_PATH}/InterestedPartyCategory`, category ?? '');
    }
    const { party, ...rest } = readParty(reading, dialect, node, meaning ?? { role: 'other', side: null });
    return { ...rest, party: stated<Party>({ ...party, office_role_text: category }) };
  });
}

function readParty(
  reading: Reading,
  dialect: St96Dialect,
  node: XmlNode,
  { role, side, current }: PartyMeaning,
): MarkParty {
  const members = readMembers(reading, dialect, node);
  const { names = [], address } = members;
  const country = side === 'owner' && address?.country !== undefined ? checkCountry(reading, address.country) : null;
  return {
    side,
    names: [...new Set(names.map(({ text }) => text))],
    countries: country === null ? [] : [country],
    party: stated<Party>({ role, ...members, current, details: readRest(reading, node) }),
  };
}

type PartyMembers = Omit<Party, 'role' | 'details'>;

/** What any party states, of the mark or of a proceeding. */
function readMembers(reading: Reading, dialect: St96Dialect, node: XmlNode): PartyMembers {
  const read = (path: string): string | null => readText(reading, node, path);
  const legalName = read('LegalEntityName');
  const names = readNames(reading, node);
  if (dialect.legalEntityName === 'name' && legalName !== null) names.unshift({ text: legalName });
  const kind = dialect.legalEntityName === 'kind' ? legalName : null;
  // Canada writes a country there, which is kept with the rest.
  const entityCode = dialect.legalEntityName === 'kind' ? read('NationalLegalEntityCode') : null;
  return stated<PartyMembers>({
    office_role_text: dialect.commentsOnRole ? (read('CommentText') ?? read('Version/CommentText')) : null,
    identifier: read('PartyIdentifier'),
    names,
    entity: stated({ code: entityCode, text: entityText(entityCode), statement: kind }),
    nationality: stated({ country: read('NationalityCode') }),
    incorporation: stated({ country: read('IncorporationCountryCode'), state: read('IncorporationState') }),
    address: readAddress(reading, node),
  });
}

/** The office's table has codes of two digits, its answers of one. */
function entityText(code: string | null): string | null {
  if (code === null) return null;
  return ENTITY_TEXTS[code.padStart(2, '0')] ?? null;
}

/** Names in every stated form; one name may appear in two forms. */
function readNames(reading: Reading, node: XmlNode): PartyName[] {
  const contacts = listChildren(node, 'Contact');
  return contacts.flatMap((contact) => {
    const language = readAttribute(reading, contact, 'languageCode');
    const read = (path: string, kind?: PartyName['kind']): PartyName[] =>
      readLanguageTexts(reading, contact, path).map((name) =>
        stated<PartyName>({ text: name.text, kind, language: name.language ?? language }),
      );
    return [
      ...read('Name/PersonName/PersonFullName', 'person'),
      ...listChildren(contact, 'Name/PersonName/PersonStructuredName').flatMap((name) => {
        const text = ['FirstName', 'MiddleName', 'LastName', 'SecondLastName']
          .flatMap((part) => readTexts(reading, name, part))
          .join(' ');
        return text === '' ? [] : [stated<PartyName>({ text, kind: 'person', language })];
      }),
      ...read('Name/OrganizationName/OrganizationStandardName', 'organization'),
      ...read('Name/EntityName'),
    ];
  });
}

function readAddress(reading: Reading, node: XmlNode): Address | null {
  const place = findChild(node, 'Contact/PostalAddressBag/PostalAddress');
  if (place === null) return null;
  const structured = findChild(place, 'PostalStructuredAddress');
  // An address has the language of its contact.
  if (structured !== null) readAttribute(reading, structured, 'languageCode');
  const address = stated<Address>({
    lines: [
      ...readTexts(reading, place, 'PostalStructuredAddress/AddressLineText'),
      ...readTexts(reading, place, 'PostalAddressText'),
    ],
    city: readText(reading, place, 'PostalStructuredAddress/CityName'),
    region: readTexts(reading, place, 'PostalStructuredAddress/GeographicRegionName').join(', '),
    postcode: readText(reading, place, 'PostalStructuredAddress/PostalCode'),
    country: readText(reading, place, 'PostalStructuredAddress/CountryCode'),
  });
  if (address.region === '') delete address.region;
  return isSilent(address) ? null : address;
}

function checkCountry(reading: Reading, code: string): string | null {
  if (/^[A-Za-z]{2}$/.test(code)) return code;
  raiseIssue(reading, 'unmapped_country', 'CountryCode', code);
  return null;
}

/** The parties of a proceeding by their path below it, with those who act for each. The rest of them is not read. */
export function readProceedingParties(reading: Reading, dialect: St96Dialect, node: XmlNode): EventParty[] {
  const list = (below: XmlNode, path: string, role: EventPartyRole): EventParty[] =>
    listChildren(below, path).map((party) =>
      stated<EventParty>({
        role,
        ...readMembers(reading, dialect, party),
        contacts: [
          ...list(party, 'Correspondent', 'correspondent'),
          ...list(party, 'RepresentativeBag/Representative', 'other'),
        ],
      }),
    );
  return [...list(node, 'PlaintiffBag/Plaintiff', 'plaintiff'), ...list(node, 'DefendantBag/Defendant', 'defendant')];
}
