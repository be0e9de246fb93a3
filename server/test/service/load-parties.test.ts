/** Parties by key: marks name them by number, separate files state the names, and neither has to come first. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../../src/base/errors.ts';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import type { LoadOptions } from '../../src/load/run.ts';
import { createRowStage } from '../../src/store/publish/source-rows.ts';
import { mergeSupplements } from '../../src/store/publish/supplements.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf, dumpContent, listStages, loadSources, UNLIMITED } from '../support/loads.ts';
import { writeKeys, writePartyFile } from '../support/party-file.ts';
import { openText } from '../support/texts.ts';
import { writeTransaction } from '../support/trade-mark.ts';

const [EARLY, MIDDLE, LATE] = ['2026-01-01T00:00:00', '2026-02-01T00:00:00', '2026-03-01T00:00:00'] as const;

interface Mark {
  number?: string;
  applicants?: string[];
  representatives?: string[];
  body?: string;
  operation?: string;
  at?: string;
}

function markFile({ number = '018000001', applicants = ['7'], representatives = [], ...rest }: Mark = {}): string {
  const { body = '', operation = 'Insert', at = EARLY } = rest;
  return writeTransaction({ number, operation, body: body + writeKeys({ applicants, representatives }) }, at);
}

function applicantFile(name: string, at: string = EARLY, key = '7'): string {
  return writePartyFile({ applicants: [{ key, name }], producedAt: at });
}

/** The files are one load. */
async function load(db: Database, files: readonly string[], options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  const format = findFormat('euipo');
  if (format === null) throw new Error('no euipo format');
  const sources = files.map((file, place) => openText(`${place}.xml`, [file]));
  return await loadSources(db, { sources, format, ...options });
}

interface Stored {
  owner_names: string[] | null;
  owner_countries: string[] | null;
  representative_names: string[] | null;
  parties: Record<string, unknown>[] | null;
  updated_at: string;
}

async function findMark(db: Queryable, uid = 'EM500000018000001'): Promise<Stored> {
  const [row] = await db.query<{ detail: string; document: string }>(
    sql`select detail, document from record join payload using (jurisdiction_code, uid) where uid = ${uid}`,
  );
  assert.ok(row !== undefined, `${uid} is stored`);
  return { ...JSON.parse(row.detail), parties: JSON.parse(row.document).parties };
}

async function countPending(db: Queryable): Promise<number> {
  const rows = await db.query(sql`select 1 from supplement_change`);
  return rows.length;
}

const FILES = {
  mark: markFile({ applicants: ['7', '08'], representatives: ['7'] }),
  applicants: writePartyFile({ applicants: [{ key: '7' }, { key: '8', name: 'Südwind AG', country: 'AT' }] }),
  representatives: writePartyFile({ representatives: [{ key: '7', name: 'Rat und Tat', country: null }] }),
};

test('a mark has the names of its parties whatever came first, and in one load or in several', async (t) => {
  const { db: whole } = await createTestDatabase(t, UNLIMITED);
  const report = await load(whole, Object.values(FILES));
  assert.deepEqual(countsOf(report), [1, 1, 0, 0, 0]);
  assert.deepEqual(report.supplements, { read: 3, new: 3, changed: 0 });
  assert.deepEqual(report.issues, {});
  const { parties, ...fields } = await findMark(whole);
  assert.deepEqual(fields.owner_names, ['nordwind gmbh', 'südwind ag']);
  assert.deepEqual(fields.owner_countries, ['DE', 'AT']);
  assert.deepEqual(fields.representative_names, ['rat und tat']);
  assert.deepEqual(parties, [
    {
      role: 'applicant',
      identifier: '7',
      names: [{ text: 'Nordwind GmbH', kind: 'organization' }],
      address: { country: 'DE' },
    },
    {
      role: 'applicant',
      identifier: '08',
      names: [{ text: 'Südwind AG', kind: 'organization' }],
      address: { country: 'AT' },
    },
    { role: 'representative', identifier: '7', names: [{ text: 'Rat und Tat', kind: 'organization' }] },
  ]);
  const expected = await dumpContent(whole);
  const { mark, applicants, representatives } = FILES;
  const orders = [
    [[mark], [applicants], [representatives]],
    [[representatives], [applicants], [mark]],
    [[applicants], [mark], [representatives]],
    [[representatives, mark], [applicants]],
    [[applicants, representatives, mark]],
  ];
  for (const order of orders) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const files of order) await load(db, files);
    assert.equal(await dumpContent(db), expected);
    assert.equal(await countPending(db), 0);
    assert.deepEqual(await listStages(db), []);
  }
});

