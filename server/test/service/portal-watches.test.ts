/** The pages of watches: made from a search or a list, previewed, changed and ended, with their own hits alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WATCH_ITEMS_MAX, WATCHES_MAX } from '@tmds/contract/watches';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { renderPreview } from '../../src/portal/watches/definition-view.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { testLog } from '../support/database.ts';
import { openPortal } from '../support/open-portal.ts';
import {
  type Customer,
  createCustomer,
  follow,
  joinAsOperator,
  joinPortal,
  type Person,
  storeMark,
  textOf,
} from '../support/portal.ts';
import type { TestService } from '../support/service.ts';
import { publishRecords } from '../torture/publish.ts';

const MAKE = '/portal/new-watch';

/** Each call of it costs a unit itself. */
async function countUnits(service: TestService, { key }: Customer): Promise<number> {
  const { body } = await service.call('/v1/usage', { key });
  return (body as { products: { calls: number }[] }).products[0]!.calls;
}

interface WatchRow {
  id: string;
  name: string;
  kind: string;
  search: string | null;
  item_count: number;
  revision: number;
  is_live: boolean;
}

function listRows(db: Database): Promise<WatchRow[]> {
  return db.query<WatchRow>(sql`
    select id, name, kind, search, item_count, revision, ended_at is null as is_live from watch order by created_at`);
}

/** Makes a watch; resolves to its page. */
async function make(person: Person, form: Record<string, string>): Promise<string> {
  await person.visit(`${MAKE}?kind=${form.kind}`);
  const posted = await person.post(MAKE, { do: 'save', ...form });
  assert.equal(posted.status, 303, posted.text);
  return posted.to!.split('?')[0]!;
}

test('the explorer leads to a watch of its search with a preview, which costs nothing; it is made, changed and ended', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await storeMark(service.db, { uid: '1', mark_name: 'NÉLYIA', owner_names: ['Acme'], nice_classes: [9] });
  await storeMark(service.db, { uid: '2', mark_name: 'OTHER', owner_names: ['Acme'], nice_classes: [25] });
  const results = await person.visit('/portal/explorer?owner_name=acme&sort=updated_at&limit=25');
  const href = /href="(\/portal\/new-watch\?[^"]+)"/.exec(results.text)![1]!.replaceAll('&amp;', '&');
  assert.equal(new URL(href, service.url).searchParams.get('search'), 'owner_name=acme');
  const units = await countUnits(service, customer);
  const form = await person.visit(href);
  assert.match(form.text, /Owner, exact: <bdi>acme<\/bdi>/);
  assert.match(form.text, /<strong>2<\/strong> records match now/);
  assert.match(form.text, /value="Owner, exact: acme"/);
  assert.equal(await countUnits(service, customer), units + 1, 'the call that asked alone');
  assert.deepEqual(await listRows(service.db), [], 'a preview makes nothing');

  const made = await follow(
    person,
    await person.post(MAKE, { do: 'save', kind: 'search', name: 'Acme', search: 'owner_name=ACME' }),
  );
  assert.match(made.text, /The watch is created/);
  const [row] = await listRows(service.db);
  assert.deepEqual(
    { ...row, id: '' },
    { id: '', name: 'Acme', kind: 'search', search: 'owner_name=acme', item_count: 0, revision: 1, is_live: true },
  );
  const page = `/portal/watches/${row!.id}`;
  const list = await person.visit('/portal/watches');
  assert.match(list.text, new RegExp(`href="${page}"><bdi>Acme</bdi>`));
  assert.match(list.text, /data-label="Matches now">2</);

  const changed = await person.visit(`/portal/explorer?owner_name=acme&nice_class=9&watch=${row!.id}`);
  const back = new RegExp(`href="(${page}/change\\?[^"]+)"`).exec(changed.text)![1]!;
  assert.match((await person.visit(back.replaceAll('&amp;', '&'))).text, /<strong>1<\/strong> record matches now/);
  const search = 'owner_name=acme&nice_class=9';
  const saved = await follow(person, await person.post(`${page}/change`, { do: 'save', name: 'Acme 9', search }));
  assert.match(saved.text, /The watch is changed/);
  assert.match(
    (await follow(person, await person.post(`${page}/change`, { do: 'save', name: 'Acme 9', search }))).text,
    /The watch is unchanged/,
  );

  await person.visit(`${page}/end`);
  const unsure = await person.post(`${page}/end`);
  assert.equal(unsure.status, 422);
  assert.match(unsure.text, /Confirm that you mean it/);
  const ended = await follow(person, await person.post(`${page}/end`, { sure: 'yes' }));
  assert.match(ended.text, /The watch is stopped/);
  assert.doesNotMatch((await person.visit('/portal/watches')).text, /Acme 9/);
  assert.match((await person.visit('/portal/watches?show=ended')).text, /Acme 9/);
  await person.visit(`${page}/change`);
  await follow(person, await person.post(`${page}/change`, { do: 'save' }));
  assert.deepEqual(
    (await listRows(service.db)).map(({ name, revision, is_live }) => [name, revision, is_live]),
    [['Acme 9', 3, true]],
  );
  const activity = (await person.visit('/portal/team/activity')).text;
  const actions = [...activity.matchAll(/>(Watch (?:created|changed|stopped))</g)].map(([, action]) => action);
  assert.deepEqual(actions, ['Watch changed', 'Watch stopped', 'Watch changed', 'Watch created']);
});

