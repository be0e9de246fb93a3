/** A person whose browser runs no scripts: cookies, redirects one at a time, forms with the page's token. */
import { randomUUID } from 'node:crypto';
import type { Product } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { inviteCustomer, issueKey } from '../../src/access/keys.ts';
import { inviteOperator } from '../../src/access/operators.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { Role } from '../../src/store/accounts/portal.ts';
import { insertSavedSearch } from '../../src/store/accounts/saved-searches.ts';
import { PASSWORD } from './portal-browser.ts';
import type { TestService } from './service.ts';
import { buildSource } from './source.ts';
import { buildStored, storeRecords } from './stored.ts';

export interface Visited {
  status: number;
  headers: Headers;
  text: string;
  /** The target of a redirect; null for a page. */
  to: string | null;
}

export interface Person {
  readonly cookies: Map<string, string>;
  visit(path: string, headers?: Record<string, string>): Promise<Visited>;
  /**
   * Sends a form with the CSRF token of the last page and an unused one-use token, unless `csrf` or `once` give others.
   */
  post(path: string, form?: Record<string, string | string[]>, options?: PostOptions): Promise<Visited>;
}

interface PostOptions {
  csrf?: string | null;
  once?: string | null;
  headers?: Record<string, string>;
  /** Sent with the form, which is then `multipart/form-data`. */
  file?: { field: string; name: string; bytes: Uint8Array<ArrayBuffer> };
}

export function buildPerson(url: string): Person {
  const cookies = new Map<string, string>();
  let csrf = '';
  let unused: string[] = [];
  const send = async (path: string, init: RequestInit): Promise<Visited> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      // A token belongs to its cookie.
      if (cookies.get(name) !== pair.slice(name.length + 1)) unused = [];
      if (/expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, pair.slice(name.length + 1));
    }
    const text = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    unused.push(...[...text.matchAll(/name="once" value="([^"]+)"/g)].map(([, once = '']) => once));
    return { status: response.status, headers: response.headers, text, to: response.headers.get('location') };
  };
  return {
    cookies,
    visit: (path, headers = {}) => send(path, { headers }),
    post: async (path, form = {}, options = {}) => {
      if (options.once === undefined && unused.length === 0) await send('/portal/account', {});
      const once = options.once === undefined ? (unused.shift() ?? null) : options.once;
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries(form)) for (const each of [value].flat()) body.append(name, each);
      const token = options.csrf === undefined ? csrf : options.csrf;
      if (token !== null) body.append('csrf', token);
      if (once !== null) body.append('once', once);
      if (options.file !== undefined) {
        const form = new FormData();
        for (const [name, value] of body) form.append(name, value);
        const { field, name, bytes } = options.file;
        form.append(field, new File([bytes], name, { type: 'text/csv' }));
        return send(path, { method: 'POST', body: form, headers: { ...options.headers } });
      }
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
      return send(path, { method: 'POST', body: body.toString(), headers });
    },
  };
}

export interface Customer {
  readonly name: string;
  readonly email: string;
  /** The text of an invitation that is still unused. */
  readonly invitation: string;
  readonly keyId: string;
  readonly key: string;
}

/** A customer with one key and one open invitation. */
export async function createCustomer(
  db: Database,
  terms: { name?: string; quota?: number | null; keyName?: string; products?: Product[] } = {},
): Promise<Customer> {
  const name = terms.name ?? `customer ${randomUUID()}`;
  const email = `${randomUUID().slice(0, 8)}@example.org`;
  const issued = await issueKey(db, {
    customer: name,
    name: terms.keyName ?? 'production',
    products: terms.products ?? ['records'],
    quota: terms.quota ?? null,
    actor: 'test',
  });
  const { token } = await inviteCustomer(db, { customer: name, email, actor: 'test' });
  return { name, email, invitation: `/portal/invitation/${token}`, keyId: issued.id, key: issued.key };
}

/** The page that a form leads to; throws if the form was refused. */
export async function follow(person: Person, posted: Visited): Promise<Visited> {
  if (posted.status !== 303 || posted.to === null) throw new Error(`the form was refused: ${posted.text}`);
  return person.visit(posted.to);
}

/** Someone who accepted the invitation and is signed in. */
export async function joinPortal(url: string, customer: Customer, name = ''): Promise<Person> {
  const person = buildPerson(url);
  await person.visit(customer.invitation);
  const joined = await person.post(customer.invitation, { name, password: PASSWORD, repeated: PASSWORD });
  if (joined.status !== 303) throw new Error(`joining failed: ${joined.status} ${joined.text}`);
  return person;
}

/** Another person on the customer's team; default: an administrator, who has not said a name. */
export async function joinColleague(
  url: string,
  db: Database,
  customer: Customer,
  { role = 'administrator', name = '' }: { role?: Role; name?: string } = {},
): Promise<Person> {
  const email = `${role}.${randomUUID().slice(0, 8)}@example.org`;
  const { token } = await inviteCustomer(db, { customer: customer.name, email, role, actor: 'test' });
  return joinPortal(url, { ...customer, email, invitation: `/portal/invitation/${token}` }, name);
}

/** An operator who accepted the invitation and is signed in. */
export async function joinAsOperator(url: string, db: Database, email = 'op@example.org'): Promise<Person> {
  const { token } = await db.transaction((tx) => inviteOperator(tx, { email, actor: 'test' }));
  const person = buildPerson(url);
  const link = `/portal/invitation/${token}`;
  await person.visit(link);
  const joined = await person.post(link, { password: PASSWORD, repeated: PASSWORD });
  if (joined.to !== '/portal/operator') throw new Error(`joining failed: ${joined.status} ${joined.text}`);
  return person;
}

/** The units that the key has used. */
export async function countUnits({ db }: Pick<TestService, 'db'>, keyId: string): Promise<number> {
  const [row] = await db.query<{ units: number }>(
    sql`select coalesce(sum(units), 0)::float8 as units from usage_by_day where key_id = ${keyId}`,
  );
  return row?.units ?? 0;
}

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&amp;', '&'],
];

/** What a reader sees of a page, with one space where its markup was, but for the one before a sign that ends words. */
export function textOf(html: string): string {
  const text = html.replace(/<[^>]*>/g, ' ');
  const read = ENTITIES.reduce((done, [written, meant]) => done.replaceAll(written, meant), text);
  return read.replace(/\s+/g, ' ').replace(/ (?=[.,:;])/g, '');
}

/** When the versions of `storeMark` were published. */
export const STORED_AT = '2026-01-02T03:04:05.000000Z';

/** One record of register FR with what a page has to cope with. */
export async function storeMark(
  db: Database,
  mark: {
    uid: string;
    mark_name: string | null;
    payload?: Record<string, unknown>;
    mark_feature?: 'Word' | 'Figurative';
    owner_names?: string[];
    nice_classes?: number[];
    application_number?: string;
    application_date?: DateText;
  },
): Promise<void> {
  const source = buildSource({ jurisdiction_code: 'FR', status: 'Registered', payload: null, ...mark });
  await storeRecords(db, [buildStored(source, STORED_AT)]);
}

/** A saved search of the customer of this name; resolves to its id. */
export async function storeSavedSearch(db: Database, customer: string): Promise<string> {
  const [row] = await db.query<{ customer_id: string }>(sql`select customer_id from customer where name = ${customer}`);
  const saved = { id: 'reeds', name: 'Reeds', search: 'mark_name_contains=reed&status=Registered' };
  await db.transaction((tx) => insertSavedSearch(tx, row!.customer_id, saved));
  return saved.id;
}
