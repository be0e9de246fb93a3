/**
 * The parties of a mark, owners first. A contact states a name in one of several forms, or in two of them. Where the
 * office numbers the stages of ownership, the highest stage is the current owner's.
 */
import {
  type Address,
  type EventParty,
  type EventPartyRole,
  isSilent,
  joinWords,
  type Party,
  type PartyName,
  stated,
} from '../document.ts';
import { type Element, type Mapping, rest } from '../element.ts';
import { checkCountry, lookUpFolded } from '../meanings.ts';
import { ENTITY_TEXTS } from '../uspto-apc/cases.ts';
import type { PartyMeaning, PartySide, St96Dialect } from './dialects.ts';
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

export function readParties(root: Element, dialect: St96Dialect): MarkParty[] {
  const list = (path: string, meaning: PartyMeaning): MarkParty[] =>
    root.list(path).map((node) => readParty(node, dialect, meaning));
  const parties = [
    ...readApplicants(root, dialect),
    ...readInterestedParties(root, dialect),
    ...list('RecordAttorney', { role: 'attorney', side: 'representative' }),
    ...list('NationalRepresentative', { role: dialect.nationalRepresentative, side: 'representative' }),
    ...list('RepresentativeBag/Representative', { role: 'representative', side: 'representative' }),
    ...list('NationalCorrespondent', { role: 'correspondent', side: 'representative' }),
  ];
  // Owners of today, former ones, then all others.
  const rankOf = ({ side, party }: MarkParty): number => (side === 'owner' ? 0 : party.current === false ? 1 : 2);
  const stating = parties.toSorted((a, b) => rankOf(a) - rankOf(b));
  return stating.filter(({ party: { role, ...others } }) => !isSilent(others));
}

function readApplicants(root: Element, dialect: St96Dialect): MarkParty[] {
  const nodes = root.list(APPLICANT_PATH);
  const { findStage } = dialect;
  if (findStage !== null) return orderStages(nodes.map((node) => readStage(node, dialect, findStage)));
  return nodes.map((node) => {
    const applicant = readParty(node, dialect, { role: 'applicant', side: 'owner' });
    const sequence = node.attribute('sequenceNumber');
    return { ...applicant, party: stated<Party>({ ...applicant.party, sequence }) };
  });
}

interface StagedParty {
  stage: number;
  applicant: MarkParty;
}

function readStage(node: Element, dialect: St96Dialect, findStage: NonNullable<St96Dialect['findStage']>): StagedParty {
  const code = node.attribute('sequenceNumber');
  const stage = code === null ? null : findStage(code);
  if (stage === null) node.raise('unmapped_party_type', `${APPLICANT_PATH}@sequenceNumber`, code ?? '');
  const role = stage?.role ?? 'owner';
  const { party, ...others } = readParty(node, dialect, {
    role,
    side: role === 'correspondent' ? 'representative' : 'owner',
  });
  const office_role_text = party.office_role_text ?? stage?.text;
  return {
    stage: stage === null ? 0 : Number(code),
    applicant: { ...others, party: stated<Party>({ ...party, office_role: code, office_role_text }) },
  };
}

/** The latest stage first; owners of the same stage stay in source order. */
function orderStages(stages: StagedParty[]): MarkParty[] {
  const owners = stages.filter(({ applicant }) => applicant.side === 'owner');
  const current = Math.max(0, ...owners.map(({ stage }) => stage));
  for (const { stage, applicant } of owners) applicant.party.current = stage === current;
  return stages.toSorted((a, b) => b.stage - a.stage).map(({ applicant }) => applicant);
}

function readInterestedParties(root: Element, dialect: St96Dialect): MarkParty[] {
  return root.list(INTERESTED_PATH).map((node) => {
    const category = node.text('InterestedPartyCategory');
    const meaning = lookUpFolded(dialect.interestedParties, category ?? '');
    if (meaning === undefined) {
      root.raise('unmapped_party_type', `${INTERESTED_PATH}/InterestedPartyCategory`, category ?? '');
    }
    const { party, ...others } = readParty(node, dialect, meaning ?? { role: 'other', side: null });
    return { ...others, party: stated<Party>({ ...party, office_role_text: category }) };
  });
}

