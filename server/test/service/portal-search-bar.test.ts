/** The search bar understands what was typed, says so, and offers what else it may mean. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Condition } from '../../src/plan/search.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { openPortal } from '../support/open-portal.ts';
import { type Person, storeMark } from '../support/portal.ts';
import type { TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

interface Started extends TestService {
  readonly person: Person;
  /** A search waits until the index has everything that was published; the bar counts what the index has. */
  readonly index: () => Promise<unknown>;
  readonly units: () => Promise<number>;
}

/** `isSlow`: of which searches the counts run out of time. */
async function startPortal(
  t: TestContext,
  isSlow: (conditions: readonly Condition[]) => boolean = () => false,
): Promise<Started> {
  const database = await createTestDatabase(t);
  const whole = openLocalIndex(database.db);
  const countFacets: typeof whole.countFacets = async (conditions, ...order) => {
    if (isSlow(conditions)) throw new NoAnswer('search_over_time');
    return whole.countFacets(conditions, ...order);
  };
  const { service, person, units } = await openPortal(
    t,
    { quota: 100 },
    { database, index: { ...whole, countFacets } },
  );
  const index = () => person.visit('/portal/explorer?status=Pending');
  return { ...service, person, index, units };
}

const store = (db: TestService['db'], records: readonly Parameters<typeof buildSource>[0][]): Promise<void> =>
  storeRecords(
    db,
    records.map((record) =>
      buildStored(buildSource({ status: 'Registered', ...record }), '2026-01-02T03:04:05.000000Z'),
    ),
  );

/** More registers than a call of the API may search for part of a name. */
const MANY = [
  'AT',
  'BR',
  'CA',
  'CH',
  'DE',
  'DK',
  'EM',
  'ES',
  'FI',
  'FR',
  'GB',
  'IT',
  'JP',
  'KR',
  'NO',
  'PL',
  'PT',
  'RO',
];
const FURTHER = ['SE', 'TR', 'TW', 'US'];

