/** "Is it free?": the page of names that are alike, its pictures, and who pays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/store/driver/sql.ts';
import { createCustomer, joinPortal, storeMark } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const ANALYST = { products: ['analytics', 'records'] as ('analytics' | 'records')[], quota: 100 };

async function countUnits({ db }: TestService, product: string): Promise<number> {
  const [row] = await db.query<{ units: number }>(
    sql`select coalesce(sum(units), 0)::float8 as units from usage_by_day where product = ${product}`,
  );
  return row!.units;
}

async function storeFamily({ db }: TestService): Promise<void> {
  await storeMark(db, { uid: 'FR1', mark_name: 'RHEOBASE', owner_names: ['Acme'], nice_classes: [1] });
  await storeMark(db, { uid: 'FR2', mark_name: 'Rheoplan', owner_names: ['Basf'], nice_classes: [1] });
  await storeMark(db, { uid: 'FR3', mark_name: 'Rheotherm', owner_names: ['Basf'], nice_classes: [19] });
  await storeMark(db, {
    uid: 'FR4',
    mark_name: 'Rheobasa',
    mark_feature: 'Figurative',
    nice_classes: [9],
    payload: { images: [{ uri: PNG }] },
  });
}

test('shows alike marks by tier with their evidence in words, and charges analytics one unit [I-28, I-40]', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  await storeFamily(service);
  const form = await person.visit('/portal/similar');
  assert.equal(form.status, 200);
  assert.equal(await countUnits(service, 'analytics'), 0);
  const path = '/portal/similar?mark=rheobase&classes=1&classes=9';
  const { text, status } = await person.visit(path);
  assert.equal(status, 200);
  assert.match(
    text,
    /Identical \(1\).*RHEOBASE.*The same letters.*In common: class 1.*Near \(1\).*Rheobasa.*One letter differs/s,
  );
  assert.match(text, /1 more of this owner that begins with rheo/);
  assert.match(text, /It is no legal opinion/);
  assert.match(text, /Names compared<\/dt><dd>4</);
  assert.match(text, /1 of 100 units used this month/);
  const again = await person.visit(`${path}&beside=FR%2FFR4`);
  assert.match(again.text, /Side by side<\/h2>.*Compared as.*rheobasa/s);
  assert.equal(await countUnits(service, 'analytics'), 1, 'a page that is opened again costs nothing');
  assert.equal(await countUnits(service, 'records'), 0);
});

test('shows the picture of a mark of the answer, and of no other record', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  await storeFamily(service);
  const page = await person.visit('/portal/similar?mark=rheobase');
  const path = /src="(\/portal\/similar\/pictures\/FR\/FR4[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const picture = await person.visit(path);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
  assert.equal((await person.visit(path.replace('FR4', 'FR9'))).status, 404);
  assert.equal((await person.visit(path.replace('rheobase', 'another'))).status, 404);
});

test('says what is wrong with a search, charges nothing for it, and keeps what was typed [I-28]', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  const refused = await person.visit('/portal/similar?mark=%21%21&strategies=edits');
  assert.match(refused.text, /neither letters nor digits.*This cost nothing/s);
  assert.match(refused.text, /value="!!"/);
  const unknown = await person.visit('/portal/similar?mark=acme&strategies=guess');
  assert.match(unknown.text, /invalid_parameter/);
  assert.equal(await countUnits(service, 'analytics'), 0);
});

test('says whom to ask where the customer has no key for analytics', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db));
  const page = await person.visit('/portal/similar?mark=acme');
  assert.equal(page.status, 200);
  assert.match(page.text, /your team has none.*Ask the operator of this service to add analytics/s);
});

test('a link on another site costs nothing until it is confirmed [I-28]', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  const page = await person.visit('/portal/similar?mark=acme', { 'sec-fetch-site': 'cross-site' });
  assert.match(page.text, /You followed a link from another site/);
  assert.equal(await countUnits(service, 'analytics'), 0);
});
