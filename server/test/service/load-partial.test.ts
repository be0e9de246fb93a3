/** Records that a source states in part are merged onto what is known: nothing that was stated is ever blanked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import type { LoadOptions } from '../../src/load/run.ts';
import { PublishTooLate } from '../../src/store/publish/publish.ts';
import { digestOf } from '../../src/store/publish/verification.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf, listStages, loadRecords, loadSources, UNLIMITED } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';
import { openText } from '../support/texts.ts';
import { type MarkParts, writeTransaction } from '../support/trade-mark.ts';

const UID = 'EM500000018000001';
const [EARLY, MIDDLE, LATE] = ['2026-01-01T00:00:00', '2026-02-01T00:00:00', '2026-03-01T00:00:00'] as const;

const FULL = {
  status: '<MarkCurrentStatusCode milestone="2" status="1">Registered</MarkCurrentStatusCode>',
  body: `<ApplicationDate>2020-04-08</ApplicationDate><RegistrationDate>2020-07-28</RegistrationDate>
    <KindMark>Individual</KindMark><MarkFeature>Word</MarkFeature><ExpiryDate>2030-04-08</ExpiryDate>
    <WordMarkSpecification><MarkVerbalElementText>Zvezda</MarkVerbalElementText>
    <MarkTranslation>Ster</MarkTranslation></WordMarkSpecification>
    <InternationalRegistrationNumber>1234567</InternationalRegistrationNumber>
    <GoodsServicesDetails><GoodsServices><ClassificationKindCode>Nice</ClassificationKindCode>
    <ClassDescriptionDetails><ClassDescription><ClassNumber>9</ClassNumber><GoodsServicesDescription languageCode="en">
    Telescopes</GoodsServicesDescription></ClassDescription></ClassDescriptionDetails></GoodsServices>
    </GoodsServicesDetails><OppositionDetails><Opposition><OppositionIdentifier>B1</OppositionIdentifier>
    <OppositionDate>2020-06-01</OppositionDate></Opposition></OppositionDetails>`,
};
const OPPOSITION = { kind: 'opposition', number: 'B1', date: '2020-06-01' };
const REMOVAL = { kind: 'removal', code: 'Delete' };
/** What an office sends of a mark that it takes out of its files. */
const DELETE: MarkParts = { operation: 'Delete', status: '' };

type File = [parts: MarkParts, producedAt: string];

/** The files are one load. */
function loadMarks(db: Database, files: File[], options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  const format = findFormat('euipo');
  if (format === null) throw new Error('no euipo format');
  const sources = files.map(([parts, at], place) => openText(`${place}.xml`, [writeTransaction(parts, at)]));
  return loadSources(db, { sources, format, ...options });
}

interface Stored {
  detail: Record<string, unknown>;
  payload: { events: unknown[] | null } & Record<string, unknown>;
  mark_variants: string | null;
  is_partial: boolean;
}

async function findStored(db: Queryable, uid = UID): Promise<Stored> {
  const [row] = await db.query<Omit<Stored, 'detail' | 'payload'> & { detail: string; document: string }>(
    sql`select detail, document, mark_variants, is_partial from record left join payload using (jurisdiction_code, uid)
      where uid = ${uid}`,
  );
  if (row === undefined) throw new Error(`no record ${uid}`);
  const { detail, document, ...rest } = row;
  return { detail: JSON.parse(detail), payload: JSON.parse(document), ...rest };
}

const STAMPS = { updated_at: null, record_update_date: null, first_seen_at: null };

/** What is stored once a full statement and a removal are known: everything of the first, and the event. */
async function buildExpected(t: Parameters<typeof createTestDatabase>[0]): Promise<Stored> {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadMarks(db, [[FULL, EARLY]]);
  const { detail, payload, ...rest } = await findStored(db);
  return { detail: { ...detail, ...STAMPS }, payload: { ...payload, events: [OPPOSITION, REMOVAL] }, ...rest };
}

async function findContent(db: Queryable, uid = UID): Promise<Stored> {
  const stored = await findStored(db, uid);
  return { ...stored, detail: { ...stored.detail, ...STAMPS } };
}

/** Registers whose kept digests do not fit what is delivered: a replica would be found to differ. */
async function listFalseDigests(db: Queryable): Promise<object[]> {
  return await db.query(sql`
    select jurisdiction_code, kept.digest::text, delivered.digest::text as delivered
    from (select jurisdiction_code, bit_xor(digest) as digest from publish_digest group by 1) as kept
    full join (select jurisdiction_code, bit_xor(${digestOf(sql`detail`)}) as digest from record group by 1) as delivered
      using (jurisdiction_code)
    where kept.digest is distinct from delivered.digest`);
}

