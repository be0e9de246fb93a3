/** What tests of dockets share: a person who compares them, and records to compare them with. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Customer, createCustomer, follow, joinPortal, type Person, type Visited } from './portal.ts';
import { startService, type TestService } from './service.ts';
import { buildSource } from './source.ts';
import { buildStored, storeRecords } from './stored.ts';

export async function startWithRecords(
  t: TestContext,
  records: readonly object[],
  quota: number | null = null,
): Promise<{ service: TestService; customer: Customer; person: Person }> {
  const service = await startService(t);
  await storeSources(service, records);
  const customer = await createCustomer(service.db, { quota });
  return { service, customer, person: await joinPortal(service.url, customer) };
}

/** Up to ten records, published a second after each other. */
export async function storeSources({ db }: TestService, records: readonly object[]): Promise<void> {
  await storeRecords(
    db,
    records.map((record, at) => buildStored(buildSource(record), `2026-01-02T03:04:0${at}.000000Z`)),
  );
}

/** The hidden fields of the form that starts the comparison. */
export function readStart(text: string): Record<string, string> {
  const form = /<form method="post" action="[^"]+\/start".*?<\/form>/s.exec(text)?.[0] ?? '';
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(
    fields.filter(([, name]) => name !== 'csrf' && name !== 'once').map(([, name, value]) => [name, value]),
  ) as Record<string, string>;
}

/** Starts the comparison as the page offers it, and waits for its end. `query`: how the columns are read. */
export async function compareDocket(
  person: Person,
  path: string,
  { query = '', remember = true } = {},
): Promise<Visited> {
  const { text } = await person.visit(`${path}?checked=1${query}`);
  const fields = { ...readStart(text), ...(remember ? { remember: 'yes' } : {}) };
  await follow(person, await person.post(`${path}/start`, fields));
  return finishDocket(person, path);
}

/** Visits the docket until nothing compares it any more. */
export async function finishDocket(person: Person, path: string): Promise<Visited> {
  for (;;) {
    const page = await person.visit(path);
    assert.equal(page.status, 200, page.text);
    if (page.headers.get('refresh') === null) return page;
  }
}
