/**
 * The answers of the specification's endpoints, as the version of 2026-11-27 (3b465a4) gave them: status and body byte
 * for byte, and every header that it sent. What has been added since are headers of other names. The fixture is never
 * written again; an answer that has to change changes the specification first.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

interface Frozen {
  readonly status: number;
  /** Without those that differ from call to call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const FIXTURE = new URL('../fixtures/frozen-answers.json', import.meta.url);
/** They state the moment, the connection or the call. */
const VARYING = [
  /^(date|connection|keep-alive|x-request-id|server-timing|feed-lineage|x-change-horizon|x-poll-after)$/,
  /^(x-)?ratelimit/,
];

const PATHS = [
  '/v1/trademarks?jurisdiction=XA&count=capped',
  '/v1/trademarks?jurisdiction=XA,XB&sort=application_date&order=asc&limit=2',
  '/v1/trademarks?mark_name=n%C3%A9lyia',
  '/v1/trademarks?mark_name_contains=lyi&jurisdiction=XA',
  '/v1/trademarks?owner_name=Acme%20GmbH',
  '/v1/trademarks?application_number=018-000001',
  '/v1/trademarks?nice_class=9,42&status=Registered',
  '/v1/trademarks?nice_class_all=9,42',
  '/v1/trademarks?application_date_from=2020-01-01&application_date_to=2020-12-31&jurisdiction=XA',
  '/v1/trademarks?mark_name=nothing',
  '/v1/XA/trademarks?status=Registered',
  '/v1/XA/trademarks?status=Registered&expand=payload',
  '/v1/XA/trademarks/A1',
  '/v1/XA/trademarks/A1?expand=payload',
  '/v1/XA/trademarks/%C3%A9%2F%E5%95%86',
  '/v1/XB/trademarks/B1?expand=payload',
  '/v1/changes?since=2026-01-01',
  '/v1/changes?since=2026-01-01&limit=1',
  '/v1/changes?since=2026-01-01&expand=payload',
  '/v1/XA/changes?since=2026-01-02',
  '/v1/changes?since=2027-01-01',
  '/v1/jurisdictions',
  '/v1/health',
  '/v1/trademarks',
  '/v1/trademarks?q=x',
  '/v1/trademarks?mark=x',
  '/v1/trademarks?status=Nothing',
  '/v1/trademarks?nice_class=99',
  '/v1/trademarks?nice_class=',
  '/v1/trademarks?jurisdiction=XA&limit=0',
  '/v1/trademarks?jurisdiction=XA&limit=501',
  '/v1/trademarks?jurisdiction=XA&cursor=x',
  '/v1/trademarks?mark_name_contains=a',
  '/v1/trademarks?application_date_from=2020-02-30',
  '/v1/ZZ/trademarks?status=Registered',
  '/v1/XA/trademarks/none',
  '/v1/ZZ/trademarks/none',
  '/v1/changes',
  '/v1/changes?since=x',
  '/v1/nothing',
];

test('the specification’s endpoints answer as they did, but for added headers [4.3, 4.5, 4.6, 7, I-40]', async (t) => {
  const service = await startService(t);
  const records = [
    {
      uid: 'A1',
      mark_name: 'Nélyia',
      status: 'Registered',
      application_number: '018000001',
      registration_number: '018000001',
      application_date: '2020-02-29',
      registration_date: '2020-09-01',
      expiry_date: '2030-02-28',
      nice_classes: [9, 42],
      owner_names: ['Acme GmbH', 'Söhne "& Co" \\ 商标'],
      owner_countries: ['DE'],
      payload: { parties: [{ name: 'Acme GmbH' }], text: 'é\u2028"\\' },
    },
    { uid: 'é/商', mark_name: 'Second', nice_classes: [9], application_date: '2020-06-01' },
    { jurisdiction_code: 'XB', uid: 'B1', mark_name: null, status: 'Cancelled', application_date: '2019-01-01' },
  ];
  for (const [at, record] of records.entries()) {
    await storeRecords(service.db, [buildStored(buildSource(record), `2026-01-0${at + 1}T00:00:00.00000${at}Z`)]);
  }
  const { key } = await service.issue();
  const answers: Record<string, Frozen> = {};
  for (const path of PATHS) {
    const { status, headers, text } = await service.call(path, { key });
    const kept = Object.entries(headers).filter(([name]) => !VARYING.some((each) => each.test(name)));
    answers[path] = { status, headers: Object.fromEntries(kept.sort()), body: text };
  }
  const frozen = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Record<string, Frozen>;
  assert.deepEqual(Object.keys(frozen), PATHS);
  for (const [path, { status, headers, body }] of Object.entries(frozen)) {
    const now = answers[path]!;
    assert.deepEqual([now.status, now.body], [status, body], path);
    for (const [name, value] of Object.entries(headers)) assert.equal(now.headers[name], value, `${path}: ${name}`);
  }
});
