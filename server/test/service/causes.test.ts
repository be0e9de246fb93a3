/** Why a version was replaced, as loads of register files record it, and which files it came from. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { Format } from '../../src/load/formats/format.ts';
import { inpiBrFormat } from '../../src/load/formats/inpi-br/adapter.ts';
import { jpoFormat } from '../../src/load/formats/jpo/adapter.ts';
import { ndjsonFormat } from '../../src/load/formats/ndjson.ts';
import { euipoFormat } from '../../src/load/formats/st66/adapter.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import type { Source } from '../../src/load/sources/source.ts';
import { createTestDatabase } from '../support/database.ts';
import { PROCESS, writeJournal, writeProcess } from '../support/inpi-br.ts';
import { APPLICATION, REGISTRATION } from '../support/japanese-rows.ts';
import { countsOf, loadRecords, loadSources, renderLines, UNLIMITED } from '../support/loads.ts';
import { writeKeys, writePartyFile } from '../support/party-file.ts';
import { REGISTER_FIXTURES } from '../support/register-fixtures.ts';
import { FULL_ST66_CASE } from '../support/st96.ts';
import { openFiles, openSet, writeSet } from '../support/tables.ts';
import { openText } from '../support/texts.ts';
import { type MarkParts, writeTransaction } from '../support/trade-mark.ts';
import { listVersions } from '../support/versions.ts';

async function createDatabase(t: TestContext): Promise<Database> {
  return (await createTestDatabase(t, UNLIMITED)).db;
}

/** The causes of the versions of the only record that has several. */
async function listCauses(db: Queryable): Promise<string[]> {
  return (await listVersions(db)).map(({ cause }) => cause);
}

/** As if the program that loads next read the source otherwise than the one that loaded it. */
async function changeReader(db: Queryable): Promise<void> {
  await db.query(sql`update record set content_digest = decode(repeat('00', 16), 'hex'), line_digest = '',
    detail = regexp_replace(regexp_replace(detail, '"status":"[A-Za-z]+"', '"status":"Ended"'),
      '"mark_name":"[^"]+"', '"mark_name":"read otherwise"')`);
}

async function listSourceDigests(db: Queryable): Promise<(string | null)[]> {
  const rows = await db.query<{ digest: string | null }>(
    sql`select encode(source_digest, 'hex') as digest from record order by uid`,
  );
  return rows.map(({ digest }) => digest);
}

function buildLine(uid: string): object {
  return { jurisdiction_code: 'XA', uid, status: 'Pending', mark_name: 'mark' };
}

type Delivery = () => Source[];

const text =
  (...files: string[]): Delivery =>
  () =>
    files.map((file, place) => openText(`${place}.xml`, [file]));

const JOURNALS = [
  writeJournal('2601', '10/11/2020', PROCESS.replace(/<despachos>[\s\S]*<\/despachos>/, '')),
  writeJournal('2602', '17/11/2020', PROCESS),
  writeJournal('2617', '02/03/2021', writeProcess([['IPAS158', 'Concessão de registro']], '')),
] as const;

/** What is loaded first, one load each, and then once more by a changed reader. */
const REREAD: readonly (readonly [title: string, format: Format, loads: readonly Delivery[], again: Delivery])[] = [
  ...REGISTER_FIXTURES.map(({ title, format, file }) => [title, format, [text(file)], text(file)] as const),
  ['lines', ndjsonFormat, [text(renderLines([buildLine('U1')]))], text(renderLines([buildLine('U1')]))],
  ['a Japanese set', jpoFormat, [() => openSet({ ...APPLICATION, ...REGISTRATION })], () => openSet(APPLICATION)],
  ['Brazilian journals', inpiBrFormat, JOURNALS.map((file) => text(file)), text(JOURNALS[1])],
  ['Brazilian journals out of order', inpiBrFormat, JOURNALS.toReversed().map((file) => text(file)), text(...JOURNALS)],
  ['a single Brazilian process', inpiBrFormat, [text(PROCESS)], text(PROCESS)],
];

for (const [title, format, loads, again] of REREAD) {
  test(`the same source read otherwise is a renormalization: ${title}`, async (t) => {
    const db = await createDatabase(t);
    for (const sources of loads) await loadSources(db, { sources: sources(), format });
    const before = await listCauses(db);
    const digests = await listSourceDigests(db);
    assert.ok(digests.every((digest) => digest !== null));
    await changeReader(db);
    await loadSources(db, { sources: again(), format });
    assert.deepEqual(await listCauses(db), [...before, 'renormalization']);
    assert.deepEqual(await listSourceDigests(db), digests);
  });
}

const [EARLY, LATE] = ['2026-01-01T00:00:00', '2026-03-01T00:00:00'] as const;

function loadMark(db: Database, parts: MarkParts, at: string = EARLY) {
  return loadSources(db, { sources: text(writeTransaction(parts, at))(), format: euipoFormat });
}

const NAMED = (name: string): MarkParts => ({
  body: `<WordMarkSpecification><MarkVerbalElementText>${name}</MarkVerbalElementText></WordMarkSpecification>`,
});