test('a reference is typed in the form of a watch, shown on its page, kept by other changes, and taken away', async (t) => {
  const { service, person } = await openPortal(t);
  const page = await make(person, { kind: 'owners', name: 'Rivals', reference: ' M-2041 ', owners: 'Acme' });
  assert.match((await person.visit(page)).text, /Your reference<\/dt>\s*<dd><bdi>M-2041</);
  assert.match((await person.visit(`${page}/change`)).text, /name="reference"[^>]*value="M-2041"/);
  await person.post(`${page}/change`, { do: 'save', name: 'All rivals' });
  const kept = () => service.db.query<{ reference: string | null }>(sql`select reference from watch`);
  assert.deepEqual(await kept(), [{ reference: 'M-2041' }]);
  const long = await person.post(`${page}/change`, { do: 'save', reference: 'x'.repeat(101) });
  assert.match(long.text, /Your reference takes at most 100 characters/);
  await person.visit(`${page}/change`);
  await person.post(`${page}/change`, { do: 'save', reference: '' });
  assert.deepEqual(await kept(), [{ reference: null }]);
});

test('pasted records that are unknown are shown and watched, repeats count once, and lines without a record are named', async (t) => {
  const { service, person } = await openPortal(t);
  await storeMark(service.db, { uid: 'a/1 b', mark_name: 'ONE' });
  await person.visit(`${MAKE}?kind=records`);
  const records = 'FR a/1 b\r\n\r\nfr, a/1 b\r\nEM 018229854\r\n';
  const shown = await person.post(MAKE, { do: 'preview', kind: 'records', name: 'Mine', records });
  assert.equal(shown.status, 200);
  assert.match(shown.text, /<strong>1<\/strong> record matches now/);
  assert.match(shown.text, /One record of the list is in no register now/);
  assert.match(shown.text, /<li><code>EM 018229854<\/code><\/li>/);
  assert.match(shown.text, /One line repeats another line/);
  assert.match(shown.text, /fr, a\/1 b\r?\n/, 'what was typed stays');
  assert.deepEqual(await listRows(service.db), []);
  const page = await make(person, { kind: 'records', name: 'Mine', records });
  assert.match((await person.visit(page)).text, /2 records/);
  assert.deepEqual(await service.db.query(sql`select jurisdiction_code, uid from watch_record order by 1, 2`), [
    { jurisdiction_code: 'EM', uid: '018229854' },
    { jurisdiction_code: 'FR', uid: 'a/1 b' },
  ]);
  assert.match((await person.visit(`${page}/change`)).text, /<textarea[^>]*>EM 018229854\nFR a\/1 b<\/textarea>/);

  const wrong = await person.post(MAKE, {
    do: 'save',
    kind: 'records',
    name: 'Mine',
    records: `FR 1\n018229854\n${'?\n'.repeat(7)}`,
  });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Change line 2 \(“018229854”\), line 3 \(“\?”\).* and 3 more\./);
  assert.match(wrong.text, /018229854\n\?/);
});