const linkIn = (text: string, label: string): string =>
  new RegExp(`href="([^"]+)"[^>]*>(?:<bdi>)?${label}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

const textOf = (html: string): string => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

test('a number in the writing of a person finds the record in the writing of its office', async (t) => {
  const { db, person, index } = await startPortal(t);
  const stored = buildSource({
    jurisdiction_code: 'EM',
    uid: 'EM1',
    application_number: '018229854',
    mark_name: 'One',
  });
  await storeRecords(db, [buildStored(stored, '2026-01-02T03:04:05.000000Z')]);
  await index();
  const typed = await person.visit('/portal/search?q=18%20229%20854');
  assert.equal(typed.status, 303);
  assert.match(typed.to ?? '', /^\/portal\/explorer\?application_number=018229854&q=18\+229\+854$/);
  const page = await person.visit(typed.to ?? '');
  assert.match(textOf(page.text), /Application number 018229854/);
  assert.match(page.text, /1 trademark</);
  assert.match(page.text, /id="q"[^>]* value="18 229 854"/, 'the bar keeps what was typed');
});

test('a name leads to the likeliest meaning with matches, and the others are next to it with their counts', async (t) => {
  const { db, person, index } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia', owner_names: ['Acme SA'] });
  await storeMark(db, { uid: 'FR2', mark_name: 'Acme Plus', owner_names: ['Acme SA'] });
  await index();
  const { to } = await person.visit('/portal/search?q=acme');
  assert.match(to ?? '', /mark_name_startswith=acme&q=acme/);
  const page = await person.visit(to ?? '');
  const readings = textOf(/<p id="readings">(.*?)<\/p>/s.exec(page.text)?.[1] ?? '');
  assert.match(readings, /Marks starting with “acme”. Also: marks containing “acme” 1/);
  assert.match(readings, /owners starting with “acme” 2/);
  assert.doesNotMatch(readings, /representative/);
  assert.equal((await person.visit('/portal/search?q=')).to, '/portal/explorer');
});

test('what is typed is shown as text, whatever it is', async (t) => {
  const { db, person } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'One' });
  for (const attack of ['"><script>alert(1)</script>', "' or 1=1 --", '%00', '../..', '💥 77']) {
    const { status, to } = await person.visit(`/portal/search?q=${encodeURIComponent(attack)}`);
    assert.equal(status, 303);
    const page = await person.visit(to ?? '');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /<script>alert/);
  }
});

test('the bar searches every register, whatever was searched or opened before', async (t) => {
  const { db, person, index } = await startPortal(t);
  await store(db, [
    { jurisdiction_code: 'EM', uid: 'EM1', mark_name: 'Other' },
    { jurisdiction_code: 'FR', uid: 'FR1', mark_name: 'Acme', application_number: '4812345' },
  ]);
  await index();
  person.cookies.set('tmds_registers', 'EM');
  for (const path of ['status=Registered&jurisdiction=EM', 'jurisdiction=EM', 'jurisdiction=EM&q=x']) {
    const page = await person.visit(`/portal/explorer?${path}`);
    assert.doesNotMatch(page.headers.get('set-cookie') ?? '', /EM/, path);
  }
  for (const text of ['acme', '4812345']) {
    const { to } = await person.visit(`/portal/search?q=${text}`);
    assert.match((await person.visit(to ?? '')).text, /1 trademark</, text);
  }
  const form = await person.visit('/portal/explorer');
  assert.doesNotMatch(form.text, /name="jurisdiction" value="EM" checked/);
});

test('part of a name is found in more registers than a call may search, in a short text too', async (t) => {
  const { db, person, index, units } = await startPortal(t);
  await store(db, [
    ...[...MANY, ...FURTHER].map((code) => ({
      jurisdiction_code: code,
      uid: `${code}1`,
      mark_name: `Grand Café ${code}`,
    })),
    { jurisdiction_code: 'JP', uid: 'JP2', mark_name: '大東京塔' },
    { jurisdiction_code: 'US', uid: 'US2', mark_name: 'Café US' },
  ]);
  await index();
  const before = await units();
  const beginning = await person.visit((await person.visit('/portal/search?q=CAF%C3%89')).to ?? '');
  const readings = textOf(/<p id="readings">(.*?)<\/p>/s.exec(beginning.text)?.[1] ?? '');
  assert.match(readings, /Marks starting with “CAFÉ” \(\d+ of \d+ registers\)\. Also: marks containing “CAFÉ” 23/);
  const part = await person.visit(linkIn(beginning.text, 'marks containing'));
  assert.match(part.text, /23 trademarks</);
  assert.match(
    textOf(part.text),
    /This page searches more than one call may: mark_name_contains needs a register scope/,
  );
  const second = await person.visit(linkIn(part.text.replace(/.*?id="results"/s, ''), 'Images'));
  assert.match(second.text, /23 trademarks</, 'as a grid');
  const cjk = await person.visit((await person.visit('/portal/search?q=%E6%9D%B1%E4%BA%AC')).to ?? '');
  assert.match(textOf(cjk.text), /Marks containing “東京”/);
  assert.match(cjk.text, /1 trademark</);
  assert.equal(await units(), before + 4, 'a unit for each page, as for any search');
  const exported = await person.visit(linkIn(part.text, 'Export…'));
  const file = await person.visit(linkIn(exported.text, 'Download NDJSON'));
  assert.equal(file.text.trimEnd().split('\n').length, 23);
  const record = await person.visit(linkIn(part.text, '\\s*Grand Café') || linkIn(part.text, 'Café US'));
  assert.match(record.text, /class="neighbours"/);
});

test('a click on a counted value keeps what was clicked, after any search of the bar', async (t) => {
  const { db, person, index } = await startPortal(t);
  await store(
    db,
    MANY.map((code) => ({ jurisdiction_code: code, uid: `${code}1`, mark_name: 'Grand Café', nice_classes: [9, 30] })),
  );
  await index();
  for (const [text, verb] of [
    ['grand café', 'named'],
    ['grand', 'starting with'],
    ['café', 'containing'],
  ]) {
    const page = await person.visit(
      (await person.visit(`/portal/search?q=${encodeURIComponent(text ?? '')}`)).to ?? '',
    );
    assert.match(textOf(page.text), new RegExp(`Marks ${verb} “${text}”`));
    const facets = /aria-label="Matches by field">(.*?)<\/section>/s.exec(page.text)?.[1] ?? '';
    assert.doesNotMatch(facets, /aria-current/, 'the bar asks for none of the values');
    for (const [label, rows] of [
      ['European Union<', /1 trademark</],
      ['30<', /18 trademarks</],
    ] as const) {
      const clicked = await person.visit(linkIn(facets, label));
      assert.match(clicked.text, rows, `${text}: ${label}`);
      assert.match(clicked.text, new RegExp(`aria-current="true"[^>]*><bdi>${label}`), `${text}: ${label}`);
    }
  }
});

test('what is known to be empty costs nothing, and says where it was searched for', async (t) => {
  const { db, person, index, units } = await startPortal(t);
  await store(db, [
    { jurisdiction_code: 'FR', uid: 'FR1', mark_name: 'Acme' },
    { jurisdiction_code: 'EM', uid: 'EM1', mark_name: 'Bolt' },
  ]);
  await index();
  const before = await units();
  for (const text of ['zzzz', '999999']) {
    const { to } = await person.visit(`/portal/search?q=${text}`);
    assert.equal(to, `/portal/explorer?q=${text}`);
    const page = textOf((await person.visit(to ?? '')).text);
    assert.match(page, new RegExp(`No trademarks found for “${text}”. It was searched for in all 2 registers`));
  }
  const rounded = await person.visit((await person.visit('/portal/search?q=1.8200011E%2B07')).to ?? '');
  assert.match(
    textOf(rounded.text),
    /“1.8200011E\+07” is a number that the spreadsheet has rounded: the digits are lost/,
  );
  const long = await person.visit((await person.visit(`/portal/search?q=${'x'.repeat(201)}`)).to ?? '');
  assert.match(long.text, /takes up to 200 characters/);
  const none = await person.visit('/portal/explorer/export?mark_name=zzzz');
  assert.match(none.text, /Nothing matches, so there is nothing to export/);
  assert.doesNotMatch(none.text, /Download/);
  assert.equal(await units(), before);
  const scoped = await person.visit('/portal/explorer?jurisdiction=FR&mark_name=bolt');
  assert.match(textOf(scoped.text), /No trademarks found in France. There is 1 in the European Union./);
  const all = await person.visit(linkIn(scoped.text, 'Search all registers'));
  assert.match(all.text, /1 trademark</);
  const nowhere = await person.visit('/portal/explorer?jurisdiction=FR&mark_name=zzzz');
  assert.match(textOf(nowhere.text), /No trademarks found in France. There are none in other registers either./);
});

test('a count that runs out of time is unknown, never nothing', async (t) => {
  let isSlow = (_conditions: readonly Condition[]): boolean => false;
  const { db, person, index } = await startPortal(t, (conditions) => isSlow(conditions));
  await store(db, [{ jurisdiction_code: 'FR', uid: 'FR1', mark_name: 'Acme Bolt', owner_names: ['Acme'] }]);
  await index();
  isSlow = (conditions) => conditions.some((each) => each.kind === 'name' && each.match === 'beginning');
  const one = await person.visit((await person.visit('/portal/search?q=acme')).to ?? '');
  const readings = textOf(/<p id="readings">(.*?)<\/p>/s.exec(one.text)?.[1] ?? '');
  assert.match(readings, /Marks containing “acme”.*marks starting with “acme” \(not counted in time\)/);
  isSlow = () => true;
  const { to } = await person.visit('/portal/search?q=acme%20bolt');
  assert.match(to ?? '', /mark_name=acme\+bolt/, 'what was not counted is searched for');
  const page = await person.visit(to ?? '');
  assert.match(page.text, /Trademark 1 \(total not counted in time\)/);
  assert.match(page.text, /by status, register and class were not counted in time/);
  const scoped = await person.visit('/portal/explorer?jurisdiction=EM&mark_name=acme+bolt');
  assert.match(
    textOf(scoped.text),
    /No trademarks found in the European Union. Other registers were not counted in time./,
  );
  const exported = await person.visit('/portal/explorer/export?mark_name=acme');
  assert.match(exported.text, /The matches could not be counted/);
});

test('the id of a record leads to the record, in every form that pages show', async (t) => {
  const { db, person, index, units } = await startPortal(t);
  await store(db, [
    { jurisdiction_code: 'US', uid: 'US500000097123456', mark_name: 'Acme' },
    { jurisdiction_code: 'FR', uid: '4812345', mark_name: 'Bolt' },
    { jurisdiction_code: 'EM', uid: '4812345', mark_name: 'Cog', application_number: '77' },
  ]);
  await index();
  const before = await units();
  const us = '/portal/explorer/records/US/US500000097123456';
  for (const text of [
    'US US500000097123456',
    'US/US500000097123456',
    ' us, us500000097123456 ',
    'United States US500000097123456',
    'US500000097123456',
  ]) {
    assert.equal((await person.visit(`/portal/search?q=${encodeURIComponent(text)}`)).to, us, text);
  }
  const of = async (text: string) => (await person.visit(`/portal/search?q=${encodeURIComponent(text)}&key=k`)).to;
  assert.equal(await of('EM 4812345'), '/portal/explorer/records/EM/4812345?key=k');
  assert.equal(await of('4812345'), '/portal/explorer?q=4812345&key=k', 'two registers have such a record');
  assert.equal(await of('US none'), '/portal/explorer?q=US+none&key=k');
  assert.equal(await units(), before);
  const page = await person.visit(us);
  const [, shown = ''] = /Id of the record<\/dt><dd><code><bdi>(.*?)<\/bdi>/.exec(page.text) ?? [];
  assert.equal((await person.visit(`/portal/search?q=${encodeURIComponent(shown)}`)).to, us);
});

test('the filters of a search are shown above its results, and a click removes one', async (t) => {
  const { db, person } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Acme', nice_classes: [9] });
  const page = await person.visit('/portal/explorer?jurisdiction=FR&nice_class=9&sort=application_date');
  const chips = /aria-label="Filters of this search">(.*?)<\/ul>/s.exec(page.text)?.[1] ?? '';
  assert.deepEqual(
    [...chips.matchAll(/<li>(.*?)<\/li>/gs)].map(([, chip = '']) => textOf(chip).trim()),
    ['Remove Register: France ×', 'Remove Nice class: 9 ×'],
  );
  const [, href = ''] = /href="([^"]+)"[^>]*><span class="unseen">Remove <\/span>Nice class/.exec(chips) ?? [];
  const wider = await person.visit(href.replaceAll('&amp;', '&'));
  assert.match(wider.text, /1 trademark</);
  assert.match(href, /sort=application_date/);
});
