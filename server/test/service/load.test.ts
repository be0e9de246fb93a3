/** What a load leaves in the database: records, counts, rejects, issues, history. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import { systemClock } from '../../src/base/clock.ts';
import { OperatorError } from '../../src/base/errors.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { StatementOverTime } from '../../src/database/driver/failures.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { generateLines } from '../../src/generator/generate.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { listLoads } from '../../src/store/publish/loads.ts';
import { digestOf } from '../../src/store/publish/verification.ts';
import { listRegisters } from '../../src/store/records/registers.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { countsOf, dumpContent, listStages, loadRecords, loadSources, loadText, UNLIMITED } from '../support/loads.ts';
import { runOnParts } from '../support/nodes.ts';
import { openText } from '../support/texts.ts';

const ACME = {
  jurisdiction_code: 'xa',
  uid: 'XA-1',
  status: 'Registered',
  mark_name: 'Café ACME',
  mark_name_variants: ['アクメ', 'Акме'],
  owner_names: ['Acme  Inc.', 'アクメ株式会社'],
  owner_countries: ['us'],
  nice_classes: [42, 9],
  payload: { parties: [{ name: 'Acme Inc.', role: 'owner' }, { name: 'Bravo' }], note: 'é' },
};

async function findDetail(db: Queryable, uid: string): Promise<Record<string, unknown>> {
  const [row] = await db.query<{ detail: string }>(sql`select detail from record where uid = ${uid}`);
  return JSON.parse(row?.detail ?? 'null');
}

async function listVersions(db: Queryable): Promise<object[]> {
  return await db.query(sql`select uid, xmin::text as version, updated_at from record order by uid`);
}

test('a record is delivered as it was loaded, with the stamps of its publish [2.2, I-31]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [ACME]);
  const first = await findDetail(db, 'XA-1');
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
  assert.equal(Object.keys(first).length, 30);
  assert.match(String(first.updated_at), instant);
  assert.equal(first.first_seen_at, first.updated_at);
  assert.equal(first.record_update_date, String(first.updated_at).slice(0, 10));
  assert.deepEqual(first.owner_names, ['acme inc.', 'アクメ株式会社']);
  assert.deepEqual(first.nice_classes, [9, 42]);
  await loadRecords(db, [{ ...ACME, status: 'Cancelled' }]);
  const second = await findDetail(db, 'XA-1');
  assert.equal(second.first_seen_at, first.first_seen_at);
  assert.match(String(second.updated_at), instant);
  assert.ok(String(second.updated_at) > String(first.updated_at));
  assert.deepEqual({ ...second, status: 'Registered', updated_at: first.updated_at }, first);
  const [stamps] = await db.query<{ equal: boolean }>(sql`
    select updated_at = (detail::json->>'updated_at')::timestamptz
      and first_seen_at = (detail::json->>'first_seen_at')::timestamptz as equal from record`);
  assert.equal(stamps?.equal, true);
});

test('a reload of the same content, however written, touches nothing [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [ACME, { ...ACME, uid: 'XA-2', payload: null }]);
  const before = await listVersions(db);
  const rewritten = [
    {
      record_update_date: '2031-01-01',
      payload: { note: 'e\u0301', parties: [{ role: 'owner', name: 'Acme Inc.' }, { name: 'Bravo' }], gone: null },
      nice_classes: [9, 42, 9],
      vienna_codes: [],
      expiry_date: null,
      owner_names: ['ACME INC.', 'アクメ株式会社'],
      owner_countries: ['US'],
      mark_name_variants: ['アクメ', 'Акме', 'アクメ'],
      mark_name: 'Cafe\u0301 ACME',
      status: 'registered',
      uid: 'XA-1',
      jurisdiction_code: 'XA',
    },
    { ...ACME, uid: 'XA-2', payload: null },
  ];
  const report = await loadRecords(db, rewritten);
  assert.deepEqual(countsOf(report), [2, 0, 0, 2, 0]);
  assert.deepEqual(report.issues, { service_field: 1 });
  assert.deepEqual(await listVersions(db), before);
  const changed = await loadRecords(db, [rewritten[0] as object, { ...ACME, uid: 'XA-2' }]);
  assert.deepEqual(countsOf(changed), [2, 0, 1, 1, 0]);
});

test('a payload comes, changes and goes with its record', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const payloads = async (): Promise<(string | null)[]> =>
    (await db.query<{ document: string }>(sql`select document from payload order by uid`)).map((row) => row.document);
  await loadRecords(db, [ACME, { ...ACME, uid: 'XA-2', payload: {} }]);
  assert.deepEqual(await payloads(), [JSON.stringify(ACME.payload), '{}']);
  await loadRecords(db, [{ ...ACME, payload: { note: 'new' } }]);
  assert.deepEqual(await payloads(), ['{"note":"new"}', '{}']);
  const report = await loadRecords(db, [{ ...ACME, payload: null }]);
  assert.deepEqual(countsOf(report), [1, 0, 1, 0, 0]);
  assert.deepEqual(await payloads(), ['{}']);
});

test('the last line of a record wins, and lines it supersedes count as unchanged', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const versions = ['Pending', 'Abandoned', 'Registered'].map((status) => ({ ...ACME, status }));
  const first = await loadRecords(db, [...versions, { ...ACME, uid: 'XA-2' }]);
  assert.deepEqual(countsOf(first), [4, 2, 0, 2, 0]);
  assert.deepEqual([first.superseded, first.issues], [2, { superseded: 2 }]);
  assert.equal((await findDetail(db, 'XA-1')).status, 'Registered');
  const before = await listVersions(db);
  assert.deepEqual(countsOf(await loadRecords(db, [...versions, { ...ACME, uid: 'XA-2' }])), [4, 0, 0, 4, 0]);
  assert.deepEqual(await listVersions(db), before);
});

test('a rejected line goes unchanged to the rejects file and the database, and the rest loads', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const bad = ['{"jurisdiction_code":"XA","uid":"2"}', 'not  json\t"', '{"jurisdiction_code":"XA","uid":"4","a":1}'];
  const text = `${JSON.stringify(ACME)}\n${bad[0]}\n${bad[1]}\r\n\n${bad[2]}`;
  const report = await loadText(db, text, { rejectsPath: join(folder, 'made/{load}.txt') });
  assert.deepEqual(countsOf(report), [4, 1, 0, 0, 3]);
  assert.equal(report.rejects_file, join(folder, 'made', `${report.load_id}.txt`));
  assert.equal(
    readFileSync(report.rejects_file, 'utf8'),
    `# test.ndjson, line 2: status is missing\n${bad[0]}\n` +
      `# test.ndjson, line 3: the line is not valid JSON\n${bad[1]}\n` +
      `# test.ndjson, line 5: unknown field "a"\n${bad[2]}\n`,
  );
  const rows = await db.query(sql`
    select ordinal, position, reason, convert_from(raw, 'UTF8') as raw from load_reject
    where load_id = ${report.load_id} order by ordinal`);
  assert.deepEqual(rows, [
    { ordinal: 1, position: 'test.ndjson, line 2', reason: 'status is missing', raw: bad[0] },
    { ordinal: 2, position: 'test.ndjson, line 3', reason: 'the line is not valid JSON', raw: bad[1] },
    { ordinal: 3, position: 'test.ndjson, line 5', reason: 'unknown field "a"', raw: bad[2] },
  ]);
  const clean = await loadRecords(db, [ACME], { rejectsPath: join(folder, 'named.txt'), keepRejectsFile: true });
  assert.equal(clean.rejects_file, join(folder, 'named.txt'));
  assert.equal(readFileSync(join(folder, 'named.txt'), 'utf8'), '');
});

test('the lines of a reload that differ are stored, or rejected with their place in the file', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const other = { ...ACME, uid: 'XA-2' };
  await loadRecords(db, [ACME, other, { ...ACME, uid: 'XA-3' }]);
  const tooLarge = { ...ACME, uid: 'XA-3', payload: { note: 'x'.repeat(PAYLOAD_BYTES_MAX) } };
  const report = await loadRecords(db, [ACME, { ...other, mark_name: 'Bravo' }, tooLarge]);
  assert.deepEqual(countsOf(report), [3, 0, 1, 1, 1]);
  assert.equal((await findDetail(db, 'XA-2')).mark_name, 'Bravo');
  const stated = Buffer.from(JSON.stringify(tooLarge))
    .subarray(0, 64 * 1024)
    .toString();
  const rows = await db.query(sql`select position, convert_from(raw, 'UTF8') = ${stated} as as_stated from load_reject
    where load_id = ${report.load_id}`);
  assert.deepEqual(rows, [{ position: 'test.ndjson, line 3', as_stated: true }]);
});

/** The digests that publishes kept fit the records; resolves to them. */
async function checkDigests(db: Queryable): Promise<unknown[]> {
  const kept = await db.query(sql`
    select jurisdiction_code, updated_at, record_count, digest from publish_digest order by jurisdiction_code`);
  const wanted = await db.query(sql`
    select jurisdiction_code, updated_at, count(*)::int4 as record_count, bit_xor(${digestOf(sql`detail`)}) as digest
    from record group by jurisdiction_code, updated_at order by jurisdiction_code`);
  assert.deepEqual(kept, wanted);
  return kept;
}

