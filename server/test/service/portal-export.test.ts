/** The export of a search: its cost stated first, every record once, and never a file that silently ends early. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { openPortal } from '../support/open-portal.ts';
import { countUnits, storeMark } from '../support/portal.ts';
import type { TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

async function storeMany({ db }: TestService, count: number): Promise<void> {
  const sources = Array.from({ length: count }, (_, at) => buildSource({ jurisdiction_code: 'FR', uid: `FR${at}` }));
  await storeRecords(
    db,
    sources.map((source, at) => buildStored(source, `2026-01-02T03:04:05.${String(at).padStart(6, '0')}Z`)),
  );
}

const link = (text: string, title: string): string =>
  new RegExp(`href="([^"]+)"[^>]*>${title}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('says the cost before anything is spent, then writes every match once [4.3, I-28]', async (t) => {
  const { service, customer, person } = await openPortal(t, { quota: 100 });
  await storeMany(service, 1_001);
  const results = await person.visit('/portal/explorer?jurisdiction=FR&limit=25&count=capped');
  const path = link(results.text, 'Export…');
  const page = await person.visit(path);
  assert.match(page.text, /This file has rows 1–1,001 of 1,001\./);
  assert.match(page.text, /It costs 3 units: one for every 500 rows\./);
  assert.equal(await countUnits(service, customer.keyId), 1, 'the search alone');
  const file = await person.visit(link(page.text, 'Download NDJSON'));
  assert.match(
    file.headers.get('content-disposition') ?? '',
    /attachment; filename="trademarks-register-france-\d{4}-\d\d-\d\d\.ndjson"/,
  );
  const records = file.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { uid?: string });
  assert.equal(new Set(records.map(({ uid }) => uid)).size, 1_001);
  assert.equal(records.length, 1_001);
  assert.equal(await countUnits(service, customer.keyId), 4);
  const csv = await person.visit(link(page.text, 'Download CSV'));
  assert.equal(csv.text.trimEnd().split('\r\n').length, 1_002);
  assert.equal(await countUnits(service, customer.keyId), 4, 'the pages are remembered');
  const excel = await person.visit(link(page.text, 'Download Excel'));
  assert.match(
    excel.headers.get('content-disposition') ?? '',
    /filename="trademarks-register-france-\d{4}-\d\d-\d\d\.xlsx"/,
  );
  assert.match(excel.headers.get('content-type') ?? '', /spreadsheetml/);
  assert.match((await person.visit(path)).text, /1,001 rows were exported on .* That was everything\./s);
});

test('a file that a refusal cuts short ends with its reason and the address to continue at [I-28, I-30]', async (t) => {
  const { service, customer, person } = await openPortal(t, { quota: 1 });
  await storeMany(service, 600);
  // A search waits until the index has the records; the page of an export counts what it has.
  await service.call('/v1/trademarks?jurisdiction=FR', { key: (await service.issue()).key });
  const page = await person.visit('/portal/explorer/export?jurisdiction=FR');
  const { text } = await person.visit(link(page.text, 'Download NDJSON'));
  const lines = text.trimEnd().split('\n');
  const end = JSON.parse(lines.pop() ?? '') as { not_complete: string; continue_at: string };
  assert.equal(lines.length, 500);
  assert.equal(end.not_complete, 'quota_exceeded');
  const next = end.continue_at.replace(service.url, '');
  assert.match(
    (await person.visit('/portal/explorer/export?jurisdiction=FR')).text,
    /then the file ended early \(<[^>]*><code>quota_exceeded/,
  );
  await service.db.query(sql`update key_product set quota = 100 where key_id = ${customer.keyId}`);
  const rest = await person.visit(next);
  assert.match(rest.text, /This file has rows 501–600 of 600\..*It costs 1 unit:/s);
  const file = await person.visit(link(rest.text, 'Download NDJSON'));
  const both = [...lines, ...file.text.trimEnd().split('\n')].map((line) => (JSON.parse(line) as { uid: string }).uid);
  assert.deepEqual([both.length, new Set(both).size], [600, 600]);
});

test('names spelled as in the source cost a unit for every 50 rows, and the page says so first [I-28]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await storeMany(service, 60);
  await service.call('/v1/trademarks?jurisdiction=FR', { key: (await service.issue()).key });
  const page = await person.visit('/portal/explorer/export?jurisdiction=FR');
  assert.match(page.text, /It costs 1 unit: one for every 500 rows/);
  const spelled = await person.visit(link(page.text, 'Spell them as the office does'));
  assert.match(spelled.text, /It costs 2 units: one for every 50 rows/);
  assert.equal(await countUnits(service, customer.keyId), 0);
  const file = await person.visit(link(spelled.text, 'Download NDJSON'));
  const records = file.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([records.length, records.every(({ payload }) => typeof payload === 'object')], [60, true]);
  assert.equal(await countUnits(service, customer.keyId), 2);
  const foreign = await person.visit(
    '/portal/explorer/export/file?format=csv&owner_name_startswith=%E8%BF%9C%E8%88%AA"%0D%0A',
  );
  assert.match(foreign.headers.get('content-disposition') ?? '', /^attachment; filename="[a-z\d.-]{1,130}"$/);
});

test('spends nothing when another site links to a file, or the search is refused [5.4, I-28]', async (t) => {
  const { service, customer, person } = await openPortal(t);
  await storeMark(service.db, { uid: 'FR1', mark_name: 'Nélyia' });
  const path = '/portal/explorer/export/file?jurisdiction=FR&format=csv';
  const { to } = await person.visit(path, { 'sec-fetch-site': 'cross-site' });
  assert.equal(to, '/portal/explorer/export?jurisdiction=FR&format=csv');
  const refused = await person.visit('/portal/explorer/export/file?nice_class=99&format=ndjson');
  assert.match(refused.text, /role="alert".*For support.*invalid_parameter/s);
  assert.equal(await countUnits(service, customer.keyId), 0);
});
