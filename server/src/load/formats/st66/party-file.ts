/**
 * Files of applicants and representatives, which marks name by key. A party becomes a supplement: its name and address,
 * kept under its key and joined to every mark that names it. The envelope of a file names its office, because a party
 * does not.
 */
import { type PartyKind, partyPart } from '../../../record/join-parties.ts';
import type { XmlNode } from '../../xml/xml-node.ts';
import type { PartyName } from '../document.ts';
import type { SupplementItem } from '../format.ts';
import { UnreadableRecord } from '../xml-records.ts';
import { openStated, type St66Dialect } from './dialects.ts';
import { readParty } from './parties.ts';

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
