/** What changed in a record: on its page, on the page of its history, and a version as it was. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TrademarkDetail } from '@tmds/contract/record';
import { sql } from '../../src/database/driver/sql.ts';
import { formatInstant } from '../../src/portal/frame/pieces.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, joinPortal, textOf } from '../support/portal.ts';
import { pageOf, publishVersions } from '../support/stored-history.ts';

const RECORD = '/portal/explorer/records/XA/XA1';
const HISTORY = '/portal/explorer/history/XA/XA1';

async function startPortal(t: TestContext) {
  const { service, customer, person, units } = await openPortal(t);
  const { key: otherKey } = await service.issue();
  /** The stamps of the record, the newest first; charged to somebody else. */
  const versions = async (): Promise<string[]> => {
    const answer = await service.call('/v1/XA/trademarks/XA1/history?limit=100', { key: otherKey });
    return pageOf(answer).items.map(({ version }) => version);
  };
  const read = async (path: string) => {
    const page = await person.visit(path);
    return { ...page, shown: textOf(page.text), changed: sectionOf(page.text) };
  };
  return { ...service, customer, person, units, versions, read };
}

const sectionOf = (html: string): string => textOf(/<section id="what-changed">.*?<\/section>/s.exec(html)?.[0] ?? '');

const linksOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].flatMap(([, href = '', label = '']) =>
    pattern.test(textOf(label)) ? [href.replaceAll('&amp;', '&')] : [],
  );

const linkOf = (html: string, pattern: RegExp): string => linksOf(html, pattern)[0] ?? 'no such link';

test('a record says what changed last, when, why and from which file, old and new, for the unit of its page', async (t) => {
  const { db, read, units } = await startPortal(t);
  const payload = { events: [{ date: '2026-01-01', text: 'filed' }], 'a/b': 1 };
  await publishVersions(db, [
    {
      mark_name: 'Lumora',
      status: 'Pending',
      nice_classes: [9, 35],
      owner_countries: ['FR'],
      owner_names: ['a', 'b'],
      payload,
    },
  ]);
  const later = { events: [...payload.events, { date: '2026-02-01', text: 'granted' }], 'a/b': 2 };
  await publishVersions(
    db,
    [
      {
        mark_name: 'Lumora <b>',
        status: 'Registered',
        nice_classes: [9, 42],
        owner_countries: ['FR', 'DE'],
        owner_names: ['b', 'a'],
        expiry_date: '2036-01-01',
        payload: later,
      },
    ],
    'correction',
  );
  await db.query(sql`
    insert into load_file (load_id, number, name, bytes, digest, period)
    select load_id, 1, 'marks-2026-02.zip', 1000, sha256('file'), '2026-02' from publish
    where stamp = (select last_stamp from publish_clock)`);
  const { changed, text, status } = await read(RECORD);
  assert.equal(status, 200);
  assert.match(
    changed,
    /Corrected by the office Changed here on \d+ \w+ \d{4}, \d\d:\d\d ?; the office’s date .* as before\./,
  );
  assert.match(changed, /Field Before After .*Mark Lumora Lumora <b> /);
  assert.match(changed, / Status Pending Registered /);
  assert.match(changed, / Expiry date not stated 1 January 2036 /);
  assert.match(changed, / Nice classes Removed 35 and 1 as before Added 42 and 1 as before /);
  assert.match(changed, / Owners a b b a /, 'another order is shown whole');
  assert.match(changed, / Owners’ countries 1, all of them kept Added Germany \(DE\) and 1 as before /);
  assert.match(changed, /same as before\. From marks-2026-02\.zip of 2026-02\./);
  assert.match(changed, /Also changed Events \(1 entry\) A\/b /);
  assert.match(changed, /SHA-256 3b9c358f36f0a31b6ad3e14f309c7cf198ac9246e8316f9ce543d5b19ac02b80/);
  assert.equal(await units(), 1);
  const json = await read(linkOf(text, /A\/b/));
  assert.match(json.shown, /JSON: payload\.a\/b .* 2 /);
});

test('a first version says that there is nothing yet, or that what came before was not kept', async (t) => {
  const { db, read } = await startPortal(t);
  await publishVersions(db, [{ mark_name: 'Lumora' }]);
  const first = await read(RECORD);
  assert.match(first.changed, /No changes since we first received it on /);
  assert.doesNotMatch(first.changed, /Previous version|Before After/);
  await db.query(sql`
    update record set detail = regexp_replace(detail, '"first_seen_at":"[^"]*"', '"first_seen_at":"2020-01-01T00:00:00.000000Z"')`);
  const again = await read(`${RECORD}?asked=1`);
  assert.match(again.changed, /The history begins with this version, published on .* Earlier versions were not kept\./);
});

