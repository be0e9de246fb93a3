/** "Is it free?": the page of names that are alike, its pictures, and who pays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { openPortal } from '../support/open-portal.ts';
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
  assert.match(text, /It is not a legal opinion/);
  assert.match(text, /Names compared<\/dt><dd><bdi>4</);
  assert.match(text, /1 of 100 units used this month/);
  const again = await person.visit(`${path}&beside=FR%2FFR4`);
  assert.match(again.text, /Side by side<\/h2>.*Compared as.*rheobasa/s);
  assert.equal(await countUnits(service, 'analytics'), 1, 'a page that is opened again costs nothing');
  assert.equal(await countUnits(service, 'records'), 0);
});

test('owners are spelled as the source does, on the page and in the report', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  const payload = { parties: [{ role: 'owner', names: [{ text: 'Dr. Oetker GmbH' }] }] };
  for (const [uid, mark_name] of [
    ['FR1', 'Rheobase'],
    ['FR2', 'Rheobasa'],
    ['FR3', 'Rheobase Plus'],
  ] as const) {
    await storeMark(service.db, { uid, mark_name, owner_names: ['Dr. Oetker GmbH'], nice_classes: [1], payload });
  }
  const { text } = await person.visit('/portal/similar?mark=rheobase&beside=FR%2FFR1');
  assert.match(text, /Dr\. Oetker GmbH/);
  assert.doesNotMatch(text, /dr\. oetker gmbh/);
  const report = await person.visit('/portal/similar/report?mark=rheobase&format=csv');
  assert.equal(report.text.match(/Dr\. Oetker GmbH/g)?.length, 3, 'members of a family too');
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

test('keeps with the search, for the team, which marks are relevant', async (t) => {
  const { service, customer, person } = await openPortal(t, ANALYST);
  await storeFamily(service);
  await person.visit('/portal/similar?mark=rheobase&classes=1,9');
  const search = `mark=rheobase&classes=1%2C9&key=${customer.keyId}`;
  const judge = (record: string[], verdict: string) =>
    person.post('/portal/similar/judge', { search, record, judge: verdict });
  const done = await judge(['FR/FR4', 'FR/FR2'], 'relevant');
  assert.equal(done.status, 303, done.text);
  assert.match(done.to ?? '', /^\/portal\/similar\?mark=rheobase&classes=1%2C9&key=.*done=judged$/);
  await judge(['FR/FR1'], 'not_relevant');
  await judge(['FR/FR2'], 'open');
  const page = await person.visit('/portal/similar?classes=9&classes=1&mark=Rheobase');
  const judged = [
    ...page.text.matchAll(/dir="auto"[^>]*>\s*(\w+)\s*<\/a>\s*<span title="[^"]*"><span class="badge \w+">([\w ]+)</g),
  ];
  assert.deepEqual(
    judged.map(([, name, verdict]) => [name, verdict]),
    [
      ['RHEOBASE', 'not relevant'],
      ['Rheobasa', 'relevant'],
    ],
  );
  const other = await person.visit('/portal/similar?mark=rheobase&classes=9');
  assert.doesNotMatch(other.text, /badge \w+">(?:not )?relevant/);
  assert.match((await judge([], 'relevant')).to ?? '', /done=judged_none/);
  assert.equal((await judge(['FR/FR1'], 'guess')).status, 422);
  const stranger = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  const theirs = await stranger.visit('/portal/similar?mark=rheobase&classes=1,9');
  assert.doesNotMatch(theirs.text, /badge \w+">(?:not )?relevant/);
  const [left] = await service.db.query<{ rows: number }>(
    sql`select count(*)::int as rows from similar_judgement where judged_by = ${customer.email}`,
  );
  assert.equal(left!.rows, 2);
});

test('a report says what was searched, when, how complete each register was and in which ways', async (t) => {
  const { service, person } = await openPortal(t, ANALYST);
  await storeFamily(service);
  const query = 'mark=rheobase&classes=1&jurisdiction=FR';
  await person.visit(`/portal/similar?${query}`);
  await person.post('/portal/similar/judge', { search: query, record: ['FR/FR4'], judge: 'relevant' });
  const file = await person.visit(`/portal/similar/report?${query}&format=csv`);
  assert.equal(file.status, 200, file.text);
  const lines = file.text.split('\r\n');
  assert.match(lines[0]!, /^\uFEFF?Tier,Mark,Judged,Why,Compared as,Goods,Classes,Register,Number,Owner,Status/);
  assert.match(file.text, /Identical,RHEOBASE,,"The same letters/);
  assert.match(file.text, /Near,Rheobasa,relevant,/);
  assert.match(file.text, /Alike,Rheotherm,/, 'members of a family are rows');
  for (const words of [/No legal opinion,/, /Searched on,/, /Names compared,4/, /Ways in which.*Same letters/]) {
    assert.match(file.text, words);
  }
  assert.match(
    file.text,
    /Register: France,4 records\. Nothing can be concluded from silence|Register: France,"?4 records/,
  );
  const excel = await person.visit(`/portal/similar/report?${query}&format=excel`);
  assert.match(excel.headers.get('content-type') ?? '', /spreadsheetml/);
  assert.equal(await countUnits(service, 'analytics'), 1, 'files of an open search cost nothing');
  const elsewhere = await person.visit(`/portal/similar/report?mark=other&format=csv`, {
    'sec-fetch-site': 'cross-site',
  });
  assert.equal(elsewhere.status, 403);
  assert.equal(await countUnits(service, 'analytics'), 1);
  assert.equal((await person.visit(`/portal/similar/report?${query}&format=pdf`)).status, 404);
});

test('a search leads to a watch for such names, whose hits say why they are alike', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db, ANALYST));
  await storeFamily(service);
  const page = await person.visit('/portal/similar?mark=rheobase&classes=1&jurisdiction=FR');
  const path = /href="(\/portal\/new-watch[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const form = await person.visit(path);
  assert.match(form.text, /value="rheobase"/);
  assert.match(form.text.replace(/<[^>]+>/g, ''), /2 records match now/);
  const typed = { kind: 'similar', name: 'Mine', mark: 'rheobase', strategies: ['equal', 'edits'], classes: ['1'] };
  const made = await person.post('/portal/new-watch', { ...typed, jurisdiction: ['FR'], do: 'save' });
  assert.match(made.to ?? '', /done=watch_made/, made.text);
  const watch = await person.visit(made.to ?? '');
  assert.match(watch.text, /Names like <strong><bdi>rheobase/);
  assert.match(watch.text, /Same letters, One or two letters differ/);
  const wrong = { kind: 'similar', name: 'None', mark: '!!', jurisdiction: ['FR'], status: 'Registered', do: 'save' };
  const refused = await person.post('/portal/new-watch', wrong);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /name="jurisdiction" value="FR" checked/, 'the registers can still be chosen');
  assert.match(refused.text, /type="hidden" name="status" value="Registered"/);
  assert.match(refused.text, /neither letters nor digits/);
});
