/** The first page of a person: new hits, dates ahead, recent searches and dockets, late registers, the first steps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { findNews, listNewHits, NEW_HITS_COUNTED_MAX } from '../../src/store/watches/new-hits.ts';
import { clockAt } from '../support/clock-at.ts';
import { createTestDatabase } from '../support/database.ts';
import { openPortal } from '../support/open-portal.ts';
import {
  buildPerson,
  createCustomer,
  follow,
  joinColleague,
  joinPortal,
  type Person,
  storeMark,
  textOf,
} from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { storeHit, storeWatch } from '../support/watch-hits.ts';

/** A part of the page by the id of its section. */
const part = (text: string, id: string): string =>
  textOf(new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(text)?.[1] ?? '');

test('somebody who joins lands on the first page, and each of its three things to do leads on', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const person = buildPerson(url);
  await person.visit(customer.invitation);
  const joined = await person.post(customer.invitation, { name: 'Ada', password: PASSWORD, repeated: PASSWORD });
  const { text } = await follow(person, joined);
  assert.match(text, /<h1>Welcome, <bdi>Ada<\/bdi><\/h1>/);
  const steps = /<ol class="steps">(.*?)<\/ol>/s.exec(text)?.[1] ?? '';
  const hrefs = [...steps.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  assert.equal(hrefs.length, 3);
  for (const href of hrefs) assert.equal((await person.visit(href)).status, 200, href);
  assert.doesNotMatch(text, /units?\b|jurisdiction|Latency/, 'it is about marks');
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  await storeWatch(db, customer.name);
  assert.match((await person.visit('/portal')).text, /class="steps"/, 'until this person has searched');
  await person.visit('/portal/explorer?mark_name=nélyia');
  assert.doesNotMatch((await person.visit('/portal')).text, /class="steps"/);
});

test('hits are new to each person until that person has seen them, on the page of the watch or all at once', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const brands = await storeWatch(db, customer.name, 'brands');
  const owners = await storeWatch(db, customer.name, 'owners');
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  await storeHit(db, brands, 'long ago');
  const ada = await joinPortal(url, customer);
  const bob = await joinColleague(url, db, customer);
  const newsOf = async (person: Person): Promise<string> => part((await person.visit('/portal')).text, 'new');
  assert.match(await newsOf(ada), /Nothing new in your 2 watches/, 'what was hit before she joined is not new');
  await storeHit(db, brands, 'FR1');
  await storeHit(db, brands, 'gone');
  await storeHit(db, owners, 'FR1');
  for (const person of [ada, bob]) {
    const news = await newsOf(person);
    assert.match(news, /Watch brands 2 .*Watch owners 1|Watch owners 1 .*Watch brands 2/);
    assert.match(news, /Nélyia France new match Watch owners/);
    assert.match(news, /gone France new match Watch brands/, 'a record that no register has is named by its id');
  }
  await ada.visit('/portal/watches/brands');
  assert.doesNotMatch(await newsOf(ada), /Watch brands/);
  assert.match(await newsOf(ada), /Watch owners 1/);
  assert.match(await newsOf(bob), /Watch brands 2/, 'a colleague has not seen them');

  const page = (await bob.visit('/portal')).text;
  const through = /name="through" value="([^"]+)"/.exec(page)?.[1] ?? '';
  await storeHit(db, owners, 'between');
  const seen = await follow(bob, await bob.post('/portal/hits-seen', { through }));
  assert.match(seen.text, /All hits are seen\./);
  assert.match(await newsOf(bob), /Watch owners 1 /, 'what came after the page is still new');
  assert.doesNotMatch(await newsOf(bob), /Watch brands/);
  const future = await bob.post('/portal/hits-seen', { through: '2099-01-01T00:00:00.000000Z' });
  assert.equal(future.status, 303);
  await storeHit(db, owners, 'later');
  assert.match(await newsOf(bob), /Watch owners 1 /, 'hits that are not known yet cannot be seen');
  assert.equal((await bob.post('/portal/hits-seen', { through: 'now' })).status, 400);
});

