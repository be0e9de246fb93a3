/**
 * The plans of the statements that read and write records, as one database or several nodes make them: the statements
 * are those that the store runs while it is asked for one thing after the other.
 */
import { systemClock } from '../../src/base/clock.ts';
import { findReadingOptions, isDistributed } from '../../src/database/distributed/distribution.ts';
import { takeSnapshots } from '../../src/database/distributed/nodes.ts';
import type { Database, Queryable, Transaction } from '../../src/database/driver/db.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import { parseChanges } from '../../src/parse/changes.ts';
import { parseHistory, parseRecordHistory } from '../../src/parse/history.ts';
import { planChanges } from '../../src/plan/changes.ts';
import { planHistory } from '../../src/plan/history.ts';
import { checkObjects } from '../../src/store/documents/check.ts';
import { walkDocuments } from '../../src/store/documents/tables.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import { readPseudoMarks, readPublishes } from '../../src/store/publish/publishes.ts';
import { findChangesPage } from '../../src/store/records/changes.ts';
import { listCurrentRecords, listCurrentStamps, listPartiesByKey } from '../../src/store/records/current-records.ts';
import { readDateFacts } from '../../src/store/records/date-facts.ts';
import { listBucketDigests, listBucketRecords, listRegisterDigests } from '../../src/store/records/digests.ts';
import { listDocuments } from '../../src/store/records/documents.ts';
import { findHistoryPage, findRecordHistory, findVersionEvent } from '../../src/store/records/history.ts';
import { encodeIdentities, listDiffering } from '../../src/store/records/identities.ts';
import { buildRecordReader } from '../../src/store/records/records.ts';
import { findListed } from '../../src/store/records/search.ts';
import { findVersion } from '../../src/store/records/versions.ts';
import { countListedRecords, listMissingRecords } from '../../src/store/watches/counts.ts';
import { readEvents } from '../../src/store/watches/matching.ts';
import { findRecords, writeForms } from '../../src/upkeep/retention/hold-pseudo-marks.ts';
import { verifyDatabase } from '../../src/upkeep/verification/verify.ts';
import { stageRecords } from '../torture/publish.ts';
import { connectTestDatabase, createTestDatabase } from './database.ts';

/** The plans of the statements of one task, in order. */
export interface TaskPlans {
  readonly task: string;
  readonly plans: readonly string[];
}

const FIRST = '2026-01-01T00:00:00.000000Z';
/** The stamp of the record `u7` of `X2`, which is the 7th of all: one second for a hundred of them, and a day. */
const CURRENT = '2026-01-02T00:00:00.000000Z';
const TOUCHES_RECORDS = /\b(record|payload|record_version)\b/;
const HAS_NO_PLAN = /^\s*(fetch|close|analyze|truncate|drop|create index|copy)/;

const DETAIL = sql`'{"mark_name":"' || repeat('x', 280) || '"}'`;

/** Records of five registers, each with one earlier version and a payload. */
async function fillForPlans(db: Database): Promise<void> {
  const numbered = sql`
    with numbered as materialized (
      select 'X' || n % 5 as code, 'u' || n as uid,
        timestamptz '2026-01-01 00:00:00+00' + n / 100 * interval '1 second' as stamp
      from generate_series(1, 10000) as n
    )`;
  await db.query(sql`${numbered}
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
    select code, uid, stamp + interval '1 day', stamp, '\\x'::bytea, ${DETAIL} from numbered`);
  await db.query(sql`${numbered}
    insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, detail, has_document)
    select code, uid, stamp, stamp + interval '1 day', 'office', ${DETAIL}, false from numbered`);
  await db.query(sql`${numbered}
    insert into payload (jurisdiction_code, uid, document) select code, uid, '{}' from numbered`);
  await db.query(sql`${numbered}
    insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
    select code, stamp + interval '1 day', count(*), 0 from numbered group by 1, 2`);
  await db.query(sql`insert into register (jurisdiction_code, record_count) select 'X' || n, 2000
    from generate_series(0, 4) as n`);
  await db.query(sql`update publish_clock set ${advanceClock(sql`greatest(last_stamp, timestamptz '2026-01-03')`)}`);
  // Nodes plan without the settings of the session, so what they read depends on whether tables have been vacuumed.
  const statistics = (await isDistributed(db)) ? sql`vacuum (analyze)` : sql`analyze`;
  await db.session((session) => session.query(statistics, { prepare: false }));
}