test('a mark waits for its parties with null names and an issue, and parties alone make no record', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const parties = await load(db, [writePartyFile({ applicants: [{ key: '9' }] })]);
  assert.deepEqual([countsOf(parties), parties.issues], [[0, 0, 0, 0, 0], {}]);
  assert.deepEqual(await db.query(sql`select 1 from record`), []);
  const marks = await load(db, [markFile({ applicants: ['7', '9'] }), markFile({ number: '018000002' })]);
  assert.deepEqual(marks.issues, { waiting_party: 2 });
  assert.deepEqual((await findMark(db)).owner_names, ['nordwind gmbh']);
  assert.equal((await findMark(db, 'EM500000018000002')).owner_names, null);
  const [row] = await db.query<{ issues: number }>(
    sql`select issue_count::float8 as issues from load where load_id = ${marks.load_id}`,
  );
  assert.equal(row?.issues, 2);
});

test('a party that changes changes each mark that names it once, and no other', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const marks = Array.from({ length: 250 }, (_, place) =>
    markFile({ number: String(18_000_001 + place).padStart(9, '0'), representatives: ['7'] }),
  );
  await load(db, [...marks, markFile({ number: '018009999', applicants: ['8'] }), applicantFile('Eins')]);
  const before = await db.query<{ stamp: string }>(sql`select max(updated_at)::text as stamp from record`);
  const other = await findMark(db, 'EM500000018009999');
  const changed = await load(db, [
    applicantFile('Zwei', MIDDLE),
    writePartyFile({ representatives: [{ key: '7', name: 'Rat' }], producedAt: MIDDLE }),
  ]);
  assert.deepEqual(countsOf(changed), [250, 0, 250, 0, 0]);
  assert.deepEqual(changed.supplements, { read: 2, new: 1, changed: 1 });
  const [after] = await db.query<{ changed: number; publishes: number; named: number }>(sql`
    select count(*)::int4 as changed, count(distinct updated_at)::int4 as publishes,
      count(*) filter (where detail like '%"owner_names":["zwei"]%"representative_names":["rat"]%')::int4 as named
    from record where updated_at > ${before[0]?.stamp ?? ''}::timestamptz`);
  assert.deepEqual([after?.changed, after?.named], [250, 250]);
  assert.ok((after?.publishes ?? 0) > 1, 'in several batches');
  assert.deepEqual(await findMark(db, 'EM500000018009999'), other);
});

test('loading parties and marks again changes nothing, and joins nothing again', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const files = Object.values(FILES);
  await load(db, files);
  const stored = await findMark(db);
  const again = await load(db, files);
  assert.deepEqual(countsOf(again), [1, 0, 0, 1, 0]);
  assert.deepEqual(again.supplements, { read: 3, new: 0, changed: 0 });
  assert.deepEqual(countsOf(await load(db, [FILES.applicants])), [0, 0, 0, 0, 0]);
  const later = markFile({ applicants: ['7', '08'], representatives: ['7'], at: LATE });
  assert.deepEqual(countsOf(await load(db, [later])), [1, 0, 0, 1, 0]);
  assert.deepEqual(await findMark(db), stored);
});

test('an older statement of a party or a mark that comes late changes nothing', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, [applicantFile('Neu', LATE), markFile({ applicants: ['7'], at: LATE })]);
  const stored = await findMark(db);
  assert.deepEqual(stored.owner_names, ['neu']);
  await load(db, [applicantFile('Alt', EARLY)]);
  await load(db, [markFile({ applicants: ['9'], at: EARLY })]);
  assert.deepEqual(await findMark(db), stored);
  // A newer version of the same words still outranks one in between.
  await load(db, [applicantFile('Neu', '2026-05-01T00:00:00')]);
  await load(db, [applicantFile('Mitte', '2026-04-01T00:00:00')]);
  assert.deepEqual(await findMark(db), stored);
});

test('a party that the office removes keeps its name, as last stated', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, [markFile(), applicantFile('Bleibt')]);
  const stored = await findMark(db);
  const gone = writePartyFile({
    applicants: [{ key: '7', name: null, country: null, operation: 'Delete' }],
    producedAt: LATE,
  });
  const report = await load(db, [gone]);
  assert.deepEqual([countsOf(report), report.issues], [[0, 0, 0, 0, 0], { removed_party: 1 }]);
  assert.deepEqual(await findMark(db), stored);
});

test('a removal of a mark keeps its parties, which still follow their own files [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, [markFile(), applicantFile('Eins')]);
  await load(db, [writeTransaction({ operation: 'Delete', status: '' }, MIDDLE)]);
  assert.deepEqual((await findMark(db)).owner_names, ['eins']);
  await load(db, [applicantFile('Zwei', LATE)]);
  assert.deepEqual((await findMark(db)).owner_names, ['zwei']);
});

test('what a mark states of a party itself is never replaced by the party of the same key', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const inline = `<ApplicantDetails><ApplicantKey><Identifier>7</Identifier></ApplicantKey><Applicant>
    <ApplicantIdentifier>7</ApplicantIdentifier><ApplicantAddressBook><FormattedNameAddress><Name><FormattedName>
    <OrganizationName>Eigen</OrganizationName></FormattedName></Name></FormattedNameAddress></ApplicantAddressBook>
    </Applicant></ApplicantDetails>`;
  await load(db, [markFile({ applicants: [], representatives: ['7'], body: inline })]);
  const report = await load(db, [
    applicantFile('Fremd'),
    writePartyFile({ representatives: [{ key: '7', name: 'Rat' }] }),
  ]);
  const { owner_names, representative_names } = await findMark(db);
  assert.deepEqual([owner_names, representative_names], [['eigen'], ['rat']]);
  assert.deepEqual(countsOf(report), [1, 0, 1, 0, 0]);
});

