/** The page of a record: everything of its payload for people, in parts that fit, with its family. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { FULL_PAYLOAD as PAYLOAD } from '../support/full-payload.ts';
import { openPortal } from '../support/open-portal.ts';
import { textOf } from '../support/portal.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

type Source = Parameters<typeof buildSource>[0];

async function startPortal(t: TestContext, records: readonly Source[]) {
  const { service, person, units } = await openPortal(t, { quota: 100 });
  const stored = records.map((record) =>
    buildStored(buildSource({ status: 'Registered', ...record }), '2026-01-02T03:04:05.000000Z'),
  );
  await storeRecords(service.db, stored);
  return { ...service, person, units };
}

const LONG_DATE = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

/** The page without the JSON at its end. */
const forPeople = (html: string): string => textOf(html.replace(/<section class="raw">.*?<\/section>/s, ''));

const linkTo = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** Every text and number of a value. */
function listLeaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listLeaves);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listLeaves);
  return value === null ? [] : [String(value)];
}

test('every value of a payload is on the page for people, whatever its section and form', async (t) => {
  const { person } = await startPortal(t, [
    { jurisdiction_code: 'FR', uid: '1', mark_name: 'NÉLYIA', payload: PAYLOAD },
  ]);
  const { text } = await person.visit('/portal/explorer/records/FR/1');
  const shown = forPeople(text).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const inWords = new Map([
    ['en', 'English'],
    ['fr', 'French'],
    ['nice', 'Clothing'],
  ]);
  const asDate = (leaf: string): string =>
    /^\d{4}-\d\d-\d\d$/.test(leaf) ? new Date(leaf).toLocaleDateString('en-GB', LONG_DATE) : leaf;
  const unseen = listLeaves(PAYLOAD).filter((leaf) => {
    const said = inWords.get(leaf) ?? asDate(leaf);
    return !shown.toLowerCase().includes(said.replaceAll('_', ' ').toLowerCase());
  });
  assert.deepEqual(unseen, []);
  assert.doesNotMatch(text, /id="family"/, 'a register that is not served has no family');
  assert.match(text, /lang="fr">Chapeaux; bottes</);
  assert.doesNotMatch(text, /<b>boots/);
});

test('numbers that people quote come first, the office’s words are next to ours, its page is linked', async (t) => {
  const { person } = await startPortal(t, [
    {
      jurisdiction_code: 'US',
      uid: 'us-uid-1',
      application_number: '87123456',
      registration_number: '5123456',
      kind_of_mark: 'Trademark',
      payload: PAYLOAD,
    },
  ]);
  const { text } = await person.visit('/portal/explorer/records/US/us-uid-1');
  assert.match(forPeople(text), /Serial number 87123456 Registration number 5123456 .*Id of the record US us-uid-1/);
  assert.match(
    textOf(text),
    /Status Registered New application \(code 630 \) Kind Trademark Trademark \(code K9 \) Feature not stated drawing/,
  );
  assert.match(
    text,
    /<a href="https:\/\/tsdr\.uspto\.gov\/statusview\/sn87123456" rel="noreferrer noopener external">/,
  );
});

test('dates are a list in order with the time that is left, drawn to scale next to today', async (t) => {
  const { person } = await startPortal(t, [
    {
      jurisdiction_code: 'ES',
      uid: '1',
      application_date: '1994-05-06',
      registration_date: '1995-01-02',
      expiry_date: '2999-01-02',
    },
  ]);
  const { text } = await person.visit('/portal/explorer/records/ES/1');
  const list = textOf(/<ol class="dates">(.*?)<\/ol>/s.exec(text)?.[1] ?? '');
  assert.match(
    list,
    /6 May 1994 Filed .*2 January 1995 Registered .*2 January 2999 Expires in 97\d years( \d+ months?)?/,
  );
  const drawing = /<svg class="scale".*?<\/svg>/s.exec(text)?.[0] ?? '';
  assert.match(drawing, /aria-hidden="true"/);
  assert.equal([...drawing.matchAll(/<circle/g)].length, 3);
  assert.match(drawing, />today</);
});