/** What the store is asked for. */
const TASKS: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  'one record': (db) => buildRecordReader(db, db, systemClock).find('X2', 'u7', false),
  'one record with its payload': (db) => buildRecordReader(db, db, systemClock).find('X2', 'u7', true),
  'several records at once': (db) => {
    const reader = buildRecordReader(db, db, systemClock);
    return Promise.all(['u2', 'u7', 'u12'].map((uid) => reader.find('X2', uid, false)));
  },
  'a page of a search': async (db) => (await findListed(db, listed(), { expandPayload: false })).openItems(),
  'a page of a search with payloads': async (db) =>
    consume((await findListed(db, listed(), { expandPayload: true })).openItems()),
  'a page of the change feed': (db) => changes(db, null, {}),
  'a page of the change feed of a register': (db) => changes(db, 'X2', {}),
  'a page of the change feed with payloads': (db) => changes(db, null, { expand: 'payload' }),
  'a page of the history': (db) =>
    findHistoryPage(db, planHistory(parseHistory({ since: FIRST, limit: '50' }, null)), HISTORY),
  'the history of one record': (db) => findRecordHistory(db, parseRecordHistory({}, { register: 'X2', uid: 'u7' })),
  'a version with its payload': (db) =>
    findVersion(db, { register: 'X2', uid: 'u7', version: FIRST, expandPayload: true }),
  'digests of registers': (db) => listRegisterDigests(db, DIGESTS),
  'digests of buckets': (db) => listBucketDigests(db, 'X2', DIGESTS),
  'records of a bucket': (db) => listBucketRecords(db, { register: 'X2', bucket: 7, after: null }, DIGESTS),
  'events for watches': (db) =>
    readEvents(
      db,
      { stamp: FIRST, jurisdiction_code: '', uid: '', complete_through: FIRST },
      { events: 50, bytes: 1e6 },
    ),
  'publishes for the index': (db) =>
    readPublishes(db, '2026-01-02T00:01:00.000000Z', async ({ records }) => {
      for await (const batch of records) if (batch.length === 0) break;
    }),
  'a comparison of records with what is read': (db) => listDiffering(db, encodeIdentities(READ)),
  'a publish that replaces records': async (db) => {
    const loadId = await stageRecords(db, [
      { jurisdiction_code: 'X2', uid: 'u7' },
      { jurisdiction_code: 'X2', uid: 'u12' },
    ]);
    await publishBatch(db, loadId, 1);
  },
  'a publish that replaces records with payloads': async (db) => {
    const loadId = await stageRecords(db, [
      { jurisdiction_code: 'X2', uid: 'u7', payload: { n: 1 }, source_digest: '0011223344556677' },
      { jurisdiction_code: 'X2', uid: 'u12' },
    ]);
    await publishBatch(db, loadId, 1);
  },
  'the event of one version': (db) => findVersionEvent(db, { register: 'X2', uid: 'u7', version: FIRST }),
  'records that a watch lists': async (db) => {
    await countListedRecords(db, listed());
    await listMissingRecords(db, listed());
    for await (const facts of readDateFacts(db, listed())) if (facts.length === 0) break;
    await listCurrentRecords(db, listed());
    await listDocuments(db, listed(), 1_000_000);
    await listCurrentStamps(db, listed());
    await listPartiesByKey(db, listed());
  },
  'what a backup begins with': (db) =>
    db.transaction((tx) => takeSnapshots(tx), { isolation: 'repeatable read', readOnly: true }),
  'the check of the store of objects': (db) => checkObjects(db),
  'the check of what is stored': (db) => verifyDatabase({ db, horizonSeconds: 0, quick: false }),
  'a move of payloads': async (db) => {
    for await (const rows of walkDocuments(db, 'payload', { places: ['database'], pageRowsMax: 3 })) {
      if (rows.length > 0) break;
    }
  },
  'pseudo marks of earlier loads': async (db) => {
    const row = { key: ['X2', 'u7'], digest: '00'.repeat(32) };
    await findRecords(db, [{ row }]);
    await writeForms(db, [{ key: row.key, updated_at: FIRST, forms: null }]);
    for await (const rows of readPseudoMarks(db)) if (rows.length === 0) break;
  },
};

