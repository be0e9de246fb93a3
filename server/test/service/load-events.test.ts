/** Events from separate files are joined to their marks, whatever came first, and no case-file undoes them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import type { LoadOptions } from '../../src/load/run.ts';
import { writeCase, writeDaily } from '../support/case-file.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases, runsOf } from '../support/depth.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, dumpContent, listStages, loadSources, UNLIMITED } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';
import { writeTrademark } from '../support/st96.ts';
import { openText } from '../support/texts.ts';
import {
  FULL_ASSIGNMENT,
  FULL_PROCEEDING,
  writeAssignment,
  writeAssignments,
  writeProceeding,
  writeProceedings,
} from '../support/uspto-events.ts';

const UID = 'US500000097000001';
const HISTORY = '<code>NWAP</code><type>I</type><description-text>NEW APPLICATION</description-text>';
const CASE_EVENTS = `<case-file-event-statements><case-file-event-statement>${HISTORY}<date>20260101</date>
  <number>1</number></case-file-event-statement></case-file-event-statements>`;

function caseFile({ serial = '97000001', on = '20260102', name = 'HARBOR', registration = '0000000' } = {}): string {
  return writeCase({ serial, header: [['mark-identification', name]] })
    .replace('20260102', on)
    .replace('<registration-number>0000000', `<registration-number>${registration}`)
    .replace('</case-file>', `${CASE_EVENTS}</case-file>`);
}

/** A file, with the format that reads it. */
type File = readonly [format: string, text: string];

const daily = (...cases: string[]): File => ['uspto-apc', writeDaily(cases.join(''))];
const assignments = (...entries: string[]): File => ['uspto-assignments', writeAssignments(entries.join(''))];
const proceedings = (...entries: string[]): File => ['uspto-ttab', writeProceedings(entries.join(''))];

async function load(db: Database, [name, text]: File, options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  const format = findFormat(name);
  if (format === null) throw new Error(`no format ${name}`);
  return await loadSources(db, { sources: [openText('file.xml', [text])], format, ...options });
}

interface Stored {
  detail: Record<string, unknown>;
  payload: { events: Record<string, unknown>[] } & Record<string, unknown>;
}

async function findStored(db: Queryable, uid = UID): Promise<Stored> {
  const [row] = await db.query<{ detail: string; document: string }>(
    sql`select detail, document from record join payload using (jurisdiction_code, uid) where uid = ${uid}`,
  );
  assert.ok(row !== undefined, `${uid} is stored`);
  return { detail: JSON.parse(row.detail), payload: JSON.parse(row.document) };
}

/** The joined events, with the members named. */
async function listJoined(db: Queryable, members: readonly string[] = [], uid = UID): Promise<unknown[]> {
  const { payload } = await findStored(db, uid);
  return payload.events
    .filter(({ source }) => source !== undefined)
    .map((event) => ['number', ...members].map((member) => event[member]));
}

async function countPending(db: Queryable): Promise<number> {
  return (await db.query(sql`select 1 from supplement_change`)).length;
}

test('a mark has its events whatever came first, and nothing else of it differs', async (t) => {
  const files = {
    mark: daily(caseFile()),
    assigned: assignments(FULL_ASSIGNMENT),
    opposed: proceedings(FULL_PROCEEDING),
  };
  const { db: bare } = await createTestDatabase(t, UNLIMITED);
  await load(bare, files.mark);
  const alone = await findStored(bare);
  const { mark, assigned, opposed } = files;
  let expected: string | null = null;
  for (const order of [
    [mark, assigned, opposed],
    [mark, opposed, assigned],
    [assigned, mark, opposed],
    [opposed, assigned, mark],
  ]) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const file of order) await load(db, file);
    const { detail, payload } = await findStored(db);
    const stamps = { updated_at: null, record_update_date: null, first_seen_at: null };
    assert.deepEqual({ ...detail, ...stamps }, { ...alone.detail, ...stamps }, 'no field of the record');
    const { events, ...rest } = payload;
    const { events: own, ...others } = alone.payload;
    assert.deepEqual(rest, others);
    assert.deepEqual(events.slice(0, own.length), own);
    assert.deepEqual(
      events.slice(own.length).map(({ kind, source, number, marks }) => [kind, source, number, marks]),
      [
        [
          'record',
          'uspto-assignments',
          '8001/0123',
          [
            {
              number: '97000001',
              registration_number: '700001',
              international_registration_number: '1000001',
              text: 'HARBOR',
              description: 'A BLUE ANCHOR',
            },
          ],
        ],
        [
          'opposition',
          'uspto-ttab',
          '91300001',
          [
            {
              role: 'subject',
              identifier: '22',
              number: '97000001',
              registration_number: '700001',
              text: 'HARBOR',
              details: [{ proceeding_number: '2025-100001', proceeding_type_code: 'R' }],
            },
          ],
        ],
      ],
    );
    expected ??= await dumpContent(db);
    assert.equal(await dumpContent(db), expected);
    assert.equal(await countPending(db), 0);
    assert.deepEqual(await listStages(db), []);
  }
});

