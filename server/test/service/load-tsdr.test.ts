/** Answers of TSDR through the whole pipeline, along with the daily files that describe the same cases. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource, type Source } from '../../src/load/sources/source.ts';
import { writeCase, writeDaily } from '../support/case-file.ts';
import { createTestDatabase } from '../support/database.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import {
  type TrademarkParts,
  writeApplication,
  writeSt66Answer,
  writeTrademark,
  writeTransaction,
} from '../support/st96.ts';
import { openText } from '../support/texts.ts';

const TSDR = 'uspto/tsdr';

async function load(db: Database, name: string, sources: readonly Source[]): Promise<LoadReport> {
  const format = findFormat(name);
  assert.ok(format !== null, name);
  return await loadSources(db, { sources, format });
}

interface Stored {
  tm5_status: string;
  source_version: string;
}

async function findStored(db: Database): Promise<Stored[]> {
  return await db.query<Stored>(sql`select detail::jsonb ->> 'tm5_status' as tm5_status, source_version from record`);
}

/** One delivery of the case 97000001: its source, and the day it is of. */
type Delivery = (db: Database) => Promise<unknown>;

const daily =
  (day: string): Delivery =>
  (db) => {
    const caseFile = writeCase().replace('20260102', day);
    return load(db, 'uspto-apc', [openText('apc.xml', [writeDaily(caseFile)])]);
  };

const answer =
  (day: string): Delivery =>
  (db) => {
    const statusDate = `<MarkCurrentStatusDate>${day}</MarkCurrentStatusDate>`;
    return load(db, 'uspto-tsdr', [openText('96.xml', [writeTransaction(writeTrademark({ statusDate }))])]);
  };

const olderAnswer =
  (day: string): Delivery =>
  (db) => {
    const statusDate = `<MarkCurrentStatusDate>${day}-05:00</MarkCurrentStatusDate>`;
    return load(db, 'uspto-tsdr', [openText('66.xml', [writeSt66Answer({ statusDate, status: '700' })])]);
  };

const TABLE_TEXT = 'NEW APPLICATION - RECORD INITIALIZED NOT ASSIGNED TO EXAMINER';

for (const [what, deliveries, expected] of [
  ['the later daily file', [daily('20260102'), answer('2026-01-01')], [TABLE_TEXT, '20260102.2']],
  ['the later answer', [daily('20260102'), answer('2026-01-03')], ['630', '20260103.1']],
  ['of one day the daily file', [daily('20260102'), answer('2026-01-02')], [TABLE_TEXT, '20260102.2']],
  ['the later of two answers', [olderAnswer('2025-12-31'), answer('2026-01-03')], ['630', '20260103.1']],
  ['the latest of three', [olderAnswer('2026-02-01'), answer('2026-01-03'), daily('20260115')], ['700', '20260201.1']],
] as const) {
  test(`where both sources describe a case, ${what} counts, whichever comes first`, async (t) => {
    for (const order of [deliveries, deliveries.toReversed()]) {
      const { db } = await createTestDatabase(t, UNLIMITED);
      for (const deliver of order) await deliver(db);
      const [tm5_status, source_version] = expected;
      assert.deepEqual(await findStored(db), [{ tm5_status, source_version }]);
      // Again, and nothing changes.
      const before = await dumpContent(db);
      for (const deliver of order) await deliver(db);
      assert.equal(await dumpContent(db), before);
    }
  });
}

test('a Canadian mark that is removed by its number alone stays as it was last stated [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const number = '<ST13ApplicationNumber>300000010269700</ST13ApplicationNumber>';
  const run = async (parts: TrademarkParts): Promise<number[]> => {
    const mark = writeTrademark({ office: 'CA', number, ...parts });
    return countsOf(await load(db, 'st96', [openText('102697-00.xml', [writeApplication(mark)])]));
  };
  const status = '<MarkCurrentStatusCode>Registration published</MarkCurrentStatusCode>';
  const body = '<RegistrationNumber>TMA000001</RegistrationNumber>';
  assert.deepEqual(await run({ status, body }), [1, 1, 0, 0, 0]);
  const find = async (): Promise<unknown> => {
    const [row] = await db.query<{ detail: string; document: string }>(
      sql`select detail, document from record join payload using (jurisdiction_code, uid)`,
    );
    const { status: stored, registration_number } = JSON.parse(row?.detail ?? '{}');
    return [stored, registration_number, JSON.parse(row?.document ?? '{}').events];
  };
  assert.deepEqual(await find(), ['Registered', 'TMA000001', null]);
  const removal = { status: '', attributes: 'operationCategory="Delete"' };
  assert.deepEqual(await run(removal), [1, 0, 1, 0, 0]);
  assert.deepEqual(await find(), ['Registered', 'TMA000001', [{ kind: 'removal', code: 'Delete' }]]);
  assert.deepEqual(await run(removal), [1, 0, 0, 1, 0]);
});

test('a real case goes on from its archive in ST.66 to its answer in ST.96, and never back', {
  skip: skipWithout(TSDR, 'sn76044902.zip'),
}, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const run = async (name: string): Promise<number[]> =>
    countsOf(await load(db, 'uspto-tsdr', [await openSource(join(REAL_DATA, TSDR, name))]));
  assert.deepEqual(await run('sn76044902.zip'), [1, 1, 0, 0, 0]);
  const [older] = await findStored(db);
  assert.equal(older?.source_version, '20100908.1');
  assert.deepEqual(await run('sn76044902-ST96.xml'), [1, 0, 1, 0, 0]);
  assert.deepEqual(await run('sn76044902.zip'), [1, 0, 0, 1, 0]);
  const [newer] = await findStored(db);
  assert.deepEqual(newer, { tm5_status: 'The registration has been renewed.', source_version: '20140210.1' });
});