test('the first screen says what the mark is, whose, for what, until when, and what can be done next', async (t) => {
  const { person, units } = await startPortal(t, [
    {
      jurisdiction_code: 'FR',
      uid: '1',
      mark_name: 'NÉLYIA',
      application_number: '4812345',
      status_date: '2021-05-03',
      expiry_date: '2999-01-02',
      owner_names: ['Quillham SA'],
      representative_names: ['Maître Aube'],
      nice_classes: [25, 9],
      payload: PAYLOAD,
    },
    { jurisdiction_code: 'FR', uid: '2', owner_names: ['Quillham SA'] },
    {
      jurisdiction_code: 'FR',
      uid: '3',
      payload: {
        parties: [{ role: 'owner', identifier: '762334' }],
        source: { feature_code: '3', status_code: '616' },
      },
      mark_feature: 'Three-dimensional',
    },
  ]);
  const page = await person.visit('/portal/explorer/records/FR/1');
  const head = /<header class="markhead">.*?<\/header>/s.exec(page.text)?.[0] ?? '';
  assert.match(
    head,
    /class="drawn" aria-hidden="true"><span class="word short"[^>]*>NÉLYIA</,
    'drawn, without a picture',
  );
  assert.match(
    textOf(head),
    new RegExp(
      [
        'NÉLYIA .*Registered since 3 May 2021 · New application \\(status code 630 \\)',
        'National number 4812345 Owner Quillham SA .*Representative Maître Aube',
        'Next date Expires 2 January 2999, in 97\\d years .*Register France',
        'Classes 9 Electronics, software and instruments · 25 Clothing, footwear and headwear',
      ].join(' '),
    ),
  );
  const used = await units();
  const mark = await person.visit(linkTo(head, /href="([^"]*)"[^>]*>Watch this mark/));
  assert.match(mark.text, /FR 1<\/textarea>/);
  assert.match(mark.text, /id="name"[^>]* value="NÉLYIA"/);
  const owner = await person.visit(linkTo(head, /href="([^"]*)"[^>]*>Watch this owner/));
  assert.match(owner.text, /<strong>2<\/strong> records match now/);
  assert.equal(await units(), used, 'neither costs a unit');
  const others = await person.visit(linkTo(head, /href="([^"]*)"[^>]*>Same owner’s marks/));
  assert.match(others.text, /2 trademarks</);
  const keyed = textOf((await person.visit('/portal/explorer/records/FR/3')).text);
  assert.match(
    keyed,
    /Owner Name not received yet \(number 762334 \) Representative none stated Next date none stated or computed/,
  );
  assert.doesNotMatch(keyed, /Watch this owner/);
  assert.match(
    keyed,
    /Status Registered Registered \(code 616 \).*Feature Three-dimensional Three-dimensional \(code 3 \)/,
  );
});

test('dates, goods, parties, proceedings and history come before all else', async (t) => {
  const { person } = await startPortal(t, [
    { jurisdiction_code: 'FR', uid: '1', application_date: '2020-01-02', payload: PAYLOAD },
  ]);
  const { text } = await person.visit('/portal/explorer/records/FR/1');
  const ids = [...text.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id);
  assert.deepEqual(ids.slice(0, 6), ['dates', 'goods', 'parties', 'proceedings', 'history', 'what-changed']);
});

test('a record that does not exist can be searched for', async (t) => {
  const { person } = await startPortal(t, [{ jurisdiction_code: 'FR', uid: '1', application_number: '4812345' }]);
  await person.visit('/portal/explorer?status=Registered');
  const { status, text } = await person.visit('/portal/explorer/records/FR/4812345');
  assert.equal(status, 404);
  assert.match(textOf(text), /We have no record “ 4812345 ” in the register of France\./);
  const searched = await person.visit(linkTo(text, /href="([^"]*)"[^>]*>Search for it/));
  assert.match(searched.to ?? '', /application_number=4812345/);
});

test('goods are in the language of the reader, or in another one, and searched within, for one unit', async (t) => {
  const { person, units } = await startPortal(t, [{ jurisdiction_code: 'FR', uid: '1', payload: PAYLOAD }]);
  const goods = (html: string): string => /<section id="goods".*?<\/section>/s.exec(html)?.[0] ?? '';
  const open = (html: string): string => textOf(goods(html).replace(/<details.*?<\/details>/gs, ''));
  const path = '/portal/explorer/records/FR/1';
  const french = await person.visit(path, { 'accept-language': 'en;q=0.3, fr-CH' });
  assert.match(open(french.text), /25 Clothing, footwear and headwear Chapeaux; bottes/);
  assert.doesNotMatch(open(french.text), /Hats/);
  assert.match(goods(french.text), /<summary>Also in English<\/summary>.*Hats/s);
  const english = await person.visit(`${path}?language=en`, { 'accept-language': 'fr' });
  assert.match(open(english.text), /Hats/);
  assert.doesNotMatch(open(english.text), /Chapeaux/);
  const within = await person.visit(`${path}?language=en&within=FELT`);
  assert.match(open(within.text), /1 of 3 entries say “ FELT ”/);
  assert.match(goods(within.text), /Clothing of <mark>felt<\/mark>/);
  assert.doesNotMatch(open(within.text), /Hats/);
  assert.equal(await units(), 1);
});