test('a list may have the most entries, which arrive whole; one more is refused, as is a longer field', async (t) => {
  const { service, person } = await openPortal(t);
  const send = async (lines: string): Promise<{ status: number; text: string }> => {
    const { text } = await person.visit(`${MAKE}?kind=records`);
    const body = new FormData();
    const fields = { kind: 'records', name: 'Long', do: 'save', records: lines };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    for (const name of ['csrf', 'once']) {
      // The first form of a page is the one in the head, which has no one-use token.
      body.append(name, new RegExp(`name="${name}" value="([^"]+)"`).exec(text)![1]!);
    }
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${service.url}${MAKE}`, {
      method: 'POST',
      body,
      headers: { cookie },
      redirect: 'manual',
    });
    return { status: answer.status, text: await answer.text() };
  };
  const lines = Array.from({ length: WATCH_ITEMS_MAX }, (_, at) => `EM ${String(at).padStart(9, '0')}`);
  assert.equal((await send(lines.join('\n'))).status, 303);
  assert.deepEqual(
    (await listRows(service.db)).map(({ item_count }) => item_count),
    [WATCH_ITEMS_MAX],
  );
  const more = await send([...lines, 'EM more'].join('\n'));
  assert.equal(more.status, 422);
  assert.match(more.text, /The list takes at most 10000 entries, not 10001/);
  assert.equal((await send('EM 1\n'.repeat(1_000_000))).status, 413);
  assert.equal((await listRows(service.db)).length, 1);
});

test('a preview says how many events of each month would have been hits, and from when on if not all are counted', async (t) => {
  const { service, person } = await openPortal(t);
  const record = { jurisdiction_code: 'FR', uid: '1', owner_names: ['Acme Ltd.'] };
  await publishRecords(service.db, [record]);
  await publishRecords(service.db, [{ ...record, mark_name: 'TWO' }]);
  await publishRecords(service.db, [{ ...record, owner_names: ['Other'] }]);
  await person.visit(`${MAKE}?kind=owners`);
  const form = { do: 'preview', kind: 'owners', name: 'Owners', owners: 'Acme Ltd.' };
  const shown = await person.post(MAKE, form);
  assert.match(shown.text, /<strong>0<\/strong> records match now/);
  const [row] = /<tr[^>]*>(?:(?!<\/tr>)[\s\S])*?[A-Z]\w+ \d{4}<[\s\S]*?<\/tr>/.exec(shown.text)!;
  assert.deepEqual(
    [...row.matchAll(/<td[^>]*>(?:<[^>]*>)*([^<]+)/g)].map(([, text]) => text),
    ['3', '0'],
  );
  assert.doesNotMatch(shown.text, /more events than a preview reads/);
  const months = ['2026-05', '2026-04', '2026-03'].map((month, at) => ({
    month,
    events: at === 2 ? null : 7,
    last_changed: 1,
    hits: 0,
  }));
  const counts = { matches_now: 5, months, counted_from: '2026-04-12T10:30:00.000001Z' };
  const early = renderToString(renderPreview({ counts, missing: [], repeats: 0 }, true) as VNode);
  assert.match(early, /more events than a preview reads\. They are counted from .*12 April 2026, 10:30.* on/);
  assert.match(early, /not counted/);
  assert.doesNotMatch(early, /2026-03: 0 events/);
  const quiet = { ...counts, matches_now: 0, months: months.map((month) => ({ ...month, events: month.events && 0 })) };
  const unknown = renderToString(renderPreview({ counts: quiet, missing: [], repeats: 0 }, true) as VNode);
  assert.match(unknown, /not counted/, 'what was not counted is not nothing');
});

test('owners are watched by name, and what the API refuses is refused in words of the form', async (t) => {
  const { service, person } = await openPortal(t);
  await storeMark(service.db, { uid: '1', mark_name: 'ONE', owner_names: ['Acme Ltd.'] });
  const page = await make(person, { kind: 'owners', name: 'Owners', owners: 'ACME Ltd.\n\nOther' });
  assert.match((await person.visit(page)).text, /<strong>1<\/strong> record matches now/);
  for (const [form, words] of [
    [{ kind: 'search', name: 'Broad', search: 'mark_name_contains=ab' }, /needs at least 3 characters/],
    [{ kind: 'search', name: 'Wrong', search: 'status=Unheard' }, /Status takes any of/],
    [{ kind: 'search', name: 'None', search: '' }, /fill in a search first/],
    [{ kind: 'owners', name: 'None', owners: ' \n ' }, /Write at least one line/],
    [{ kind: 'owners', name: ' ', owners: 'Acme' }, /The name is blank/],
    [{ kind: 'owners', name: 'Long', owners: `Acme\n\n${'x'.repeat(501)}` }, /Line 3 takes at most 500 characters/],
  ] as const) {
    await person.visit(`${MAKE}?kind=${form.kind}`);
    const answer = await person.post(MAKE, { do: 'save', ...form });
    assert.equal(answer.status, 422, JSON.stringify(form));
    assert.match(answer.text, words);
  }
  assert.equal((await listRows(service.db)).length, 1);
});

test('a form that is sent twice makes one watch', async (t) => {
  const { service, person } = await openPortal(t);
  const { text } = await person.visit(`${MAKE}?kind=owners`);
  const once = /name="once" value="([^"]+)"/.exec(text)![1]!;
  const form = { do: 'save', kind: 'owners', name: 'Twice', owners: 'Acme' };
  const answers = await Promise.all([person.post(MAKE, form, { once }), person.post(MAKE, form, { once })]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  assert.equal(answers[0].to, answers[1].to);
  assert.equal((await listRows(service.db)).length, 1);
});

test('a form that comes too late, or again with other content, changes nothing and gives the list back', async (t) => {
  const { service, person } = await openPortal(t);
  const owners = Array.from({ length: 500 }, (_, at) => `Owner number ${at}`).join('\n');
  const { text } = await person.visit(`${MAKE}?kind=owners`);
  const late = await person.post(MAKE, { do: 'save', kind: 'owners', name: 'Late', owners }, { once: 'x' });
  assert.equal(late.status, 422);
  assert.match(late.text, /too old, so nothing was changed/);
  assert.match(late.text, /Owner number 499/);
  assert.equal((await listRows(service.db)).length, 0);
  const once = /name="once" value="([^"]+)"/.exec(text)![1]!;
  await person.post(MAKE, { do: 'save', kind: 'owners', name: 'First', owners }, { once });
  const other = await person.post(MAKE, { do: 'save', kind: 'owners', name: 'Other', owners }, { once });
  assert.match(other.text, /sent before with other content/);
  assert.deepEqual(
    (await listRows(service.db)).map(({ name }) => name),
    ['First'],
  );
});

test('a customer with as many watches as it may have gets no further one, and sees them page by page', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await service.db.query(sql`
    insert into watch (watch_id, customer_id, id, name, kind, search, item_count, revision, created_at, changed_at,
      holds_from, change_number)
    select gen_random_uuid(), customer_id, 'w' || number, 'Number ' || number || '.', 'search', 'nice_class=9', 0, 1,
      '2026-01-01T00:00:00Z'::timestamptz + (number / 10) * interval '1 minute', now(), now(), 1
    from customer, generate_series(1, ${WATCHES_MAX}::int) as number where customer.name = ${customer.name}`);
  await person.visit(`${MAKE}?kind=owners`);
  const refused = await person.post(MAKE, { do: 'save', kind: 'owners', name: 'One more', owners: 'Acme' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /at most 10,000 active watches/);
  assert.match(refused.text, /value="One more"/);
  const seen: string[] = [];
  let path = '/portal/watches';
  for (let pages = 0; pages < 3; pages += 1) {
    const { text } = await person.visit(path);
    seen.push(...[...text.matchAll(/<bdi>Number (\d+)\.<\/bdi><\/a>/g)].map(([, number = '']) => number));
    path = /href="(\/portal\/watches\?before=[^"]+)"/.exec(text)![1]!;
  }
  assert.equal(new Set(seen).size, 75);
  assert.deepEqual(new Set(seen.map(Number).filter((number) => number < WATCHES_MAX - 80)), new Set());
});

test('a search that nothing matches yet can be watched', async (t) => {
  const { person } = await openPortal(t);
  const results = await person.visit('/portal/explorer?owner_name=nobody');
  assert.match(results.text, /No trademarks found/);
  assert.match(results.text, /href="\/portal\/new-watch\?search=owner_name%3Dnobody"/);
  const { text } = await person.visit('/portal/new-watch?search=owner_name%3Dnobody');
  assert.match(text, /No record matches now\./);
  assert.doesNotMatch(text, /<svg/, 'a chart of nothing is not drawn');
});

test('a search that is too broad for a watch says so in plain words, and a click narrows it', async (t) => {
  const { service, person } = await openPortal(t);
  await storeMark(service.db, { uid: 'FR1', mark_name: 'Acme' });
  const linkTitled = (text: string, title: string): string =>
    new RegExp(`href="([^"]+)">${title}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  for (const [search, told, title] of [
    ['mark_name_contains=cme', /for part of a name covers 1 to 10 registers/, 'Watch the only register'],
    ['mark_name_startswith=acm', /for part of a name covers 1 to 20 registers/, 'Watch the only register'],
    [
      'mark_name_contains=ac&jurisdiction=FR',
      /at least 3 characters of it/,
      'Watch for the whole name: Mark, exact: “ac”',
    ],
    ['vienna_code=5', /also needs registers or a class/, 'Watch the only register'],
  ] as const) {
    const results = await person.visit(`/portal/explorer?${search}`);
    assert.match(results.text, /href="\/portal\/new-watch/, 'the portal itself has an answer');
    const refused = await person.visit(`${MAKE}?search=${encodeURIComponent(search)}`);
    assert.match(refused.text, told);
    assert.doesNotMatch(refused.text, /jurisdiction with|query_too_broad/);
    const narrowed = await person.visit(linkTitled(refused.text, title));
    assert.match(narrowed.text, /match(es)? now/, search);
  }
});

