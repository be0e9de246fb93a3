/** Hits for people: what changed in words, new, seen and done, a note and a person, files, and links for colleagues. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findLatestHits } from '../../src/store/watches/hits.ts';
import type { EventPosition } from '../../src/store/watches/version-events.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, follow, joinColleague, joinPortal, storeMark, textOf } from '../support/portal.ts';
import type { TestContext } from '../support/service.ts';
import { storeHit, storeWatch } from '../support/watch-hits.ts';
import { publishRecords } from '../torture/publish.ts';

const section = (text: string, id: string): string =>
  textOf(new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(text)?.[1] ?? '');
const listed = (text: string): string[] =>
  [...text.matchAll(/name="hit" value="([^"]+)"/g)].map(([, name = '']) => name.replace(/^[^_]*_FR_/, ''));

async function openDesk(t: TestContext) {
  const portal = await openPortal(t);
  return { ...portal, watchId: await storeWatch(portal.db, portal.customer.name) };
}

const WATCH = '/portal/watches/brands';

/** The name of the newest hit of a record. */
async function nameOf(db: Database, uid: string): Promise<string> {
  const [row] = await db.query<{ name: string }>(sql`
    select to_char(stamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_FR_' || uid as name
    from watch_hit where uid = ${uid} order by stamp desc limit 1`);
  return row!.name;
}
const pathOf = (name: string): string => `${WATCH}/hits/${encodeURIComponent(name)}`;

const goods = (text: string) => ({
  goods_and_services: [{ class: '9', scheme: 'nice', texts: [{ text, language: 'en' }] }],
});