test('an event of a mark that is not held waits: it creates no record, and is counted', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const report = await load(db, proceedings(writeProceeding()));
  assert.deepEqual([countsOf(report), report.issues], [[0, 0, 0, 0, 0], { waiting_supplement: 2 }]);
  assert.deepEqual(report.supplements, { read: 1, new: 1, changed: 0 });
  assert.deepEqual([report.registers, report.current_through], [[], null]);
  assert.deepEqual(await db.query(sql`select 1 from record`), []);
  await load(db, daily(caseFile(), caseFile({ serial: '96000001' })));
  const roles = async (uid: string): Promise<unknown> =>
    (await findStored(db, uid)).payload.events.flatMap(({ marks }) => marks ?? []);
  assert.deepEqual(await roles(UID), [{ role: 'subject', number: '97000001' }]);
  assert.deepEqual(await roles('US500000096000001'), [{ role: 'relied_upon', number: '96000001' }]);
  assert.deepEqual((await load(db, proceedings(writeProceeding()))).issues, {});
});

test('a later full statement of the case keeps its events, from whichever source', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, daily(caseFile()));
  await load(db, assignments(writeAssignment()));
  await load(db, proceedings(writeProceeding()));
  const joined = [['8001/0123'], ['91300001']];
  assert.deepEqual(await listJoined(db), joined);
  assert.deepEqual(countsOf(await load(db, daily(caseFile()))), [1, 0, 0, 1, 0], 'the same case-file');
  assert.deepEqual(countsOf(await load(db, daily(caseFile({ on: '20260105' })))), [1, 0, 1, 0, 0]);
  assert.deepEqual(countsOf(await load(db, daily(caseFile({ on: '20260106', name: 'HARBOUR' })))), [1, 0, 1, 0, 0]);
  assert.equal((await findStored(db)).detail.mark_name, 'HARBOUR');
  assert.deepEqual(await listJoined(db), joined);
  const answer = writeTrademark({ statusDate: '<MarkCurrentStatusDate>2026-03-01</MarkCurrentStatusDate>' });
  assert.deepEqual(countsOf(await load(db, ['uspto-tsdr', answer])), [1, 0, 1, 0, 0]);
  assert.equal((await findStored(db)).payload.source && (await findStored(db)).detail.mark_name, null);
  assert.deepEqual(await listJoined(db), joined);
});

test('the newest statement of an event counts in whatever order they are loaded, as one change each', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const [old, middle, latest] = ['20260203', '20260301', '20260401'].map((updated, place) =>
    proceedings(writeProceeding({ updated, status: String(place), plaintiff: [] })),
  ) as [File, File, File];
  await load(db, daily(caseFile()));
  assert.deepEqual(countsOf(await load(db, middle)), [1, 0, 1, 0, 0]);
  assert.deepEqual(countsOf(await load(db, middle)), [0, 0, 0, 0, 0], 'again');
  assert.deepEqual(countsOf(await load(db, old)), [0, 0, 0, 0, 0], 'older');
  assert.deepEqual(await listJoined(db, ['status']), [['91300001', '1']]);
  assert.deepEqual(countsOf(await load(db, latest)), [1, 0, 1, 0, 0]);
  assert.deepEqual(countsOf(await load(db, old)), [0, 0, 0, 0, 0]);
  assert.deepEqual(await listJoined(db, ['status', 'status_date']), [['91300001', '2', '2026-04-01']]);
  // Both in one file, the newer one first.
  const both = proceedings(
    writeProceeding({ updated: '20260501', status: '9', plaintiff: [] }),
    writeProceeding({ updated: '20260415', status: '7', plaintiff: [] }),
  );
  assert.deepEqual(countsOf(await load(db, both)), [1, 0, 1, 0, 0]);
  assert.deepEqual(await listJoined(db, ['status']), [['91300001', '9']]);
});