const HISTORY = { horizonSeconds: 0, matches: async () => [] };
const DIGESTS = { asOf: '2026-01-02T00:01:00.000000Z', horizonSeconds: 0 };
const READ = ['u2', 'u7', 'new'].map((uid) => ({
  jurisdiction_code: 'X2',
  uid,
  digest: '00'.repeat(16),
  source_version: null,
  source_digest: null,
}));

const listed = () => ['u2', 'u7', 'u12'].map((uid) => ({ jurisdiction_code: 'X2', uid, updated_at: CURRENT }));

async function consume(items: Promise<object>): Promise<void> {
  const opened = await items;
  if (Symbol.asyncIterator in opened) for await (const _ of opened as AsyncIterable<Buffer>);
}

async function changes(db: Database, register: string | null, query: Record<string, string>): Promise<void> {
  const plan = planChanges(parseChanges({ since: '1970-01-01', limit: '50', ...query }, register));
  await consume(Promise.resolve((await findChangesPage(db, plan, { horizonSeconds: 0 })).items));
}

/** On a new database with 10,000 records; on several nodes it has 4 shards. */
export async function planTasks(
  t: { after(work: () => Promise<void>): void } | undefined,
  { isSingle }: { readonly isSingle: boolean },
  noteText?: (text: string) => void,
): Promise<TaskPlans[]> {
  const { db, url } = await createTestDatabase(t, { isSingle });
  await fillForPlans(db);
  const reading = await connectTestDatabase(url, { poolMax: 4, ...(await findReadingOptions(db)) });
  return await describePlans(reading, noteText).finally(() => reading.close());
}

/** The plans of every task, in the order of the list. `noteText` gets the text of each statement that is explained. */
async function describePlans(db: Database, noteText: (text: string) => void = () => {}): Promise<TaskPlans[]> {
  const described: TaskPlans[] = [];
  for (const [task, ask] of Object.entries(TASKS)) {
    const plans: string[] = [];
    await ask(
      explaining(db, (plan, text) => {
        plans.push(plan);
        noteText(text);
      }),
    );
    described.push({ task, plans });
  }
  return described;
}

/** The same database; each statement that touches records is explained before it runs. */
function explaining(db: Database, note: (plan: string, text: string) => void): Database {
  const explain = async (on: Queryable, statement: Statement): Promise<void> => {
    if (!TOUCHES_RECORDS.test(statement.text) || HAS_NO_PLAN.test(statement.text)) return;
    const lines = await on.query<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`, { prepare: false });
    note(mask(lines.map((line) => line['QUERY PLAN']).join('\n')), statement.text);
  };
  const wrap = <On extends Queryable>(on: On): On => ({
    ...on,
    query: async <Row>(statement: Statement, options = {}) => {
      await explain(on, statement);
      return await on.query<Row>(statement, options);
    },
    queryBytes: async <Row>(statement: Statement, options = {}) => {
      await explain(on, statement);
      return await on.queryBytes<Row>(statement, options);
    },
    copyRows: async (statement, limits) => {
      await explain(on, statement);
      return await on.copyRows(statement, limits);
    },
  });
  return {
    ...wrap(db),
    transaction: (work, options) => db.transaction((tx) => work(wrap<Transaction>(tx)), options),
  };
}

/** Names that differ from run to run. */
function mask(plan: string): string {
  return plan
    .replace(/stage_[0-9a-f]{32}/g, 'stage')
    .replace(/\b(stage_batch|record|payload|record_version|publish)((?:_\w+?)?)_\d{6}\b/g, '$1$2_shard')
    .replace(/host=\S+ port=\d+ dbname=\S+/g, 'a worker')
    .replace(/Distributed Subplan \d+_/g, 'Distributed Subplan ')
    .replace(/'(\{[^']{60})[^']*'/g, "'$1…'")
    .replace(/'\d{4}-\d\d-\d\d [0-9:.]+\+00'/g, "'…'");
}
