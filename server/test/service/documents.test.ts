/**
 * Payloads in each place where they can be held: what is served is the same bytes, a move loses none of them however
 * it ends, and a store of objects that fails costs nothing but what needs a payload.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { PAYLOAD_PLACES, type PayloadPlace } from '../../src/base/payload-places.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { checkDocuments, checkObjects, countDocuments } from '../../src/store/documents/check.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import { type MoveStep, movePayloads } from '../../src/upkeep/retention/move-payloads.ts';
import { sweepObjects } from '../../src/upkeep/retention/sweep-objects.ts';
import { backUpStream, restoreStream } from '../support/backups.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases, isFull } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { loadRecords, UNLIMITED } from '../support/loads.ts';
import { startObjects, type TestObjects } from '../support/objects.ts';
import { type startService, startWithKey, type TestService } from '../support/service.ts';
import { makeSnapshot, readLines } from '../support/snapshots.ts';
import { buildRecords, publishRecords, type SourceFields, stageRecords } from '../torture/publish.ts';

type Context = Parameters<typeof startObjects>[0] & Parameters<typeof startService>[0];

/** From each place to each other; the first three lead through all of them. */
const MOVES = ['compressed', 's3', 'database', 's3', 'compressed', 'database'] as const;

const ELSEWHERE = PAYLOAD_PLACES.filter((place) => place !== 'database');

async function startWorld(
  t: Context,
): Promise<{ db: Database; objects: TestObjects; database: { db: Database; url: string } }> {
  const objects = await startObjects(t);
  const database = await createTestDatabase(t, { ...UNLIMITED, objects: objects.store });
  return { db: database.db, objects, database };
}

/** Of the large payload: 2 MB, a quarter of it every day. */
const LARGE_ITEMS = isFull ? 60_000 : 15_000;
const LAST_ITEM = `item ${((LARGE_ITEMS - 1) * 7919) % 60_013}"`;

/** Enough of one register for a dictionary, and what is special about documents. */
function describeRecords(): SourceFields[] {
  const many = buildRecords(60).map((record, at) => ({
    ...record,
    mark_name: `mark ${at}`,
    payload: {
      parties: [{ role: 'owner', names: [{ text: `Öwner “${at}” 株式会社` }] }],
      remarks: [`number ${at * 7919}`],
    },
  }));
  const large = {
    remarks: Array.from({ length: LARGE_ITEMS }, (_, at) => `goods and services, item ${(at * 7919) % 60_013}`),
  };
  return [
    ...many,
    { uid: 'none', payload: null },
    { uid: 'empty', payload: {} },
    { uid: 'large', payload: large },
    { jurisdiction_code: 'XB', uid: 'other', payload: { remarks: ['another register, too small for a dictionary'] } },
  ];
}

/** Versions: one with another payload, one with the same, one that loses it, one that gets one. */
const CHANGES: readonly SourceFields[] = [
  { uid: 'R1', mark_name: 'changed', payload: { remarks: ['another payload'] } },
  { uid: 'R2', mark_name: 'changed', payload: describeRecords()[1]!.payload },
  { uid: 'R3', mark_name: 'changed', payload: null },
  { uid: 'none', mark_name: 'changed', payload: { remarks: ['the first payload'] } },
];

/** Everything that is served with a payload in it, exactly as sent. */
async function readEverything(service: TestService, key: string): Promise<string[]> {
  const answers: string[] = [];
  const read = async (path: string): Promise<{ text: string; body: unknown }> => {
    const answer = await service.call(path, { key });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    answers.push(`${path} ${answer.text}`);
    return answer;
  };
  const v1 = '/records/v1';
  for (const name of ['XA/R1', 'XA/R2', 'XA/R3', 'XA/none', 'XA/empty', 'XA/large', 'XB/other']) {
    const path = `${v1}/${name.replace('/', '/trademarks/')}`;
    await read(`${path}?expand=payload`);
    const { body } = await read(`${path}/history`);
    for (const { version } of (body as { items: { version: string }[] }).items) {
      await read(`${path}/history/${version}?expand=payload`);
    }
  }
  await read(`${v1}/XA/trademarks?expand=payload&limit=50`);
  await read(`${v1}/changes?since=1970-01-01&expand=payload&limit=100`);
  await read(`${v1}/history?since=1970-01-01`);
  return answers;
}

