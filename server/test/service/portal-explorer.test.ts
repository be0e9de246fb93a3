/** The explorer goes through the public API, pays for it, and shows whatever a register holds without running it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTERS } from '@tmds/contract/parameters';
import { issueKey, revokeKey } from '../../src/access/keys.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { CoverageBoard } from '../../src/http/coverage-board.ts';
import { REMEMBERED_MS } from '../../src/portal/explorer/remembered-answers.ts';
import { GROUPS } from '../../src/portal/explorer/search-form.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadText, UNLIMITED } from '../support/loads.ts';
import { openPortal } from '../support/open-portal.ts';
import { countUnits, createCustomer, joinPortal, storeMark } from '../support/portal.ts';
import { startService } from '../support/service.ts';

function linkTitled(text: string, title: string): string {
  return new RegExp(`href="([^"]+)"[^>]*>${title}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

test('charges a search and a look-up one unit each, and nothing for a refusal or the empty form [4.3, I-28]', async (t) => {
  const service = await startService(t);
  const { url, db } = service;
  const customer = await createCustomer(db, { quota: 100 });
  const person = await joinPortal(url, customer);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  const empty = await person.visit('/portal/explorer');
  assert.equal(empty.status, 200);
  const refused = await person.visit('/portal/explorer?mark_name=%20');
  assert.match(refused.text, /Mark, exact is blank.*Search without “Mark, exact”.*For support.*invalid_parameter/s);
  assert.match(refused.text, /aria-invalid="true"/);
  assert.match(refused.text, /This cost nothing/);
  assert.equal(await countUnits(service, customer.keyId), 0);
  const found = await person.visit('/portal/explorer?status=Registered&status=Pending&count=capped');
  assert.match(found.text, /Nélyia/);
  assert.match(found.text, /1 trademark</);
  assert.match(found.text, /1 of 100 units used this month/);
  assert.equal(await countUnits(service, customer.keyId), 1);
  const record = await person.visit('/portal/explorer/records/FR/FR1');
  assert.match(record.text, /2 of 100 units used this month/);
  const missing = await person.visit('/portal/explorer/records/FR/none');
  assert.equal(missing.status, 404);
  assert.equal(await countUnits(service, customer.keyId), 3);
  const feed = await person.visit('/portal/feed?since=2026-01-01');
  assert.match(feed.text, /1 changes, oldest first/);
  assert.equal(await countUnits(service, customer.keyId), 4);
});

test('a call of a page is in the call log like one of a program, with its path, answer, units and refusal [I-28]', async (t) => {
  const service = await startService(t);
  const { url, db, app } = service;
  const customer = await createCustomer(db);
  const person = await joinPortal(url, customer);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  for (const path of ['?status=Registered', '?mark_name=%20', '/records/FR/FR1', '/records/FR/none'])
    await person.visit(`/portal/explorer${path}`);
  await app.close();
  const logged = await db.query(sql`
    select path, status, units, code, param, request_id is not null as named from call_log
    where key_id = ${customer.keyId} order by at, path`);
  const expand = 'trademarks/FR1?expand=payload';
  assert.deepEqual(logged, [
    { path: '/records/v1/trademarks?status=Registered', status: 200, units: 1, code: null, param: null, named: true },
    {
      path: '/records/v1/trademarks?mark_name=+',
      status: 400,
      units: 0,
      code: 'invalid_parameter',
      param: 'mark_name',
      named: true,
    },
    { path: `/records/v1/FR/${expand}`, status: 200, units: 1, code: null, param: null, named: true },
    {
      path: `/records/v1/FR/${expand.replace('FR1', 'none')}`,
      status: 404,
      units: 1,
      code: 'not_found',
      param: null,
      named: true,
    },
  ]);
});

test('shows what the matches are, with exact counts that narrow the search and widen it again [4.3]', async (t) => {
  const { service, person } = await openPortal(t, { quota: 100 });
  await storeMark(service.db, { uid: 'FR1', mark_name: 'One', nice_classes: [9, 42] });
  await storeMark(service.db, { uid: 'FR2', mark_name: 'Two', nice_classes: [42] });
  const page = await person.visit('/portal/explorer?jurisdiction=FR');
  const facets = /aria-label="Matches by field">(.*?)<\/section>/s.exec(page.text)?.[1] ?? '';
  assert.match(
    facets,
    /Nice class.*?nice_class=42[^>]*><bdi>42<.*?Science.*?matches">2<.*?nice_class=9[^>]*><bdi>9<.*?matches">1</s,
  );
  assert.match(
    facets,
    /Register.*?aria-current="true"[^>]*><bdi>France<\/bdi><\/a>\s*<\/span>\s*<span class="matches">2</s,
  );
  const narrowed = await person.visit('/portal/explorer?jurisdiction=FR&nice_class=9');
  assert.match(narrowed.text, /1 trademark</);
  assert.doesNotMatch(
    facets,
    /href="[^"]*jurisdiction=FR[^"]*" aria-current/,
    'a value that is asked for takes itself off',
  );
});

test('says which rows of how many a page shows, exactly and without a parameter [4.3]', async (t) => {
  const { db, person } = await openPortal(t);
  for (let at = 0; at < 60; at += 1) await storeMark(db, { uid: `FR${at}`, mark_name: `Mark ${at}` });
  const first = await person.visit('/portal/explorer?status=Registered&limit=25&columns=status.office');
  assert.match(first.text, /60 trademarks, 1–25 shown</);
  const next = linkTitled(first.text, 'Next page');
  const second = await person.visit(next);
  assert.match(second.text, /60 trademarks, 26–50 shown</);
  assert.match(second.text, /<th[^>]*>Office<\/th>/, 'the columns stay');
  assert.doesNotMatch(second.text, /<th[^>]*>Owner<\/th>/);
  assert.match((await person.visit(linkTitled(second.text, 'Next page'))).text, /60 trademarks, 51–60 shown</);
  const tampered = await person.visit(next.replace('row=25', 'row=x'));
  assert.match(tampered.text, /60 trademarks, 25 on this page/);
  assert.doesNotMatch(linkTitled(second.text, 'First page'), /row=|cursor=/);
});

test('a record leads to the ones before and after it in its search, at no extra cost [I-28]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  for (let at = 0; at < 4; at += 1) await storeMark(service.db, { uid: `FR${at}`, mark_name: `Mark ${at}` });
  const first = await person.visit('/portal/explorer?status=Registered&limit=2');
  const search = linkTitled(first.text, 'Next page');
  const second = await person.visit(search);
  const links = [...second.text.matchAll(/href="([^"]*explorer\/records[^"]*)"/g)].map(([, href = '']) => href);
  const opened = await person.visit((links[0] ?? '').replaceAll('&amp;', '&'));
  assert.match(opened.text, /Trademark 3</);
  assert.equal(linkTitled(opened.text, 'Previous record'), '');
  const next = await person.visit(linkTitled(opened.text, 'Next record'));
  assert.match(next.text, /Trademark 4</);
  assert.equal(linkTitled(next.text, 'Next record'), '');
  assert.equal(linkTitled(next.text, 'Previous record'), (links[0] ?? '').replaceAll('&amp;', '&'));
  assert.equal(await countUnits(service, customer.keyId), 4, 'two pages of the search and two records');
  const stranger = await joinPortal(service.url, await createCustomer(service.db));
  const peeked = await stranger.visit(`/portal/explorer/records/FR/FR0?from=${encodeURIComponent(search)}`);
  assert.doesNotMatch(peeked.text, /class="neighbours"/);
});

test('images of a page of results come from its remembered answer, and never as something to run [2.2, I-28]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  const image = 'data:image/svg+xml,%3Csvg%20onload=%22alert(1)%22/%3E';
  await storeMark(service.db, { uid: 'FR1', mark_name: 'One', payload: { images: [{ uri: image }] } });
  await storeMark(service.db, {
    uid: 'FR2',
    mark_name: 'Two',
    payload: { images: [{ uri: 'https://a.example/b.png' }] },
  });
  for (const view of ['columns=image.goods', 'view=grid']) {
    const { text } = await person.visit(`/portal/explorer?status=Registered&limit=500&${view}`);
    assert.match(text, /2 trademarks</);
    const images = [...text.matchAll(/<img src="([^"]+)"/g)].map(([, src = '']) => src.replaceAll('&amp;', '&'));
    assert.equal(images.length, 1);
    const sent = await person.visit(images[0] ?? '');
    assert.equal(sent.text, '<svg onload="alert(1)"/>');
    assert.equal(sent.headers.get('content-type'), 'image/svg+xml');
    assert.match(sent.headers.get('content-disposition') ?? '', /^attachment/);
    assert.equal(sent.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    const stranger = await joinPortal(service.url, await createCustomer(service.db));
    assert.equal((await stranger.visit((images[0] ?? '').replace(/key=[^&]*&/, ''))).status, 404);
  }
  assert.equal(await countUnits(service, customer.keyId), 1, 'table and grid read the same answer');
});

test('a form with an operator leads to the address of the API, where a refusal marks it [4.3]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await storeMark(service.db, { uid: 'FR1', mark_name: 'Nélyia' });
  const { to } = await person.visit(
    '/portal/explorer?mark_name_how=is&mark_name_text=+&jurisdiction=FR&expiry_date_when=',
  );
  assert.equal(to, '/portal/explorer?jurisdiction=FR&mark_name=+');
  const refused = await person.visit(to ?? '');
  assert.match(refused.text, /role="alert">\s*<p><strong><bdi>Mark, exact is blank/);
  assert.match(refused.text, /id="mark_name-refusal">Mark, exact is blank/);
  assert.match(refused.text, /<details class="group refused" open[^>]*><summary>Mark /);
  assert.match(refused.text, /<input id="mark_name_text"[^>]* value=" "[^>]* aria-invalid="true"/);
  assert.equal(await countUnits(service, customer.keyId), 0);
});

test('a refusal stands where the results would be, with the click that mends it, and the code folded away [4.3]', async (t) => {
  const { db, person } = await openPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  for (const [query, says, mends] of [
    ['status=Registered,Unheard', /“Unheard” cannot be searched for as “Status”\./, 'Search without “Unheard”'],
    ['status=Registered&nice_class=9,77', /“77” cannot be searched for as/, 'Search without “Nice class, any of”'],
    ['mark_name=+&status=Registered', /Mark, exact is blank/, 'Search without “Mark, exact”'],
    ['status=Registered&colour=red', /This page has no field “<bdi>colour<\/bdi>”/, 'Search without it'],
    ['status=Registered&cursor=forged', /This page of the results is no longer available/, 'Show the first page'],
  ] as const) {
    const { text } = await person.visit(`/portal/explorer?${query}`);
    const results = /<section id="results".*?<\/section>/s.exec(text)?.[0] ?? '';
    const [said = '', folded = ''] = results.split('<details');
    assert.match(said, says, query);
    assert.doesNotMatch(said, /<code>|_parameter|request id/i, 'the code and the request id are folded away');
    assert.match(folded, /For support.*Request id/s);
    const mended = await person.visit(linkTitled(results, mends));
    assert.doesNotMatch(mended.text, /role="alert"/, `${query}: ${mends}`);
    assert.match(mended.text, /class="advanced"/);
  }
});

test('an empty page says through which day the registers are complete, and which codes have no register [4.3]', async (t) => {
  const coverage = new CoverageBoard(systemClock);
  const service = await startService(t, { coverage });
  const person = await joinPortal(service.url, await createCustomer(service.db));
  await storeMark(service.db, { uid: 'FR1', mark_name: 'Nelyia' });
  const whole = { complete_through: '2026-11-25', late: true, gaps: 0, rejects: 0 };
  coverage.note([{ jurisdiction_code: 'FR', ...whole }]);
  const none = await person.visit('/portal/explorer?jurisdiction=FR,UK&mark_name=none');
  assert.match(none.text, /No register here has the code UK; nothing was searched for it\./);
  assert.match(none.text, /France is complete through 25 November 2026; newer files are overdue\./);
  const found = await person.visit('/portal/explorer?jurisdiction=FR&mark_name=nelyia');
  assert.doesNotMatch(found.text, /is complete through/);
});

test('an empty page says where it looked and offers searches near it, each with its exact count, at no cost [4.3]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await storeMark(service.db, { uid: 'FR1', mark_name: 'Nelyia' });
  await storeMark(service.db, { uid: 'FR2', mark_name: 'Nelyia Plus' });
  await storeMark(service.db, { uid: 'FR3', mark_name: 'Dated', application_date: '2020-05-06' });
  await person.visit('/portal/explorer?status=Registered');
  const { text } = await person.visit('/portal/explorer?jurisdiction=FR&mark_name=n%C3%A9lyia');
  assert.match(text, /No trademarks found in France\./);
  const near = /<section id="near".*?<\/section>/s.exec(text)?.[0] ?? '';
  const offered = [...near.matchAll(/<bdi>([^<]+)<\/bdi><\/a>\s*<span class="count">([^<]+)</g)].map(
    ([, title, count]) => [title, count],
  );
  assert.deepEqual(offered, [
    ['Marks named “nelyia”', '1'],
    ['Marks containing “nelyia”', '2'],
    ['Marks named “nelyia” in all registers', '1'],
    ['Marks containing “nelyia” in all registers', '2'],
  ]);
  const units = await countUnits(service, customer.keyId);
  const clicked = await person.visit(linkTitled(near, '<bdi>Marks containing “nelyia”'));
  assert.match(clicked.text, /2 trademarks<.*in France/s);
  assert.equal(units, 2, 'counting cost nothing');
  const reversed = await person.visit(
    '/portal/explorer?application_date_from=2021-01-01&application_date_to=2020-01-01',
  );
  const swapped = linkTitled(reversed.text, '<bdi>Application date from 1 January 2020 to 1 January 2021');
  assert.match((await person.visit(swapped)).text, /1 trademark</);
  const filtered = await person.visit('/portal/explorer?status=Cancelled&nice_class=9&mark_name=nelyia');
  assert.doesNotMatch(filtered.text, /id="near"/, 'nothing near finds anything');
  assert.match(filtered.text, /No trademarks found in the one register\. Remove a filter/);
});

test('the page has one rail of facets, the long form is folded and ordered by use, and the scope is said [4.3]', async (t) => {
  const { db, person } = await openPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia', nice_classes: [25] });
  const { text } = await person.visit('/portal/explorer?status=Registered');
  assert.match(text, /<details class="advanced"><summary>Advanced<\/summary>/);
  assert.match(text, /1 trademark<\/span>\s*in the one register, latest changes first/);
  const titles = [...text.matchAll(/<details class="group"[^>]*><summary>([^<]+)/g)].map(([, title]) => title);
  assert.deepEqual(
    titles.slice(0, 6).map((title) => title?.trim()),
    ['Mark', 'Owner', 'Register', 'Classes', 'Status', 'Dates'],
  );
  assert.equal(titles.at(-1), 'Kind, feature and figures');
  const rail = /<section id="facets".*?<\/section>/s.exec(text)?.[0] ?? '';
  const fields = [...rail.matchAll(/<summary>([^<]+)<\/summary>/g)].map(([, field]) => field);
  assert.deepEqual(fields.slice(0, 3), ['Register', 'Nice class', 'Status']);
  assert.match(rail, /title="Clothing, footwear and headwear"/);
  assert.match(text, /<input id="q"[^>]*placeholder="[^"]*in all registers"/, 'the bar says where it searches');
});

test('refuses the explorer what it refuses the key [5.6, I-28, I-30]', async (t) => {
  const { db, customer, person } = await openPortal(t, { quota: 1 });
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  assert.match((await person.visit('/portal/explorer?status=Registered')).text, /Nélyia/);
  assert.match((await person.visit('/portal/explorer?status=Pending')).text, /quota_exceeded/);
  await revokeKey(db, { id: customer.keyId, actor: 'test' });
  const revoked = await person.visit(`/portal/explorer?status=Registered&key=${customer.keyId}`);
  assert.match(revoked.text, /your team has none yet/);
});

test('the same page again costs nothing for some minutes, with each key apart, and nothing after a revocation [I-28]', async (t) => {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  const service = await startService(t, { clock });
  const { url, db } = service;
  const customer = await createCustomer(db, { quota: 100 });
  const person = await joinPortal(url, customer);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  const search = `/portal/explorer?status=Registered&key=${customer.keyId}`;
  const first = await person.visit(search);
  assert.match(first.text, /This page cost one unit/);
  const record = /href="(\/portal\/explorer\/records\/[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const opened = await person.visit(record);
  const back = /class="trail"[^>]*><a href="([^"]+)"/.exec(opened.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.equal(back, search);
  const again = await person.visit(back);
  assert.match(again.text, /Nélyia/);
  assert.match(again.text, /cost nothing: it was requested/);
  await Promise.all([person.visit(record), person.visit(search), person.visit('/portal/feed?since=2026-01-01')]);
  await Promise.all([1, 2, 3].map(() => person.visit('/portal/explorer?nice_class=9')));
  assert.equal(await countUnits(service, customer.keyId), 4);
  const anew = /href="([^"]+)"[^>]*>Ask again/.exec(again.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  for (const _ of [1, 2]) await person.visit(anew);
  assert.equal(await countUnits(service, customer.keyId), 5);
  aheadMs = REMEMBERED_MS + 1;
  await person.visit(search);
  assert.equal(await countUnits(service, customer.keyId), 6);
  await revokeKey(db, { id: customer.keyId, actor: 'test' });
  const revoked = await person.visit(search);
  assert.doesNotMatch(revoked.text, /Nélyia/);
});

test('charges the key that is named, or asks: never silently another one [5.4, I-28]', async (t) => {
  const service = await startService(t);
  const { url, db } = service;
  const customer = await createCustomer(db);
  const order = { customer: customer.name, products: ['records'] as const, actor: 'test' };
  const second = await issueKey(db, { ...order, name: 'second' });
  const third = await issueKey(db, { ...order, name: 'third' });
  const person = await joinPortal(url, customer);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  await revokeKey(db, { id: second.id, actor: 'test' });
  const paths = ['/portal/explorer?status=Registered', '/portal/explorer/records/FR/FR1?x=1', '/portal/feed?show=1'];
  for (const path of paths) {
    const gone = await person.visit(`${path}&key=${second.id}`);
    assert.match(gone.text, /The key “second” that the address names is revoked/, path);
    assert.doesNotMatch(gone.text, /Nélyia/, path);
    for (const key of ['', '&key=', '&key=unknown']) {
      const asked = await person.visit(`${path}${key}`);
      assert.match(asked.text, /Choose the key to charge/, path + key);
      assert.doesNotMatch(asked.text, /Nélyia/, path + key);
    }
  }
  const counted = async (): Promise<number[]> =>
    Promise.all([customer.keyId, second.id, third.id].map((id) => countUnits(service, id)));
  assert.deepEqual(await counted(), [0, 0, 0]);
  for (const path of paths) {
    const found = await person.visit(`${path}&key=${third.id}`);
    assert.match(found.text, /This page cost one unit of <a[^>]*><bdi>third/, path);
  }
  assert.deepEqual(await counted(), [0, 0, 3]);
});

test('the request for a program of a second page carries its cursor [4.3, 4.6]', async (t) => {
  const { db, person } = await openPortal(t);
  const records = Array.from({ length: 60 }, (_, at) => ({ uid: `FR${at}`, mark_name: `Mark ${at}` }));
  for (const record of records) await storeMark(db, record);
  for (const path of ['/portal/feed?since=2026-01-01', '/portal/explorer?status=Registered&limit=25']) {
    const first = await person.visit(path);
    assert.doesNotMatch(/id="request-client">([^<]*)</.exec(first.text)?.[1] ?? '', /cursor/);
    const next = /href="([^"]+)">Next page/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
    const { text } = await person.visit(next);
    for (const id of ['url', 'curl', 'client']) {
      const shown = new RegExp(`id="request-${id}">([^<]*)<`).exec(text)?.[1] ?? '';
      assert.ok(shown.includes(`cursor`) && shown.includes(cursor), `${id} of ${path}`);
    }
  }
});

test('spends nothing when another site sent the browser [5.4, I-28]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  const from = { 'sec-fetch-site': 'cross-site' };
  for (const path of ['/portal/explorer?status=Registered', '/portal/explorer/records/FR/1', '/portal/feed?show=1']) {
    assert.match((await person.visit(path, from)).text, /You followed a link from another site/, path);
  }
  assert.equal(await countUnits(service, customer.keyId), 0);
});

test('what a page may ask is for no request from outside, whatever its headers [5.1, 5.6]', async (t) => {
  const { call, issue } = await startService(t);
  const answer = await call('/v1/jurisdictions', { headers: { 'x-tmds-ticket': 'A'.repeat(43) } });
  assert.equal(answer.status, 401);
  const { key } = await issue();
  const broad = await call('/v1/trademarks?mark_name_contains=cme', { key, headers: { 'x-tmds-broad': '1' } });
  assert.equal(broad.status, 400);
});

test('shows texts of registers, names and addresses as texts, never as markup [2.2]', async (t) => {
  const { url, db } = await startService(t);
  const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>'\${7*7}`;
  const customer = await createCustomer(db, { name: `Firm ${attack}`, keyName: `key ${attack}` });
  const person = await joinPortal(url, customer);
  const payload = {
    parties: [{ role: attack, names: [{ text: attack, language: attack }], address: { lines: [attack] } }],
    mark: { texts: [{ text: attack, language: 'fr"><script>' }], translations: [{ text: attack }] },
    goods_and_services: [{ class: attack, texts: [{ text: attack }] }, 'not an object', null],
    events: [{ date: attack, code: attack, text: attack }],
    images: [
      { uri: 'https://elsewhere.example/pixel.png' },
      { uri: 'javascript:alert(3)' },
      { uri: 'data:text/html,<script>alert(4)</script>' },
      { uri: 'data:image/svg+xml,<svg onload="alert(5)"/>' },
    ],
  };
  await storeMark(db, { uid: attack, mark_name: attack, owner_names: [attack], payload });
  const pages = [
    '/portal/explorer?status=Registered',
    `/portal/explorer/records/FR/${encodeURIComponent(attack)}`,
    `/portal/explorer?mark_name=${encodeURIComponent(attack)}&${encodeURIComponent(attack)}=1`,
    `/portal/explorer?jurisdiction=${encodeURIComponent(attack)}&status=${encodeURIComponent(attack)}`,
    `/portal/feed?register=${encodeURIComponent(attack)}&since=${encodeURIComponent(attack)}`,
    '/portal/feed?show=1',
    `/portal/monitoring?month=${encodeURIComponent(attack)}&key=${encodeURIComponent(attack)}`,
    '/portal/keys',
    `/portal/keys/${customer.keyId}`,
    '/portal/team',
    '/portal/team/activity',
    `/portal/team/activity?before=${encodeURIComponent(attack)}`,
    `/portal/keys?done=${encodeURIComponent(attack)}`,
    `/portal/none/${encodeURIComponent(attack)}`,
    `/portal/sign-in?next=${encodeURIComponent(attack)}`,
  ];
  for (const path of pages) {
    const { status, text } = await person.visit(path);
    assert.ok(status === 200 || status === 404 || status === 303, `${path} ${status}`);
    assert.doesNotMatch(text, /<script>|<img src=x|(?:href|src|action)="(?:javascript|data:text|https?:)/, path);
    const loaded = [...text.matchAll(/<(?:script|img|iframe|object|embed|link)\b[^>]*?(?:src|href)="([^"]*)"/g)];
    for (const [, address = ''] of loaded) assert.match(address, /^(\/portal\/assets\/|data:image\/svg)/, path);
  }
  const record = await person.visit(pages[1]!);
  const images = [...record.text.matchAll(/<img\b[^>]*>/g)].map(([tag]) => tag);
  assert.equal(images.length, 1);
  assert.match(images[0] ?? '', /src="data:image\/svg\+xml,/);
});

test('shows the numbers of a payload with every digit, raw and among the facts [I-38]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const payload =
    '{"parties":[{"names":[{"text":"Acme"}],"address":{"postcode":9007199254740993}}],"mark":1e400,"n":[-1E-400,1.1]}';
  await loadText(database.db, `{"jurisdiction_code":"FR","uid":"1","status":"Registered","payload":${payload}}\n`);
  const service = await startService(t, { database });
  const person = await joinPortal(service.url, await createCustomer(service.db, { quota: 100 }));
  const { text } = await person.visit('/portal/explorer/records/FR/1');
  const raw = [...text.matchAll(/aria-label="JSON of payload\.(\w+)"><code>(.*?)<\/code>/gs)].map(
    ([, name, json]) => `"${name}":${json?.replaceAll('&quot;', '"').replaceAll(/\s/g, '')}`,
  );
  assert.equal(`{${raw.join(',')}}`, payload);
  assert.match(text, /class="role" dir="auto">9007199254740993</);
});

test('offers every filter of the contract exactly once [4.3]', () => {
  assert.deepEqual(GROUPS.flatMap(({ filters }) => filters).sort(), Object.keys(FILTERS).sort());
});