function readParty(node: Element, dialect: St96Dialect, { role, side, current }: PartyMeaning): MarkParty {
  const members = readMembers(node, dialect);
  const { names = [], address } = members;
  return {
    side,
    names: [...new Set(names.map(({ text }) => text))],
    countries: side === 'owner' ? checkCountry(node, 'CountryCode', address?.country) : [],
    party: stated<Party>({ role, ...members, current, details: rest(node) }),
  };
}

type PartyMembers = Omit<Party, 'role' | 'details'>;

/** What any party states, of the mark or of a proceeding. */
function readMembers(node: Element, dialect: St96Dialect): PartyMembers {
  const read = (path: string): string | null => node.text(path);
  const legalName = read('LegalEntityName');
  const names = readNames(node);
  if (dialect.legalEntityName === 'name' && legalName !== null) names.unshift({ text: legalName });
  const kind = dialect.legalEntityName === 'kind' ? legalName : null;
  // Canada writes a country there, which is kept with the rest.
  const entityCode = dialect.legalEntityName === 'kind' ? read('NationalLegalEntityCode') : null;
  return stated<PartyMembers>({
    office_role_text: dialect.commentsOnRole ? node.first(['CommentText', 'Version/CommentText']) : null,
    identifier: read('PartyIdentifier'),
    names,
    entity: stated({ code: entityCode, text: entityText(entityCode), statement: kind }),
    nationality: stated({ country: read('NationalityCode') }),
    incorporation: stated({ country: read('IncorporationCountryCode'), state: read('IncorporationState') }),
    address: readAddress(node),
  });
}

/** The office's table has codes of two digits, its answers of one. */
function entityText(code: string | null): string | null {
  if (code === null) return null;
  return ENTITY_TEXTS[code.padStart(2, '0')] ?? null;
}

/** Names in every stated form; one name may appear in two forms. */
function readNames(node: Element): PartyName[] {
  const contacts = node.list('Contact');
  return contacts.flatMap((contact) => {
    const language = contact.attribute('languageCode');
    const read = (path: string, kind?: PartyName['kind']): PartyName[] =>
      readLanguageTexts(contact, path).map((name) =>
        stated<PartyName>({ text: name.text, kind, language: name.language ?? language }),
      );
    return [
      ...read('Name/PersonName/PersonFullName', 'person'),
      ...contact.list('Name/PersonName/PersonStructuredName').flatMap((name) => {
        const text = ['FirstName', 'MiddleName', 'LastName', 'SecondLastName']
          .flatMap((part) => name.texts(part))
          .join(' ');
        return text === '' ? [] : [stated<PartyName>({ text, kind: 'person', language })];
      }),
      ...read('Name/OrganizationName/OrganizationStandardName', 'organization'),
      ...read('Name/EntityName'),
    ];
  });
}

const ADDRESS: Mapping<Address> = {
  lines: (place) => [...place.texts('PostalStructuredAddress/AddressLineText'), ...place.texts('PostalAddressText')],
  city: 'PostalStructuredAddress/CityName',
  region: (place) => joinWords(place.texts('PostalStructuredAddress/GeographicRegionName')),
  postcode: 'PostalStructuredAddress/PostalCode',
  country: 'PostalStructuredAddress/CountryCode',
};

function readAddress(node: Element): Address | null {
  const place = node.find('Contact/PostalAddressBag/PostalAddress');
  // An address has the language of its contact.
  place?.find('PostalStructuredAddress')?.attribute('languageCode');
  return place?.map(ADDRESS) ?? null;
}

/** The parties of a proceeding by their path below it, with those who act for each. The rest of them is not read. */
export function readProceedingParties(proceeding: Element, dialect: St96Dialect): EventParty[] {
  const list = (below: Element, path: string, role: EventPartyRole): EventParty[] =>
    below.list(path).map((party) =>
      stated<EventParty>({
        role,
        ...readMembers(party, dialect),
        contacts: [
          ...list(party, 'Correspondent', 'correspondent'),
          ...list(party, 'RepresentativeBag/Representative', 'other'),
        ],
      }),
    );
  return [
    ...list(proceeding, 'PlaintiffBag/Plaintiff', 'plaintiff'),
    ...list(proceeding, 'DefendantBag/Defendant', 'defendant'),
  ];
}
