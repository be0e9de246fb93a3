/**
 * The parties of a mark, and files of applicants and representatives, which marks name by key. Most offices of the
 * family state only keys and publish the names in separate files, so a party of a mark may have no name. Whatever is
 * stated inline is read, in any form. A party of a file becomes a supplement: its name and address, kept under its key
 * and joined to every mark that names it.
 */

import { isCountryCode, listCountries, type PartyKind, partyPart } from '../../../record/parties.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { type Address, isSilent, type Party, type PartyName, type PartyRole, stated } from '../document.ts';
import { type Element, rest } from '../element.ts';
import type { SupplementItem } from '../format.ts';
import { UnreadableRecord } from '../xml-records.ts';
import { openStated, type St66Dialect } from './dialects.ts';

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

export function readParties(mark: Element, dialect: St66Dialect): Party[] {
  return PARTY_SOURCES.flatMap((source) => {
    const inline = mark.list(source.path).map((node) => readParty(node, source, dialect));
    const keys = source.keyPath === undefined ? [] : mark.list(source.keyPath);
    const kept = keys.map((node) => readKey(node, source.role)).filter((key) => !joinKey(key, inline));
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

function readKey(key: Element, role: PartyRole): Party {
  return key.map<Party>({
    role: () => role,
    current: () => (readRemovedParty(key) ? false : null),
    identifier: 'Identifier',
    uri: 'URI',
    details: rest,
  });
}

/** A party with its name and address, of a mark or of a file of parties. `prefix` begins the names of its elements. */
function readParty(node: Element, { role, prefix }: Pick<PartySource, 'role' | 'prefix'>, dialect: St66Dialect): Party {
  const book = `${prefix}AddressBook/FormattedNameAddress`;
  const isRemoved = readRemovedParty(node);
  const read = (suffix: string): string | null => node.text(`${prefix}${suffix}`);
  const [line, ...lines] = node.texts(`${prefix}AddressBook/${UNDIVIDED_LINES}`);
  const names = [
    ...node.list(book).flatMap((entry) => readNames(entry)),
    ...node.texts(`${prefix}Name/FullName`).map((text): PartyName => ({ text })),
    ...(line === undefined ? [] : [{ text: line }]),
  ];
  const written = node
    .list(`${book}/Address`)
    .map((each) => readAddress(each, dialect))
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
    details: rest(node),
  });
  for (const code of isRemoved ? [] : listCountries(party)) {
    if (!isCountryCode(code)) node.raise('unmapped_country', 'AddressCountryCode', code);
  }
  return party;
}

/** A party that the office removes from the mark stays in the payload, but is no longer one of its owners. */
function readRemovedParty(node: Element): boolean {
  const operation = node.attribute('operationCode');
  if (operation !== null && !['Insert', 'Update', 'Delete'].includes(operation)) {
    node.raise('unmapped_operation', `${node.name}@operationCode`, operation);
  }
  return operation === 'Delete';
}

/**
 * A natural person who acts for a firm has both names, and both are emitted. A last name alone may be the name of a
 * firm, and some offices write the name of a firm in both elements.
 */
function readNames(entry: Element): PartyName[] {
  const language = entry.attribute('languageCode');
  const formatted = entry.list('Name/FormattedName').flatMap((name) => {
    const given = name.texts('FirstName');
    const others = ['MiddleName', 'LastName', 'SecondLastName'].flatMap((path) => name.texts(path));
    const person = [...given, ...others].join(' ');
    const organizations = name.texts('OrganizationName');
    return [
      ...organizations.map((text): PartyName => ({ text, kind: 'organization' })),
      ...(person === '' || organizations.includes(person)
        ? []
        : [stated<PartyName>({ text: person, kind: given.length === 0 ? null : 'person' })]),
    ];
  });
  const free = entry
    .list('Name/FreeFormatName')
    .map((name) => name.texts('FreeFormatNameDetails/FreeFormatNameLine').join(' '))
    .filter((text) => text !== '')
    .map((text): PartyName => ({ text }));
  return [...formatted, ...free].map((name) => stated<PartyName>({ ...name, language }));
}

function readAddress(address: Element, dialect: St66Dialect): Address {
  const country = address.first(dialect.countryPaths);
  const region = address.text('FormattedAddress/AddressState') ?? address.text('FormattedAddress/AddressCounty');
  return stated<Address>({
    lines: [
      ...address.texts('FreeFormatAddress/FreeFormatAddressLine'),
      ...address.texts('FormattedAddress/AddressLine'),
      ...address.texts('FormattedAddress/AddressStreet'),
    ],
    city: address.text('FormattedAddress/AddressCity'),
    // Some offices repeat the country in this element.
    region: region === country ? null : region,
    postcode: address.text('FormattedAddress/AddressPostcode'),
    country,
  });
}

/** Longer names no record can hold. */
const NAME_LENGTH_MAX = 100_000;
const KEY_LENGTH_MAX = 200;

/**
 * Throws `UnreadableRecord` when the party has no usable key or name. A removal without a name changes nothing: the
 * party keeps its name, because marks still refer to it.
 */
export function readPartyStatement(
  source: XmlNode,
  kind: PartyKind,
  { dialect, register, version }: { dialect: St66Dialect; register: string; version: string | null },
): SupplementItem {
  const root = openStated(dialect, source);
  const party = readParty(root, { role: kind, prefix: root.name }, dialect);
  root.raiseUnread();
  const { role, identifier, current, sequence, ...entry } = party;
  if (identifier === undefined) throw new UnreadableRecord(`the ${role} has no ${root.name}Identifier`);
  if (identifier.length > KEY_LENGTH_MAX) {
    throw new UnreadableRecord(`the ${role} has a key of more than ${KEY_LENGTH_MAX} characters`);
  }
  if (sequence !== undefined) root.raise('unknown_element', `${root.name}/${root.name}SequenceNumber`, sequence);
  if (current === false) root.raise('removed_party', `${root.name}@operationCode`, identifier);
  const { issues } = root;
  if (entry.names === undefined) {
    if (current === false) return { kind: 'supplement', rows: [], issues };
    throw new UnreadableRecord(`the ${role} ${identifier} has no name`);
  }
  checkNames(entry.names);
  const part = partyPart(register, kind, identifier);
  const row = { kind: 'party', key: part, part, link: null, version, body: entry } as const;
  return { kind: 'supplement', rows: [row], issues };
}

function checkNames(names: readonly PartyName[]): void {
  if (names.some(({ text }) => text.length > NAME_LENGTH_MAX)) {
    throw new UnreadableRecord(`a name is longer than ${NAME_LENGTH_MAX} characters`);
  }
}
