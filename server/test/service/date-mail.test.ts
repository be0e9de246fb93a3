/** Reminders of dates by mail: at each distance once, to those who asked, and none is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DateText } from '@tmds/contract/record';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { addTerm } from '../../src/dates/calendar.ts';
import { buildDatesReader, type MatchReader } from '../../src/due/watched-dates.ts';
import { type ReminderOptions, sendDateReminders } from '../../src/mail/date-reminder.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { testLog } from '../support/database.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, follow, joinPortal, type Person } from '../support/portal.ts';
import { startService, type TestContext } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { storeWatchOf } from '../support/watch-hits.ts';

const NO_MATCHES: MatchReader = {
  findDated: async (_customer, watches) => watches.map(() => ({ records: [], hasMore: false })),
  findOfRegisters: async (_customer, watches) => watches.map(() => ({ records: [], hasMore: false })),
};

const today = (): DateText => new Date(systemClock.nowMs()).toISOString().slice(0, 10) as DateText;
const inDays = (days: number): DateText => addTerm(today(), { days });

async function openPost(t: TestContext) {
  const service = await startService(t, { config: { smtpUrl: 'smtp://127.0.0.1:1' } });
  const server = await startMailServer(t);
  const mailer = openMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'noreply@example.com' });
  t.after(async () => mailer.close());
  const customer = await createCustomer(service.db);
  const person = await joinPortal(service.url, customer);
  const optionsWith = (matches: MatchReader): ReminderOptions => ({
    database: service.db,
    mailer,
    readDates: buildDatesReader({ database: service.db, clock: systemClock, matches }),
    publicUrl: 'https://api.example',
    log: testLog,
  });
  return { ...service, server, customer, person, optionsWith, options: optionsWith(NO_MATCHES) };
}

async function watchExpiries(db: Database, customer: string, expiries: Record<string, DateText>): Promise<void> {
  await storeRecords(
    db,
    Object.entries(expiries).map(([uid, expiry_date], at) =>
      buildStored(
        buildSource({ jurisdiction_code: 'ES', uid, mark_name: `MARK ${uid}`, status: 'Registered', expiry_date }),
        `2026-01-02T03:04:05.${String(at).padStart(6, '0')}Z`,
      ),
    ),
  );
  const records = Object.keys(expiries).map((uid) => ({ jurisdiction_code: 'ES', uid }));
  await storeWatchOf(db, customer, { kind: 'records', records });
}

async function ask(person: Person, reminders: 'on' | 'off'): Promise<string> {
  await person.visit('/portal/account');
  return (await follow(person, await person.post('/portal/account/reminders', { reminders }))).text;
}

/** As if the last mail had been some days ago. */
const makeDue = (db: Database, days = 1): Promise<unknown> =>
  db.query(sql`
    update date_reminder set due_at = now(), covered_through = (now() at time zone 'UTC')::date - ${days}::int`);
const makeTried = (db: Database): Promise<unknown> => db.query(sql`update date_reminder set due_at = now()`);

const linesOf = ({ taken }: MailServer): string[] =>
  (taken.at(-1)?.source ?? '')
    .replaceAll('=\r\n', '')
    .split('\r\n')
    .filter((line) => /^\d{4}-\d\d-\d\d, /.test(line));

