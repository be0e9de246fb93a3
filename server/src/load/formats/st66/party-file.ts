/**
 * Files of applicants and representatives, which marks name by key. A party becomes a supplement: its name and address,
 * kept under its key and joined to every mark that names it. The envelope of a file names its office, because a party
 * does not.
 */
import { type PartyKind, partyPart } from '../../../record/join-parties.ts';
import type { XmlRoot } from '../../xml/xml.ts';
import type { XmlNode } from '../../xml/xml-node.ts';
import type { SupplementItem } from '../format.ts';
import type { PartyName } from '../payload.ts';
import { openReading, raiseIssue, raiseUnread } from '../reading.ts';
import { UnreadableRecord } from '../xml-records.ts';
import type { St66Dialect } from './dialect.ts';
import { unescapeNode } from './escapes.ts';
import { readParty } from './parties.ts';

/** By element name. */
const PARTY_KINDS: Readonly<Record<string, PartyKind>> = { Applicant: 'applicant', Representative: 'representative' };

export const PARTY_ELEMENTS: ReadonlySet<string> = new Set(Object.keys(PARTY_KINDS));

/** The elements around parties. */
export const PARTY_ENVELOPE = ['ApplicantDetails', 'RepresentativeDetails'];

/** Longer names no record can hold. */
const NAME_LENGTH_MAX = 100_000;
const KEY_LENGTH_MAX = 200;

/**
 * Throws `UnreadableRecord` when the party has no usable key or name. A removal without a name changes nothing: the
 * party keeps its name, because marks still refer to it.
 */
export function readPartyStatement(
  source: XmlNode,
  { dialect, register, version }: { dialect: St66Dialect; register: string; version: string | null },
): SupplementItem {
  const kind = PARTY_KINDS[source.name];
  if (kind === undefined) throw new Error(`${source.name} is not a party`);
  const node = dialect.escapesTwice === true ? unescapeNode(source) : source;
  const reading = openReading(node);
  const party = readParty(reading, node, { role: kind, prefix: node.name }, dialect);
  raiseUnread(reading);
  const { role, identifier, current, sequence, ...entry } = party;
  if (identifier === undefined) throw new UnreadableRecord(`the ${role} has no ${node.name}Identifier`);
  if (identifier.length > KEY_LENGTH_MAX) {
    throw new UnreadableRecord(`the ${role} has a key of more than ${KEY_LENGTH_MAX} characters`);
  }
  if (sequence !== undefined)
    raiseIssue(reading, 'unknown_element', `${node.name}/${node.name}SequenceNumber`, sequence);
  if (current === false) raiseIssue(reading, 'removed_party', `${node.name}@operationCode`, identifier);
  const { issues } = reading;
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

/** `GB-TM-Search Applicant` */
const OFFICE_IN_CODE = /^([A-Z]{2})-/;
/** `http://gb.tmview.europa.eu/trademark/applicant`, `http://euipo.europa.eu/trademark/data` */
const OFFICE_IN_NAMESPACE = /^https?:\/\/(?:([a-z]{2})\.tmview|(?:www\.)?(euipo))\.europa\.eu\//i;

/** The office whose code a `TransactionCode` begins with; null when it names none. */
export function officeOfCode(code: string | null): string | null {
  return OFFICE_IN_CODE.exec(code ?? '')?.[1] ?? null;
}

/** The office that a namespace of the root belongs to; null when none does. */
export function officeOfRoot({ attributes }: XmlRoot): string | null {
  for (const namespace of Object.values(attributes)) {
    const [, office, euipo] = OFFICE_IN_NAMESPACE.exec(namespace) ?? [];
    if (office !== undefined) return office.toUpperCase();
    if (euipo !== undefined) return 'EM';
  }
  return null;
}
