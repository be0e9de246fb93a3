/** ST.66 files of several offices through the whole pipeline. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import { EUROPEAN_RECORD, FRENCH_NOTICE, GERMAN_RECORD } from '../support/st66-fixtures.ts';
import { openText } from '../support/texts.ts';
import { writeTransaction } from '../support/trade-mark.ts';
import { buildZip } from '../support/zip.ts';

const FIXTURES = [EUROPEAN_RECORD, GERMAN_RECORD, FRENCH_NOTICE];

function load(db: Database, texts: readonly string[], register: string | null = null): Promise<LoadReport> {
  const sources = texts.map((text, index) => openText(`${index}.xml`, [text]));
  return loadSources(db, { sources, format: st66Format, register });
}

/** The fields of the only record, without the stamps of the service. */
async function readFields(db: Database): Promise<Record<string, unknown>> {
  const [row] = await db.query<{ detail: string }>(sql`select detail from record`);
  const {
    first_seen_at: _seen,
    updated_at: _updated,
    record_update_date: _date,
    ...fields
  } = JSON.parse(row?.detail ?? '{}');
  return fields;
}

test('marks of three offices come into three registers, and again without a change [2.1, 4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const first = await load(db, FIXTURES);
  assert.deepEqual(
    [countsOf(first), first.registers, first.issues],
    [[3, 3, 0, 0, 0], ['DE', 'EM', 'FR'], { waiting_party: 1 }],
  );
  assert.deepEqual(await db.query(sql`select jurisdiction_code, uid from record order by uid`), [
    { jurisdiction_code: 'DE', uid: 'DE50000000Q900001' },
    { jurisdiction_code: 'EM', uid: 'EM500000018000001' },
    { jurisdiction_code: 'FR', uid: 'FR500000005000001' },
  ]);
  const before = await dumpContent(db);
  assert.deepEqual(countsOf(await load(db, FIXTURES)), [3, 0, 0, 3, 0]);
  assert.equal(await dumpContent(db), before);
});

test('an older British file does not undo a newer one, in whatever zone they are dated', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const write = (status: string, producedAt: string): string =>
    writeTransaction(
      { office: 'GB', number: 'UK00003000001', status: `<MarkCurrentStatusCode>${status}</MarkCurrentStatusCode>` },
      producedAt,
    );
  const run = async (status: string, producedAt: string): Promise<number[]> =>
    countsOf(await load(db, [write(status, producedAt)]));
  assert.deepEqual(await run('Registered', '2026-01-02T10:00:00.5Z'), [1, 1, 0, 0, 0]);
  assert.deepEqual(await run('Application Published', '2026-01-02T10:30:00+01:00'), [1, 0, 0, 1, 0]);
  assert.deepEqual(await run('Expired', '2026-01-02T10:00:00.75Z'), [1, 0, 1, 0, 0]);
  // The same instant, so what came last counts.
  assert.deepEqual(await run('Registered', '2026-01-02T12:00:00.750+02:00'), [1, 0, 1, 0, 0]);
  assert.deepEqual(await run('Expired', '2026-01-02T12:00:00.7500001+02:00'), [1, 0, 1, 0, 0]);
  assert.deepEqual(await db.query(sql`select detail::json ->> 'status' as status from record`), [
    { status: 'Cancelled' },
  ]);
});

test('a notice that another office passes on takes nothing from the record of the office itself [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, [EUROPEAN_RECORD]);
  const before = await readFields(db);
  const passedOn = `<TradeMark operationCode="Insert"><RegistrationOfficeCode>EM</RegistrationOfficeCode>
    <ApplicationNumber>018000001</ApplicationNumber><MarkCurrentStatusCode>Expired</MarkCurrentStatusCode></TradeMark>`;
  assert.deepEqual(countsOf(await load(db, [passedOn])), [1, 0, 1, 0, 0]);
  // The day belonged to the previous status.
  assert.deepEqual(await readFields(db), { ...before, status: 'Cancelled', tm5_status: 'Expired', status_date: null });
  assert.deepEqual(countsOf(await load(db, [passedOn])), [1, 0, 0, 1, 0]);
});

test('nothing is stored of files that are refused', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const isRefusal =
    (message: RegExp) =>
    (error: unknown): boolean =>
      error instanceof OperatorError && error.exitStatus === 1 && message.test(error.message);
  await assert.rejects(
    load(db, [GERMAN_RECORD, writeTransaction({ office: 'XX' })]),
    isRefusal(/^1\.xml: the mark is of the register XX; st66 reads EM, GB, SE, DE, FR, RO, WO$/),
  );
  await assert.rejects(load(db, [GERMAN_RECORD], 'FR'), isRefusal(/^0\.xml: .* not of FR as --register says$/));
  assert.equal(await dumpContent(db), '');
});

test('a member of an archive that is of another office is rejected, and the rest loads', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const path = join(folder, 'marks.zip');
  const members = [writeTransaction({ office: 'XX' }), GERMAN_RECORD, FRENCH_NOTICE];
  writeFileSync(path, buildZip(members.map((text, index) => ({ name: `${index}.xml`, text }))));
  const report = await loadSources(db, {
    sources: [await openSource(path)],
    format: st66Format,
    rejectsPath: join(folder, 'rejects.txt'),
  });
  assert.deepEqual(
    [countsOf(report), report.registers],
    [
      [3, 2, 0, 0, 1],
      ['DE', 'FR'],
    ],
  );
  assert.match(
    readFileSync(join(folder, 'rejects.txt'), 'utf8'),
    /^# marks\.zip\/0\.xml, line 7: the mark is of the register XX; st66 reads EM, GB, SE, DE, FR, RO, WO\n<TradeMark /,
  );
});