test('the history is newest first with every cause, each version leads to the record as it was', async (t) => {
  const { db, read, versions, units } = await startPortal(t);
  await publishVersions(db, [{ mark_name: 'One' }]);
  await publishVersions(db, [{ mark_name: 'Two' }], 'office');
  await publishVersions(db, [{ mark_name: 'Three' }], 'renormalization');
  await publishVersions(db, [{ mark_name: 'Three', status: 'Cancelled' }], 'removal');
  const record = await read(RECORD);
  const page = await read(linkOf(record.text, /Full history/));
  const told = [
    'Gone from the office’s data Changed here on .*; the record stays here\\. .*Status Pending Cancelled ',
    'Read differently Changed here on .*; unchanged at the office\\. .*Mark Two Three ',
    'Updated by the office Changed here on [^;]*\\. .*Mark One Two ',
    'New in our data First received on ',
  ];
  assert.match(page.shown, new RegExp(told.join('.*')));
  assert.match(page.shown, /4 versions on this page, newest first/);
  assert.match(page.shown, /End of the history\./);
  assert.equal(await units(), 2);
  const [, , second = ''] = await versions();
  const links = linksOf(page.text, /The record as it was then/);
  assert.equal(links.length, 4);
  const then = await read(links[2]!);
  assert.match(then.text, /<h1 class="marktext"[^>]*>\s*Two/);
  const at = formatInstant(second, 'second');
  assert.match(then.shown, new RegExp(`The record as it was on ${at}, replaced on \\d+ \\w+ \\d{4}, [\\d:]+\\.`));
  assert.match(then.changed, / Mark One Two /, 'what changed is that of the version');
  assert.doesNotMatch(then.text, /id="family"/);
  assert.equal(await units(), 3);
  const before = await read(linkOf(then.text, /Previous version/));
  assert.match(before.shown, /This is the first version, published on /);
  const current = await read(links[0]!);
  assert.match(current.shown, /This is the current version, published on /);
  const today = await read(linkOf(then.text, /The record today/));
  assert.match(today.text, /<h1 class="marktext"[^>]*>\s*Three/);
  assert.doesNotMatch(today.shown, /as it was on/);
  assert.equal(await units(), 5, 'the record itself is remembered');
});

test('goes through a long history there and back, by cause and field', async (t) => {
  const { db, read } = await startPortal(t);
  for (let number = 0; number < 45; number += 1) {
    const isOffice = number % 15 === 0;
    const mark = { mark_name: `Mark ${number}.`, office: isOffice ? 'XB' : 'XA' };
    await publishVersions(db, [mark], isOffice ? 'office' : 'correction');
  }
  const marks = (text: string): string[] =>
    [...textOf(text).matchAll(/ Mark \d+\. (Mark \d+)\./g)].map(([, to = '']) => to);
  const pages = [await read(HISTORY)];
  assert.match(pages[0]!.shown, /History of Mark 44/);
  for (let next = linkOf(pages[0]!.text, /Next page/); next !== 'no such link'; ) {
    pages.push(await read(next));
    next = linkOf(pages.at(-1)!.text, /Next page/);
  }
  assert.deepEqual(
    pages.flatMap(({ text }) => marks(text)),
    Array.from({ length: 44 }, (_, at) => `Mark ${44 - at}`),
  );
  assert.equal(pages.length, 3);
  const second = await read(linkOf(pages[2]!.text, /Previous page/));
  assert.deepEqual(marks(second.text), marks(pages[1]!.text));
  const first = await read(linkOf(second.text, /First page/));
  assert.deepEqual(marks(first.text), marks(pages[0]!.text));
  const office = await read(linkOf(first.text, /Only Updated by the office \+/));
  assert.deepEqual(marks(office.text), ['Mark 30', 'Mark 15']);
  assert.match(office.text, /aria-current="true"[^>]*>\s*<span class="unseen">Remove <\/span>Updated by the office/);
  const both = await read(linkOf(office.text, /Only Status \+/));
  assert.deepEqual(marks(both.text), []);
  assert.match(both.shown, /No version matches\./);
  const back = await read(linkOf(both.text, /Remove Status/));
  assert.deepEqual(marks(back.text), ['Mark 30', 'Mark 15']);
  const moved = await read(`${HISTORY}?field=office,nothing&cause=correction`);
  assert.deepEqual(marks(moved.text), ['Mark 31', 'Mark 16', 'Mark 1']);
});

