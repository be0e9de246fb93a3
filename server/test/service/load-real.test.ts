/** What only the offices' own files can show of the whole pipeline; `real-files.test.ts` loads every one of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { listRegisters } from '../../src/store/records/registers.ts';
import { createTestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import { listEuMarks } from '../support/real-files.ts';
import { openText } from '../support/texts.ts';
import { writeTransaction } from '../support/trade-mark.ts';

const USPTO = 'uspto/apc/apc180218-sample.xml';
const EUIPO = 'euipo/EUTM-sample.zip';

function formatOf(name: string): NonNullable<ReturnType<typeof findFormat>> {
  const format = findFormat(name);
  assert.ok(format !== null, name);
  return format;
}

test('a real daily file moves the frontier to where it says', { skip: skipWithout(USPTO) }, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const sources = [await openSource(join(REAL_DATA, USPTO))];
  const report = await loadSources(db, { sources, format: formatOf('uspto-apc') });
  assert.deepEqual(report.registers, ['US']);
  assert.deepEqual(await listRegisters(db), [
    { jurisdiction_code: 'US', record_count: 11, data_current_through: '2018-02-18T22:08:00.000000Z' },
  ]);
});

test('a removal takes nothing from any real mark, and both commands for EU marks read the same [I-22]', {
  skip: skipWithout(EUIPO),
  timeout: 300_000,
}, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const { paths, marks } = listEuMarks({ withLarge: isFull });
  const load = async (format: string): Promise<number[]> => {
    const sources = await Promise.all(paths.map((path) => openSource(join(REAL_DATA, path))));
    return countsOf(await loadSources(db, { sources, format: formatOf(format) }));
  };
  assert.deepEqual(await load('euipo'), [marks, marks, 0, 0, 0]);
  assert.deepEqual(await load('st66'), [marks, 0, 0, marks, 0]);
  const [row] = await db.query(sql`
    select count(*)::int4 as records, count(document)::int4 as payloads, count(distinct updated_at)::int4 as stamps
    from record left join payload using (jurisdiction_code, uid)`);
  assert.deepEqual(row, { records: marks, payloads: marks, stamps: isFull ? 2 : 1 });
  const before = await listDelivered(db);
  const removals = before.map(({ number }) =>
    openText(`${number}.xml`, [writeTransaction({ operation: 'Delete', number, status: '' }, '2030-01-01T00:00:00')]),
  );
  const removed = await loadSources(db, { sources: removals, format: formatOf('euipo') });
  assert.deepEqual(countsOf(removed), [marks, 0, marks, 0, 0]);
  const removal = { kind: 'removal', code: 'Delete' };
  assert.deepEqual(
    await listDelivered(db),
    before.map((mark) => ({ ...mark, events: [...(mark.events ?? []), removal] })),
  );
});

async function listDelivered(
  db: Queryable,
): Promise<{ number: string; fields: object; document: object; events: object[] | null }[]> {
  const rows = await db.query<{ detail: string; document: string }>(
    sql`select detail, document from record join payload using (jurisdiction_code, uid) order by uid`,
  );
  return rows.map((row) => {
    const { first_seen_at: _seen, updated_at: _updated, record_update_date: _date, ...fields } = JSON.parse(row.detail);
    const { events, ...document } = JSON.parse(row.document);
    return { number: fields.application_number, fields, document, events };
  });
}

test('XML that breaks off after whole records publishes none of them', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const text = [
    '<trademark-applications-daily><application-information><file-segments><action-keys>',
    '<case-file><serial-number>70000001</serial-number><transaction-date>20260101</transaction-date>',
    '<case-file-header><status-code>700</status-code></case-file-header></case-file>',
  ].join('');
  const run = (parts: string[]): Promise<unknown> =>
    loadSources(db, {
      sources: [openText('apc.xml', parts)],
      format: formatOf('uspto-apc'),
      rejectsPath: join(makeFolder(t), '{load}.txt'),
    });
  await assert.rejects(run([text]), (error) => error instanceof OperatorError && error.exitStatus === 1);
  assert.equal(await dumpContent(db), '');
  await run([text, '</action-keys></file-segments></application-information></trademark-applications-daily>']);
  const rows = await db.query(sql`select uid, source_version from record`);
  assert.deepEqual(rows, [{ uid: 'US500000070000001', source_version: '20260101.2' }]);
});