test('the file of all years, with other dates of update and other padding, changes nothing', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, daily(caseFile()));
  await load(db, assignments(writeAssignment({ reel: '0001', frame: '58', updated: '20260102' })));
  const before = await findStored(db);
  const again = await load(db, assignments(writeAssignment({ reel: '1', frame: '0058', updated: '20260409' })));
  assert.deepEqual([countsOf(again), again.supplements], [[0, 0, 0, 0, 0], { read: 1, new: 0, changed: 0 }]);
  assert.deepEqual(await findStored(db), before);
  // Yet it is the newest now.
  const between = assignments(writeAssignment({ reel: '1', frame: '58', updated: '20260301', conveyance: 'LIEN' }));
  assert.deepEqual(countsOf(await load(db, between)), [0, 0, 0, 0, 0]);
});

test('an assignment that is removed, or taken off a mark, stays with what was stated of it', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const OTHER = 'US500000097000002';
  await load(db, daily(caseFile(), caseFile({ serial: '97000002' })));
  await load(db, assignments(writeAssignment({ serials: ['97000001', '97000002'], updated: '20260401' })));
  const fewer = assignments(writeAssignment({ serials: ['97000001'], updated: '20260402' }));
  assert.deepEqual(countsOf(await load(db, fewer)), [2, 0, 2, 0, 0]);
  const members = ['text', 'removed'];
  assert.deepEqual(await listJoined(db, members), [['8001/0123', 'CHANGE OF NAME', undefined]]);
  assert.deepEqual(await listJoined(db, members, OTHER), [['8001/0123', 'CHANGE OF NAME', true]]);
  const swapped = assignments(writeAssignment({ serials: ['97000002'], updated: '20260403' }));
  assert.deepEqual(countsOf(await load(db, swapped)), [2, 0, 2, 0, 0]);
  assert.deepEqual(await listJoined(db, members), [['8001/0123', 'CHANGE OF NAME', true]]);
  assert.deepEqual(await listJoined(db, members, OTHER), [['8001/0123', 'CHANGE OF NAME', undefined]]);
  const bare = `<assignment-entry><assignment><reel-no>8001</reel-no><frame-no>123</frame-no>
    <last-update-date>20260404</last-update-date><purge-indicator>Y</purge-indicator></assignment></assignment-entry>`;
  assert.deepEqual(countsOf(await load(db, assignments(bare))), [2, 0, 1, 1, 0]);
  assert.deepEqual(await listJoined(db, members, OTHER), [['8001/0123', 'CHANGE OF NAME', true]]);
  const restored = writeAssignment({ serials: ['97000002'], updated: '20260405', conveyance: 'MERGER' });
  await load(db, assignments(restored));
  assert.deepEqual(await listJoined(db, members, OTHER), [['8001/0123', 'MERGER', undefined]]);
});

test('a case is found by its registration number where no serial number is stated, in either order', async (t) => {
  const entry = writeAssignment({
    serials: [],
    properties: [
      ['property', [['registration-no', '0700001']]],
      ['property', [['registration-no', '700009']]],
    ],
  });
  const contents: string[] = [];
  for (const isMarkFirst of [true, false]) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    const mark = daily(caseFile({ registration: '0700001' }), caseFile({ serial: '97000002' }));
    if (isMarkFirst) await load(db, mark);
    for (const _ of ['first', 'again']) {
      const { issues } = await load(db, assignments(entry));
      assert.deepEqual(issues, { waiting_supplement: isMarkFirst ? 1 : 2 });
    }
    if (!isMarkFirst) await load(db, mark);
    assert.deepEqual(await listJoined(db, ['marks']), [['8001/0123', [{ registration_number: '700001' }]]]);
    assert.deepEqual(await listJoined(db, [], 'US500000097000002'), []);
    contents.push(await dumpContent(db));
  }
  assert.equal(contents[0], contents[1]);
});

test('the changes of a statement over many marks are published in batches, each mark once', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const serials = Array.from({ length: 250 }, (_, place) => String(97_000_001 + place));
  await load(db, daily(...serials.map((serial) => caseFile({ serial }))));
  const report = await load(db, assignments(writeAssignment({ serials: [...serials, '96000001'] })));
  assert.deepEqual([countsOf(report), report.issues], [[250, 0, 250, 0, 0], { waiting_supplement: 1 }]);
  const [kept] = await db.query<{ statements: number; links: number }>(sql`
    select count(*) filter (where link is null)::int4 as statements, count(link)::int4 as links from source_row`);
  assert.deepEqual(kept, { statements: 1, links: 251 });
});

