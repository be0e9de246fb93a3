/**
 * Owners and representatives: names, addresses, and links to everything else of theirs; and those of the first screen.
 * Names are in the spelling of the source: the fields of the record are in small letters, the document keeps names as
 * the office writes them. Invariant: every name under which a search finds the record is on its page, whether the
 * document states it or the record alone.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { normalizeName } from '@tmds/contract/text';
import { html } from 'htm/preact';
import { type NameField, SEARCHED_AS } from '../frame/party-names.ts';
import { isObject, Members, type TextShown, textOf } from '../frame/payload-reader.ts';
import { labelOfMember, nameOfLanguage, type Part, renderLeft, renderText } from './parts.ts';

const BYTES_MAX = 20_000;

/** The parties of the payload, then the names that the record alone states. Null if there is neither. */
export function buildPartiesPart(stated: unknown, record: TrademarkDetail, keyId: string): Part | null {
  const parties = Array.isArray(stated) ? (stated as readonly unknown[]) : [];
  const others = listOtherNames(parties, record);
  const entries = [...parties, ...others];
  if (entries.length === 0) return null;
  const isOther = (party: unknown): boolean => parties.length > 0 && (others as readonly unknown[]).includes(party);
  return {
    name: 'parties',
    title: 'Parties',
    entries,
    bytesMax: BYTES_MAX,
    render: (shown) => html`
      <ul class="parties">
        ${shown.map((party) => renderParty(new Members(party), { record, keyId, isOther: isOther(party) }))}
      </ul>
    `,
  };
}

interface OtherName {
  readonly role: 'owner' | 'representative';
  readonly names: readonly [{ readonly text: string }];
}

/** The names of the record that no current party of that side has. */
function listOtherNames(parties: readonly unknown[], record: TrademarkDetail): OtherName[] {
  const current = parties.map((party) => new Members(party)).filter((party) => party.any('current') !== false);
  const sides = current.map((party) => ({
    isOwner: SEARCHED_AS.get(party.text('role') ?? '') === 'owner_name',
    names: party.list('names').flatMap((name) => new Members(name).text('text') ?? textOf(name) ?? []),
  }));
  const listSide = (role: OtherName['role'], held: readonly string[] | null): OtherName[] => {
    const stated = sides.filter(({ isOwner }) => isOwner === (role === 'owner')).flatMap(({ names }) => names);
    return listMissing(held ?? [], stated.map(normalizeName)).map((text) => ({ role, names: [{ text }] }));
  };
  return [...listSide('owner', record.owner_names), ...listSide('representative', record.representative_names)];
}

/** A name that is not one of the record's names includes an alias: its parts are names of the record. */
function listMissing(held: readonly string[], stated: readonly string[]): string[] {
  const parted = stated.filter((text) => !held.includes(text));
  return held.filter((name) => !stated.includes(name) && !parted.some((text) => text.includes(name)));
}

interface PartyState {
  readonly record: TrademarkDetail;
  readonly keyId: string;
  /** The record states the name, and the document has other parties. */
  readonly isOther: boolean;
}

function renderParty(party: Members, { record, keyId, isOther }: PartyState): unknown {
  const role = party.text('role') ?? 'party';
  const officeRole = party.text('office_role_text');
  const current = party.any('current');
  const names = party.list('names').map((name) => new Members(name));
  const address = party.object('address');
  return html`
    <li>
      <span class="role">
        ${labelOfMember(role)}${current === undefined ? null : current === false ? ', former' : ', current'}
        ${officeRole === null ? null : html` (<bdi>${officeRole}</bdi>)`}
      </span>
      ${names.map((name, at) => renderName(name, { isFirst: at === 0, field: SEARCHED_AS.get(role), record, keyId }))}
      ${names.length === 0 ? renderUnnamed(party) : null}
      ${isOther ? html`<p class="hint">The record has this name; none of the current parties above does.</p>` : null}
      ${address === null ? null : renderAddress(address)}
      ${renderLeft(party)}
    </li>
  `;
}

