/** Saved searches: kept under names for a team, made again, watched, renamed and deleted; never another team's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeCustomer } from '../../src/access/customers.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { SAVED_MAX } from '../../src/store/accounts/saved-searches.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, follow, joinAsOperator, joinPortal, type Person, storeMark } from '../support/portal.ts';
import type { TestContext } from '../support/service.ts';

async function openDesk(t: TestContext) {
  const { service, customer, person, units } = await openPortal(t, { quota: 100 });
  const names = async (): Promise<string[]> => {
    const rows = await service.db.query<{ name: string }>(sql`select name from saved_search order by name`);
    return rows.map(({ name }) => name);
  };
  return { ...service, customer, person, units, names };
}

const hrefs = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => pattern.test(href));

const save = (person: Person, name: string, search = 'owner_name=acme&status=Registered') =>
  person.post('/portal/searches/new', { name, search });

test('a search is saved under a name, listed with its matches at no cost, made again, and leads to a watch', async (t) => {
  const { db, person, units } = await openDesk(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'One', owner_names: ['Acme'] });
  const results = await person.visit('/portal/explorer?owner_name=acme&sort=application_date&limit=25');
  assert.equal(await units(), 1);
  const form = await person.visit(hrefs(results.text, /^\/portal\/searches\/new\?/)[0] ?? '');
  assert.match(form.text, /name="search" value="owner_name=acme"/, 'without what says how to show the matches');
  assert.match(form.text, /id="name"[^>]* value="Owner, exact: acme"/);
  const listed = await follow(person, await save(person, 'Acme’s marks', 'owner_name=acme&limit=25'));
  assert.match(listed.text, /The search is saved\./);
  assert.match(listed.text, /data-label="Search"><bdi>Owner, exact: acme</);
  assert.match(listed.text, /data-label="Matches now">1</);
  const watch = await person.visit(hrefs(listed.text, /^\/portal\/new-watch\?/)[0] ?? '');
  assert.match(watch.text, /id="name"[^>]* value="Acme’s marks"/);
  assert.match(watch.text, /<strong>1<\/strong> record matches now/);
  const broad = await follow(person, await save(person, 'Broad', 'mark_name_contains=on'));
  assert.match(
    broad.text,
    /Broad<.*data-label="Matches now">1</s,
    'also one that is too broad for a call of a program',
  );
  const start = await person.visit('/portal/explorer');
  assert.match(start.text, /id="saved".*Acme’s marks/s);
  assert.equal(await units(), 1, 'nothing of it costs a unit');
  const again = await person.visit(hrefs(start.text, /^\/portal\/explorer\?owner_name/)[0] ?? '');
  assert.match(again.text, /1 trademark</);
});

test('a saved search is renamed and deleted, each once and with an entry in the activity', async (t) => {
  const { person, names } = await openDesk(t);
  await follow(person, await save(person, 'One'));
  const listed = await follow(person, await save(person, 'Two'));
  const page = hrefs(listed.text, /^\/portal\/searches\/(?!new)\w+$/)[0] ?? '';
  await person.visit(page);
  const taken = await person.post(page, { name: 'Two' });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /Another saved search of your team has this name\./);
  await follow(person, await person.post(page, { name: ' First ' }));
  assert.deepEqual(await names(), ['First', 'Two']);
  await follow(person, await person.post(`${page}/delete`));
  assert.deepEqual(await names(), ['Two']);
  assert.equal((await person.visit(page)).status, 404);
  const activity = (await person.visit('/portal/team/activity')).text;
  for (const entry of ['Search saved', 'Saved search renamed', 'Saved search deleted'])
    assert.match(activity, new RegExp(entry));
});

test('what cannot be saved says why and keeps what was typed', async (t) => {
  const { db, customer, person, names } = await openDesk(t);
  await save(person, 'One');
  for (const [form, why] of [
    [{ name: 'One', search: 'nice_class=9' }, /Another saved search of your team has this name\./],
    [{ name: ' ', search: 'nice_class=9' }, /Give the search a name\./],
    [{ name: 'x'.repeat(101), search: 'nice_class=9' }, /A name has up to 100 characters\./],
    [{ name: 'Two', search: 'limit=25&cursor=x' }, /Search for something first\./],
    [{ name: 'Two', search: `mark_name=${'x'.repeat(5000)}` }, /too long to be saved/],
  ] as const) {
    const refused = await person.post('/portal/searches/new', form);
    assert.equal(refused.status, 422, form.name);
    assert.match(refused.text, why);
  }
  assert.deepEqual(await names(), ['One']);
  await db.query(sql`
    insert into saved_search (customer_id, id, name, search, created_at)
    select c.customer_id, 's' || n, 'Name ' || n, 'nice_class=9', now()
    from customer c, generate_series(2, ${SAVED_MAX}::int) n where c.name = ${customer.name}`);
  assert.match((await save(person, 'One more')).text, /which is the most\. Delete one/);
  let path = '/portal/searches';
  let listed = 0;
  for (let pages = 0; path !== '' && pages < 20; pages += 1) {
    const { text } = await person.visit(path);
    const rows = hrefs(text, /^\/portal\/searches\/\w+$/).length;
    assert.ok(rows <= 25);
    listed += rows;
    path = hrefs(text, /searches\?after=/)[0] ?? '';
  }
  assert.equal(listed, SAVED_MAX, 'every one of them, page by page');
});

test('nobody else sees, changes or deletes it: another team, an operator who views the customer, a visitor', async (t) => {
  const { url, db, person, names } = await openDesk(t);
  const listed = await follow(person, await save(person, 'Ours alone'));
  const page = hrefs(listed.text, /^\/portal\/searches\/(?!new)\w+$/)[0] ?? '';
  const stranger = await joinPortal(url, await createCustomer(db));
  assert.doesNotMatch((await stranger.visit('/portal/searches')).text, /Ours alone/);
  assert.doesNotMatch((await stranger.visit('/portal/explorer')).text, /Ours alone/);
  assert.equal((await stranger.visit(page)).status, 404);
  assert.equal((await stranger.post(page, { name: 'Theirs' })).status, 404);
  await stranger.post(`${page}/delete`);
  assert.deepEqual(await names(), ['Ours alone']);
  assert.equal((await follow(stranger, await save(stranger, 'Ours alone'))).status, 200, 'names are per team');
  const operator = await joinAsOperator(url, db);
  const [row] = await db.query<{ customer_id: string }>(sql`
    select customer_id from saved_search order by created_at limit 1`);
  await operator.visit(`/portal/operator/customers/${row!.customer_id}`);
  await operator.post(`/portal/operator/customers/${row!.customer_id}/view`);
  for (const path of ['/portal/searches', page]) {
    assert.doesNotMatch((await operator.visit(path)).text, /Ours alone/, path);
  }
  assert.notEqual((await operator.post(page, { name: 'Operated' })).status, 200);
  await operator.post(`${page}/delete`);
  assert.deepEqual(await names(), ['Ours alone', 'Ours alone']);
});

test('a removed customer leaves no saved search', async (t) => {
  const { db, customer, person, names } = await openDesk(t);
  await save(person, 'Secret plans');
  await db.transaction((tx) => removeCustomer(tx, { customer: customer.name, actor: 'test' }));
  assert.deepEqual(await names(), []);
  const audit = await db.query<{ change: string }>(sql`select change::text as change from access_audit`);
  assert.doesNotMatch(JSON.stringify(audit), /Secret plans/);
});