test('what is served is byte for byte the same wherever payloads are, and a move changes nothing [2.2.1, 4.6, I-36]', async (t) => {
  const { db, database, objects } = await startWorld(t);
  const { key, ...service } = await startWithKey(t, { database });
  await publishRecords(db, describeRecords());
  await publishRecords(db, CHANGES);
  const asText = await readEverything(service, key);
  assert.ok(asText.some((answer) => answer.includes(LAST_ITEM)));
  for (const to of isFull ? MOVES : MOVES.slice(0, 3)) {
    const moved = await movePayloads({ db, to, pageRowsMax: 7 });
    assert.equal(moved.documents, 65, to);
    const { held } = await countDocuments(db);
    assert.deepEqual(
      held.map(({ of, place, documents }) => [of, place, documents]),
      [
        ['records', to, 63],
        ['versions', to, 2],
      ],
    );
    assert.deepEqual(await readEverything(service, key), asText, to);
    assert.deepEqual(await movePayloads({ db, to }), { documents: 0, bytes: 0 });
    assert.deepEqual((await checkDocuments(db)).lost, []);
  }
  assert.ok(objects.calls.PUT! >= 65);
});

for (const place of PAYLOAD_PLACES) {
  test(`loads put payloads into ${place}, in a first load and in those that compare [2.2.1, 4.6]`, async (t) => {
    const { db, database } = await startWorld(t);
    const { key, ...service } = await startWithKey(t, { database });
    const records = describeRecords().map((record) => ({ jurisdiction_code: 'XA', status: 'Pending', ...record }));
    await loadRecords(db, records, { payloads: place });
    const read = async (register: string, uid: string): Promise<unknown> => {
      const path = `/records/v1/${register}/trademarks/${uid}?expand=payload`;
      return ((await service.call(path, { key })).body as { payload: unknown }).payload;
    };
    for (const { jurisdiction_code, uid, payload } of records) {
      assert.deepEqual(await read(jurisdiction_code as string, uid as string), payload ?? {}, String(uid));
    }
    const changes = CHANGES.map((record) => ({ jurisdiction_code: 'XA', status: 'Pending', ...record }));
    const report = await loadRecords(db, [...records.slice(10), ...changes], { payloads: place });
    assert.deepEqual([report.new, report.changed], [0, 4]);
    for (const { uid, payload } of changes)
      assert.deepEqual(await read('XA', uid as string), payload ?? {}, String(uid));
    const places = (await countDocuments(db)).held.map((each) => `${each.of} ${each.place} ${each.documents}`);
    assert.deepEqual(places, [`records ${place} 63`, `versions ${place} 2`]);
  });
}

test('a payload that stays is known as the same wherever its versions are held', async (t) => {
  const { db } = await startWorld(t);
  const stay = { uid: 'R1', payload: { remarks: ['it stays'] } };
  let version = 0;
  for (const payloads of ['database', 'compressed', 's3', 'database', 's3', 'compressed'] as const) {
    version += 1;
    await publishRecords(db, [{ ...stay, mark_name: `version ${version}` }], { payloads });
  }
  const [kept] = await db.query<{ versions: number; documents: number }>(sql`
    select count(*)::int4 as versions, count(*) filter (where has_document)::int4 as documents from record_version`);
  assert.deepEqual(kept, { versions: 5, documents: 0 });
});