test('a first load leaves digests that add up to its records, with superseded lines and several registers', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const records = ['1', '2', '3', '2'].map((uid, position) => ({ ...ACME, uid, mark_name: `mark ${position}` }));
  const report = await loadRecords(db, [...records, { ...ACME, jurisdiction_code: 'XB', payload: null }]);
  assert.deepEqual(countsOf(report), [5, 4, 0, 1, 0]);
  const kept = await checkDigests(db);
  assert.equal(kept.length, 2);
  const [payloads] = await db.query(sql`select count(*)::int4 as count from payload`);
  assert.deepEqual(payloads, { count: 3 });
});

test('a first load leaves its records in the order of the feed, and nothing staged', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const awkward = 'tab\t back\\slash \n "quoted" é 株式会社 🦊';
  const uids = ['b', 'a', `é${awkward}`, 'B', '🦊'];
  const records = uids.flatMap((uid) => [
    { ...ACME, uid, jurisdiction_code: 'XB', mark_name: awkward, payload: null },
    { ...ACME, uid },
  ]);
  const report = await loadRecords(db, records);
  assert.deepEqual(await listStages(db), []);
  assert.deepEqual(countsOf(report), [10, 10, 0, 0, 0]);
  const ordered = await db.query<{ name: string }>(sql`
    select jurisdiction_code || '/' || uid as name from record order by jurisdiction_code, uid`);
  const names = ordered.map(({ name }) => name);
  const parts = await runOnParts(
    db,
    'record',
    (part) => sql`
    select coalesce(json_agg(jurisdiction_code || '/' || uid order by ctid), '[]')::text as result from ${part}`,
  );
  const places = parts.map((part) => JSON.parse(part) as string[]);
  assert.equal(places.flat().length, names.length);
  for (const held of places) {
    assert.deepEqual(
      held,
      names.filter((name) => held.includes(name)),
    );
  }
  const wrong = await db.query(sql`
    select uid from record where updated_at <> first_seen_at
      or updated_at <> (detail::json->>'updated_at')::timestamptz
      or first_seen_at <> (detail::json->>'first_seen_at')::timestamptz`);
  assert.deepEqual(wrong, []);
  await checkDigests(db);
  const payloads = await db.query(sql`
    select jurisdiction_code, count(*)::int4 as count, min(document) as document from payload group by 1`);
  assert.deepEqual(payloads, [{ jurisdiction_code: 'XA', count: 5, document: JSON.stringify(ACME.payload) }]);
  const before = await listVersions(db);
  assert.deepEqual(countsOf(await loadRecords(db, records)), [10, 0, 0, 10, 0]);
  assert.deepEqual(await listVersions(db), before);
});