/** A record that begins to match, and then changes. */
async function storeChange(db: Database, watchId: string, uid: string): Promise<void> {
  const record = {
    jurisdiction_code: 'FR',
    uid,
    mark_name: 'NÉLYIA',
    mark_feature: 'Word' as const,
    owner_names: ['acme'],
    nice_classes: [9],
    status: 'Pending' as const,
    payload: goods('Pens; red ink; paper'),
  };
  await publishRecords(db, [record]);
  const changed = { status: 'Registered' as const, expiry_date: '2036-11-26', payload: goods('Pens; blue ink; paper') };
  await publishRecords(db, [{ ...record, ...changed }]);
  await db.query(sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select ${watchId}::uuid, updated_at, jurisdiction_code, uid, 'changes' from record where uid = ${uid}
    union all
    select ${watchId}::uuid, updated_at, jurisdiction_code, uid, 'begins' from record_version where uid = ${uid}`);
}

test('a hit shows mark, owner, class, picture and what changed as a sentence, and its page compares goods word by word', async (t) => {
  const { db, person, watchId, url } = await openDesk(t);
  await storeChange(db, watchId, 'a/1');
  const { text } = await person.visit(WATCH);
  const hits = section(text, 'hits');
  assert.match(hits, /NÉLYIA France .*acme/);
  assert.match(hits, /changed updated by the office Status: Pending → Registered/);
  assert.match(hits, /Expiry date: not stated → 26 November 2036/);
  assert.match(hits, /Also changed: Goods and services/);
  assert.match(hits, /new match new in our data/);
  assert.doesNotMatch(hits, /jurisdiction|payload|uid|\/0\//, 'no word of the API');
  const [, picture = ''] = /src="data:image\/svg\+xml,([^"]+)"/.exec(text)!;
  assert.match(decodeURIComponent(picture), /<text[^>]*>NÉLYIA<\/text>/);

  const name = await nameOf(db, 'a/1');
  assert.ok(text.includes(`href="${pathOf(name)}"`));
  const page = await person.visit(pathOf(name));
  assert.equal(page.status, 200);
  assert.match(page.text, /Pens; <del>red<\/del><ins>blue<\/ins> ink; paper/);
  assert.match(page.text, new RegExp(`${url}${pathOf(name)}`.replace(/[.%]/g, '\\$&')), 'the link for colleagues');
  assert.equal((await person.visit(`${WATCH}/pictures/${encodeURIComponent(name)}`)).status, 200);
  for (const wrong of ['x', name.replace('a/1', 'other'), name.replace(/^\d{4}-\d\d-\d\d/, '2026-02-31')]) {
    assert.equal((await person.visit(pathOf(wrong))).status, 404, wrong);
  }
});

test('hits are filtered by kind of change and by state, and what was new stays marked while the reader looks around', async (t) => {
  const { db, person, watchId } = await openDesk(t);
  await storeMark(db, { uid: 'first', mark_name: 'FIRST' });
  await storeChange(db, watchId, 'changing');
  const at = async (query: string): Promise<string[]> => listed((await person.visit(`${WATCH}${query}`)).text);
  assert.deepEqual(await at('?kind=status'), ['changing']);
  assert.deepEqual(await at('?kind=match'), ['changing']);
  assert.deepEqual(await at('?kind=dates'), ['changing']);
  for (const kind of ['owner', 'mark', 'classes', 'representative', 'stops'])
    assert.deepEqual(await at(`?kind=${kind}`), []);
  await db.query(sql`update watch_progress set complete_through = (select max(stamp) from watch_hit)`);
  const first = (await person.visit(WATCH)).text;
  assert.match(first, /badge warn">new</);
  const [, fresh = ''] = /href="([^"]*state=new[^"]*)"/.exec(first)!;
  assert.deepEqual(listed((await person.visit(fresh.replaceAll('&amp;', '&'))).text), ['changing', 'changing']);
  assert.deepEqual(await at('?state=new'), [], 'they are seen now');
  assert.deepEqual(await at('?state=seen'), ['changing', 'changing']);
  assert.match((await person.visit(WATCH)).text, /badge plain">seen</);
  assert.equal((await person.visit(`${WATCH}?state=new&since=2026-02-31T00:00:00.000000Z&before=x`)).status, 200);
});

test('a hit is done by one person for the whole team, with a note and a person, and the activity says so', async (t) => {
  const { url, db, customer, person, watchId } = await openDesk(t);
  await storeChange(db, watchId, 'r1');
  const colleague = await joinColleague(url, db, customer, { role: 'member' });
  const developer = await joinColleague(url, db, customer, { role: 'developer' });
  const name = await nameOf(db, 'r1');
  const form = (await person.visit(pathOf(name))).text;
  const people = [...form.matchAll(/<option value="([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
  assert.equal(people.length, 2, 'developers handle no hits');
  const [row] = await db.query<{ user_id: string }>(sql`select user_id from portal_user where role = 'member'`);
  const member = row!.user_id;
  const saved = await person.post(`${WATCH}/hit`, {
    hit: name,
    state: 'open',
    person: member,
    note: 'Ask <client>\r\nfirst',
  });
  assert.match((await follow(person, saved)).text, /Saved\./);
  const seen = await colleague.visit(`${WATCH}?state=mine`);
  assert.deepEqual(listed(seen.text), ['r1']);
  assert.match(seen.text, /Ask &lt;client>|Ask &lt;client&gt;/);
  assert.deepEqual(listed((await person.visit(`${WATCH}?state=mine`)).text), []);

  await colleague.visit(WATCH);
  const done = await colleague.post(`${WATCH}/hits-handled`, { do: 'done', hit: name, list: '?state=mine' });
  assert.match(done.to!, /state=mine.*done=hits_done#hits$/);
  assert.deepEqual(listed((await colleague.visit(`${WATCH}?state=mine`)).text), []);
  assert.deepEqual(listed((await person.visit(`${WATCH}?state=done`)).text), ['r1']);
  const page = (await person.visit(pathOf(name))).text;
  assert.match(page, /badge off">done</);
  assert.match(page, /Ask &lt;client>\nfirst|Ask &lt;client&gt;\nfirst/);
  assert.match((await person.visit('/portal/team/activity')).text, /Hits handled/);

  await person.visit(pathOf(name));
  const wrong = await person.post(`${WATCH}/hit`, { hit: name, state: 'open', note: 'x'.repeat(1001) });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /at most 1,000 characters/);
  await person.post(`${WATCH}/hit`, { hit: name, state: 'open', person: '', note: '' });
  assert.deepEqual(await db.query(sql`select uid from hit_handling`), [], 'nothing is left of it');
  for (const path of [WATCH, pathOf(name), `${WATCH}/hits-file?format=csv`]) {
    assert.equal((await developer.visit(path)).status, 403, path);
  }
});

test('nobody sees or changes hits of another customer, by any address or form', async (t) => {
  const { url, db, customer, person, watchId } = await openDesk(t);
  await storeChange(db, watchId, 'secret');
  const name = await nameOf(db, 'secret');
  const other = await createCustomer(db);
  const theirs = await storeWatch(db, other.name, 'theirs');
  const stranger = await joinPortal(url, other);
  await storeHit(db, theirs, 'mine');
  const paths = [pathOf(name), `${WATCH}/pictures/${encodeURIComponent(name)}`, `${WATCH}/hits-file?format=csv`, WATCH];
  for (const path of paths) {
    assert.equal((await person.visit(path)).status, 200, path);
    assert.equal((await stranger.visit(path)).status, 404, path);
    // The same hit below a watch of their own.
    if (path.includes('_FR_')) {
      assert.equal((await stranger.visit(path.replace('/brands/', '/theirs/'))).status, 404, path);
    }
  }
  await stranger.visit('/portal/watches/theirs');
  for (const watch of ['brands', 'theirs']) {
    const forms = [
      [`/portal/watches/${watch}/hits-handled`, { do: 'done', hit: name }],
      [`/portal/watches/${watch}/hit`, { hit: name, state: 'done', note: 'x' }],
    ] as const;
    for (const [action, form] of forms) assert.equal((await stranger.post(action, form)).status, 404, action);
  }
  const [victim] = await db.query<{ user_id: string }>(sql`
    select user_id from portal_user join customer using (customer_id) where customer.name = ${customer.name}`);
  const own = await nameOf(db, 'mine');
  await publishRecords(db, [{ jurisdiction_code: 'FR', uid: 'mine' }]);
  await db.query(
    sql`update watch_hit set stamp = (select updated_at from record where uid = 'mine') where uid = 'mine'`,
  );
  const now = await nameOf(db, 'mine');
  assert.notEqual(now, own);
  await stranger.visit(`/portal/watches/theirs/hits/${encodeURIComponent(now)}`);
  const assigned = await stranger.post('/portal/watches/theirs/hit', { hit: now, person: victim!.user_id });
  assert.equal(assigned.status, 422, 'nobody of another team is assigned');
  assert.deepEqual(await db.query(sql`select uid from hit_handling`), []);
});

test('hits are downloaded as CSV and Excel, filtered as on the page, without formulas', async (t) => {
  const { db, person, watchId } = await openDesk(t);
  await storeChange(db, watchId, 'r1');
  await db.query(sql`update watch set reference = '=M-2041'`);
  const name = await nameOf(db, 'r1');
  assert.match((await person.visit(pathOf(name))).text, /Your reference<\/dt>\s*<dd><bdi>=M-2041</);
  await person.post(`${WATCH}/hit`, { hit: name, state: 'done', note: '=1+1' });
  const csv = (await person.visit(`${WATCH}/hits-file?format=csv`)).text;
  const [head, ...rows] = csv.trim().split('\r\n');
  assert.match(head!, /^\uFEFF?Mark,Register,Number,Owner,Classes,Status now,What,What changed,Why/);
  assert.equal(rows.length, 2);
  assert.match(rows[0]!, /^NÉLYIA,France,.*Status: Pending → Registered\n.*done.*'=M-2041,'=1\+1/s);
  assert.match(rows[0]!, /Expiry date: not stated → 2036-11-26/);
  const matches = (await person.visit(`${WATCH}/hits-file?format=csv&kind=match`)).text;
  assert.equal(matches.trim().split('\r\n').length, 2);
  const excel = await person.visit(`${WATCH}/hits-file?format=excel`);
  assert.match(excel.text, /^PK/);
  assert.equal((await person.visit(`${WATCH}/hits-file?format=pdf`)).status, 404);
});

test('pages of 100,000 hits, in one row or in as many, read some of them and together find every one that is wanted', async (t) => {
  const { db, person, watchId } = await openDesk(t);
  await publishRecords(db, [
    { jurisdiction_code: 'FR', uid: 'a' },
    { jurisdiction_code: 'FR', uid: 'z' },
  ]);
  // A publish of 100,000 hits, which begins and ends with a new match, after as many hits in rows of their own.
  await db.query(sql`
    insert into watch_hit (watch_id, stamp, hit_count, jurisdiction_code, uid, event, earlier_jurisdiction_codes,
      earlier_uids, earlier_events)
    select ${watchId}::uuid, updated_at, 100001, 'FR', 'z', 'begins', array_fill('FR'::text, array[100000]),
      array['a'] || (select array_agg('b' || lpad(n::text, 6, '0') order by n) from generate_series(1, 99999) as n),
      array['begins'] || array_fill('changes'::text, array[99999])
    from record where uid = 'z'`);
  await db.query(sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select ${watchId}::uuid, timestamptz '2020-01-01' + n * interval '1 minute', 'FR', 'gone' || n, 'changes'
    from generate_series(1, 100000) as n`);
  const event = { event: 'begins', fields: null, state: null } as const;
  const read = (before: EventPosition | null) => findLatestHits(db, watchId, { before, limit: 25, filter: event });
  const found: string[] = [];
  let pages = 0;
  for (let before: EventPosition | null = null; pages === 0 || before !== null; pages += 1) {
    const page = await read(before);
    found.push(...page.items.map(({ uid }) => uid));
    assert.ok(page.olderThan === null || before === null || page.olderThan.stamp <= before.stamp);
    before = page.olderThan;
  }
  assert.deepEqual(found, ['z', 'a']);
  assert.ok(pages > 40 && pages < 60, `${pages} pages`);
  const empty = await person.visit(`${WATCH}?kind=stops`);
  assert.match(textOf(empty.text), /None of the hits checked so far matches; there are more/);
});

test('a person who leaves keeps no hits, and a removed customer keeps no notes', async (t) => {
  const { url, db, customer, person, watchId } = await openDesk(t);
  await storeChange(db, watchId, 'r1');
  const name = await nameOf(db, 'r1');
  await joinColleague(url, db, customer, { role: 'member' });
  const [row] = await db.query<{ user_id: string }>(sql`select user_id from portal_user where role = 'member'`);
  await person.visit(pathOf(name));
  await person.post(`${WATCH}/hit`, { hit: name, state: 'open', person: row!.user_id, note: 'kept' });
  const { removeMember } = await import('../../src/store/accounts/portal.ts');
  await removeMember(db, row!.user_id);
  assert.deepEqual(await db.query(sql`select assigned_to, note from hit_handling`), [
    { assigned_to: null, note: 'kept' },
  ]);
  const { eraseWatches } = await import('../../src/store/watches/watches.ts');
  await db.transaction(async (tx) => {
    const [own] = await tx.query<{ customer_id: string }>(sql`
      select customer_id from customer where name = ${customer.name}`);
    await eraseWatches(tx, own!.customer_id);
  });
  assert.deepEqual(await db.query(sql`select uid from hit_handling`), []);
});
