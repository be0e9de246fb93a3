/**
 * The family of a record: records of other registers with the same international registration or the same priority. It
 * is found by numbers, which offices reuse, so each group names the number that it shares. It costs no unit.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { isObject, Members } from '../frame/payload-reader.ts';
import { formatDate } from '../frame/pieces.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';
import { renderStatus } from '../frame/wording.ts';
import { pathOfRecord } from '../history/places.ts';
import type { PortalServices } from '../services.ts';

const FAMILY_MAX = 20;
const NUMBERS_MAX = 3;

interface FamilySearch {
  /** What its matches have in common with the record. */
  readonly title: string;
  readonly query: string;
}

export interface FamilyGroup extends FamilySearch {
  /** Null if the search was not answered in time. */
  readonly members: readonly TrademarkDetail[] | null;
  /** Whether more members exist, or may exist, than are listed. */
  readonly hasMore: boolean;
}

function listFamilySearches(record: TrademarkDetail): FamilySearch[] {
  const search = (title: string, fields: Record<string, string>): FamilySearch => ({
    title,
    query: new URLSearchParams(fields).toString(),
  });
  const { application_number: own } = record;
  return [
    ...(record.international_registration_numbers ?? [])
      .slice(0, NUMBERS_MAX)
      .map((number) => search(`International registration ${number}`, { international_registration_number: number })),
    ...listFirstFilings(record).map(({ number, country }) =>
      search(`The earlier application, ${nameAndCode(country)} ${number}`, {
        application_number: number,
        jurisdiction: country,
      }),
    ),
    ...(record.priority_numbers ?? [])
      .slice(0, NUMBERS_MAX)
      .map((number) => search(`Priority of an application ${number}`, { priority_number: number })),
    ...(own === null
      ? []
      : [search(`Priority of an application numbered as this one, ${own}`, { priority_number: own })]),
  ];
}

/** The applications whose priority the record claims, if it says at which office. */
function listFirstFilings(record: TrademarkDetail): { number: string; country: string }[] {
  const stated = isObject(record.payload) && Array.isArray(record.payload.priorities) ? record.payload.priorities : [];
  return stated.slice(0, NUMBERS_MAX).flatMap((entry: unknown) => {
    const members = new Members(entry);
    const [number, country] = [members.text('number'), members.text('country')];
    return number === null || country === null || !/^[A-Z]{2}$/.test(country) ? [] : [{ number, country }];
  });
}

/** Groups that hold only the record itself are left out; a record is in the first group that has it. */
export async function findFamily(
  customerId: string,
  record: TrademarkDetail,
  { findRecords }: Pick<PortalServices, 'findRecords'>,
): Promise<FamilyGroup[]> {
  const searches = listFamilySearches(record);
  const answers = await Promise.all(searches.map(({ query }) => findRecords(customerId, query, FAMILY_MAX)));
  const seen = new Set([identityOf(record)]);
  let left = FAMILY_MAX;
  return searches.flatMap((search, at): FamilyGroup[] => {
    const found = answers[at] ?? null;
    if (found === null) return [{ ...search, members: null, hasMore: true }];
    const others = found.filter((member) => !seen.has(identityOf(member)));
    const members = others.slice(0, left);
    for (const member of members) seen.add(identityOf(member));
    left -= members.length;
    const hasMore = others.length > members.length || found.length === FAMILY_MAX;
    return others.length === 0 ? [] : [{ ...search, members, hasMore }];
  });
}

function identityOf({ jurisdiction_code: register, uid }: TrademarkDetail): string {
  return JSON.stringify([register, uid]);
}

function hasFurtherNumbers(record: TrademarkDetail): boolean {
  const { international_registration_numbers: international, priority_numbers: priorities } = record;
  return [international, priorities].some((numbers) => (numbers?.length ?? 0) > NUMBERS_MAX);
}

export function renderFamily(record: TrademarkDetail, family: readonly FamilyGroup[], keyId: string): unknown {
  const isPartial = hasFurtherNumbers(record);
  if (family.length === 0 && !isPartial) return null;
  const key = new URLSearchParams({ key: keyId }).toString();
  return html`
    <section id="family">
      <h2>Family</h2>
      ${family.map(
        ({ title, query, members, hasMore }) => html`
          <h3>
            ${title}${' '}
            <a class="role" rel="nofollow" href=${`/portal/explorer?${query}&${key}`}>
              Search<span class="unseen"> for ${title}</span>
            </a>
          </h3>
          ${
            members === null
              ? html`<p class="hint">Not answered; the search says why.</p>`
              : html`${members.length === 0 ? null : renderMembers(members, key)} ${hasMore ? html`<p class="hint">The search may have more.</p>` : null}`
          }
        `,
      )}
      <p class="hint">
        ${isPartial ? `Only the first ${NUMBERS_MAX} numbers of each kind were searched for. ` : null}Found by number,
        at most ${FAMILY_MAX} records. Offices reuse numbers. Opening one costs one unit.
      </p>
    </section>
  `;
}

function renderMembers(members: readonly TrademarkDetail[], key: string): unknown {
  return html`
    <ul class="entries family">
      ${members.map((member) => {
        const { jurisdiction_code: register, uid, status, mark_name: name } = member;
        const path = `${pathOfRecord(register, uid)}?${key}`;
        return html`
          <li>
            <a rel="nofollow" href=${path}>${registerName(register)} <bdi>${numberOf(member)}</bdi></a>
            <span dir="auto">${name}</span>
            ${renderStatus(status)}
            <span class="date">${describeDates(member)}</span>
          </li>
        `;
      })}
    </ul>
  `;
}

function numberOf(record: TrademarkDetail): string {
  return record.registration_number ?? record.application_number ?? record.uid;
}

function describeDates({
  registration_date: registered,
  application_date: filed,
  expiry_date: expiry,
}: TrademarkDetail) {
  const began =
    registered === null
      ? filed === null
        ? null
        : `filed ${formatDate(filed)}`
      : `registered ${formatDate(registered)}`;
  return [began, expiry === null ? null : `expires ${formatDate(expiry)}`].filter((part) => part !== null).join(', ');
}