test('records that another load stores while a first one reads or publishes are compared with it', async (t) => {
  const lines = [...generateLines({ records: 6000, seed: 'race', payload: 'none' })].map((line) =>
    line.replace(/"jurisdiction_code":"[A-Z]+"/, '"jurisdiction_code":"XA"'),
  );
  const { db: calm } = await createTestDatabase(t, UNLIMITED);
  await loadText(calm, lines.join(''));
  const other = (at: number): string =>
    (lines[at] as string).replace(/"mark_name":("[^"]*"|null)/, '"mark_name":"Other"');
  for (const [wanted, overtaking] of chooseCases([
    ['staged', [lines[10] as string, other(20), other(5990)]],
    ['committed', [lines[5980] as string, other(5990)]],
  ] as const)) {
    const { db: raced } = await createTestDatabase(t, UNLIMITED);
    let done = false;
    const blocks = [0, 1, 2, 3, 4, 5].map((at) => lines.slice(at * 1000, at * 1000 + 1000).join(''));
    const report = await loadSources(raced, {
      sources: [openText('test.ndjson', blocks)],
      onStep: async (step) => {
        if (step !== wanted || done) return;
        done = true;
        await loadText(raced, overtaking.join(''));
      },
    });
    const changed = overtaking.length - 1;
    assert.deepEqual(countsOf(report), [6000, 6000 - overtaking.length, changed, 1, 0], wanted);
    assert.equal(await dumpContent(raced), await dumpContent(calm), wanted);
    assert.deepEqual(await listStages(raced), []);
  }
});

test('counts of registers and history are exact, and the frontier never moves back [4.7, I-27]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const records = [ACME, { ...ACME, uid: 'XA-2' }, { ...ACME, jurisdiction_code: 'XB' }];
  const current = '2026-03-01T00:00:00.000000Z';
  const report = await loadRecords(db, records, { currentThrough: current });
  assert.deepEqual(report.registers, ['XA', 'XB']);
  const registers = [
    { jurisdiction_code: 'XA', record_count: 2, data_current_through: current },
    { jurisdiction_code: 'XB', record_count: 1, data_current_through: current },
  ];
  assert.deepEqual(await listRegisters(db), registers);
  const later = '2026-04-01T00:00:00.000000Z';
  await loadRecords(db, [ACME], { currentThrough: later });
  await loadRecords(db, [ACME], { currentThrough: current });
  assert.deepEqual(await listRegisters(db), [{ ...registers[0], data_current_through: later }, registers[1]]);
  const loads = await listLoads(db, { limitMax: 10 });
  assert.deepEqual(
    loads.map((load) => [load.state, load.read, load.new, load.changed, load.unchanged, load.rejected]),
    [
      ['finished', 1, 0, 0, 1, 0],
      ['finished', 1, 0, 0, 1, 0],
      ['finished', 3, 3, 0, 0, 0],
    ],
  );
  assert.deepEqual(await listStages(db), []);
});