test('owners and representatives lead to their searches', async (t) => {
  const { person } = await startPortal(t, [
    {
      jurisdiction_code: 'FR',
      uid: '1',
      owner_names: ['Quillham SA'],
      representative_names: ['Maître Aube'],
      payload: PAYLOAD,
    },
  ]);
  const { text } = await person.visit('/portal/explorer/records/FR/1');
  const owner = await person.visit(linkTo(text, /href="([^"]*owner_name=[^"]*)"/));
  assert.match(owner.text, /1 trademark</);
  const representative = await person.visit(linkTo(text, /href="([^"]*representative_name=[^"]*)"/));
  assert.match(representative.text, /1 trademark</);
});

test('names that only the record states are on its page, and a party without a name says what is known', async (t) => {
  const payload = {
    parties: [
      { role: 'owner', identifier: '762334' },
      { role: 'owner', names: [{ text: 'Former SA' }], current: false },
      { role: 'owner', names: [{ text: 'Acme  Corp doing business as Zenith' }] },
      { role: 'representative', uri: 'https://office.example/agent/9' },
      { role: 'correspondent', names: [{ text: 'Maître Aube' }] },
    ],
  };
  const { person } = await startPortal(t, [
    {
      jurisdiction_code: 'FR',
      uid: '1',
      owner_names: ['Acme Corp', 'Zenith', 'Former SA', 'Late Owner'],
      representative_names: ['Maître Aube', 'Lone Agent'],
      payload,
    },
    { jurisdiction_code: 'FR', uid: '2', owner_names: ['Bare Owner'] },
  ]);
  const parties = async (uid: string): Promise<string> => {
    const { text } = await person.visit(`/portal/explorer/records/FR/${uid}`);
    return textOf(/<section id="parties".*?<\/section>/s.exec(text)?.[0] ?? '');
  };
  const shown = await parties('1');
  const waits = 'its name is in a separate file, which we do not have yet.';
  assert.match(shown, /Name not received yet\. The register gives this party only as number 762334 ?;/);
  assert.ok(shown.includes(waits));
  assert.match(shown, /only as number https:\/\/office.example\/agent\/9 ?;/);
  assert.doesNotMatch(shown, /Identifier|Uri/);
  const others = shown.slice(shown.indexOf('Maître Aube') + 'Maître Aube'.length);
  const told = 'The record has this name; none of the current parties above does.';
  assert.equal(
    others.trim(),
    `Owner former sa ${told} Owner late owner ${told} Representative lone agent ${told}`,
    'each once, and no alias of a name that stands above',
  );
  assert.equal((await parties('2')).trim(), 'Parties Owner bare owner');
});

test('no field of a record needs the document to be on its page', async (t) => {
  const dated = { external_update_date: '2026-11-20' };
  const { person } = await startPortal(t, [
    {
      jurisdiction_code: 'FR',
      uid: '1',
      ...dated,
      nice_classes: [39],
      payload: { goods_and_services: [{ scheme: 'national', class: '39', texts: [{ text: 'Felt' }] }] },
    },
  ]);
  const shown = forPeople((await person.visit('/portal/explorer/records/FR/1')).text);
  assert.match(shown, /39 Transport/, 'the Nice class, next to the class of the office under the same number');
  assert.match(shown, /The office changed it on 20 November 2026/, 'without any other date');
});

