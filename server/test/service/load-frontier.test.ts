/** What moves the frontier of a register, and what does not (rule I-37). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import type { LoadOptions } from '../../src/load/run.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { listRegisters } from '../../src/store/records/registers.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { loadSources, loadText, UNLIMITED } from '../support/loads.ts';
import { openText } from '../support/texts.ts';
import { buildZip } from '../support/zip.ts';

const RECORD = '{"jurisdiction_code":"XA","uid":"1","status":"Registered"}\n';
const EARLIER = '2026-01-01T00:00:00.000000Z';
const LATER = '2026-02-01T00:00:00.000000Z';

async function listFrontiers(db: Queryable): Promise<Record<string, string | null>> {
  const registers = await listRegisters(db);
  return Object.fromEntries(registers.map((each) => [each.jurisdiction_code, each.data_current_through]));
}

function loadDaily(db: Database, dataAvailable: string, options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  const format = findFormat('uspto-apc');
  if (format === null) throw new Error('no uspto-apc format');
  const text = `<trademark-applications-daily><creation-datetime>202602010000</creation-datetime>
    <application-information>${dataAvailable}</application-information></trademark-applications-daily>`;
  return loadSources(db, { sources: [openText('apc.xml', [text])], format, ...options });
}

const isFailure = (error: unknown): boolean =>
  error instanceof OperatorError && error.exitStatus === 1 && /holds no records .*--allow-empty/.test(error.message);

test('a delivery that states that it holds no records moves the frontier, of a new register too [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const silent = '<data-available-code>N</data-available-code>';
  assert.equal((await loadDaily(db, silent)).current_through, LATER);
  assert.deepEqual(await listFrontiers(db), { US: LATER });
  const named = '2026-03-01T00:00:00.000000Z';
  assert.equal((await loadDaily(db, silent, { currentThrough: named })).current_through, named);
  assert.deepEqual(await listFrontiers(db), { US: named });
  assert.equal((await loadDaily(db, silent)).current_through, null, 'never back, and it says so');
  assert.deepEqual(await listFrontiers(db), { US: named });
});

test('a file in which nothing is found and nothing says so fails, unless it may be empty [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await assert.rejects(loadDaily(db, ''), isFailure);
  await assert.rejects(loadDaily(db, '<data-available-code>Y</data-available-code>'), isFailure);
  for (const text of ['', ' \n\r\n', '\ufeff\n']) await assert.rejects(loadText(db, text), isFailure);
  const full = openText('full.ndjson', [RECORD]);
  await assert.rejects(loadSources(db, { sources: [full, openText('empty.ndjson', [])] }), isFailure);
  assert.deepEqual(await listFrontiers(db), {});
  const options = { allowEmpty: true, register: 'XA', currentThrough: EARLIER };
  const report = await loadText(db, '', options);
  assert.deepEqual([report.read, report.current_through], [0, EARLIER]);
  assert.deepEqual(await listFrontiers(db), { XA: EARLIER });
  const nowhere = await loadText(db, '', { allowEmpty: true, currentThrough: LATER });
  assert.equal(nowhere.current_through, null, 'no register was named');
});

test('a load with rejects leaves the frontier, unless the operator accepts them [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadText(db, RECORD, { currentThrough: EARLIER });
  const mixed = `${RECORD}no record\n`;
  assert.equal((await loadText(db, mixed, { currentThrough: LATER })).current_through, null);
  assert.deepEqual(await listFrontiers(db), { XA: EARLIER });
  const accepted = await loadText(db, mixed, { currentThrough: LATER, acceptRejects: true });
  assert.deepEqual([accepted.current_through, accepted.rejected], [LATER, 1]);
  assert.deepEqual(await listFrontiers(db), { XA: LATER });
  assert.equal((await loadText(db, RECORD, { currentThrough: LATER })).current_through, LATER, 'unchanged is stored');
});

test('an archive without files is an empty delivery; one of other files is not, whatever may be empty [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const loadArchive = async (members: string[], options: Partial<LoadOptions>): Promise<LoadReport> => {
    const path = join(folder, 'delivery.zip');
    writeFileSync(path, buildZip(members.map((name) => ({ name, text: '' }))));
    const format = findFormat('euipo');
    if (format === null) throw new Error('no euipo format');
    return await loadSources(db, { sources: [await openSource(path)], format, currentThrough: EARLIER, ...options });
  };
  for (const members of [[], ['EUTM/', 'EUTM/018/']]) await assert.rejects(loadArchive(members, {}), isFailure);
  assert.deepEqual(await listFrontiers(db), {});
  const report = await loadArchive([], { allowEmpty: true });
  assert.deepEqual([report.read, report.current_through, report.registers], [0, EARLIER, []]);
  assert.deepEqual(await listFrontiers(db), { EM: EARLIER });
  await loadArchive(['EUTM/', 'EUTM/018/'], { allowEmpty: true, currentThrough: LATER });
  assert.deepEqual(await listFrontiers(db), { EM: LATER });
  const others = ['readme.txt', 'EUTM/', 'EUTM/marks.csv'];
  await assert.rejects(
    loadArchive(others, { allowEmpty: true }),
    (error) =>
      error instanceof OperatorError &&
      /holds no file that euipo .* readme\.txt, EUTM\/marks\.csv$/.test(error.message),
  );
});

test('a member that is rejected leaves the frontier, and the rest of its archive is stored [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const path = join(makeFolder(t), 'delivery.zip');
  const members = ['', RECORD, '<html>\n<p>try later</p></html>\n'].map((text, at) => ({ name: `${at}.ndjson`, text }));
  writeFileSync(path, buildZip(members));
  const load = async (options: Partial<LoadOptions>): Promise<LoadReport> =>
    loadSources(db, { sources: [await openSource(path)], currentThrough: LATER, ...options });
  const first = await load({});
  assert.deepEqual([first.read, first.new, first.rejected, first.current_through], [3, 1, 2, null]);
  assert.deepEqual(await listFrontiers(db), { XA: null });
  const again = await load({ acceptRejects: true });
  assert.deepEqual([again.unchanged, again.rejected, again.current_through], [1, 2, LATER]);
});