test('partial records are merged with payloads that are held elsewhere [I-38]', async (t) => {
  for (const payloads of ELSEWHERE) {
    const { db } = await startWorld(t);
    const whole = { uid: 'R1', source_version: '1', payload: { mark: { texts: [{ text: 'A' }] }, remarks: ['kept'] } };
    await publishRecords(db, [whole], { payloads });
    const part = { uid: 'R1', source_version: '2', is_partial: true, payload: { mark: { texts: [{ text: 'B' }] } } };
    await publishRecords(db, [part], { payloads });
    await movePayloads({ db, to: 'database' });
    const rows = await db.query<{ document: string }>(sql`select document from payload`);
    assert.deepEqual(JSON.parse(rows[0]!.document), { mark: { texts: [{ text: 'B' }] }, remarks: ['kept'] }, payloads);
  }
});

test('a snapshot for replicas has the same lines wherever payloads are', async (t) => {
  const { db } = await startWorld(t);
  await publishRecords(db, describeRecords());
  const lines: string[][] = [];
  for (const to of ['database', 'compressed', 's3'] as const) {
    await movePayloads({ db, to });
    const folder = makeFolder(t);
    const { snapshot } = await makeSnapshot(db, folder, { payloads: true });
    const read = snapshot.registers.map((register) => readLines(join(folder, snapshot.id), register));
    lines.push((await Promise.all(read)).flat());
  }
  assert.equal(lines[0]!.length, 64);
  assert.deepEqual(lines[1], lines[0]);
  assert.deepEqual(lines[2], lines[0]);
});

class Killed extends Error {}

test('a move that is killed at any step loses nothing, and the next one goes on from there', async (t) => {
  const { db } = await startWorld(t);
  const records = describeRecords();
  await publishRecords(db, records);
  const readAll = async (): Promise<string[]> => {
    const texts = await Promise.all(['XA', 'XB'].map((register) => readRegister(db, register)));
    return texts.flat();
  };
  const asText = await readAll();
  let total = 0;
  for (const [to, step] of [
    ['compressed', 'read'],
    ['compressed', 'brought'],
    ['compressed', 'moved'],
    ['s3', 'read'],
    ['s3', 'brought'],
    ['s3', 'moved'],
    ['database', 'brought'],
    ['database', 'moved'],
  ] as [PayloadPlace, MoveStep][]) {
    let seen = 0;
    const onStep = async (name: MoveStep): Promise<void> => {
      seen += name === step ? 1 : 0;
      if (seen === 3) throw new Killed();
    };
    await assert.rejects(movePayloads({ db, to, onStep, pageRowsMax: 10 }), Killed);
    total += 1;
    assert.deepEqual(await readAll(), asText, `${to} killed when ${step}`);
    if (step === 'moved') await movePayloads({ db, to });
    assert.deepEqual(await readAll(), asText, `${to} after ${step}`);
  }
  assert.equal(total, 8);
});

/** The payloads of a register, as a snapshot delivers them. */
async function readRegister(db: Database, register: string): Promise<string[]> {
  const { readRegister: read } = await import('../../src/store/snapshots/read-records.ts');
  const texts: string[] = [];
  await db.transaction((tx) =>
    read(tx, { register, after: null, horizon: '9999-01-01T00:00:00.000000Z', payloads: true }, async (portions) => {
      for await (const rows of portions) texts.push(...rows.map(({ document }) => document?.toString() ?? 'null'));
    }),
  );
  return texts;
}

test('what is published during a move stays as published', async (t) => {
  const { db } = await startWorld(t);
  await publishRecords(db, [
    { uid: 'R1', payload: { remarks: ['old'] } },
    { uid: 'R2', payload: { remarks: ['stays'] } },
  ]);
  let isPublished = false;
  const onStep = async (step: MoveStep): Promise<void> => {
    if (step !== 'brought' || isPublished) return;
    isPublished = true;
    await publishRecords(db, [{ uid: 'R1', mark_name: 'new', payload: { remarks: ['new'] } }]);
  };
  await movePayloads({ db, to: 's3', onStep });
  const rows = await readRegister(db, 'XA');
  assert.deepEqual(rows.sort(), ['{"remarks":["new"]}', '{"remarks":["stays"]}']);
  const { held } = await countDocuments(db);
  assert.deepEqual(
    held.map(({ of, place, documents }) => [of, place, documents]),
    [
      ['records', 's3', 2],
      ['versions', 's3', 1],
    ],
  );
});