test('a file that breaks off publishes nothing, and the history says why', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const path = join(folder, 'cut.ndjson.gz');
  const packed = gzipSync([...generateLines({ records: 2000, seed: 'cut', payload: 'none' })].join(''));
  writeFileSync(path, packed.subarray(0, packed.length - 200));
  const whole = openText('whole.ndjson', [JSON.stringify(ACME)]);
  await assert.rejects(loadSources(db, { sources: [whole, await openSource(path)] }), (error) => {
    assert.ok(error instanceof OperatorError && error.exitStatus === 1);
    assert.equal(error.message, `cannot read ${path}: it is truncated`);
    return true;
  });
  assert.equal(await dumpContent(db), '');
  assert.deepEqual(await listStages(db), []);
  const [load] = await listLoads(db, { limitMax: 1 });
  assert.deepEqual([load?.state, load?.failure], ['failed', `cannot read ${path}: it is truncated`]);
});

test('a database that goes away during a load is named as such, and the load can be run again', async (t) => {
  const { db, url } = await createTestDatabase(t, UNLIMITED);
  const other = await connectTestDatabase(url);
  const lost = loadRecords(db, [ACME], {
    onStep: async (step) => {
      if (step !== 'settled') return;
      await other.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
      throw new NoAnswer('database_away');
    },
  });
  await assert.rejects(lost, (error) => {
    assert.ok(error instanceof OperatorError && error.exitStatus === 1);
    assert.match(error.message, /^the connection to the database was lost; load the same files again when it is back/);
    return true;
  });
  assert.deepEqual(countsOf(await loadRecords(db, [ACME])), [1, 1, 0, 0, 0]);
  assert.deepEqual(await listStages(db), []);
  await other.close();
});

