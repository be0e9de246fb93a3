/**
 * The parties of a mark. Most offices of the family state only keys and publish the names in separate files, so a party
 * may have no name here. Whatever is stated inline is read, in any form.
 */
import { isCountryCode, listCountries } from '../../../record/parties.ts';
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { type Address, isSilent, type Party, type PartyName, type PartyRole, stated } from '../payload.ts';
import { type Reading, raiseIssue, readAttribute, readRest, readText, readTexts } from '../reading.ts';
import type { St66Dialect } from './dialect.ts';

interface PartySource {
  role: PartyRole;
  /** Path of the party element, and the prefix of its child elements' names. */
  path: string;
  prefix: string;
  /** Path of a reference to a party kept elsewhere. */
  keyPath?: string;
}

/** The current holder comes before the applicant, because owners are listed current first. */
const PARTY_SOURCES: readonly PartySource[] = [
  {
    role: 'owner',
    path: 'fr-CurrentHolderDetails/fr-CurrentHolder',
    prefix: 'fr-CurrentHolder',
  },
  {
    role: 'applicant',
    path: 'ApplicantDetails/Applicant',
    prefix: 'Applicant',
    keyPath: 'ApplicantDetails/ApplicantKey',
  },
  {
    role: 'representative',
    path: 'RepresentativeDetails/Representative',
    prefix: 'Representative',
    keyPath: 'RepresentativeDetails/RepresentativeKey',
  },
  { role: 'correspondent', path: 'CorrespondenceAddress', prefix: 'Correspondence' },
];

/** Lines of name and address that the office does not separate; the name comes first. */
const UNDIVIDED_LINES = 'FreeFormatAddressDetails/FreeFormatNameAddressLine';

export function readParties(reading: Reading, mark: XmlNode, dialect: St66Dialect): Party[] {
  return PARTY_SOURCES.flatMap((source) => {
    const inline = listChildren(mark, source.path).map((node) => readParty(reading, node, source, dialect));
    const keys = source.keyPath === undefined ? [] : listChildren(mark, source.keyPath);
    const kept = keys.map((node) => readKey(reading, node, source)).filter((key) => !joinKey(key, inline));
    return [...inline, ...kept].filter((party) => Object.keys(party).length > 1);
  });
}

/** Whether a key refers to a party stated next to it. If so, that party takes the key's URI. */
function joinKey(key: Party, inline: readonly Party[]): boolean {
  const same = inline.find(({ identifier }) => identifier !== undefined && identifier === key.identifier);
  if (same === undefined || key.details !== undefined || key.current !== undefined) return false;
  if (key.uri !== undefined) same.uri = key.uri;
  return true;
}

function readKey(reading: Reading, node: XmlNode, { role }: PartySource): Party {
  return stated<Party>({
    role,
    current: readRemovedParty(reading, node) ? false : null,
    identifier: readText(reading, node, 'Identifier'),
    uri: readText(reading, node, 'URI'),
    details: readRest(reading, node),
  });
}

/** A party with its name and address, of a mark or of a file of parties. `prefix` begins the names of its elements. */
export function readParty(
  reading: Reading,
  node: XmlNode,
  { role, prefix }: Pick<PartySource, 'role' | 'prefix'>,
  dialect: St66Dialect,
): Party {
  const book = `${prefix}AddressBook/FormattedNameAddress`;
  const isRemoved = readRemovedParty(reading, node);
  const read = (suffix: string): string | null => readText(reading, node, `${prefix}${suffix}`);
  const [line, ...lines] = readTexts(reading, node, `${prefix}AddressBook/${UNDIVIDED_LINES}`);
  const names = [
    ...listChildren(node, book).flatMap((entry) => readNames(reading, entry)),
    ...readTexts(reading, node, `${prefix}Name/FullName`).map((text): PartyName => ({ text })),
    ...(line === undefined ? [] : [{ text: line }]),
  ];
  const written = listChildren(node, `${book}/Address`)
    .map((each) => readAddress(reading, each, dialect))
    .filter((each) => !isSilent(each));
  const [address, ...otherAddresses] = lines.length > 0 ? [{ lines }, ...written] : written;
  const entity = read('LegalEntity');
  const party = stated<Party>({
    role,
    current: isRemoved ? false : null,
    sequence: read('SequenceNumber'),
    identifier: read('Identifier'),
    names,
    entity: stated({ text: entity }),
    nationality: stated({ country: read('NationalityCode') }),
    incorporation: stated({ country: read('IncorporationCountryCode'), state: read('IncorporationState') }),
    address,
    other_addresses: otherAddresses,
    details: readRest(reading, node),
  });
  for (const code of isRemoved ? [] : listCountries(party)) {
    if (!isCountryCode(code)) raiseIssue(reading, 'unmapped_country', 'AddressCountryCode', code);
  }
  return party;
}

/** A party that the office removes from the mark stays in the payload, but is no longer one of its owners. */
function readRemovedParty(reading: Reading, node: XmlNode): boolean {
  const operation = readAttribute(reading, node, 'operationCode');
  if (operation !== null && !['Insert', 'Update', 'Delete'].includes(operation)) {
    raiseIssue(reading, 'unmapped_operation', `${node.name}@operationCode`, operation);
  }
  return operation === 'Delete';
}

/**
 * A natural person who acts for a firm has both names, and both are emitted. A last name alone may be the name of a
 * firm, and some offices write the name of a firm in both elements.
 */
function readNames(reading: Reading, entry: XmlNode): PartyName[] {
  const language = readAttribute(reading, entry, 'languageCode');
  const formatted = listChildren(entry, 'Name/FormattedName').flatMap((name) => {
    const given = readTexts(reading, name, 'FirstName');
    const rest = ['MiddleName', 'LastName', 'SecondLastName'].flatMap((path) => readTexts(reading, name, path));
    const person = [...given, ...rest].join(' ');
    const organizations = readTexts(reading, name, 'OrganizationName');
    return [
      ...organizations.map((text): PartyName => ({ text, kind: 'organization' })),
      ...(person === '' || organizations.includes(person)
        ? []
        : [stated<PartyName>({ text: person, kind: given.length === 0 ? null : 'person' })]),
    ];
  });
  const free = listChildren(entry, 'Name/FreeFormatName')
    .map((name) => readTexts(reading, name, 'FreeFormatNameDetails/FreeFormatNameLine').join(' '))
    .filter((text) => text !== '')
    .map((text): PartyName => ({ text }));
  return [...formatted, ...free].map((name) => stated<PartyName>({ ...name, language }));
}

/** The first path of the dialect that states a country counts. */
function readCountry(reading: Reading, address: XmlNode, dialect: St66Dialect): string | null {
  for (const path of dialect.countryPaths) {
    const country = readText(reading, address, path);
    if (country !== null) return country;
  }
  return null;
}

function readAddress(reading: Reading, node: XmlNode, dialect: St66Dialect): Address {
  const country = readCountry(reading, node, dialect);
  const region =
    readText(reading, node, 'FormattedAddress/AddressState') ??
    readText(reading, node, 'FormattedAddress/AddressCounty');
  return stated<Address>({
    lines: [
      ...readTexts(reading, node, 'FreeFormatAddress/FreeFormatAddressLine'),
      ...readTexts(reading, node, 'FormattedAddress/AddressLine'),
      ...readTexts(reading, node, 'FormattedAddress/AddressStreet'),
    ],
    city: readText(reading, node, 'FormattedAddress/AddressCity'),
    // Some offices repeat the country in this element.
    region: region === country ? null : region,
    postcode: readText(reading, node, 'FormattedAddress/AddressPostcode'),
    country,
  });
}