/** Rule I-35. */
const TOLD_MS_MAX = 3_000;

for (const fault of chooseCases(['gone', 'error', 'busy', 'hang', 'cut', 'stall', 'trickle', 'lie'] as const)) {
  test(`a store of objects that answers with ${fault} costs what needs a payload, within three seconds, and nothing else [I-35]`, async (t) => {
    const { db, database, objects } = await startWorld(t);
    const { key, ...service } = await startWithKey(t, { database });
    await publishRecords(db, describeRecords(), { payloads: 's3' });
    await publishRecords(db, CHANGES, { payloads: 's3' });
    const v1 = '/records/v1';
    const path = `${v1}/XA/trademarks/R5`;
    const { body: history } = await service.call(`${v1}/XA/trademarks/R1/history`, { key });
    const { version } = (history as { items: { version: string }[] }).items.at(-1)!;
    const needing = [
      `${path}?expand=payload`,
      `${v1}/XA/trademarks/R1/history`,
      `${v1}/XA/trademarks/R1/history/${version}?expand=payload`,
      `${v1}/XA/trademarks?expand=payload&limit=50`,
      `${v1}/changes?since=1970-01-01&expand=payload&limit=200`,
      `${v1}/history?since=1970-01-01`,
    ];
    const whole: string[] = [];
    for (const target of needing) whole.push((await service.call(target, { key })).text);
    for (const target of needing) {
      objects.fault = fault;
      const beganMs = objects.waitedMs();
      const refused = await service.call(target, { key });
      assert.equal(refused.status, 503, target);
      assert.equal((refused.body as { error: { code: string } }).error.code, 'unavailable');
      assert.ok(Number(refused.headers['retry-after']) >= 1);
      const tookMs = objects.waitedMs() - beganMs;
      assert.ok(tookMs <= TOLD_MS_MAX, `${target} was answered after ${tookMs} ms`);
    }
    for (const target of [path, `${v1}/XA/trademarks`, `${v1}/changes?since=1970-01-01`]) {
      assert.equal((await service.call(target, { key })).status, 200, target);
    }
    objects.fault = 'none';
    for (const [at, target] of needing.entries()) {
      assert.equal((await service.call(target, { key })).text, whole[at], target);
    }
    if (fault !== 'gone' && fault !== 'error' && fault !== 'busy' && fault !== 'cut') return;
    objects.fault = fault;
    objects.faultsLeft = 3;
    const answer = await service.call(needing[3]!, { key });
    assert.deepEqual([answer.text === whole[3], objects.fault], [true, 'none'], 'a page while the fault passes');
  });
}

test('a page whose payloads each come late is bounded as a whole [I-35]', async (t) => {
  const { db, database, objects } = await startWorld(t);
  const { key, ...service } = await startWithKey(t, { database });
  const records = buildRecords(200).map((record, at) => ({ ...record, payload: { remarks: [`number ${at}`] } }));
  await publishRecords(db, records, { payloads: 's3' });
  objects.fault = 'late';
  const beganMs = objects.waitedMs();
  const some = await service.call('/records/v1/XA/trademarks?expand=payload&limit=50', { key });
  assert.equal(some.status, 200);
  const pageMs = objects.waitedMs();
  const all = await service.call('/records/v1/changes?since=1970-01-01&expand=payload&limit=200', { key });
  assert.equal(all.status, 503);
  assert.ok(pageMs - beganMs <= TOLD_MS_MAX && objects.waitedMs() - pageMs <= TOLD_MS_MAX);
});