test('a person learns nothing of the hits, searches, dates and dockets of another customer', async (t) => {
  const { url, db } = await startService(t, { clock: clockAt('2026-11-27T09:00:00Z') });
  const customer = await createCustomer(db);
  const other = await createCustomer(db);
  const person = await joinPortal(url, customer);
  const stranger = await joinPortal(url, other);
  await storeRecords(db, [
    buildStored(
      buildSource({
        jurisdiction_code: 'FR',
        uid: 'FR1',
        mark_name: 'Secret',
        nice_classes: [9],
        expiry_date: '2026-12-01',
      }),
      '2026-01-02T03:04:05.000000Z',
    ),
  ]);
  await storeHit(db, await storeWatch(db, other.name, 'theirs'), 'FR1');
  await db.query(sql`
    insert into docket (docket_id, customer_id, name, created_at, rows, survey)
    select gen_random_uuid(), customer_id, 'theirs.csv', now(), 1, '{}' from customer where name = ${other.name}`);
  await stranger.visit('/portal/explorer?mark_name=secret');
  const theirs = textOf((await stranger.visit('/portal')).text);
  assert.match(theirs, /Watch theirs 1 .*1 December 2026 Protection ends unless renewed Secret/);
  assert.match(theirs, /Mark, exact: secret 1 .*theirs\.csv/);
  const own = textOf((await person.visit('/portal')).text);
  assert.doesNotMatch(own, /theirs|secret/i);
  const colleague = await joinColleague(url, db, other);
  const shared = textOf((await colleague.visit('/portal')).text);
  assert.match(shared, /theirs\.csv/);
  assert.doesNotMatch(shared, /exact: secret/, 'recent searches are of one person');
});

test('dates ahead are those that the registers state, of watched searches, owners and records, in two groups', async (t) => {
  const { db, customer, person } = await openPortal(t, {}, { clock: clockAt('2026-11-27T09:00:00Z') });
  const store = (uid: string, stated: Record<string, unknown>): ReturnType<typeof storeRecords> =>
    storeRecords(db, [
      buildStored(
        buildSource({ jurisdiction_code: 'FR', uid, mark_name: `MARK ${uid}`, ...stated }),
        '2026-01-02T03:04:05.000000Z',
      ),
    ]);
  await store('today', { nice_classes: [9], opposition_period_end: '2026-11-27' });
  await store('yesterday', { nice_classes: [9], opposition_period_end: '2026-11-26' });
  await store('near', { owner_names: ['acme'], expiry_date: '2026-12-27' });
  await store('far', { owner_names: ['acme'], expiry_date: '2026-12-28', opposition_period_end: '2027-02-25' });
  await store('beyond', { owner_names: ['acme'], expiry_date: '2027-02-26' });
  await store('listed', { renewal_date: '2026-12-05', expiry_date: '2036-12-05' });
  await store('unwatched', { expiry_date: '2026-12-01' });
  const datesOf = async (): Promise<string> => part((await person.visit('/portal')).text, 'dates');
  assert.equal(await datesOf(), '', 'no watch, no dates');
  await storeWatch(db, customer.name, 'class-9');
  assert.match(await datesOf(), /Within 30 days .*27 November 2026 Opposition period ends MARK today France/);
  await person.visit('/portal/new-watch');
  await follow(
    person,
    await person.post('/portal/new-watch', { kind: 'owners', name: 'Acme', owners: 'ACME', do: 'save' }),
  );
  const lines = 'FR listed\nFR none';
  await follow(
    person,
    await person.post('/portal/new-watch', { kind: 'records', name: 'List', records: lines, do: 'save' }),
  );
  const dates = await datesOf();
  const [near = '', far = ''] = dates.split('Within 31 to 90 days');
  assert.match(
    near,
    /27 November 2026 .*MARK today.*5 December 2026 Renewal MARK listed.*27 December 2026 .* MARK near/,
  );
  assert.match(
    far,
    /28 December 2026 Protection ends unless renewed MARK far .*25 February 2027 Opposition period ends MARK far/,
  );
  assert.doesNotMatch(dates, /yesterday|beyond|unwatched|there may be others/);
});

test('dates of many matches are bounded, and the page says that there may be others', async (t) => {
  const { db, customer, person } = await openPortal(t, {}, { clock: clockAt('2026-11-27T09:00:00Z') });
  await storeRecords(
    db,
    Array.from({ length: 60 }, (_, at) =>
      buildStored(
        buildSource({
          jurisdiction_code: 'ES',
          uid: `u${at}`,
          mark_name: 'X',
          nice_classes: [9],
          expiry_date: '2026-12-01',
        }),
        `2026-01-02T03:04:05.${String(at).padStart(6, '0')}Z`,
      ),
    ),
  );
  await storeWatch(db, customer.name);
  const { text } = await person.visit('/portal');
  assert.match(part(text, 'dates'), /42 more .*there may be others/);
});