test('an unknown version, record or register is not found, and an invalid version costs nothing', async (t) => {
  const { db, read, units } = await startPortal(t);
  await publishVersions(db, [{ mark_name: 'One' }]);
  const unknown = await read(`${RECORD}?version=2020-01-01T00:00:00.000000Z`);
  assert.equal(unknown.status, 404);
  assert.match(unknown.shown, /We have no such version of this record\..*not_found/);
  assert.equal((await read('/portal/explorer/history/XA/none')).status, 404);
  assert.equal((await read('/portal/explorer/history/ZZ/XA1')).status, 404);
  const before = await units();
  for (const wrong of ['%3Cb%3E', '2020-01-01', '..%2F..']) {
    assert.equal((await read(`${RECORD}?version=${wrong}`)).status, 404, wrong);
  }
  assert.match(
    (await read(`${HISTORY}?cursor=forged`)).shown,
    /This page of the list is no longer available\..*cursor_invalid/,
  );
  assert.equal(await units(), before);
});

test('nobody else pays or reads: without a session, with the key of another customer, from another site', async (t) => {
  const { db, url, person, customer, units, read } = await startPortal(t);
  await publishVersions(db, [{ mark_name: 'Lumora' }]);
  const other = await joinPortal(url, await createCustomer(db));
  for (const path of [HISTORY, `${RECORD}?version=2020-01-01T00:00:00.000000Z`]) {
    const separator = path.includes('?') ? '&' : '?';
    const charged = await other.visit(`${path}${separator}key=${customer.keyId}`);
    assert.match(textOf(charged.text), /The key that the address names is not one of yours\. Nothing was requested/);
    const elsewhere = await person.visit(path, { 'sec-fetch-site': 'cross-site' });
    assert.match(textOf(elsewhere.text), /This page costs one unit of production/);
    const visitor = await fetch(`${url}${path}`, { redirect: 'manual' });
    assert.match(visitor.headers.get('location') ?? '', /^\/portal\/sign-in/);
  }
  assert.equal(await units(), 0);
  assert.match((await read(HISTORY)).shown, /New in our data/);
});

test('a record that is remembered says that a newer version was published', async (t) => {
  const { db, read } = await startPortal(t);
  await publishVersions(db, [{ mark_name: 'One' }]);
  assert.doesNotMatch((await read(RECORD)).shown, /newer version/);
  await publishVersions(db, [{ mark_name: 'Two' }]);
  const old = await read(RECORD);
  assert.match(old.shown, /A newer version was published on /);
  assert.match((await read(linkOf(old.text, /Ask again/))).changed, / Mark One Two /);
});

test('whatever changes in a record of a megabyte, its page and its history stay small', async (t) => {
  const { db, read, call, issue } = await startPortal(t);
  const many = (seed: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${seed} ${at} ${'name '.repeat(20)}`);
  const version = (seed: string) => ({
    mark_name: `${seed} ${'mark '.repeat(1000)}`,
    owner_names: many(`${seed} owner`, 400),
    representative_names: many(`${seed} representative`, 400),
    payload: Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`${seed}${at}`, many(seed, 200).map((text) => ({ text }))]),
    ),
  });
  for (const seed of ['a', 'b', 'c', 'd']) await publishVersions(db, [version(seed)]);
  const { key } = await issue();
  const whole = (await call('/v1/XA/trademarks/XA1?expand=payload', { key })).body as TrademarkDetail;
  assert.ok(JSON.stringify(whole.payload).length > 1_000_000);
  const { text, changed } = await read(RECORD);
  const section = /<section id="what-changed">.*?<\/section>/s.exec(text)?.[0] ?? '';
  assert.ok(section.length < 30_000, `${section.length} characters`);
  assert.match(changed, /and 390 more/);
  assert.match(changed, /more characters/);
  assert.match(changed, /Also changed .* and 90 more/);
  const history = await read(HISTORY);
  assert.match(history.shown, /4 versions/);
  assert.ok(history.text.length < 120_000, `${history.text.length} characters`);
});