test('a load of events that is killed is completed by running it again', async (t) => {
  const files = [assignments(writeAssignment()), daily(caseFile({ on: '20260105', name: 'HARBOUR' }))] as const;
  for (const step of chooseCases(['staged', 'settled', 'locked', 'written', 'published'] as const)) {
    for (const file of files) {
      const { db } = await createTestDatabase(t, UNLIMITED);
      await load(db, daily(caseFile()));
      if (file !== files[0]) await load(db, files[0]);
      const onStep = async (reached: string): Promise<void> => {
        if (reached === step) throw new Error('killed');
      };
      await assert.rejects(load(db, file, { onStep }), /killed/);
      await load(db, file);
      assert.deepEqual(await listJoined(db), [['8001/0123']], step);
      assert.equal(await countPending(db), 0);
    }
  }
});

test('the feed carries a joined event once, and the look-up shows it with the payload', async (t) => {
  const { db, url } = await createTestDatabase(t, UNLIMITED);
  const { key, ...service } = await startWithKey(t, { database: { db, url } });
  await load(db, daily(caseFile()));
  await load(db, proceedings(writeProceeding()));
  const { updated_at } = (await findStored(db)).detail;
  const feed = await service.call(`/records/v1/changes?since=${updated_at}&expand=payload`, { key });
  const { items } = feed.body as { items: { uid: string; payload: Stored['payload'] }[] };
  assert.deepEqual(
    items.map(({ uid, payload }) => [uid, payload.events.map(({ kind, number }) => [kind, number])]),
    [
      [
        UID,
        [
          ['history', '1'],
          ['opposition', '91300001'],
        ],
      ],
    ],
  );
  const detail = await service.call(`/records/v1/US/trademarks/${UID}?expand=payload`, { key });
  assert.deepEqual((detail.body as { payload: unknown }).payload, items[0]?.payload);
});

test('any deliveries of cases and events, in any order, end in the same records', async (t) => {
  const files: File[] = [
    daily(caseFile()),
    daily(caseFile({ on: '20260105', name: 'HARBOUR' })),
    daily(caseFile({ serial: '97000002', registration: '0700002' })),
    assignments(writeAssignment({ serials: ['97000001', '97000002'], updated: '20260301' })),
    assignments(writeAssignment({ serials: ['97000001'], updated: '20260302', conveyance: 'MERGER' })),
    assignments(writeAssignment({ frame: '7', purge: 'Y', updated: '20260303' })),
    assignments(
      writeAssignment({ frame: '8', serials: [], properties: [['property', [['registration-no', '700002']]]] }),
    ),
    proceedings(writeProceeding({ updated: '20260203', defendant: ['97000001'], plaintiff: ['97000002'] })),
    proceedings(writeProceeding({ updated: '20260303', defendant: ['97000001'], plaintiff: [] })),
  ];
  let expected: string | null = null;
  const { db } = await createTestDatabase(t, UNLIMITED);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(files, { minLength: files.length }), async (order) => {
      for (const table of [sql`record`, sql`payload`, sql`source_row`, sql`register`, sql`publish_digest`]) {
        await db.query(sql`delete from ${table}`);
      }
      for (const file of order) await load(db, file);
      const content = await dumpContent(db);
      expected ??= content;
      assert.equal(content, expected);
    }),
    { numRuns: runsOf(2) },
  );
  assert.deepEqual(await listJoined(db, ['removed'], 'US500000097000002'), [
    ['8001/0123', true],
    ['8001/0008', undefined],
    ['91300001', true],
  ]);
});

const REAL = [
  ['uspto-assignments', 'uspto/assignments/bulk-two-entries.xml', ['71614627', '71600001']],
  ['uspto-ttab', 'uspto/ttab/bulk-daily-79412016.xml', ['79412016']],
  ['uspto-ttab', 'uspto/ttab/bulk-historical-97658985.xml', ['97658985']],
] as const;

test('real files wait for their cases, and join them', { skip: skipWithout(REAL[0][1]) }, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  for (const [format, path, serials] of REAL) {
    const report = await load(db, [format, readFileSync(join(REAL_DATA, path), 'utf8')]);
    assert.deepEqual(report.issues, { waiting_supplement: serials.length }, path);
  }
  await load(db, daily(...REAL.flatMap(([, , serials]) => serials.map((serial) => caseFile({ serial })))));
  const found = await Promise.all(
    REAL.flatMap(([, , serials]) => serials).map((serial) => listJoined(db, ['kind', 'text'], `US5000000${serial}`)),
  );
  assert.deepEqual(found, [
    [['1/0058', 'record', 'ASSIGNS THE ENTIRE INTEREST AND THE GOODWILL']],
    [['1/0438', 'record', 'ASSIGNS THE ENTIRE INTEREST']],
    [['79412016', 'appeal', 'Ex Parte Appeal']],
    [['97658985', 'appeal', 'Ex Parte Appeal']],
  ]);
});
