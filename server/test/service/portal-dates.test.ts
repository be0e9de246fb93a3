/** Computed dates in the portal: on the page of a record, on the first page, and the page of their rules. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RULES } from '../../src/dates/rules/all.ts';
import { AGREEMENT } from '../../src/portal/dates/routes.ts';
import { clockAt } from '../support/clock-at.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, joinPortal, type Person, textOf } from '../support/portal.ts';
import { startService, type TestContext } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { ROOT } from '../support/sources.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { storeWatchOf } from '../support/watch-hits.ts';

type Source = Parameters<typeof buildSource>[0];

const TODAY = '2026-11-27';

async function openRecord(t: TestContext, ...sources: readonly Source[]): Promise<string> {
  const service = await startService(t, { clock: clockAt(`${TODAY}T09:00:00Z`) });
  const person = await joinPortal(service.url, await createCustomer(service.db));
  const stored = sources.map((source) =>
    buildStored(buildSource({ status: 'Registered', ...source }), '2026-01-02T03:04:05.000000Z'),
  );
  await storeRecords(service.db, stored);
  const [{ jurisdiction_code, uid }] = sources as [Source];
  return (await person.visit(`/portal/explorer/records/${jurisdiction_code}/${uid}`)).text;
}

const timelineOf = (page: string): string => /<ol class="dates">(.*?)<\/ol>/s.exec(page)?.[1] ?? '';
const nextOf = (page: string): string => textOf(/<dt>Next date<\/dt><dd>(.*?)<\/dd>/s.exec(page)?.[1] ?? '').trim();

test('a date that the rule gives and the office states is one entry, and the rule is behind a click without a script', async (t) => {
  const page = await openRecord(t, {
    jurisdiction_code: 'FR',
    uid: 'agreeing',
    application_date: '2020-03-04',
    registration_date: '2020-07-10',
    expiry_date: '2030-03-04',
  });
  const timeline = textOf(timelineOf(page));
  assert.match(timeline, /4 March 2030 Expires; agrees with the rule in 3 years 3 months The rule for 4 March 2030 /);
  assert.equal([...timeline.matchAll(/Expires/g)].length, 1);
  assert.match(timelineOf(page), /<details><summary>The rule/);
  assert.match(timeline, /Runs from the application date, 4 March 2020 .*Source .*L712-1.* Data, not advice/);
  assert.match(nextOf(page), /^Expires 4 March 2030, in 3 years 3 months \(stated; agrees with the rule\)$/);
  assert.doesNotMatch(page, /class="ahead computed"/, 'a stated date is drawn solid');
});

test('where the office and the rule differ both are shown, and each says so', async (t) => {
  const page = await openRecord(t, {
    jurisdiction_code: 'FR',
    uid: 'differing',
    application_date: '2020-03-04',
    registration_date: '2020-07-10',
    expiry_date: '2030-03-09',
  });
  const timeline = textOf(timelineOf(page));
  assert.match(timeline, /4 March 2030 Expires, by the rule; the office states another date computed, in 3 years/);
  assert.match(timeline, /9 March 2030 Expires; the rule gives another date in 3 years/);
  assert.equal([...page.matchAll(/class="ahead computed"/g)].length, 1, 'the computed one is dashed');
});

test('the next date of a record counts computed dates, and says which kind it is', async (t) => {
  const page = await openRecord(t, {
    jurisdiction_code: 'US',
    uid: 'declared',
    application_number: '88000001',
    application_date: '2020-01-10',
    registration_date: '2021-01-12',
  });
  assert.match(nextOf(page), /^Declaration of use due 12 January 2027, in 46 days \(computed\)$/);
  assert.match(textOf(timelineOf(page)), /12 January 2031 Renewal due|13 January 2031 Renewal due/);
  const grace = await openRecord(t, {
    jurisdiction_code: 'US',
    uid: 'late',
    application_number: '88000002',
    registration_date: '2020-10-06',
  });
  assert.match(nextOf(grace), /^Declaration of use due, with a surcharge 6 April 2027,/);
});

test('a period of opposition that has ended says so, and is not due', async (t) => {
  const page = await openRecord(t, {
    jurisdiction_code: 'EM',
    uid: 'old',
    application_date: '2006-01-10',
    publication_date: '2006-08-14',
    opposition_period_end: '2006-11-14',
    registration_date: '2007-02-01',
  });
  const timeline = textOf(timelineOf(page));
  assert.match(timeline, /14 November 2006 Opposition ended; agrees with the rule/);
  assert.match(timeline, /Ended on 14 November 2006 /);
  assert.match(timeline, /Since then Nobody can oppose any more/);
  assert.doesNotMatch(timeline, /Opposition until/);
});

test('a part of an international registration ends with its parent if the family has it', async (t) => {
  const part = {
    jurisdiction_code: 'EM',
    uid: 'part',
    office: 'WO',
    registration_date: '2019-05-05',
    international_registration_numbers: ['1234567'],
  } as const;
  const alone = textOf(timelineOf(await openRecord(t, part)));
  assert.match(alone, /5 May 2029 Renewal due|7 May 2029 Renewal due/);
  assert.match(alone, /can be earlier/);
  const parent = {
    jurisdiction_code: 'WO',
    uid: '1234567',
    registration_date: '2017-02-06',
    expiry_date: '2027-02-08',
    international_registration_numbers: ['1234567'],
  } as const;
  const held = await openRecord(t, part, parent);
  assert.match(nextOf(held), /^Renewal due 8 February 2027,/);
  assert.doesNotMatch(textOf(timelineOf(held)), /can be earlier/);
});

test('a past version of a record has the dates that were stated then, and nothing computed', async (t) => {
  const service = await startService(t);
  const person = await joinPortal(service.url, await createCustomer(service.db));
  const source = buildSource({
    jurisdiction_code: 'US',
    uid: 'old',
    status: 'Registered',
    registration_date: '2021-01-12',
  });
  await storeRecords(service.db, [buildStored(source, '2026-01-02T03:04:05.000000Z')]);
  const { text } = await person.visit('/portal/explorer/records/US/old?version=2026-01-02T03:04:05.000000Z');
  assert.match(timelineOf(text), /Registered/);
  assert.doesNotMatch(timelineOf(text), /computed/);
});

const homeDates = async (person: Person): Promise<string> =>
  textOf(/<section id="dates">(.*?)<\/section>/s.exec((await person.visit('/portal')).text)?.[1] ?? '');

test('the first page has computed dates of listed records and of matches that no office states, marked as computed', async (t) => {
  const { db, customer, person } = await openPortal(t, {}, { clock: clockAt(`${TODAY}T09:00:00Z`) });
  const registered = { jurisdiction_code: 'US', status: 'Registered' } as const;
  const sources: Source[] = [
    { ...registered, uid: 'listed', mark_name: 'LISTED', registration_date: '2021-01-12' },
    { ...registered, uid: 'owned', mark_name: 'OWNED', registration_date: '2020-12-15', owner_names: ['acme'] },
    { ...registered, uid: 'ended', status: 'Cancelled', registration_date: '2021-01-12', owner_names: ['acme'] },
    { ...registered, uid: 'far', registration_date: '2022-01-12', owner_names: ['acme'] },
    {
      jurisdiction_code: 'DE',
      uid: 'opposed',
      mark_name: 'OPPOSED',
      publication_date: '2026-09-10',
      owner_names: ['acme'],
    },
    {
      jurisdiction_code: 'EM',
      uid: 'stated',
      mark_name: 'STATED',
      status: 'Registered',
      application_date: '2017-01-10',
      registration_date: '2017-06-01',
      expiry_date: '2027-01-10',
      owner_names: ['acme'],
    },
  ];
  await storeRecords(
    db,
    sources.map((source) => buildStored(buildSource(source), '2026-01-02T03:04:05.000000Z')),
  );
  await storeWatchOf(db, customer.name, { kind: 'records', records: [{ jurisdiction_code: 'US', uid: 'listed' }] });
  await storeWatchOf(db, customer.name, { kind: 'owners', owners: ['acme'] });
  const dates = await homeDates(person);
  assert.match(dates, /10 December 2026 Opposition period ends computed OPPOSED/);
  assert.match(dates, /15 December 2026 Declaration of use due computed OWNED United States/);
  assert.match(dates, /10 January 2027 Protection ends unless renewed STATED/);
  assert.match(dates, /12 January 2027 Declaration of use due computed LISTED/);
  assert.equal([...dates.matchAll(/ computed [A-Z]/g)].length, 3);
  assert.doesNotMatch(dates, /may be others|more computed/);
  assert.match(dates, /Data, not advice/);
});

test('of a search with many matches a bounded number is read for computed dates, and the page says so', async (t) => {
  const { db, customer, person } = await openPortal(t, {}, { clock: clockAt(`${TODAY}T09:00:00Z`) });
  await storeRecords(
    db,
    Array.from({ length: 101 }, (_, at) =>
      buildStored(
        buildSource({ jurisdiction_code: 'US', uid: `u${at}`, status: 'Registered', owner_names: ['acme'] }),
        `2026-01-02T03:04:05.${String(at).padStart(6, '0')}Z`,
      ),
    ),
  );
  await storeWatchOf(db, customer.name, { kind: 'owners', owners: ['acme'] });
  assert.match(await homeDates(person), /Searches and owners with many matches may have more computed dates/);
});

test('the page of rules has every rule with its source, the disclaimer, and the figures of the documents', async (t) => {
  const service = await startService(t);
  const person: Person = await joinPortal(service.url, await createCustomer(service.db));
  const { status, text } = await person.visit('/portal/dates-rules');
  assert.equal(status, 200);
  const shown = textOf(text);
  for (const { id, version, text: words, source } of RULES) {
    assert.ok(text.includes(`id="${id}-${version}"`), id);
    for (const part of [words, source]) assert.ok(shown.includes(part.replace(/\s+/g, ' ')), `${id}: ${part}`);
  }
  assert.match(shown, /Data, not advice\. .*no lawyer-client relationship/);
  const page = readFileSync(join(ROOT, 'docs/dates-agreement.md'), 'utf8');
  const sections = [
    ['## Ends of term', 'terms'],
    ['## Renewals and declarations that were filed, inside', 'filings'],
    ['## Oppositions that were filed', 'oppositions'],
  ] as const;
  for (const [title, field] of sections) {
    const section = page.slice(page.indexOf(title) + title.length).split('\n##')[0] ?? '';
    const stated = [...section.matchAll(/^\| [\w-]+ \| \w+ \| (\d+) of (\d+) \|/gm)].map(
      ([, n, of]) => `${n} of ${of}`,
    );
    const ours = AGREEMENT.flatMap((row) => (row[field] === null ? [] : [row[field].join(' of ')]));
    assert.deepEqual(ours.sort(), stated.sort(), title);
  }
});
