/** What a publish replaces, it keeps: every version with its document, once, and why it was replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from '../../src/database/driver/sql.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildSource } from '../support/source.ts';
import { listVersions, type Version } from '../support/versions.ts';
import { publishRecords, type SourceFields, stageRecords } from '../torture/publish.ts';

/** What a publish states of one record. */
interface Statement {
  uid: string;
  mark_name: string;
  payload: { text: string } | null;
  source_version: string | null;
  source_digest: string | null;
  is_removal: boolean;
}

const DIGESTS = ['00'.repeat(8), '11'.repeat(8)];

const statements: fc.Arbitrary<Statement> = fc.record({
  uid: fc.constantFrom('1', '2', '3'),
  mark_name: fc.constantFrom('one', 'two', 'three'),
  payload: fc.constantFrom(null, { text: 'a' }, { text: 'b'.repeat(5000) }),
  source_version: fc.constantFrom(null, '1', '2'),
  source_digest: fc.constantFrom(null, ...DIGESTS),
  is_removal: fc.boolean(),
});

const publishes = fc.array(fc.uniqueArray(statements, { selector: ({ uid }) => uid, minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
});

interface Expected {
  content: string;
  document: string | null;
  cause: string;
}

interface Known extends Pick<Statement, 'source_version' | 'source_digest'> {
  versions: Expected[];
}

function fieldsOf({ source_digest, ...fields }: Statement): SourceFields {
  return source_digest === null ? fields : { ...fields, source_digest };
}

function stateOf(statement: Statement): Pick<Expected, 'content' | 'document'> {
  const { source_digest: _, ...fields } = statement;
  const { detail, payload } = buildRow(normalizeRecord(buildSource(fields)));
  return { content: detail, document: payload };
}

/** What the statements make of the records, worked out without a database. */
function tellHistory(batches: readonly (readonly Statement[])[]): Map<string, Known> {
  const records = new Map<string, Known>();
  for (const statement of batches.flat()) {
    const { uid, source_version, source_digest, is_removal } = statement;
    const state = stateOf(statement);
    const known = records.get(uid);
    if (known === undefined) {
      records.set(uid, { source_version, source_digest, versions: [{ ...state, cause: 'first' }] });
      continue;
    }
    if (known.source_version !== null && source_version !== null && source_version < known.source_version) continue;
    const last = known.versions.at(-1)!;
    if (last.content === state.content && last.document === state.document) {
      known.source_version = source_version ?? known.source_version;
      known.source_digest = source_digest ?? known.source_digest;
      continue;
    }
    known.versions.push({ ...state, cause: tellCause(known, statement) });
    if (is_removal) assert.equal(known.versions.at(-1)!.cause, 'removal');
    known.source_version = source_version;
    known.source_digest = source_digest;
  }
  return records;
}

function tellCause(known: Known, { is_removal, source_digest, source_version }: Statement): string {
  if (is_removal) return 'removal';
  if (source_digest !== null && source_digest === known.source_digest) return 'renormalization';
  return source_version !== null && source_version === known.source_version ? 'correction' : 'office';
}

function contentOf({ detail }: Version): string {
  return detail.replace(/,"record_update_date":.*$/, '');
}

test('the sum of a record’s history equals the record, whatever was published [4.6.6]', {
  timeout: 300_000,
}, async (t) => {
  const { db } = await createTestDatabase(t);
  await fc.assert(
    fc.asyncProperty(publishes, async (batches) => {
      await db.query(sql`truncate record, payload, record_version, register, publish_digest, load, publish`, {
        prepare: false,
      });
      for (const batch of batches) await publishRecords(db, batch.map(fieldsOf));
      const kept = await listVersions(db);
      for (const [uid, { versions }] of tellHistory(batches)) {
        const found = kept.filter((version) => version.uid === uid);
        assert.deepEqual(
          found.map((version) => ({ content: contentOf(version), document: version.document, cause: version.cause })),
          versions,
        );
        assert.deepEqual(
          found.map(({ replaced_at }) => replaced_at),
          [...found.slice(1).map(({ updated_at }) => updated_at), null],
        );
      }
      const stamps = await db.query<{ stamp: string }>(sql`
        select updated_at::text as stamp from record union select updated_at::text from record_version order by 1`);
      const noted = await db.query<{ stamp: string }>(sql`
        select publish.stamp::text as stamp from publish join load using (load_id) order by 1`);
      assert.deepEqual(stamps, noted, 'every stamp has its load, and no publish without records is noted');
    }),
    { numRuns: 60 },
  );
});

test('a document is kept only where it was replaced, a missing one too', async (t) => {
  const { db } = await createTestDatabase(t);
  const payloads = [null, { a: 1 }, { a: 1 }, { a: 2 }, null, null];
  for (const [at, payload] of payloads.entries()) await publishRecords(db, [{ mark_name: `mark ${at}`, payload }]);
  const kept = await db.query<{ has_document: boolean; document: string | null }>(
    sql`select has_document, document from record_version order by updated_at`,
  );
  assert.deepEqual(kept, [
    { has_document: true, document: null },
    { has_document: false, document: null },
    { has_document: true, document: '{"a":1}' },
    { has_document: true, document: '{"a":2}' },
    { has_document: false, document: null },
  ]);
  const documents = (await listVersions(db)).map(({ document }) => document);
  assert.deepEqual(
    documents,
    payloads.map((payload) => (payload === null ? null : JSON.stringify(payload))),
  );
});

test('nothing is kept of a publish that was rolled back', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [{ mark_name: 'one' }]);
  const loadId = await stageRecords(db, [{ mark_name: 'two' }]);
  for (const at of ['written', 'counted']) {
    const onStep = async (step: string): Promise<void> => {
      if (step === at) throw new Error('as a crash would');
    };
    await assert.rejects(publishBatch(db, loadId, 1, { onStep }), /as a crash would/);
    assert.equal((await listVersions(db)).length, 1);
    assert.equal((await db.query(sql`select from publish`)).length, 1);
  }
  await publishBatch(db, loadId, 1);
  assert.deepEqual(
    (await listVersions(db)).map(({ cause }) => cause),
    ['first', 'office'],
  );
});

test('the database refuses a writer that replaces a version without keeping it', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [{ mark_name: 'one' }]);
  // As a load of an older version did.
  const replace = sql`insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
    select jurisdiction_code, uid, clock_timestamp(), first_seen_at, '', detail from record
    on conflict (jurisdiction_code, uid) do update set updated_at = excluded.updated_at`;
  await assert.rejects(db.query(replace), (error: Error) =>
    /load with the tmds of this schema/.test(String(error.cause ?? error)),
  );
  await db.query(sql`update record set source_version = '1'`);
});
