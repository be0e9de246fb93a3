/** Dockets as people keep them: Excel, titles above the list, work on the rows, changes since the last time. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { LEFT_OUT } from '../../src/upkeep/backup/backup-tables.ts';
import { clockAt } from '../support/clock-at.ts';
import { compareDocket, startWithRecords, storeSources } from '../support/docket-person.ts';
import { createCustomer, follow, joinPortal, type Person, type Visited } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';

const RECORDS = [
  { jurisdiction_code: 'EM', uid: 'a', application_number: '018229854', status: 'Registered' as const },
  { jurisdiction_code: 'EM', uid: 'b', application_number: '018229855', status: 'Cancelled' as const },
  { jurisdiction_code: 'EM', uid: 'c', application_number: '018229856', status: 'Pending' as const },
];

const startWorld = (t: TestContext) => startWithRecords(t, RECORDS);

async function send(person: Person, name: string, bytes: Uint8Array, sheet = ''): Promise<Visited> {
  await person.visit('/portal/reconcile');
  return person.post(
    '/portal/reconcile',
    { sheet },
    { file: { field: 'docket', name, bytes: Uint8Array.from(bytes) } },
  );
}

async function download({ url }: TestService, { cookies }: Person, path: string): Promise<Uint8Array> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Uint8Array(await (await fetch(url + path, { headers: { cookie } })).arrayBuffer());
}

const asText = (text: string): Uint8Array => new TextEncoder().encode(text);

const HEAD = ['Our ref', 'Country', 'Trademark', 'Application No.', 'Filing date', 'Status'];
const ROWS = [
  ['A-1', 'EU', 'First', 18229854, new Date('2020-03-04T00:00:00Z'), 'Registered'],
  ['A-2', 'EU', 'Second\nline', '018229855', null, 'Registered'],
];

test('an Excel file is read below its title, from the sheet with the list, and sheets that are not read are named', async (t) => {
  const { service, person } = await startWorld(t);
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Cover', rows: [['Portfolio of Acme']] },
      { name: 'Marks', rows: [['Marks of Acme'], [], HEAD, ...ROWS] },
      { name: 'Old', rows: [HEAD, ['A-9', 'EU', 'Third', '018229856', null, 'Registered']] },
    ],
  });
  const path = (await send(person, 'docket.xlsx', bytes)).to ?? '';
  const plan = (await person.visit(path)).text;
  assert.match(plan, /From the sheet “<bdi>Marks<\/bdi>”\..*Not read:.*<bdi>Cover<\/bdi>.*<bdi>Old<\/bdi>/s);
  assert.match(plan, /<option value="3" selected>Line 3: Our ref · Country/);
  for (const field of ['reference', 'register', 'mark_name', 'application_number', 'application_date', 'status']) {
    assert.match(plan, new RegExp(`<option value="${field}" selected`), field);
  }
  const page = await compareDocket(person, path);
  assert.match(page.text, /All 2.*To do 1.*Differences 1.*Matches 1/s);
  assert.match(page.text, /<bdi>A-2<\/bdi>.*<bdi>Second\nline<\/bdi>/s);
  const { sheets } = await readXlsx(await download(service, person, `${path}/file?format=xlsx&show=different`));
  const [head, row, ...more] = sheets[0]!.rows;
  assert.deepEqual(head?.slice(0, 8), [...HEAD, 'Result', 'Details']);
  assert.deepEqual(row?.slice(0, 8), [
    ...['A-2', 'EU', 'Second\nline', '018229855', null, 'Registered', 'Differences'],
    'Status: you have “Registered”, the register has “Cancelled”.\nMark is not compared: the register does not state it.',
  ]);
  assert.deepEqual(more, []);
  const other = (await send(person, 'docket.xlsx', bytes, ' old ')).to ?? '';
  assert.match((await person.visit(other)).text, /From the sheet “<bdi>Old<\/bdi>”/);
  const unknown = await send(person, 'docket.xlsx', bytes, 'New');
  assert.match(unknown.text, /has no sheet “New”\. Its sheets are: Cover, Marks, Old\./);
});

test('a file of Excel that is too large unpacked, damaged, locked or none at all is refused with the reason', async (t) => {
  const { service, person } = await startWorld(t);
  const bomb = await writeXlsx({ sheets: [{ name: 'S', rows: [['x'.repeat(1_000)]] }] });
  const claimed = Buffer.from(bomb);
  // What the table of contents states of each part: more than is taken.
  for (let at = claimed.indexOf('PK\u0001\u0002'); at >= 0; at = claimed.indexOf('PK\u0001\u0002', at + 4)) {
    claimed.writeUInt32LE(0x7fff_ffff, at + 24);
  }
  const large = await writeXlsx({ sheets: [{ name: 'S', rows: [['Number', 'y'.repeat(30_000)]] }] });
  const understated = Buffer.from(large);
  // The same, less than is there: the reader stops at what is stated.
  for (let at = understated.indexOf('PK\u0001\u0002'); at >= 0; at = understated.indexOf('PK\u0001\u0002', at + 4)) {
    understated.writeUInt32LE(100, at + 24);
  }
  const faults: [Uint8Array, RegExp][] = [
    [understated, /cannot be read|damaged/],
    [claimed, /too large once it is unpacked/],
    [bomb.subarray(0, bomb.length - 40), /The file is damaged/],
    [Buffer.from('d0cf11e0a1b11ae10000', 'hex'), /an old Excel file \(\.xls\), or one with a password/],
    [Buffer.from(`PK\u0003\u0004${'\0'.repeat(200)}`, 'latin1'), /The file is damaged/],
    [await writeXlsx({ sheets: [{ name: 'S', rows: [] }] }), /The file is empty/],
  ];
  for (const [bytes, message] of faults) {
    const answer = await send(person, 'd.xlsx', bytes);
    assert.deepEqual([answer.status, message.test(answer.text)], [422, true], answer.text.slice(0, 3000));
  }
  assert.equal((await service.db.query(sql`select from docket`)).length, 0);
});

test('a list without names of columns says so and asks, and a list with titles can be read from another row', async (t) => {
  const { person } = await startWorld(t);
  const bare = (await send(person, 'bare.csv', asText('EU,First,018229854\nEU,Second,018229855\n'))).to ?? '';
  const asked = await person.visit(bare);
  assert.match(asked.text, /No row with the names of the columns was found/);
  assert.doesNotMatch((await person.visit(`${bare}?checked=1`)).text, /\/start"/);
  const page = await compareDocket(person, bare, { query: '&head=0&holds-0=register&holds-2=number' });
  assert.match(page.text, /2 rows were compared/);
  const text = 'Country,Number,Mark\nEU,018229854,First\nCountry,Application no,Mark\nEU,018229855,Second\n';
  const path = (await send(person, 'titled.csv', asText(text))).to ?? '';
  const lower = await person.visit(`${path}?head=3&head-shown=1&holds-0=mark_name`);
  assert.match(lower.text, /<strong>|1 row\. Check/);
  assert.match(lower.text, /value="application_number" selected/, 'guessed again below the other head');
  const result = await compareDocket(person, path, { query: '&head=3' });
  assert.match(result.text, /1 row.? were compared|1 rows were compared/);
  assert.match(result.text, /All 1.*Matches 1/s);
  assert.doesNotMatch(result.text, /018229854/);
});

const DOCKET = 'Our ref,Country,Number,Status\nA-1,EU,018229854,Registered\nA-2,EU,018229855,Registered\nA-3,EU,1,x\n';

test('rows are worked on: done, ignored, open again, with a note, by the people of the customer alone', async (t) => {
  const { service, person } = await startWorld(t);
  const path = (await send(person, 'docket.csv', asText(DOCKET))).to ?? '';
  assert.match((await compareDocket(person, path)).text, /To do 2/);
  const back = `${path}?show=open`;
  const done = await person.post(`${path}/marks`, { row: '0.3', do: 'done', back });
  assert.equal(done.to, back);
  const page = await person.visit(path);
  assert.match(page.text, /To do 1/);
  assert.match(page.text, /Done/);
  assert.doesNotMatch((await person.visit(back)).text, /A-2/);
  const row = await person.visit(`${path}/rows/0.4`);
  assert.match(row.text, /Line 4.*A-3.*Not found/s);
  const long = await person.post(`${path}/rows/0.4`, { state: 'ignored', note: 'x'.repeat(501), back });
  assert.deepEqual([long.status, /at most 500 characters/.test(long.text)], [422, true]);
  assert.equal((await person.post(`${path}/rows/0.4`, { state: 'ignored', note: 'sold in 2024 <b>', back })).to, back);
  const all = await person.visit(path);
  assert.match(all.text, /To do 0/);
  assert.match(all.text, /Ignored.*<bdi>sold in 2024 &lt;b><\/bdi>/s);
  assert.equal(
    (await person.post(`${path}/marks`, { row: '0.4', do: 'open', back: 'https://evil.example/' })).to,
    path,
  );
  const reopened = await person.visit(back);
  assert.match(reopened.text, /To do 1.*sold in 2024/s, 'the note stays');
  assert.equal(
    (await person.post(`${path}/marks`, { do: 'done', row: '7.1' })).to,
    path,
    'no such row: nothing happens',
  );
  const unknown = await person.post(`${path}/marks`, { row: '0.4', do: 'sold' });
  assert.deepEqual([unknown.status, /Nothing was changed.*Choose one of the buttons/s.test(unknown.text)], [422, true]);
  assert.match((await person.visit(back)).text, /To do 1/, 'it is still open');
  assert.equal((await person.post(`${path}/marks`, { row: '0.3', do: 'open' }, { csrf: 'forged' })).status, 403);
  const stranger = await joinPortal(service.url, await createCustomer(service.db));
  for (const way of [`${path}/rows/0.4`, `${path}?show=open`])
    assert.equal((await stranger.visit(way)).status, 404, way);
  assert.equal((await stranger.post(`${path}/marks`, { row: '0.3', do: 'open' })).status, 404);
  assert.equal((await stranger.post(`${path}/rows/0.3`, { state: 'open' })).status, 404);
  const { sheets } = await readXlsx(await download(service, person, `${path}/file?format=xlsx`));
  const work = sheets[0]!.rows[0]!.indexOf('Work');
  assert.deepEqual(
    sheets[0]!.rows.slice(1).map((cells) => [cells[work] ?? null, cells[work + 1] ?? null]),
    [
      [null, null],
      ['Done', null],
      [null, 'sold in 2024 <b>'],
    ],
  );
});

test('the same docket again shows what is new, changed and missing, with the marks of rows that are the same', async (t) => {
  const { person } = await startWorld(t);
  const first = (await send(person, 'docket.csv', asText(DOCKET))).to ?? '';
  assert.doesNotMatch(
    (await compareDocket(person, first)).text,
    /You have compared|Changed \d/,
    'nothing to compare with',
  );
  await person.post(`${first}/marks`, { row: '0.3', do: 'done' });
  await person.post(`${first}/rows/0.2`, { state: 'open', note: 'watch this' });
  await person.post(`${first}/delete`);
  const second =
    'Number;Country;Our ref;Status\n018229856;EU;A-4;Pending\n18 229 855;EU;A-2;Registered\n018229854;EU;A-1;Pending\n';
  const path = (await send(person, 'renamed.csv', asText(second))).to ?? '';
  const page = await compareDocket(person, path);
  assert.match(page.text, /You have compared 2 of these rows before\.\s+2 rows are new or changed since\./);
  assert.match(page.text, /1 row of the last time is not in this file/);
  const changed = await person.visit(`${path}?show=changed`);
  assert.match(changed.text, /A-4.*New row.*A-1.*Matches on \d+ \w+ \d{4}, now different/s);
  assert.doesNotMatch(changed.text, /A-2/);
  assert.match(page.text, /A-2.*Done.*A-1.*watch this/s);
  const third = (await send(person, 'renamed.csv', asText(second))).to ?? '';
  assert.match(
    (await compareDocket(person, third)).text,
    /You have compared 3 of these rows before\.\s+Nothing has changed since\./,
  );
});

test('what is remembered has no number, is in no backup, is of one customer, and goes when it is deleted', async (t) => {
  const { service, person } = await startWorld(t);
  await compareDocket(person, (await send(person, 'docket.csv', asText(DOCKET))).to ?? '');
  const rows = (): Promise<unknown[]> => service.db.query(sql`select row_digest from docket_memory_row`);
  assert.equal((await rows()).length, 3);
  const other = await joinPortal(service.url, await createCustomer(service.db));
  assert.doesNotMatch(
    (await compareDocket(other, (await send(other, 'docket.csv', asText(DOCKET))).to ?? '')).text,
    /You have compared/,
  );
  const digests = await service.db.query<{ count: number }>(
    sql`select count(distinct row_digest)::int as count from docket_memory_row`,
  );
  assert.equal(digests[0]?.count, 6, 'the same rows of two customers have other digests');
  for (const name of ['docket_memory', 'docket_memory_row', 'docket_mark']) {
    assert.ok(name in LEFT_OUT, name);
    const held = await service.db.query(
      sql`select from ${identifier(name)} as held where held::text ~ '18229855|A-2|docket\\.csv'`,
    );
    assert.equal(held.length, 0, name);
  }
  assert.match((await person.visit('/portal/reconcile')).text, /3 rows are remembered/);
  assert.match((await person.visit('/portal/reconcile/memory')).text, /fingerprint.*Delete what is remembered/s);
  assert.equal((await person.post('/portal/reconcile/memory', {}, { csrf: 'forged' })).status, 403);
  const forgotten = await person.post('/portal/reconcile/memory');
  assert.equal(forgotten.to, '/portal/reconcile?done=dockets_forgotten');
  assert.equal((await rows()).length, 3, 'the other customer keeps its own');
  assert.match((await person.visit('/portal/team/activity')).text, /Docket memory deleted/);
  const again = await compareDocket(person, (await send(person, 'docket.csv', asText(DOCKET))).to ?? '', {
    remember: false,
  });
  assert.doesNotMatch(again.text, /You have compared/);
  assert.equal((await rows()).length, 3, 'nothing is remembered unless it was asked for');
});

test('a row that a docket has twice is two rows, and a customer that is removed leaves nothing of its dockets', async (t) => {
  const { service, customer, person } = await startWorld(t);
  const twice = `${DOCKET}A-1b,EU,018229854,Registered\n`;
  await compareDocket(person, (await send(person, 'docket.csv', asText(twice))).to ?? '');
  assert.match(
    (await compareDocket(person, (await send(person, 'docket.csv', asText(twice))).to ?? '')).text,
    /compared 4 of these rows before\.\s+Nothing has changed/,
  );
  const { eraseCustomer } = await import('../../src/store/accounts/customers.ts');
  const [owner] = await service.db.query<{ id: string }>(
    sql`select customer_id::text as id from access_key where key_id = ${customer.keyId}`,
  );
  await service.db.transaction((tx) => eraseCustomer(tx, owner!.id, 'removed customer'));
  for (const name of ['docket', 'docket_part', 'docket_mark', 'docket_memory', 'docket_memory_row']) {
    assert.equal((await service.db.query(sql`select from ${identifier(name)}`)).length, 0, name);
  }
});

test('where a date differs, or the register states none, the rule is the third voice: as the docket, as the register, as neither', async (t) => {
  const service = await startService(t, { clock: clockAt('2026-11-27T09:00:00Z') });
  const registered = { jurisdiction_code: 'EM', status: 'Registered' as const };
  const stated = { ...registered, application_date: '2017-03-04' as const, registration_date: '2017-08-01' as const };
  await storeSources(service, [
    { ...stated, uid: 'a', application_number: '018229854', expiry_date: '2027-03-09' },
    { ...stated, uid: 'b', application_number: '018229855', expiry_date: '2027-03-04' },
    { ...stated, uid: 'c', application_number: '018229856', expiry_date: null },
    { ...stated, uid: 'd', application_number: '018229857', expiry_date: null },
    { ...registered, jurisdiction_code: 'ES', uid: 'e', application_number: '018229858', expiry_date: '2027-03-09' },
  ]);
  const person = await joinPortal(service.url, await createCustomer(service.db));
  const lines = [
    'Country,Application No.,Next renewal',
    'EU,018229854,2027-03-04',
    'EU,018229855,2027-03-09',
    'EU,018229856,2027-03-04',
    'EU,018229857,2027-04-04',
    'ES,018229858,2027-03-04',
  ];
  const path = (await send(person, 'docket.csv', asText(lines.join('\n')))).to ?? '';
  const page = await compareDocket(person, path);
  const rows = [...page.text.matchAll(/<tr role="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
  );
  const lineOf = (line: number): string => rows.find((row) => row.trim().startsWith(`${line} `)) ?? '';
  assert.match(lineOf(2), /the register has “ 9 March 2027 ” \. The rule gives 4 March 2027, as your docket\./);
  assert.match(lineOf(3), /the register has “ 4 March 2027 ” \. The rule gives 4 March 2027, as the register\./);
  assert.match(lineOf(4), /the register does not state it\. The rule gives 4 March 2027, as your docket\./);
  assert.match(
    lineOf(5),
    /the register does not state it\. The rule gives 4 March 2027; your docket has another date\./,
  );
  assert.match(lineOf(6), /the register has “ 9 March 2027 ”/);
  assert.doesNotMatch(lineOf(6), /The rule/, 'no rule is known for that register');
  const row = await person.visit(`${path}/rows/0.2`);
  assert.match(row.text, /The rule gives 4 March 2027, as your docket\./);
});

test('the records of a compared docket have a calendar at a secret address, as long as the docket is kept', async (t) => {
  const service = await startService(t, { clock: clockAt('2026-11-27T09:00:00Z') });
  await storeSources(service, [{ ...RECORDS[0], expiry_date: '2027-03-09' }]);
  const person = await joinPortal(service.url, await createCustomer(service.db));
  const file = asText('Country,Application No.\nEU,018229854\nEU,018229855');
  const path = (await send(person, 'docket.csv', file)).to ?? '';
  await person.visit(path);
  assert.equal((await person.post(`${path}/calendar`)).status, 404, 'it is not compared yet');
  const page = await compareDocket(person, path);
  assert.match(page.text, /as long as the docket is kept/);
  const shown = await follow(person, await person.post(`${path}/calendar`));
  const address = new URL(/<code id="calendar-address">([^<]+)</.exec(shown.text)?.[1] ?? '').pathname;
  const text = await (await fetch(`${service.url}${address}`)).text();
  assert.deepEqual(
    [...text.matchAll(/^DTSTART;VALUE=DATE:(\d+)/gm)].map(([, day]) => day),
    ['20270309'],
  );
  assert.match(text, /X-WR-CALNAME:docket\.csv/);
  await person.visit(`${path}/delete`);
  await person.post(`${path}/delete`);
  assert.equal((await fetch(`${service.url}${address}`)).status, 404);
});
