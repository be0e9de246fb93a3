/** Watched marks with stated and computed dates ahead, an address of a calendar, and a filing in every state. */
import type { DateText } from '@tmds/contract/record';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { addTerm } from '../../src/dates/calendar.ts';
import { insertCalendar } from '../../src/store/dates/calendars.ts';
import { insertFiling } from '../../src/store/dates/filings.ts';
import { findWatch } from '../../src/store/watches/watches.ts';
import { buildSource } from './source.ts';
import { buildStored, storeRecords } from './stored.ts';
import { storeWatchOf } from './watch-hits.ts';

/** For the customer of this name, who has a person. Resolves to the paths of pages that show it. */
export async function storeDue(db: Database, customer: string): Promise<string[]> {
  const today = new Date(systemClock.nowMs()).toISOString().slice(0, 10) as DateText;
  const day = (years: number, days: number): DateText => addTerm(today, { years, days });
  const registered = { status: 'Registered' } as const;
  const sources = [
    {
      ...registered,
      jurisdiction_code: 'US',
      uid: 'due-us',
      mark_name: 'AURORA BOREALIS',
      registration_number: '6245001',
      application_date: day(-7, 0),
      publication_date: day(-6, -90),
      registration_date: day(-6, 25),
    },
    {
      ...registered,
      jurisdiction_code: 'FR',
      uid: 'due-fr',
      mark_name: 'Nélyia',
      application_date: day(-10, 60),
      registration_date: day(-10, 200),
      expiry_date: day(0, 60),
    },
    {
      ...registered,
      jurisdiction_code: 'FR',
      uid: 'due-differs',
      mark_name: 'Quillham',
      application_date: day(-10, 40),
      registration_date: day(-10, 150),
      expiry_date: day(0, 44),
    },
    {
      status: 'Pending',
      jurisdiction_code: 'DE',
      uid: 'due-de',
      mark_name: 'Mittsommer',
      application_date: day(-1, 0),
      publication_date: addTerm(today, { months: -2 }),
    },
  ];
  await storeRecords(
    db,
    sources.map((source) => buildStored(buildSource(source), '2026-01-02T03:04:05.000000Z')),
  );
  const records = sources.map(({ jurisdiction_code = 'FR', uid = '' }) => ({ jurisdiction_code, uid }));
  const id = await storeWatchOf(db, customer, { kind: 'records', records });
  const [person] = await db.query<{ customer_id: string; user_id: string }>(sql`
    select customer_id::text as customer_id, user_id::text as user_id
    from portal_user join customer using (customer_id) where customer.name = ${customer} limit 1`);
  const { customer_id: customerId, user_id: userId } = person!;
  const watch = await findWatch(db, customerId, id);
  const filed = { customer_id: customerId, user_id: userId, watch_id: null };
  await db.transaction(async (tx) => {
    const subject = { watch_id: watch!.watch_id };
    await insertCalendar(tx, { customerId, subject, secretDigest: Buffer.from(id), userId });
    await insertFiling(tx, {
      ...filed,
      ...records[0]!,
      filing: 'use_declaration',
      filed_on: today,
      warn_on: day(0, 60),
    });
    await insertFiling(tx, {
      ...filed,
      ...records[3]!,
      filing: 'opposition',
      filed_on: day(0, -70),
      warn_on: day(0, -10),
    });
    const shown = await insertFiling(tx, {
      ...filed,
      ...records[1]!,
      filing: 'renewal',
      filed_on: day(0, -20),
      warn_on: day(0, 40),
    });
    await tx.query(sql`
      update filing_alarm set shown_in = now(), shown_by = 'expiry_date' where alarm_id = ${shown}::uuid`);
  });
  return [
    `/portal/watches/${id}`,
    ...records.map(({ jurisdiction_code, uid }) => `/portal/explorer/records/${jurisdiction_code}/${uid}`),
  ];
}