test('the family says what each register has under the same numbers, and costs nothing', async (t) => {
  const { person, units } = await startPortal(t, [
    {
      jurisdiction_code: 'EM',
      uid: 'EM1',
      application_number: '018229854',
      international_registration_numbers: ['1234567'],
      priority_numbers: ['87123456'],
      payload: PAYLOAD,
    },
    {
      jurisdiction_code: 'JP',
      uid: 'JP1',
      registration_number: 'IR1',
      international_registration_numbers: ['1234567'],
    },
    { jurisdiction_code: 'US', uid: 'US1', application_number: '87123456', status: 'Pending' },
    { jurisdiction_code: 'CA', uid: 'CA1', application_number: '87123456', status: 'Pending' },
    { jurisdiction_code: 'DE', uid: 'DE1', application_number: '700' },
    { jurisdiction_code: 'AT', uid: 'AT1', priority_numbers: ['1', '2', '3', '500'] },
    { jurisdiction_code: 'GB', uid: 'GB1', application_number: 'UK00001', priority_numbers: ['87123456'] },
    { jurisdiction_code: 'CH', uid: 'CH1', application_number: '500', priority_numbers: ['018229854'] },
  ]);
  const { text } = await person.visit('/portal/explorer/records/EM/EM1');
  const family = textOf(/<section id="family".*?<\/section>/s.exec(text)?.[0] ?? '');
  const groups = [
    'International registration 1234567 .*Japan IR1 ',
    'The earlier application, United States \\(US\\) 87123456 .*United States 87123456 .*Pending ',
    'Priority of an application 87123456 .*United Kingdom UK00001 ',
    'Priority of an application numbered as this one, 018229854 .*Switzerland 500 ',
  ];
  assert.match(family, new RegExp(groups.join('.*')));
  assert.doesNotMatch(family, /Canada|Germany|European Union/);
  assert.equal(await units(), 1);
  const alone = await person.visit('/portal/explorer/records/DE/DE1');
  assert.doesNotMatch(alone.text, /id="family"/);
  const many = await person.visit('/portal/explorer/records/AT/AT1');
  assert.match(textOf(many.text), /Family Only the first 3 numbers of each kind were searched for\./);
});

test('a record of a megabyte is a small page, and all of it can be reached for the same unit', async (t) => {
  const word = (seed: number): string => ((seed * 2654435761) >>> 0).toString(36);
  const sentence = (seed: number): string => Array.from({ length: 12 }, (_, at) => word(seed * 31 + at)).join(' ');
  const languages = ['en', 'fr', 'de', 'es', 'it'];
  const payload = {
    ...PAYLOAD,
    goods_and_services: Array.from({ length: 30 }, (_, at) => ({
      scheme: 'nice',
      class: String(at + 1),
      texts: languages.map((language, nth) => ({
        language,
        text: Array.from({ length: 30 }, (_each, part) => sentence(at * 1000 + nth * 100 + part)).join('; '),
      })),
    })),
    events: Array.from({ length: 3000 }, (_, at) => ({
      kind: 'history',
      code: `E${at}`,
      text: sentence(900_000 + at),
      date: `20${String(10 + (at % 10))}-01-01`,
    })),
    images: [{ uri: `data:image/png;base64,${'A'.repeat(100_000)}` }],
  };
  assert.ok(JSON.stringify(payload).length > 900_000);
  const { person, units } = await startPortal(t, [{ jurisdiction_code: 'FR', uid: '1', payload }]);
  const path = '/portal/explorer/records/FR/1';
  const whole = await person.visit(path);
  const bytes = brotliCompressSync(whole.text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
  assert.ok(bytes < 150_000, `${bytes} bytes`);
  const codes = new Set<string>();
  let next = linkTo(whole.text, /href="([^"]*part=history[^"]*)"/);
  for (const [code] of forPeople(whole.text).matchAll(/\bE\d+\b/g)) codes.add(code);
  for (let page = 0; next !== '' && page < 60; page += 1) {
    const { text } = await person.visit(next.replace(/#.*/, ''));
    for (const [code] of forPeople(text).matchAll(/\bE\d+\b/g)) codes.add(code);
    next = linkTo(text, /rel="next nofollow" href="([^"]*)"/) || linkTo(text, /href="([^"]*)" rel="next nofollow"/);
  }
  assert.equal(codes.size, 3000);
  const image = await person.visit(linkTo(whole.text, /href="([^"]*part=images[^"]*)"/).replace(/#.*/, ''));
  assert.match(image.text, /<img src="data:image\/png/);
  const json = await person.visit(linkTo(whole.text, /href="([^"]*json=events[^"]*)"/));
  assert.match(textOf(json.text), /"code": "E2999"/);
  assert.equal(await units(), 1);
});

test('an address that names no part, or a place beyond its end, is still the record', async (t) => {
  const { person } = await startPortal(t, [
    { jurisdiction_code: 'FR', uid: '1', mark_name: 'Nélyia', payload: PAYLOAD },
  ]);
  const path = '/portal/explorer/records/FR/1';
  for (const query of [
    'part=none',
    'part=parties&at=99',
    'part=parties&at=x',
    'json=none',
    'language=<b>&within=<b>',
  ]) {
    const page = await person.visit(`${path}?${query}`);
    assert.equal(page.status, 200, query);
    assert.match(page.text, /Nélyia/, query);
    assert.doesNotMatch(page.text, /<b>/, query);
  }
});