test('other content at the same date of the source is a correction, at a later one the office’s, a Delete a removal', async (t) => {
  const db = await createDatabase(t);
  await loadMark(db, NAMED('One'));
  await loadMark(db, NAMED('Two'));
  await loadMark(db, NAMED('Three'), LATE);
  await loadMark(db, { operation: 'Delete', status: '' }, LATE);
  await loadMark(db, NAMED('Three'), '2026-04-01T00:00:00');
  assert.deepEqual(await listCauses(db), ['first', 'correction', 'office', 'removal', 'office']);
});

test('what other files state about a record counts as the office’s, and the record keeps what it was read from', async (t) => {
  const db = await createDatabase(t);
  const mark = { body: writeKeys({ applicants: ['7'], representatives: [] }) };
  await loadMark(db, mark);
  const digests = await listSourceDigests(db);
  const party = writePartyFile({ applicants: [{ key: '7', name: 'Someone' }], producedAt: EARLY });
  await loadSources(db, { sources: text(party)(), format: euipoFormat });
  assert.deepEqual(await listCauses(db), ['first', 'office']);
  assert.deepEqual(await listSourceDigests(db), digests);
  await changeReader(db);
  await loadMark(db, mark);
  assert.deepEqual(await listCauses(db), ['first', 'office', 'renormalization']);
});

test('a record that a whole delivery no longer states is a removal, and the office’s once it is stated again', async (t) => {
  const db = await createDatabase(t);
  const marks = [1, 2, 3].map((at) => buildLine(`U${at}`));
  await loadRecords(db, marks, { register: 'XA' });
  await loadRecords(db, marks.slice(1), { register: 'XA', whole: true });
  await loadRecords(db, marks, { register: 'XA' });
  assert.deepEqual(await listCauses(db), ['first', 'removal', 'office', 'first', 'first']);
});

test('a Japanese mark whose rows the office removes is a removal', async (t) => {
  const db = await createDatabase(t);
  await loadSources(db, { sources: openSet(APPLICATION), format: jpoFormat });
  await loadSources(db, { sources: openFiles(writeSet(APPLICATION, 'del')), format: jpoFormat });
  assert.deepEqual(await listCauses(db), ['first', 'removal']);
});

test('equal content of another source record changes nothing but what it was read from', async (t) => {
  const db = await createDatabase(t);
  await loadMark(db, NAMED('One'));
  const [before] = await listSourceDigests(db);
  const spelt = { body: `<!-- the same -->${NAMED('One').body}` };
  assert.deepEqual(countsOf(await loadMark(db, spelt)), [1, 0, 0, 1, 0]);
  const [after] = await listSourceDigests(db);
  assert.notEqual(after, before);
  assert.deepEqual(await listCauses(db), ['first']);
  await changeReader(db);
  await loadMark(db, spelt);
  assert.deepEqual(await listCauses(db), ['first', 'renormalization']);
});

test('what surrounds a mark in its file is a part of what it was read from', async (t) => {
  const db = await createDatabase(t);
  const load = (file: string) => loadSources(db, { sources: text(file)(), format: usptoTsdrFormat });
  await load(FULL_ST66_CASE);
  await load(FULL_ST66_CASE.replace('Quillfern Growers', 'Fern Growers'));
  assert.deepEqual(await listCauses(db), ['first', 'correction']);
  const [applicants = ''] = /<ApplicantDetails>[\s\S]*<\/ApplicantDetails>/.exec(FULL_ST66_CASE) ?? [];
  const moved = FULL_ST66_CASE.replace(applicants, '').replace('<TradeMarkDetails>', `${applicants}<TradeMarkDetails>`);
  assert.ok(moved.indexOf('Quillfern Growers') < moved.indexOf('<TradeMark>'));
  await load(moved);
  await load(moved.replace('Quillfern Growers', 'Growers'));
  assert.deepEqual(await listCauses(db), ['first', 'correction', 'correction', 'correction']);
});

test('the files of a load are stored before it publishes, and every stamp names its load', async (t) => {
  const db = await createDatabase(t);
  const files = [renderLines([buildLine('U1')]), renderLines([buildLine('U2')])];
  const found: number[] = [];
  const onStep = async (step: string): Promise<void> => {
    if (step === 'begun') found.push((await db.query(sql`select from load_file`)).length);
  };
  const sources = files.map((file, place) => openText(`folder/${place}.ndjson`, [file]));
  const { load_id } = await loadSources(db, { sources, onStep });
  assert.deepEqual(found, [2]);
  const stored = await db.query(sql`
    select load_id, number, name, bytes::float8 as bytes, encode(digest, 'hex') as digest, period
    from load_file order by number`);
  assert.deepEqual(
    stored,
    files.map((file, place) => ({
      load_id,
      number: place + 1,
      name: `${place}.ndjson`,
      bytes: file.length,
      digest: createHash('sha256').update(file).digest('hex'),
      period: null,
    })),
  );
  const unnamed = await db.query(sql`
    select from record left join publish on publish.stamp = record.updated_at
    where publish.load_id is distinct from ${load_id}`);
  assert.equal(unnamed.length, 0);
  await loadSources(db, { sources: files.map((file, place) => openText(`${place}.ndjson`, [file])) });
  assert.equal((await db.query(sql`select from publish`)).length, 1, 'nothing was published by the second load');
});
