/** Dates of one record and of many: stated, computed, in order, page by page, for units of their own product. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DateRulesPage, DuePage, RecordDates } from '@tmds/contract/dates';
import { DATES_RECORDS_MAX } from '@tmds/contract/dates';
import type { Product } from '@tmds/contract/enums';
import { sql } from '../../src/database/driver/sql.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const PRODUCTS: { products: Product[] } = { products: ['records', 'analytics'] };

async function store(
  service: TestService,
  records: readonly Parameters<typeof buildSource>[0][],
  second = 5,
): Promise<void> {
  const stored = records.map((record, at) =>
    buildStored(
      buildSource({ status: 'Registered', ...record }),
      `2026-01-02T03:04:0${second}.${String(at).padStart(6, '0')}Z`,
    ),
  );
  await storeRecords(service.db, stored);
}

const UNIT = sql`select product, sum(units)::float8 as units from usage_by_day group by product order by product`;

test('answers what is stated, what follows and whether they agree, and costs a unit of its product [I-40]', async (t) => {
  const service = await startService(t);
  await store(service, [
    { jurisdiction_code: 'EM', uid: 'e/1', application_date: '2020-02-29', expiry_date: '2030-02-28' },
    { jurisdiction_code: 'US', uid: 'u', registration_date: '2021-03-09' },
    { jurisdiction_code: 'RO', uid: 'r', expiry_date: '2031-01-01' },
  ]);
  const { key } = await service.issue(PRODUCTS);
  const ask = async (path: string): Promise<RecordDates> => {
    const answer = await service.call(`/analytics/v1/${path}/dates`, { key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as RecordDates;
  };
  const european = await ask('em/trademarks/e%2F1');
  assert.deepEqual([european.jurisdiction_code, european.uid, european.route], ['EM', 'e/1', 'direct']);
  const renewal = european.dates.find(({ event }) => event === 'renewal');
  assert.equal(renewal?.agreement, 'agrees');
  assert.deepEqual(
    [renewal?.stated, renewal?.computed?.ends_on, renewal?.computed?.rule, renewal?.computed?.anchor_date],
    ['2030-02-28', '2030-02-28', 'em.renewal', '2020-02-29'],
  );
  assert.deepEqual(
    european.dates.map(({ event }) => event),
    ['renewal'],
    'the opposition period of a registered mark is history',
  );
  assert.match(european.disclaimer, /not advice/);
  const american = await ask('US/trademarks/u');
  assert.deepEqual(
    american.dates.flatMap(({ event, computed }) => (computed === null ? [] : [`${event} ${computed.ends_on}`])),
    ['use_declaration 2027-03-09', 'renewal 2031-03-09'],
  );
  const [romanian] = (await ask('RO/trademarks/r')).dates;
  assert.deepEqual([romanian?.agreement, romanian?.computed], ['stated_only', null]);
  assert.deepEqual(refusalOf(await service.call('/analytics/v1/EM/trademarks/none/dates', { key })).code, 'not_found');
  assert.deepEqual(await service.db.query(UNIT), [{ product: 'analytics', units: 4 }]);
});

test('a part of an international registration is dated by its parent, if the parent is held', async (t) => {
  const service = await startService(t);
  const part = {
    jurisdiction_code: 'CA',
    uid: 'c',
    office: 'WO',
    application_date: '2022-12-12',
    international_registration_numbers: ['1234567'],
  };
  await store(service, [part]);
  const { key } = await service.issue(PRODUCTS);
  const renewal = async (): Promise<(string | undefined)[]> => {
    const { body } = await service.call('/analytics/v1/CA/trademarks/c/dates', { key });
    const { route, dates } = body as RecordDates;
    const found = dates.find(({ event }) => event === 'renewal')?.computed;
    return [route, found?.rule, found?.ends_on];
  };
  assert.deepEqual(await renewal(), ['madrid', 'ca.renewal.part', '2032-12-12']);
  const parent = {
    jurisdiction_code: 'WO',
    uid: 'w',
    registration_date: '2011-03-30',
    expiry_date: '2031-03-30',
    international_registration_numbers: ['1234567'],
  };
  await store(service, [parent], 6);
  assert.deepEqual(await renewal(), ['madrid', 'ca.renewal.parent', '2031-03-30']);
});

test('lists what is due in order, each record once a day, over pages of any size', async (t) => {
  const service = await startService(t);
  const records = Array.from({ length: 9 }, (_, at) => ({
    jurisdiction_code: at % 2 === 0 ? 'EM' : 'CH',
    uid: `m${at}`,
    mark_name: `mark ${at}`,
    owner_names: ['Owner'],
    application_date: `2017-0${1 + (at % 3)}-10`,
  }));
  // Both a renewal and a declaration of use fall on one day.
  await store(service, [
    ...records,
    { jurisdiction_code: 'US', uid: 'us', owner_names: ['Owner'], registration_date: '2017-02-10' },
  ]);
  const { key } = await service.issue(PRODUCTS);
  const ask = (query: string) => service.call(`/analytics/v1/dates?owner_name=owner&${query}`, { key });
  const span = 'from=2027-01-01&to=2027-03-31';
  const whole = (await ask(span)).body as DuePage;
  const namesOf = ({ items }: DuePage): string[] =>
    items.map((each) => `${each.due_on} ${each.jurisdiction_code} ${each.uid}`);
  const names = namesOf(whole);
  assert.equal(names.length, 10);
  assert.deepEqual(names, [...names].sort());
  for (const limit of [1, 3, 9]) {
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await ask(`${span}&limit=${limit}${next}`)).body as DuePage;
      walked.push(...namesOf(page));
      cursor = page.next_cursor;
    }
    assert.deepEqual(walked, names, String(limit));
  }
  const declared = (await ask(`${span}&event=use_declaration`)).body as DuePage;
  assert.deepEqual(declared.items, []);
  assert.deepEqual(((await ask('from=2027-03-01&to=2027-01-01')).body as DuePage).items, []);
  const first = whole.items[0];
  assert.deepEqual(
    first?.dates.map(({ event }) => event),
    ['renewal'],
  );
});

test('refuses spans, filters and cursors as other endpoints do [I-5, I-6, I-10, I-17]', async (t) => {
  const service = await startService(t);
  const { key } = await service.issue(PRODUCTS);
  const refused = async (path: string) => {
    const { status, code, param } = refusalOf(await service.call(`/analytics/v1/${path}`, { key }));
    return [status, code, param];
  };
  const span = 'from=2027-01-01&to=2027-03-31';
  assert.deepEqual(await refused('dates?to=2027-01-01&status=Registered'), [422, 'validation_error', 'from']);
  assert.deepEqual(await refused('dates?from=2027-02-30&to=2027-03-31&status=Registered'), [
    400,
    'invalid_parameter',
    'from',
  ]);
  assert.deepEqual(await refused('dates?from=2027-01-01&to=2028-01-02&status=Registered'), [
    400,
    'invalid_parameter',
    'to',
  ]);
  assert.deepEqual(await refused(`dates?${span}`), [400, 'missing_filter', undefined]);
  assert.deepEqual(await refused(`dates?${span}&status=Registered&event=birthday`), [
    400,
    'invalid_parameter',
    'event',
  ]);
  assert.deepEqual(await refused(`dates?${span}&status=Registered&cursor=x`), [400, 'cursor_invalid', 'cursor']);
  assert.deepEqual(await refused('US/trademarks/u'), [404, 'not_found', undefined]);
  assert.deepEqual(await refused('US/trademarks/dates'), [404, 'not_found', undefined]);
  const other = await service.issue();
  const disabled = { status: 403, code: 'product_not_enabled', param: undefined };
  for (const path of ['dates?from=2027-01-01', 'US/trademarks/u/dates', 'rules']) {
    assert.deepEqual(refusalOf(await service.call(`/analytics/v1/${path}`, { key: other.key })), disabled, path);
  }
  assert.equal((await service.call('/v1/US/trademarks/u/dates', { key })).status, 404, 'part of a uid there [I-24]');
});

test('more matches than dates are computed for are refused with a remedy', async (t) => {
  const service = await startService(t);
  await store(
    service,
    Array.from({ length: DATES_RECORDS_MAX + 1 }, (_, at) => ({
      jurisdiction_code: 'EM',
      uid: `m${at}`,
      application_date: '2017-01-10',
      nice_classes: [at === 0 ? 2 : 1],
    })),
  );
  const { key } = await service.issue(PRODUCTS);
  const ask = (filter: string) => service.call(`/analytics/v1/dates?from=2027-01-01&to=2027-12-31&${filter}`, { key });
  const refused = await ask('jurisdiction=EM');
  assert.equal(refusalOf(refused).code, 'query_too_broad');
  assert.match(refused.text, /add a filter/);
  assert.equal(((await ask('nice_class=1&limit=500')).body as DuePage).items.length, 500);
});

test('the rules are listed with their sources, and unchanged rules are not sent again [I-40]', async (t) => {
  const service = await startService(t, { config: { analyticsPrefix: 'insight' } });
  const { key } = await service.issue(PRODUCTS);
  const answer = await service.call('/insight/v1/rules', { key });
  const { items } = answer.body as DateRulesPage;
  assert.ok(items.length > 50 && items.every(({ source }) => source !== ''));
  const canadian = items.find(({ rule }) => rule === 'ca.renewal');
  assert.deepEqual(
    canadian?.terms.map(({ duration, begins_before }) => [duration, begins_before]),
    [
      ['P15Y', '2019-06-17'],
      ['P10Y', null],
    ],
  );
  const again = await service.call('/insight/v1/rules', {
    key,
    headers: { 'if-none-match': String(answer.headers.etag) },
  });
  assert.equal(again.status, 304);
});