test('an object that is missing costs what needs it, at once, and is named in the log only', async (t) => {
  const { db, database, objects } = await startWorld(t);
  const { key, ...service } = await startWithKey(t, { database });
  await publishRecords(db, [{ uid: 'R1', payload: { remarks: ['one'] } }], { payloads: 's3' });
  const names: string[] = [];
  for await (const page of objects.store.list('documents/')) names.push(...page.map(({ name }) => name));
  await objects.store.delete(names);
  const answer = await service.call('/records/v1/XA/trademarks/R1?expand=payload', { key });
  assert.equal(answer.status, 503);
  assert.equal(objects.calls.GET, 2, 'one list and one try');
  assert.doesNotMatch(answer.text, /documents\//);
});

test('an object with other bytes than were written is never served, and named in the check of everything', async (t) => {
  const { db, database, objects } = await startWorld(t);
  const { key, ...service } = await startWithKey(t, { database });
  await publishRecords(db, describeRecords(), { payloads: 's3' });
  const [one, two] = (
    await db.query<{ name: string }>(sql`
      select 'documents/' || left(encode(document_digest, 'hex'), 2) || '/' || encode(document_digest, 'hex') as name
      from payload where uid in ('R5', 'R6') order by uid`)
  ).map(({ name }) => name) as [string, string];
  await objects.store.put(one, (await objects.store.get(two, 1e6))!);
  assert.equal((await service.call('/records/v1/XA/trademarks/R5?expand=payload', { key })).status, 503);
  const { documents, lost } = await checkDocuments(db);
  assert.deepEqual([documents, lost.length], [63, 1]);
  assert.match(lost[0]!, /XA R5: the payload \w+ differs from what was written/);
  await objects.store.delete([one]);
  assert.match((await checkDocuments(db)).lost[0]!, /is not in s3:\/\/payloads\/test\//);
});

test('a publish that fails leaves objects that a sweep takes away, and no other', async (t) => {
  const { db, objects } = await startWorld(t);
  await publishRecords(db, describeRecords(), { payloads: 's3' });
  await publishRecords(db, CHANGES, { payloads: 's3' });
  const loadId = await stageRecords(db, [{ uid: 'R9', mark_name: 'x', payload: { remarks: ['never published'] } }]);
  const onStep = async (step: string): Promise<void> => {
    if (step === 'written') throw new Killed();
  };
  await assert.rejects(publishBatch(db, loadId, 1, { payloads: 's3', onStep }), Killed);
  const past = { db, beforeMs: 0, dryRun: false };
  assert.equal((await sweepObjects(past)).unnamed, 0);
  const counted = await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: true });
  assert.deepEqual([counted.objects, counted.unnamed], [66, 1]);
  const swept = await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false });
  assert.deepEqual([swept.objects, swept.unnamed], [66, 1]);
  assert.deepEqual((await checkDocuments(db)).lost, []);
  assert.equal((await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false })).objects, 65);
  await movePayloads({ db, to: 'database' });
  assert.equal((await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false })).unnamed, 65);
  const left: unknown[] = [];
  for await (const page of objects.store.list('')) left.push(...page);
  assert.deepEqual(left, []);
});

test('a sweep waits for no load: it is refused while one runs', async (t) => {
  const { db } = await startWorld(t);
  const records = [{ jurisdiction_code: 'XA', uid: 'R1', status: 'Pending', payload: { remarks: ['one'] } }];
  let refusal: unknown = null;
  await loadRecords(db, records, {
    payloads: 's3',
    onStep: async (step) => {
      if (step !== 'written') return;
      refusal = await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false }).catch((error) => error);
    },
  });
  assert.match(String(refusal), /a load or a move of payloads is running/);
  assert.equal((await sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false })).unnamed, 0);
});

test('a load that finds no store of objects fails with what to do, and can be repeated', async (t) => {
  const { db, objects } = await startWorld(t);
  const records = [{ jurisdiction_code: 'XA', uid: 'R1', status: 'Pending', payload: { remarks: ['one'] } }];
  objects.fault = 'gone';
  await assert.rejects(
    loadRecords(db, records, { payloads: 's3' }),
    /store of objects failed.*load the same files again/,
  );
  objects.fault = 'none';
  assert.equal((await loadRecords(db, records, { payloads: 's3' })).new, 1);
  await assert.rejects(
    loadRecords({ ...db, objects: null }, [{ ...records[0], uid: 'R2' }], { payloads: 's3' }),
    /set TMDS_S3_BUCKET/,
  );
});

