/**
 * The parties of a case, current owner first. A case keeps one entry per owner and stage, so the same name appears at
 * several stages; the highest stage is the current one. Attorney, domestic representative and correspondent count as
 * representatives.
 */

import { readAlias } from '../../../record/aliases.ts';
import { type Party, type PartyName, stated } from '../document.ts';
import type { Element } from '../element.ts';
import { checkCountry } from '../meanings.ts';
import { ENTITY_TEXTS, findPartyStage } from './cases.ts';

export interface CaseParty {
  isOwner: boolean;
  /** As stated, with the party's own name first. */
  names: string[];
  /** Two letters; empty when the entry states neither a country of that form nor a state. */
  countries: string[];
  party: Party;
}

const OWNER_PATH = 'case-file-owners/case-file-owner';
/** Owners have a `party-type` up to this; higher types are not owners. */
const OWNER_TYPE_MAX = 69;

export function readParties(root: Element): CaseParty[] {
  const entries = root.list(OWNER_PATH).map((node) => readOwnerEntry(node));
  const owners = entries.filter(({ type }) => type <= OWNER_TYPE_MAX);
  const currentType = Math.max(0, ...owners.map(({ type }) => type));
  owners.sort((a, b) => b.type - a.type || a.sequence - b.sequence);
  for (const { type, party } of owners) party.party.current = type === currentType;
  return [
    ...owners.map(({ party }) => party),
    ...listNamed(root, 'attorney', 'case-file-header/attorney-name'),
    ...listNamed(root, 'domestic_representative', 'case-file-header/domestic-representative-name'),
    ...listCorrespondent(root),
    ...entries.filter(({ type }) => type > OWNER_TYPE_MAX).map(({ party }) => party),
  ];
}

function readOwnerEntry(node: Element): { type: number; sequence: number; party: CaseParty } {
  const read = (path: string): string | null => node.text(path);
  const stage = read('party-type');
  const type = stage !== null && /^\d{1,3}$/.test(stage) ? Number(stage) : 0;
  const meaning = findPartyStage(type);
  if (meaning === null) node.raise('unmapped_party_type', `${OWNER_PATH}/party-type`, stage ?? '');
  const pieces = readAll(node, NAME_PIECES);
  // A correspondent states its name and then its firm and address, as the newer element of correspondents does.
  const isName = type <= OWNER_TYPE_MAX;
  const names = readNames(node, isName ? pieces : pieces.slice(0, 1));
  const country = read('country');
  const entityCode = read('legal-entity-type-code');
  const party = stated<Party>({
    role: meaning?.role ?? 'owner',
    office_role: stage,
    office_role_text: meaning?.text,
    sequence: read('entry-number'),
    names,
    entity: stated({
      code: entityCode,
      text: entityCode === null ? null : ENTITY_TEXTS[entityCode],
      statement: read('entity-statement'),
    }),
    nationality: stated({
      country: read('nationality/country'),
      state: read('nationality/state'),
      // Older files state it without saying whether it is a country or a state.
      other: read('nationality/other') ?? read('nationality'),
    }),
    address: stated({
      lines: [...(isName ? [] : pieces.slice(1)), ...readAll(node, ['address-1', 'address-2'])],
      city: read('city'),
      region: read('state'),
      postcode: read('postcode'),
      country,
      other: read('other'),
    }),
    notes: [...node.texts('composed-of-statement'), ...node.texts('name-change-explanation')],
  });
  return {
    type,
    sequence: Number(party.sequence ?? 0),
    party: {
      isOwner: type <= OWNER_TYPE_MAX,
      names: names.map(({ text, kind }) => (kind === 'trading_as' ? readAlias(text) : text)),
      countries: readCountries(node, country, party.address?.region),
      party,
    },
  };
}

/** Elements of a name in files before 2004, in their order. */
const NAME_PIECES = ['name-1', 'name-2', 'name-3', 'name-overflow'] as const;
/** A piece of this length is cut off inside a word; a shorter one ends with its word. */
const FULL_PIECE = 41;

/** The name that an older file cuts into pieces. */
function joinPieces(pieces: readonly string[]): string | null {
  let name = '';
  let last = '';
  for (const piece of pieces) {
    name += last === '' || last.length >= FULL_PIECE ? piece : ` ${piece}`;
    last = piece;
  }
  return name || null;
}

function readNames(node: Element, pieces: readonly string[]): PartyName[] {
  const joined = joinPieces(pieces);
  return [
    ...node.texts('party-name').map((text): PartyName => ({ text })),
    ...(joined === null ? [] : [{ text: joined }]),
    ...node.texts('dba-aka-text').map((text): PartyName => ({ text, kind: 'trading_as' })),
  ];
}

/** Addresses in the United States state only the state, not the country. */
function readCountries(root: Element, country: string | null, state: string | undefined): string[] {
  if (country === null) return state === undefined ? [] : ['US'];
  return checkCountry(root, `${OWNER_PATH}/country`, country).map((code) => code.toUpperCase());
}

function listNamed(root: Element, role: 'attorney' | 'domestic_representative', path: string): CaseParty[] {
  return root.texts(path).map((text) => ({
    isOwner: false,
    names: [text],
    countries: [],
    party: { role, names: [{ text }] },
  }));
}

const CORRESPONDENT_LINES = [2, 3, 4, 5].map((number) => `correspondent/address-${number}`);

/** The correspondent's name is the first line of the address. */
function listCorrespondent(root: Element): CaseParty[] {
  const name = root.text('correspondent/address-1');
  const lines = readAll(root, CORRESPONDENT_LINES);
  if (name === null && lines.length === 0) return [];
  const party = stated<Party>({
    role: 'correspondent',
    names: name === null ? null : [{ text: name }],
    address: stated({ lines }),
  });
  return [{ isOwner: false, names: name === null ? [] : [name], countries: [], party }];
}

/** The first text of each path that has one. */
function readAll(element: Element, paths: readonly string[]): string[] {
  return paths.flatMap((path) => element.text(path) ?? []);
}
