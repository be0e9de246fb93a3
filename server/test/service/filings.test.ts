/** Filings that an office should show: found in the history, warned of when they are not, and reported once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DateText } from '@tmds/contract/record';
import { inviteCustomer } from '../../src/access/keys.ts';
import { systemClock, utcDay } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { addTerm } from '../../src/dates/calendar.ts';
import { checkFilings } from '../../src/due/filings.ts';
import type { MailOptions } from '../../src/mail/due-mail.ts';
import { sendFilingMail } from '../../src/mail/filing-mail.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { testLog } from '../support/database.ts';
import { startMailServer } from '../support/mail-server.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, follow, joinPortal, type Person, textOf, type Visited } from '../support/portal.ts';
import type { TestContext } from '../support/service.ts';
import { storeChanges, storeWatch, storeWatchOf } from '../support/watch-hits.ts';
import { publishRecords } from '../torture/publish.ts';

const today = (): DateText => utcDay(systemClock.nowMs()) as DateText;
const daysAgo = (days: number): DateText => addTerm(today(), { days: -days });
const RECORD = {
  jurisdiction_code: 'FR',
  uid: 'F1',
  mark_name: 'NÉLYIA',
  status: 'Registered',
  expiry_date: '2026-12-01',
};

async function openDesk(t: TestContext) {
  const { service, customer, person } = await openPortal(t);
  await publishRecords(service.db, [RECORD]);
  const server = await startMailServer(t);
  const mailer = openMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'noreply@example.com' });
  t.after(async () => mailer.close());
  const options: MailOptions = { database: service.db, mailer, publicUrl: 'https://api.example', log: testLog };
  const check = (): Promise<unknown> => Promise.all([1, 2, 3].map(() => checkFilings({ database: service.db })));
  return { ...service, customer, person, server, options, check };
}

async function file(person: Person, fields: Record<string, string> = {}): Promise<Visited> {
  await person.visit('/portal/new-filing?register=FR&uid=F1');
  const typed = { register: 'FR', uid: 'F1', filing: 'renewal', filed: daysAgo(3), days: '60', ...fields };
  return person.post('/portal/new-filing', typed);
}

const listOf = async (person: Person): Promise<string> => textOf((await person.visit('/portal/filings')).text);

test('a renewal is tracked until a later version moves the end of the term, and then reported once', async (t) => {
  const { db, person, customer, server, options, check } = await openDesk(t);
  const record = await person.visit('/portal/explorer/records/FR/F1');
  assert.match(record.text, /href="\/portal\/new-filing\?register=FR&amp;uid=F1"/);
  assert.match((await follow(person, await file(person))).text, /The filing is tracked/);
  await check();
  assert.match(await listOf(person), /NÉLYIA France Renewal, .* waiting until /);
  await publishRecords(db, [{ ...RECORD, owner_names: ['other'], expiry_date: '2026-12-03' }]);
  await check();
  assert.match(await listOf(person), /waiting until/, 'neither an owner nor a correction by days is a renewal');
  await publishRecords(db, [{ ...RECORD, owner_names: ['other'], expiry_date: '2036-12-01' }]);
  await check();
  assert.match(await listOf(person), /shown .*: Expires|shown .*: Expiry/);
  assert.match(textOf((await person.visit('/portal')).text), /What you filed .*NÉLYIA .*shown/);
  await Promise.all(Array.from({ length: 4 }, () => sendFilingMail(options)));
  await sendFilingMail(options);
  assert.equal(server.taken.length, 1);
  assert.deepEqual(server.taken[0]!.to, [customer.email]);
  assert.match(server.taken[0]!.source, /office shows a change/);
  await publishRecords(db, [{ ...RECORD, expiry_date: '2046-12-01' }]);
  await check();
  await sendFilingMail(options);
  assert.equal(server.taken.length, 1, 'it has ended');
});

test('what the office showed before the filing was entered, but after its day, counts too', async (t) => {
  const { db, person, check } = await openDesk(t);
  await publishRecords(db, [{ ...RECORD, renewal_date: daysAgo(1) }]);
  await follow(person, await file(person));
  await check();
  assert.match(await listOf(person), /shown/);
});

test('a filing that is not shown in time is overdue: on the first page, in one mail, and shown later all the same', async (t) => {
  const { db, person, server, options, check } = await openDesk(t);
  await follow(person, await file(person, { filing: 'opposition', filed: daysAgo(40), days: '40' }));
  await check();
  assert.match(await listOf(person), /Opposition, .* not shown yet since /);
  assert.match(textOf((await person.visit('/portal')).text), /What you filed .*not shown yet/);
  server.refuse(1);
  await sendFilingMail(options);
  assert.equal(server.taken.length, 0);
  await db.query(sql`update filing_alarm set notify_at = now()`);
  await sendFilingMail(options);
  await check();
  await sendFilingMail(options);
  assert.equal(server.taken.length, 1);
  assert.match(server.taken[0]!.source, /does not show it yet/);
  await publishRecords(db, [{ ...RECORD, status: 'Cancelled' }]);
  await check();
  await sendFilingMail(options);
  assert.match(await listOf(person), /shown .*: Status/);
  assert.equal(server.taken.length, 2);
});

test('a dismissed filing is gone and causes no mail; a second form of it does nothing', async (t) => {
  const { db, person, server, options, check } = await openDesk(t);
  await follow(person, await file(person, { filed: daysAgo(10), days: '5' }));
  await check();
  const { text } = await person.visit('/portal/filings');
  const action = /action="(\/portal\/filings\/[^"]+\/dismiss)"/.exec(text)?.[1] ?? '';
  assert.match((await follow(person, await person.post(action))).text, /The filing is dismissed/);
  assert.match(await listOf(person), /No filings are tracked/);
  assert.equal((await person.post(action)).status, 404);
  await check();
  await sendFilingMail(options);
  assert.equal(server.taken.length, 0);
  const audit = await db.query<{ action: string }>(
    sql`select action from access_audit where action like 'filing.%' order by at`,
  );
  assert.deepEqual(
    audit.map(({ action: done }) => done),
    ['filing.add', 'filing.dismiss'],
  );
});

test('a filing is on the page of the watch that lists its record, and of the watch from whose hit it was made', async (t) => {
  const { db, person, customer } = await openDesk(t);
  const list = await storeWatchOf(db, customer.name, {
    kind: 'records',
    records: [{ jurisdiction_code: 'FR', uid: 'F1' }],
  });
  const other = await storeWatchOf(db, customer.name, {
    kind: 'records',
    records: [{ jurisdiction_code: 'FR', uid: 'no' }],
  });
  const hit = await storeChanges(db, await storeWatch(db, customer.name, 'brands'));
  const { text } = await person.visit(`/portal/watches/brands/hits/${encodeURIComponent(hit)}`);
  const link = /href="(\/portal\/new-filing\?[^"]*watch=brands[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.equal((await person.visit(link)).status, 200);
  await follow(person, await file(person));
  await follow(person, await file(person, { uid: 'changing', watch: 'brands' }));
  const filingsOf = async (watch: string): Promise<string> =>
    textOf(
      /<section id="filings">(.*?)<\/section>/s.exec((await person.visit(`/portal/watches/${watch}`)).text)?.[1] ?? '',
    );
  assert.match(await filingsOf(list), /NÉLYIA/);
  assert.match(await filingsOf('brands'), /AFTER/);
  assert.equal(await filingsOf(other), '');
});

test('a form with a wrong day, kind or number of days, or for no record, is refused with what was typed', async (t) => {
  const { person } = await openDesk(t);
  for (const fields of [
    { filed: '2026-02-30' },
    { filed: addTerm(today(), { days: 2 }) },
    { filed: '1999-01-01' },
    { days: '0' },
    { days: '9999' },
    { filing: 'bribe' },
  ] as Record<string, string>[]) {
    const refused = await file(person, fields);
    assert.equal(refused.status, 422, JSON.stringify(fields));
    assert.match(refused.text, /role="alert"/);
  }
  assert.equal((await person.visit('/portal/new-filing?register=FR')).status, 404);
  assert.match(await listOf(person), /No filings are tracked/);
});

test('a team sees the filings of its people, another customer sees and dismisses none, and a developer has none', async (t) => {
  const { url, db, person, customer } = await openDesk(t);
  await follow(person, await file(person));
  const { text } = await person.visit('/portal/filings');
  const action = /action="(\/portal\/filings\/[^"]+\/dismiss)"/.exec(text)?.[1] ?? '';
  const stranger = await joinPortal(url, await createCustomer(db));
  assert.match(await listOf(stranger), /No filings are tracked/);
  assert.equal((await stranger.post(action)).status, 404);
  const email = 'bob@example.org';
  const { token } = await inviteCustomer(db, { customer: customer.name, email, actor: 'test' });
  const bob = await joinPortal(url, { ...customer, email, invitation: `/portal/invitation/${token}` });
  assert.match(await listOf(bob), /NÉLYIA/);
  await db.query(sql`update portal_user set role = 'developer' where email = ${email}`);
  assert.equal((await bob.visit('/portal/filings')).status, 403);
});
