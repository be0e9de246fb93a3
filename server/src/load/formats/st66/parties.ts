/**
 * The parties of a mark. Most offices of the family state keys only and keep the names in files of their own, so a
 * party may have no name here; what is stated inline is read whatever its form.
 */
import { listChildren, type XmlNode } from '../../xml-node.ts';
import { type Address, type Party, type PartyName, type PartyRole, stated } from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readRest, readText, readTexts } from '../reading.ts';
import type { St66Dialect } from './dialect.ts';

export interface MarkParty {
  isOwner: boolean;
  names: string[];
  countries: string[];
  party: Party;
}

interface PartySource {
  role: PartyRole;
  isOwner: boolean;
  /** The party itself, and the first part of the names of its elements. */
  path: string;
  prefix: string;
  /** A reference to a party kept elsewhere. */
  keyPath?: string;
}

/** The current holder before the applicant: owners come current first. */
const PARTY_SOURCES: readonly PartySource[] = [
  {
    role: 'owner',
    isOwner: true,
    path: 'fr-CurrentHolderDetails/fr-CurrentHolder',
    prefix: 'fr-CurrentHolder',
  },
  {
    role: 'applicant',
    isOwner: true,
    path: 'ApplicantDetails/Applicant',
    prefix: 'Applicant',
    keyPath: 'ApplicantDetails/ApplicantKey',
  },
  {
    role: 'representative',
    isOwner: false,
    path: 'RepresentativeDetails/Representative',
    prefix: 'Representative',
    keyPath: 'RepresentativeDetails/RepresentativeKey',
  },
  { role: 'correspondent', isOwner: false, path: 'CorrespondenceAddress', prefix: 'Correspondence' },
];

export function readParties(reading: Reading, mark: XmlNode, dialect: St66Dialect): MarkParty[] {
  return PARTY_SOURCES.flatMap((source) => [
    ...listChildren(mark, source.path).map((node) => readParty(reading, node, source, dialect)),
    ...(source.keyPath === undefined ? [] : listChildren(mark, source.keyPath)).map((node) =>
      readKey(reading, node, source),
    ),
  ]);
}

function readKey(reading: Reading, node: XmlNode, { role, isOwner }: PartySource): MarkParty {
  const party = stated<Party>({
    role,
    identifier: readText(reading, node, 'Identifier'),
    uri: readText(reading, node, 'URI'),
    details: readRest(reading, node),
  });
  return { isOwner, names: [], countries: [], party };
}

function readParty(
  reading: Reading,
  node: XmlNode,
  { role, isOwner, prefix }: PartySource,
  dialect: St66Dialect,
): MarkParty {
  const book = `${prefix}AddressBook/FormattedNameAddress`;
  const read = (suffix: string): string | null => readText(reading, node, `${prefix}${suffix}`);
  const names = [
    ...listChildren(node, book).flatMap((entry) => readNames(reading, entry)),
    ...readTexts(reading, node, `${prefix}Name/FullName`).map((text): PartyName => ({ text })),
  ];
  const addresses = listChildren(node, `${book}/Address`);
  const nationality = read('NationalityCode');
  const incorporation = read('IncorporationCountryCode');
  const countries = readCountries(reading, addresses, dialect);
  const entity = read('LegalEntity');
  const party = stated<Party>({
    role,
    sequence: read('SequenceNumber'),
    identifier: read('Identifier'),
    names,
    entity: stated({ text: entity }),
    nationality: stated({ country: nationality }),
    incorporation: stated({ country: incorporation, state: read('IncorporationState') }),
    address: addresses[0] === undefined ? null : readAddress(reading, addresses[0], countries[0]),
    details: readRest(reading, node),
  });
  const country = countries.length > 0 ? countries : [incorporation ?? nationality].filter((code) => code !== null);
  return {
    isOwner,
    names: names.map(({ text }) => text),
    countries: country.filter((code) => isCountryCode(reading, code)),
    party,
  };
}

/** A natural person who acts for a firm has both names, and both are emitted. */
function readNames(reading: Reading, entry: XmlNode): PartyName[] {
  const language = readAttribute(reading, entry, 'languageCode');
  const formatted = listChildren(entry, 'Name/FormattedName').flatMap((name) => {
    const person = ['FirstName', 'MiddleName', 'LastName', 'SecondLastName']
      .flatMap((path) => readTexts(reading, name, path))
      .join(' ');
    return [
      ...readTexts(reading, name, 'OrganizationName').map((text): PartyName => ({ text, kind: 'organization' })),
      ...(person === '' ? [] : [{ text: person, kind: 'person' } as PartyName]),
    ];
  });
  const free = listChildren(entry, 'Name/FreeFormatName')
    .map((name) => readTexts(reading, name, 'FreeFormatNameDetails/FreeFormatNameLine').join(' '))
    .filter((text) => text !== '')
    .map((text): PartyName => ({ text }));
  return [...formatted, ...free].map((name) => stated<PartyName>({ ...name, language }));
}

function readCountries(reading: Reading, addresses: readonly XmlNode[], dialect: St66Dialect): string[] {
  return addresses.flatMap((address) =>
    dialect.countryPaths.flatMap((path) => readTexts(reading, address, path)).slice(0, 1),
  );
}

function readAddress(reading: Reading, node: XmlNode, country: string | undefined): Address {
  return stated<Address>({
    lines: [
      ...readTexts(reading, node, 'FreeFormatAddress/FreeFormatAddressLine'),
      ...readTexts(reading, node, 'FormattedAddress/AddressStreet'),
    ],
    city: readText(reading, node, 'FormattedAddress/AddressCity'),
    region:
      readText(reading, node, 'FormattedAddress/AddressState') ??
      readText(reading, node, 'FormattedAddress/AddressCounty'),
    postcode: readText(reading, node, 'FormattedAddress/AddressPostcode'),
    country,
  });
}

function isCountryCode(reading: Reading, code: string): boolean {
  if (/^[A-Za-z]{2}$/.test(code)) return true;
  raiseIssue(reading, 'unmapped_country', 'AddressCountryCode', code);
  return false;
}