test('a rejects file that cannot be written stops the load before it reads', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const rejectsPath = join(folder, 'file', 'rejects.txt');
  await assert.rejects(
    loadRecords(db, [ACME], { rejectsPath, keepRejectsFile: true }),
    /cannot write the rejects file/,
  );
  assert.equal(existsSync(rejectsPath), false);
  assert.equal(await dumpContent(db), '');
});

test('a rejects file whose disk is full ends the load with a sentence that names it, whatever was written last', {
  skip: existsSync('/dev/full') ? false : 'only Linux has a file whose disk is always full',
}, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  // The first is noticed when the file is closed, the second while more is written.
  for (const bytes of [10, 100_000]) {
    const text = `{"no record":"${'x'.repeat(bytes)}"}\n`.repeat(20);
    await assert.rejects(loadText(db, text, { rejectsPath: '/dev/full' }), {
      name: 'OperatorError',
      message: 'cannot write the rejects file /dev/full: its disk is full; make room there, or choose another place',
    });
  }
});

test('two threads load what one loads, in the same order of lines', { timeout: 300_000 }, async (t) => {
  const { db: one } = await createTestDatabase(t, UNLIMITED);
  const { db: two } = await createTestDatabase(t, UNLIMITED);
  const lines = [...generateLines({ records: 7000, seed: 'threads', payload: 'none' })];
  // The same identities again with other content, rejects in between: order decides what stays.
  const again = lines.slice(0, 1500).map((line) => line.replace(/"mark_name":"/, '"mark_name":"Again '));
  const parts = [...lines, 'no record\n', ...again, 'neither\n'];
  assert.ok(parts.join('').length > 4.5 * 1024 * 1024, 'large enough for threads');
  const small = Array.from({ length: 8 }, (_, at) => parts.slice(at * 1100, (at + 1) * 1100).join(''));
  for (const part of small) await loadText(one, part);
  const report = await loadText(two, parts.join(''));
  assert.deepEqual([report.read, report.rejected, report.new], [8502, 2, 7000]);
  assert.equal(report.superseded, 1500);
  assert.equal(await dumpContent(two), await dumpContent(one));
  const before = await listVersions(two);
  assert.deepEqual(countsOf(await loadText(two, parts.join(''))), [8502, 0, 0, 8500, 2]);
  assert.deepEqual(await listVersions(two), before);
});

test('a publish that was too slow ten times in a row is retried, and the load continues', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  let slow = 10;
  const onStep = async (step: string): Promise<void> => {
    if (step !== 'written' || slow === 0) return;
    slow -= 1;
    throw new StatementOverTime();
  };
  const clock = { ...systemClock, sleep: async () => undefined };
  const report = await loadRecords(db, [ACME], { onStep, clock });
  assert.deepEqual([report.new, slow], [1, 0]);
});