test('the check of the store writes, reads and deletes, and says what is wrong', async (t) => {
  const { db, objects } = await startWorld(t);
  assert.deepEqual(await checkObjects({ ...db, objects: null }), []);
  assert.deepEqual(await checkObjects(db), [
    { seen: 'writes, reads and deletes at s3://payloads/test/', remedy: null },
  ]);
  await publishRecords(db, [{ uid: 'R1', payload: { remarks: ['one'] } }], { payloads: 's3' });
  assert.match((await checkObjects({ ...db, objects: null }))[0]!.remedy ?? '', /TMDS_S3_BUCKET/);
  objects.fault = 'lie';
  assert.match((await checkObjects(db))[0]!.seen, /does not give back what was written/);
  objects.fault = 'error';
  assert.match((await checkObjects(db))[0]!.seen, /500/);
});

test('a dictionary is kept permanently, under the digest of its content', async (t) => {
  const { db } = await startWorld(t);
  await publishRecords(db, describeRecords(), { payloads: 'compressed' });
  const kept = await db.query<{ register: string; bytes: number }>(sql`
    select jurisdiction_code as register, octet_length(content) as bytes from payload_dictionary`);
  assert.equal(kept.length, 1);
  assert.equal(kept[0]!.register, 'XA');
  assert.ok(kept[0]!.bytes <= 28 * 1024);
  for (const change of [
    sql`delete from payload_dictionary`,
    sql`update payload_dictionary set content = content || 'x'`,
    sql`insert into payload_dictionary values ('\\x0102030405060708', 'XA', 'x', now())`,
  ]) {
    await assert.rejects(db.query(change));
  }
});

test('a backup holds packed payloads with their dictionaries, and the names of objects', async (t) => {
  const { db, objects } = await startWorld(t);
  await publishRecords(db, describeRecords());
  await publishRecords(db, CHANGES);
  const asText = await readRegister(db, 'XA');
  for (const to of ELSEWHERE) {
    await movePayloads({ db, to });
    const bytes = await backUpStream(db);
    const empty = await createTestDatabase(t, { ...UNLIMITED, migrated: false, objects: objects.store });
    await restoreStream(empty.db, bytes);
    assert.deepEqual(await readRegister(empty.db, 'XA'), asText, to);
    assert.deepEqual(await checkDocuments(empty.db), { documents: 65, lost: [] });
  }
});

test('a record that is absent from whole deliveries gets its event once, wherever its payload is [I-22]', async (t) => {
  for (const payloads of ELSEWHERE) {
    const { db } = await startWorld(t);
    const records = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9', 'R10', 'R11'].map((uid) => ({
      ...{ jurisdiction_code: 'XA', uid, status: 'Pending', payload: { remarks: [uid] } },
    }));
    await loadRecords(db, records, { payloads });
    const whole = { payloads, whole: true, currentThrough: '2026-03-01T00:00:00.000000Z' };
    const first = await loadRecords(db, records.slice(1), whole);
    assert.deepEqual([first.absent, first.changed], [1, 1], payloads);
    const second = await loadRecords(db, records.slice(1), { ...whole, currentThrough: '2026-04-01T00:00:00.000000Z' });
    assert.deepEqual([second.absent, second.changed], [1, 0], payloads);
    await movePayloads({ db, to: 'database' });
    const [row] = await db.query<{ document: string }>(sql`select document from payload where uid = 'R1'`);
    const event = { kind: 'absent_from_register_file', date: '2026-03-01' };
    assert.deepEqual(JSON.parse(row!.document), { remarks: ['R1'], events: [event] });
  }
});