test('the watch of another customer does not exist, and operators who view one see none', async (t) => {
  const { service, person } = await openPortal(t);
  const page = await make(person, { kind: 'owners', name: 'Mine', owners: 'Acme' });
  const stranger = await joinPortal(service.url, await createCustomer(service.db));
  for (const path of [page, `${page}/change`, `${page}/end`]) assert.equal((await stranger.visit(path)).status, 404);
  assert.equal((await stranger.post(`${page}/change`, { do: 'save', name: 'Theirs', owners: 'x' })).status, 404);
  assert.equal((await stranger.post(`${page}/end`, { sure: 'yes' })).status, 404);
  assert.doesNotMatch((await stranger.visit('/portal/watches')).text, /Mine/);
  assert.deepEqual(
    (await listRows(service.db)).map(({ name, is_live }) => [name, is_live]),
    [['Mine', true]],
  );
  const operator = await joinAsOperator(service.url, service.db);
  assert.equal((await operator.visit(page)).status, 403);
});

test('a hit names fields and says what changed as the history of its record does, and looking costs nothing', async (t) => {
  const { service, person } = await openPortal(t);
  const page = await make(person, { kind: 'search', name: 'Nine', search: 'nice_class=9' });
  const record = { jurisdiction_code: 'US', uid: 'A', owner_names: ['One'], nice_classes: [9, 35] };
  const changed = { ...record, nice_classes: [9, 42], owner_names: ['One', 'Two'], owner_countries: ['DE'] };
  for (const each of [record, { ...changed, expiry_date: '2036-01-01' }]) {
    await publishRecords(service.db, [each]);
    const searches = new WatchedSearches(testLog);
    while (await matchEvents(service.db, searches));
  }
  const usage = await person.visit('/portal/monitoring');
  const lines = textOf((await person.visit(page)).text);
  for (const line of [
    'Owners: added two (1 as before)',
    'Owners’ countries: not stated → Germany (DE)',
    'Nice classes: 35 → 42 (1 as before)',
    'Expiry date: not stated → 1 January 2036',
    'Reading hits here costs nothing; opening a record costs one unit.',
  ]) {
    assert.ok(lines.includes(` ${line} `), `${line} in ${lines}`);
  }
  const units = /data-label="Units"[^>]*>[^<]*</g;
  assert.deepEqual((await person.visit('/portal/monitoring')).text.match(units), usage.text.match(units));
});