test('a person who asked gets one mail with the dates that are exactly 90, 30 and 7 days ahead, from however many processes', async (t) => {
  const { db, server, customer, person, options } = await openPost(t);
  await watchExpiries(db, customer.name, {
    week: inDays(7),
    month: inDays(30),
    quarter: inDays(90),
    before: inDays(8),
    after: inDays(6),
    far: inDays(91),
  });
  assert.match(await ask(person, 'on'), /You are reminded of dates/);
  await sendDateReminders(options);
  assert.equal(server.taken.length, 0, 'it is not due');
  await makeDue(db);
  await Promise.all(Array.from({ length: 6 }, () => sendDateReminders(options)));
  assert.equal(server.taken.length, 1);
  assert.deepEqual(server.taken[0]!.to, [customer.email]);
  assert.match(server.taken[0]!.source, /^Subject: 3 dates come due/m);
  assert.deepEqual(linesOf(server), [
    `${inDays(7)}, in 7 days: Protection ends unless renewed: MARK week, ES week`,
    `${inDays(30)}, in 30 days: Protection ends unless renewed: MARK month, ES month`,
    `${inDays(90)}, in 90 days: Protection ends unless renewed: MARK quarter, ES quarter`,
  ]);
  assert.match(server.taken[0]!.source, /https:\/\/api\.example\/portal#dates/);
  await makeTried(db);
  await sendDateReminders(options);
  assert.equal(server.taken.length, 1, 'each date once at each distance');
});

test('days without a mail are made up for, each date once, and a day without dates has no mail', async (t) => {
  const { db, server, customer, person, options } = await openPost(t);
  await watchExpiries(db, customer.name, { a: inDays(5), b: inDays(29), gone: inDays(-1), later: inDays(40) });
  await ask(person, 'on');
  await makeDue(db, 1);
  await sendDateReminders(options);
  assert.equal(server.taken.length, 0);
  await makeDue(db, 10);
  await sendDateReminders(options);
  assert.deepEqual(
    linesOf(server).map((line) => line.split(': ').at(-1)),
    ['MARK a, ES a', 'MARK b, ES b'],
  );
});

test('a mail that cannot be sent comes later, of the same days, and what a killed process had claimed is sent', async (t) => {
  const { db, server, customer, person, options } = await openPost(t);
  await watchExpiries(db, customer.name, { week: inDays(7) });
  await ask(person, 'on');
  await makeDue(db);
  server.refuse(1000);
  await sendDateReminders(options);
  const [row] = await db.query<{ attempts: number; failure: string; waits: boolean }>(
    sql`select attempts, failure, due_at > now() as waits from date_reminder`,
  );
  assert.deepEqual([row!.attempts, row!.waits], [1, true]);
  assert.match(row!.failure, /451|try again/);
  server.refuse(0);
  // The process that claimed it next was killed: the claim is made, and nothing was sent.
  await db.query(sql`update date_reminder set attempts = attempts + 1`);
  await makeTried(db);
  await sendDateReminders(options);
  assert.equal(linesOf(server).length, 1);
});

test('a mail waits while watches cannot be read in time, and at last says that some are missing', async (t) => {
  const { db, server, customer, person, optionsWith } = await openPost(t);
  await watchExpiries(db, customer.name, { week: inDays(7) });
  await storeWatchOf(db, customer.name, { kind: 'owners', owners: ['acme'] });
  const options = optionsWith({ ...NO_MATCHES, findDated: async (_customer, watches) => watches.map(() => null) });
  await ask(person, 'on');
  await makeDue(db);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    assert.equal(server.taken.length, 0);
    await sendDateReminders(options);
    await makeTried(db);
  }
  assert.match(server.taken[0]!.source, /Some watches could not be read in time/);
});

test('reminders end when they are switched off or the person is removed, wait while the customer is suspended, and name only marks that it watches', async (t) => {
  const { db, server, customer, person, options } = await openPost(t);
  const other = await createCustomer(db);
  await watchExpiries(db, other.name, { theirs: inDays(7) });
  await ask(person, 'on');
  await makeDue(db);
  await sendDateReminders(options);
  assert.equal(server.taken.length, 0, 'dates of another customer');
  await storeWatchOf(db, customer.name, { kind: 'records', records: [{ jurisdiction_code: 'ES', uid: 'theirs' }] });
  await db.query(sql`update customer set suspended_at = now() where name = ${customer.name}`);
  await makeDue(db);
  await sendDateReminders(options);
  assert.equal(server.taken.length, 0);
  await db.query(sql`update customer set suspended_at = null`);
  assert.match(await ask(person, 'off'), /no more reminders/);
  await makeDue(db);
  await sendDateReminders(options);
  await ask(person, 'on');
  await db.query(sql`update portal_user set removed_at = now() where email = ${customer.email}`);
  await makeDue(db);
  await sendDateReminders(options);
  assert.equal(server.taken.length, 0);
});

test('without a mail server nobody is offered reminders, and none can be asked for', async (t) => {
  const { person } = await openPortal(t);
  assert.doesNotMatch((await person.visit('/portal/account')).text, /Remind me/);
  assert.equal((await person.post('/portal/account/reminders', { reminders: 'on' })).status, 409);
});