test('a load that is killed between keeping parties and publishing marks is completed by the next one', async (t) => {
  for (const step of ['staged', 'locked', 'published'] as const) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    await load(db, [markFile(), applicantFile('Eins')]);
    const onStep = async (reached: string): Promise<void> => {
      if (reached === step) throw new Error('killed');
    };
    await assert.rejects(load(db, [applicantFile('Zwei', MIDDLE)], { onStep }), /killed/);
    assert.equal(await countPending(db), 1, step);
    // Not the same file: what was left behind belongs to nobody in particular.
    await load(db, [applicantFile('Anders', MIDDLE, '9')]);
    assert.deepEqual((await findMark(db)).owner_names, ['zwei'], step);
    assert.equal(await countPending(db), 0);
  }
});

test('marks and parties that are loaded side by side miss nothing', async (t) => {
  const steps = ['staged', 'settled', 'begun', 'written', 'committed'] as const;
  for (const step of steps) {
    for (const isMarkFirst of [true, false]) {
      const { db } = await createTestDatabase(t, UNLIMITED);
      await load(db, [markFile({ number: '018000009', applicants: ['7'] })]);
      const held = isMarkFirst ? markFile() : applicantFile('Eins');
      const other = isMarkFirst ? applicantFile('Eins') : markFile();
      let beside: Promise<LoadReport> | undefined;
      const onStep = async (reached: string): Promise<void> => {
        if (reached !== step || beside !== undefined) return;
        beside = load(db, [other]);
        // A parallel load can end unless this one holds the lock of publishes.
        if (step !== 'written') await beside;
      };
      await load(db, [held], { onStep });
      await beside;
      assert.deepEqual((await findMark(db)).owner_names, ['eins'], `${step}, mark first: ${isMarkFirst}`);
      assert.deepEqual((await findMark(db, 'EM500000018000009')).owner_names, ['eins'], step);
      assert.equal(await countPending(db), 0);
    }
  }
});

test('a publish that read the parties before another load kept one is corrected later', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  let parties: Promise<LoadReport> | undefined;
  // Its records are joined, but not committed, while the other load keeps its party.
  const onStep = async (reached: string): Promise<void> => {
    if (reached !== 'written') return;
    let isOver = false;
    parties = load(db, [applicantFile('Eins')]).finally(() => {
      isOver = true;
    });
    while (!isOver && (await countPending(db)) === 0);
  };
  await load(db, [markFile()], { onStep });
  assert.deepEqual(countsOf((await parties) ?? assert.fail()), [1, 0, 1, 0, 0]);
  assert.deepEqual((await findMark(db)).owner_names, ['eins']);
});

test('a crash of the database that empties what a load had staged of parties fails it', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const loadId = randomUUID();
  await createRowStage(db, loadId);
  await assert.rejects(
    mergeSupplements(db, loadId, 1),
    new OperatorError('the database crashed while the load was reading; load the same files again'),
  );
});

test('any deliveries of marks and parties, in any order, end in the same records', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const versions = [EARLY, MIDDLE, LATE];
  const files = [
    ...versions.map((at, place) => applicantFile(`Name ${place}`, at)),
    ...versions.slice(0, 2).map((at, place) => applicantFile(`Other ${place}`, at, '8')),
    ...versions.map((at, place) =>
      markFile({ applicants: place === 1 ? ['8'] : ['7', '8'], representatives: ['7'], at }),
    ),
    markFile({ number: '018000002', applicants: ['8'] }),
    writePartyFile({ representatives: [{ key: '7', name: 'Rat' }], producedAt: MIDDLE }),
  ];
  const clear = (): Promise<unknown> =>
    db.query(sql`truncate record, payload, source_row, register, publish_digest`, { prepare: false });
  let expected: string | null = null;
  const order = fc.shuffledSubarray([...files.keys()], { minLength: files.length });
  const cuts = fc.array(fc.boolean(), { minLength: files.length, maxLength: files.length });
  await fc.assert(
    fc.asyncProperty(order, cuts, async (places, isCut) => {
      await clear();
      let open: string[] = [];
      for (const [at, place] of places.entries()) {
        open.push(files[place] as string);
        if (isCut[at] !== true && at + 1 < places.length) continue;
        await load(db, open);
        open = [];
      }
      const content = await dumpContent(db);
      expected ??= content;
      assert.equal(content, expected);
    }),
    { numRuns: 8 },
  );
  assert.deepEqual((await findMark(db)).owner_names, ['name 2', 'other 1']);
});