test('hits are on the page newest first, with what changed, and older ones a page further', async (t) => {
  const { service, person } = await openPortal(t);
  const page = await make(person, { kind: 'search', name: 'Acme', search: 'owner_name=acme' });
  const publish = async (owner: string, mark: string): Promise<void> => {
    await publishRecords(service.db, [{ jurisdiction_code: 'US', uid: 'A', owner_names: [owner], mark_name: mark }]);
    const searches = new WatchedSearches(testLog);
    while (await matchEvents(service.db, searches));
  };
  await publish('other', 'MARK 0');
  await publish('acme', 'MARK 0');
  for (let at = 1; at <= 25; at += 1) await publish('acme', `MARK ${at}`);
  await publish('nobody', 'MARK 25');
  const { text } = await person.visit(page);
  const told = [...text.matchAll(/>(new match|changed|no longer matches)</g)].map(([, event]) => event);
  assert.deepEqual(told, ['no longer matches', ...Array.from({ length: 24 }, () => 'changed')]);
  const lines = textOf(text);
  assert.match(lines, / Owners: acme → nobody /i);
  assert.match(lines, / Mark: MARK 24 → MARK 25 /);
  assert.match(text, /href="\/portal\/watches\/[^"]+\/hits\/[^"]+_US_A"/);
  assert.doesNotMatch(text, /<bdi>MARK 0<\/bdi>/);
  const older = /href="([^"]+[?;]before=[^"]+)"/.exec(text)![1]!;
  const rest = (await person.visit(older.replaceAll('&amp;', '&'))).text;
  assert.match(rest, /<bdi>MARK 0<\/bdi> → <bdi>MARK 1<\/bdi>/);
  assert.match(rest, />new match</);
  assert.doesNotMatch(rest, /MARK 2<|>Older</);
  assert.match((await person.visit('/portal/watches')).text, /data-label="Hits in 30 days">27</);
});