test('a removal without content keeps the record as last stated, in the feed too [4.6.1, I-22]', async (t) => {
  const { db, url } = await createTestDatabase(t, UNLIMITED);
  const { key, ...service } = await startWithKey(t, { database: { db, url } });
  await loadMarks(db, [[FULL, EARLY]]);
  const before = await findStored(db);
  const read = async (since: unknown): Promise<unknown[]> => {
    const answer = await service.call(`/records/v1/changes?since=${since}&expand=payload`, { key });
    assert.equal(answer.status, 200, answer.text);
    return (answer.body as { items: unknown[] }).items;
  };
  assert.equal(before.detail.mark_name, 'Zvezda');
  assert.deepEqual(before.detail.nice_classes, [9]);
  const report = await loadMarks(db, [[DELETE, LATE]]);
  assert.deepEqual([countsOf(report), report.issues], [[1, 0, 1, 0, 0], {}]);
  const after = await findStored(db);
  const { updated_at, record_update_date } = after.detail;
  assert.ok(String(updated_at) > String(before.detail.updated_at));
  assert.deepEqual(after, {
    ...before,
    detail: { ...before.detail, updated_at, record_update_date },
    payload: { ...before.payload, events: [OPPOSITION, REMOVAL] },
  });
  assert.deepEqual(await read(updated_at), [{ ...after.detail, payload: after.payload }]);
});

test('a removal that is loaded again, also under a later date, changes nothing [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadMarks(db, [[FULL, EARLY]]);
  await loadMarks(db, [[DELETE, MIDDLE]]);
  const before = await findStored(db);
  assert.deepEqual([before.detail.mark_name, before.payload.events], ['Zvezda', [OPPOSITION, REMOVAL]]);
  for (const producedAt of [MIDDLE, LATE, EARLY, '']) {
    assert.deepEqual(countsOf(await loadMarks(db, [[DELETE, producedAt]])), [1, 0, 0, 1, 0], producedAt);
  }
  assert.deepEqual(countsOf(await loadMarks(db, [[FULL, EARLY]])), [1, 0, 0, 1, 0], 'older than the removal');
  assert.deepEqual(await findStored(db), before);
  assert.deepEqual(await listStages(db), []);
});

test('a removal that states the whole mark is stored as stated, and is not a change the second time [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const whole = { ...FULL, operation: 'Delete' };
  await loadMarks(db, [[whole, EARLY]]);
  const before = await findStored(db);
  assert.deepEqual(before.payload.events, [OPPOSITION, REMOVAL]);
  assert.deepEqual(before.mark_variants, 'ster');
  assert.deepEqual(countsOf(await loadMarks(db, [[whole, MIDDLE]])), [1, 0, 0, 1, 0]);
  assert.deepEqual(await findStored(db), before);
  const ended = whole.body.replace(
    '<OppositionIdentifier>B1',
    '<OppositionCurrentStatusCode>Closed</OppositionCurrentStatusCode>$&',
  );
  assert.deepEqual(countsOf(await loadMarks(db, [[{ ...whole, body: ended }, LATE]])), [1, 0, 1, 0, 0]);
  assert.deepEqual((await findStored(db)).payload.events, [{ ...OPPOSITION, status: 'Closed' }, REMOVAL]);
});

test('a removal of a mark that was never loaded is kept, and what is stated of it later completes it [I-22]', async (t) => {
  const expected = await buildExpected(t);
  const { db } = await createTestDatabase(t, UNLIMITED);
  const first = await loadMarks(db, [[DELETE, LATE]]);
  assert.deepEqual([countsOf(first), first.issues], [[1, 1, 0, 0, 0], {}]);
  const alone = await findStored(db);
  assert.deepEqual([alone.detail.status, alone.payload.events, alone.is_partial], ['Unknown', [REMOVAL], true]);
  assert.deepEqual(countsOf(await loadMarks(db, [[DELETE, LATE]])), [1, 0, 0, 1, 0]);
  assert.deepEqual(countsOf(await loadMarks(db, [[FULL, EARLY]])), [1, 0, 1, 0, 0]);
  assert.deepEqual(await findContent(db), expected);
  assert.deepEqual(countsOf(await loadMarks(db, [[FULL, EARLY]])), [1, 0, 0, 1, 0]);
  const { db: other } = await createTestDatabase(t, UNLIMITED);
  await loadMarks(other, [[DELETE, LATE]]);
  const together: File[] = [
    [FULL, EARLY],
    [DELETE, LATE],
  ];
  assert.deepEqual(
    countsOf(await loadMarks(other, together)),
    [2, 0, 1, 1, 0],
    'the removal as it is stored, and more',
  );
  assert.deepEqual(await findContent(other), expected);
});

test('a full statement that is newer than a removal is the whole record again [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadMarks(db, [[DELETE, EARLY]]);
  await loadMarks(db, [[FULL, MIDDLE]]);
  const restored = await findStored(db);
  assert.deepEqual([restored.payload.events, restored.is_partial], [[OPPOSITION], false]);
  assert.deepEqual(countsOf(await loadMarks(db, [[DELETE, EARLY]])), [1, 0, 0, 1, 0], 'older than the full statement');
  assert.deepEqual(await findStored(db), restored);
});