/** Some registers name a party by a key, and publish its name in a separate file. A former party may never get one. */
function renderUnnamed(party: Members): unknown {
  const key = party.text('identifier') ?? party.text('uri');
  if (key === null) return html`<p class="silent">No name stated.</p>`;
  const isFormer = party.any('current') === false;
  return html`
    <p>
      <span class="silent">Name not received yet.</span> The register gives this party only as number
      ${' '}<bdi>${key}</bdi>${isFormer ? '.' : '; its name is in a separate file, which we do not have yet.'}
    </p>
  `;
}

interface NameState {
  readonly isFirst: boolean;
  readonly field: NameField | undefined;
  readonly record: TrademarkDetail;
  readonly keyId: string;
}

function renderName(name: Members, { isFirst, field, record, keyId }: NameState): unknown {
  const text = name.text('text');
  const language = name.language();
  const kind = name.text('kind');
  const said = [kind?.replaceAll('_', ' '), language === null ? undefined : nameOfLanguage(language)]
    .filter((part) => part !== undefined)
    .join(', ');
  const shown = text === null ? null : renderText({ text, language });
  const linked =
    shown === null || field === undefined || !isFirst
      ? shown
      : html`<a rel="nofollow" href=${linkSearch(field, text ?? '', record, keyId)}>${shown}</a>`;
  return html`
    <span>
      ${isFirst ? html`<strong>${linked}</strong>` : linked}
      ${said === '' ? null : html` <span class="role">${said}</span>`}
    </span>
    ${renderLeft(name)}
  `;
}

function linkSearch(field: NameField, text: string, record: TrademarkDetail, keyId: string): string {
  const name = findHeldName(field, text, record);
  return `/portal/explorer?${new URLSearchParams({ [field]: name, key: keyId }).toString()}`;
}

function renderAddress(address: Members): unknown {
  const parts = [
    ...address.words('lines'),
    ...['postcode', 'city', 'region', 'country', 'other'].flatMap((name) => address.text(name) ?? []),
  ];
  return html`
    ${parts.length === 0 ? null : html`<span class="role" dir="auto">${parts.join(', ')}</span>`}
    ${renderLeft(address)}
  `;
}

/** Of one side, the roles that say most come first; the others are shown only if there is none of these. */
const ROLES: Readonly<Record<NameField, readonly (readonly string[])[]>> = {
  owner_name: [['owner'], ['applicant']],
  representative_name: [['representative', 'attorney', 'domestic_representative'], ['correspondent']],
};

/** A current party. `name`: null if the register gives only a number, because names are in a separate file. */
interface NamedParty {
  readonly name: TextShown | null;
  readonly number: string | null;
}

/** Empty if the register states none. */
export function listPrincipals(record: TrademarkDetail, field: NameField): readonly NamedParty[] {
  const stated = isObject(record.payload) && Array.isArray(record.payload.parties) ? record.payload.parties : [];
  const current = stated
    .map((party: unknown) => new Members(party))
    .filter((party) => party.any('current') !== false)
    .map((party) => ({ role: party.text('role') ?? '', named: nameParty(party) }));
  for (const roles of ROLES[field]) {
    const found = current.flatMap(({ role, named }) => (roles.includes(role) && named !== null ? [named] : []));
    if (found.length > 0) return found;
  }
  const held = (field === 'owner_name' ? record.owner_names : record.representative_names) ?? [];
  return held.map((text) => ({ name: { text, language: null }, number: null }));
}

/** Null for a party of which neither a name nor a number is stated. */
function nameParty(party: Members): NamedParty | null {
  const [first] = party.list('names');
  const members = new Members(first);
  const text = members.text('text') ?? textOf(first);
  if (text !== null) return { name: { text, language: members.language() }, number: null };
  const number = party.text('identifier') ?? party.text('uri');
  return number === null ? null : { name: null, number };
}

/** The name under which a search finds a party: in the record, an alias within a name is a separate name. */
export function findHeldName(field: NameField, text: string, record: TrademarkDetail): string {
  const lower = text.toLowerCase();
  const held = (field === 'owner_name' ? record.owner_names : record.representative_names) ?? [];
  return held.includes(lower) ? lower : (held.find((each) => lower.includes(each)) ?? text);
}