test('a list of ten thousand records is read through for dates within the time of a page', async (t) => {
  const { db, customer, person } = await openPortal(t, {}, { clock: clockAt('2026-11-27T09:00:00Z') });
  await storeMark(db, { uid: 'x0', mark_name: 'Nélyia' });
  await db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
    select 'FR', 'x' || n, updated_at, first_seen_at, content_digest,
      case when n = 9999 then replace(detail, '"expiry_date":null', '"expiry_date":"2026-12-24"') else detail end
    from record, generate_series(1, 9999) as n`);
  const watchId = await storeWatch(db, customer.name, 'docket');
  await db.query(sql`update watch set kind = 'records', search = null, item_count = 10000`);
  await db.query(sql`
    insert into watch_record (watch_id, jurisdiction_code, uid) select ${watchId}::uuid, 'FR', uid from record`);
  const { status, text } = await person.visit('/portal');
  assert.equal(status, 200);
  assert.match(part(text, 'dates'), /24 December 2026 Protection ends unless renewed Nélyia/);
});

test('the last searches of a person are kept, a repeated one once, and can be cleared', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  const person = await joinPortal(url, customer);
  const searchesOf = async (): Promise<string[]> => {
    const { text } = await person.visit('/portal');
    const table = /aria-label="Recent searches">(.*?)<\/table>/s.exec(text)?.[1] ?? '';
    return [...table.matchAll(/href="\/portal\/explorer\?([^"]+)"/g)].map(([, search = '']) => search);
  };
  await person.visit('/portal/explorer');
  await person.visit('/portal/explorer?mark_name=n%C3%A9lyia&limit=5');
  await person.visit('/portal/explorer?mark_name=other');
  await person.visit('/portal/explorer?mark_name=n%C3%A9lyia');
  await person.visit('/portal/explorer?status=Nonsense');
  assert.deepEqual(await searchesOf(), ['mark_name=n%C3%A9lyia', 'mark_name=other'], 'a refused search is none');
  assert.match(textOf((await person.visit('/portal')).text), /Mark, exact: nélyia 1 .* Mark, exact: other 0 /);
  for (let at = 0; at < 25; at += 1) await person.visit(`/portal/explorer?mark_name=m${at}`);
  const kept = await db.query(sql`select from recent_search`);
  assert.equal(kept.length, 20);
  assert.equal((await searchesOf())[0], 'mark_name=m24');
  const cleared = await follow(person, await person.post('/portal/searches-cleared'));
  assert.match(cleared.text, /Your recent searches are cleared\./);
  assert.deepEqual(await searchesOf(), []);
});

test('news of a hundred thousand hits in one row and in many rows read a bounded number of them', async (t) => {
  const { db } = await createTestDatabase(t);
  const customer = await createCustomer(db);
  const [one, many] = [await storeWatch(db, customer.name, 'one'), await storeWatch(db, customer.name, 'many')];
  const [person] = await db.query<{ user_id: string }>(sql`
    insert into portal_user (user_id, customer_id, email, created_at, hits_seen_through)
    select gen_random_uuid(), customer_id, 'ada@example.org', now(), '2026-01-01' from customer returning user_id`);
  await db.query(sql`
    insert into watch_hit (watch_id, stamp, hit_count, jurisdiction_code, uid, event, earlier_jurisdiction_codes,
      earlier_uids, earlier_events)
    select ${one}::uuid, '2026-01-02', 100000, 'FR', 'u099999', 'begins', array_agg('FR'::text), array_agg(uid),
      array_agg('changes'::text)
    from (select 'u' || lpad(n::text, 6, '0') as uid from generate_series(0, 99998) as n order by 1) as earlier`);
  await db.query(sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select ${many}::uuid, timestamptz '2026-01-01 01:00:00+00' + n * interval '1 millisecond', 'FR', 'm' || n, 'changes'
    from generate_series(1, 100000) as n`);
  const news = await findNews(db, person!.user_id, 8);
  assert.deepEqual(
    news.watches.map(({ id, hits }) => [id, hits]),
    [
      ['one', NEW_HITS_COUNTED_MAX],
      ['many', NEW_HITS_COUNTED_MAX],
    ],
  );
  const hits = await listNewHits(db, news.watches, 3);
  assert.deepEqual(
    hits.map(({ uid, event }) => [uid, event]),
    [
      ['u099999', 'begins'],
      ['u099998', 'changes'],
      ['u099997', 'changes'],
    ],
  );
});