test('a full statement and a removal in one load count by their versions, whatever their order [I-22]', async (t) => {
  const expected = await buildExpected(t);
  const orders: [string, File[]][] = [
    [
      'full, removal',
      [
        [FULL, EARLY],
        [DELETE, LATE],
      ],
    ],
    [
      'removal, full',
      [
        [DELETE, LATE],
        [FULL, EARLY],
      ],
    ],
    [
      'without versions',
      [
        [FULL, ''],
        [DELETE, ''],
      ],
    ],
    [
      'two removals',
      [
        [DELETE, LATE],
        [DELETE, MIDDLE],
        [FULL, EARLY],
      ],
    ],
    [
      'older content first',
      [
        [{ ...FULL, body: '<ExpiryDate>2029-01-01</ExpiryDate>' }, EARLY],
        [DELETE, LATE],
        [FULL, MIDDLE],
      ],
    ],
  ];
  for (const [name, files] of orders) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    const report = await loadMarks(db, files);
    assert.deepEqual(countsOf(report), [files.length, 1, 0, files.length - 1, 0], name);
    assert.deepEqual(await findContent(db), expected, name);
    assert.deepEqual(await listFalseDigests(db), [], name);
    const again = await loadMarks(db, files);
    assert.deepEqual(countsOf(again), [files.length, 0, 0, files.length, 0], `${name}, again`);
  }
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadMarks(db, [
    [DELETE, EARLY],
    [FULL, LATE],
  ]);
  assert.deepEqual((await findStored(db)).payload.events, [OPPOSITION], 'the full statement is the newer one');
});

test('a removal is merged onto what is stored when it is published, not when it was read [4.6.1, I-22]', async (t) => {
  const expected = await buildExpected(t);
  for (const isStocked of [false, true]) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    if (isStocked) await loadMarks(db, [[{ ...FULL, body: '' }, EARLY]]);
    const onStep = async (step: string): Promise<void> => {
      if (step === 'publishing') await loadMarks(db, [[FULL, MIDDLE]]);
    };
    const report = await loadMarks(db, [[DELETE, LATE]], { onStep });
    assert.deepEqual(countsOf(report), [1, 0, 1, 0, 0]);
    assert.deepEqual(await findContent(db), expected);
  }
});

test('a publish that is rolled back merges again, and what was rolled back leaves no trace [4.6.1]', async (t) => {
  const expected = await buildExpected(t);
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadMarks(db, [[{ ...FULL, body: '' }, EARLY]]);
  let attempts = 0;
  const onStep = async (step: string): Promise<void> => {
    if (step !== 'counted') return;
    attempts += 1;
    if (attempts > 1) return;
    throw new PublishTooLate('the first attempt');
  };
  const files: File[] = [
    [FULL, MIDDLE],
    [DELETE, LATE],
  ];
  const report = await loadMarks(db, files, { onStep, clock: { ...systemClock, sleep: async () => {} } });
  assert.deepEqual([attempts, countsOf(report)], [2, [2, 0, 1, 1, 0]]);
  assert.deepEqual(await findContent(db), expected);
});

test('what a payload holds besides its events is kept to the digit when a mark is removed [I-22, I-38]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const line = `{"jurisdiction_code":"EM","uid":"${UID}","status":"Registered","mark_name":"Zvezda",
    "payload":{"big":9007199254740993,"events":[{"kind":"history","value":1e400}],"other":[]}}`;
  await loadSources(db, { sources: [openText('em.ndjson', [`${line.replaceAll('\n', '')}\n`])] });
  await loadMarks(db, [[DELETE, LATE]]);
  const [row] = await db.query<{ document: string; line: string }>(
    sql`select document, encode(line_digest, 'hex') as line from record join payload using (jurisdiction_code, uid)`,
  );
  assert.match(
    row?.document ?? '',
    /"big":9007199254740993,"events":\[\{"kind":"history","value":1e400\},\{"kind":"removal"/,
  );
  assert.equal(row?.line, '', 'the line no longer states the record');
});

test('many removals are published in batches that stay short, each mark with what it had [4.6.1, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const numbers = Array.from({ length: 250 }, (_, at) => String(18_100_000 + at).padStart(9, '0'));
  const records = numbers.map((number) => ({
    ...{ jurisdiction_code: 'EM', uid: `EM50${number.padStart(13, '0')}`, application_number: number },
    ...{ status: 'Registered', mark_name: `Mark ${number}`, payload: { statements: [{ text: number }] } },
  }));
  await loadRecords(db, records);
  const report = await loadMarks(
    db,
    numbers.map((number) => [{ ...DELETE, number }, LATE]),
  );
  assert.deepEqual(countsOf(report), [250, 0, 250, 0, 0]);
  const [row] = await db.query(sql`
    select count(distinct updated_at)::int4 > 1 as is_split,
      count(*) filter (where detail::json->>'mark_name' = 'Mark ' || (detail::json->>'application_number')
        and document like '%"text":"' || (detail::json->>'application_number') || '"%removal%')::int4 as kept
    from record join payload using (jurisdiction_code, uid)`);
  assert.deepEqual(row, { is_split: true, kept: 250 });
});
