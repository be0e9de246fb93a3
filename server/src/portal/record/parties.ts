/** Owners and representatives: names, addresses, and links to everything else of theirs. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { Members } from '../frame/payload-reader.ts';
import { labelOfMember, nameOfLanguage, renderLeft, renderText } from './generic-view.ts';
import type { Part } from './parts.ts';

const BYTES_MAX = 20_000;

type NameField = 'owner_name' | 'representative_name';

const SEARCHED_AS: ReadonlyMap<string, NameField> = new Map([
  ['owner', 'owner_name'],
  ['applicant', 'owner_name'],
  ['representative', 'representative_name'],
  ['attorney', 'representative_name'],
  ['domestic_representative', 'representative_name'],
  ['correspondent', 'representative_name'],
]);

/** Without parties in the payload, the names that searches use. Null if there is no name at all. */
export function buildPartiesPart(stated: unknown, record: TrademarkDetail, keyId: string): Part | null {
  const parties = Array.isArray(stated) ? (stated as readonly unknown[]) : [];
  const entries = parties.length > 0 ? parties : listNames(record);
  if (entries.length === 0) return null;
  return {
    name: 'parties',
    title: 'Parties',
    entries,
    bytesMax: BYTES_MAX,
    render: (shown) => html`
      <ul class="parties">${shown.map((party) => renderParty(new Members(party), record, keyId))}</ul>
    `,
  };
}

function listNames({ owner_names: owners, representative_names: representatives }: TrademarkDetail): unknown[] {
  return [
    ...(owners ?? []).map((text) => ({ role: 'owner', names: [{ text }] })),
    ...(representatives ?? []).map((text) => ({ role: 'representative', names: [{ text }] })),
  ];
}

function renderParty(party: Members, record: TrademarkDetail, keyId: string): unknown {
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
      ${address === null ? null : renderAddress(address)}
      ${renderLeft(party)}
    </li>
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

/** A name is searched for as the record holds it: there, an alias within a name is a name of its own. */
function linkSearch(field: NameField, text: string, record: TrademarkDetail, keyId: string): string {
  const lower = text.toLowerCase();
  const held = (field === 'owner_name' ? record.owner_names : record.representative_names) ?? [];
  const name = held.includes(lower) ? lower : (held.find((each) => lower.includes(each)) ?? text);
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
