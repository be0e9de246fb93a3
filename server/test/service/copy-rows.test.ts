/** Rows for COPY in binary form: PostgreSQL holds what was written, to the last byte. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, joinSql, sql } from '../../src/database/driver/sql.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow, type RecordRow } from '../../src/record/row.ts';
import { assignBatch, openRowWriter, type RowWriter, STAGED_COLUMNS } from '../../src/store/publish/copy-rows.ts';
import { createStage, stageRows, stageTable } from '../../src/store/publish/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildSource } from '../support/source.ts';

const COLUMNS = joinSql(
  STAGED_COLUMNS.map((column) => sql`${identifier(column)}::text as ${identifier(column)}`),
  ', ',
);

/** `write` returns where rows begin that are put into the batch afterwards. */
async function readStaged(
  db: Database,
  write: (writer: RowWriter) => number[],
  batch = 0,
): Promise<Record<string, string | null>[]> {
  const loadId = randomUUID();
  await createStage(db, loadId);
  const writer = openRowWriter(0);
  const starts = write(writer);
  const written = writer.end();
  assignBatch(written, new Uint32Array(starts), batch);
  const bytes = Buffer.from(written);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  }
  await stageRows(db, loadId, pieces());
  return await db.query(sql`select ${COLUMNS} from ${stageTable(loadId)} where seq >= 0 order by seq`, {
    prepare: false,
  });
}

function textsOf({ batch, seq }: { batch: number; seq: number }, row: RecordRow): Record<string, string | null> {
  const { content_digest, line_digest, is_partial, ...texts } = row;
  const digests = { content_digest: `\\x${content_digest}`, line_digest: `\\x${line_digest}` };
  return { batch: String(batch), seq: String(seq), is_partial: String(is_partial), ...texts, ...digests };
}

test('a staged row is what was written, whatever its texts and place [2.2, I-31]', async (t) => {
  const { db } = await createTestDatabase(t);
  const awkward = 'tab\t back\\slash \n \r "quoted" \\N é 株式会社 🦊';
  const lined = buildRow(
    normalizeRecord(
      buildSource({
        uid: awkward,
        mark_name: awkward,
        mark_name_variants: ['Знак', awkward, '商标'],
        owner_names: [awkward, 'Σίσυφος'],
        application_number: 'a\\1',
        source_version: '20260101',
        is_partial: true,
        payload: { text: awkward.repeat(1_000) },
      }),
    ),
  );
  const rows = [
    buildRow(normalizeRecord(buildSource({ uid: '1', source_version: '' }))),
    { ...lined, line_digest: '00112233445566778899aabbccddeeff' },
  ];
  const [batch, seqs] = [2_147_483_647, [0, 2 ** 40 + 2 ** 31]];
  const staged = await readStaged(
    db,
    (writer) => rows.map((row, position) => writer.writeRow(seqs[position]!, row)),
    batch,
  );
  assert.deepEqual(
    staged,
    rows.map((row, position) => textsOf({ batch, seq: seqs[position]! }, row)),
  );
});

test('rows are in no batch until they are put into one', async (t) => {
  const { db } = await createTestDatabase(t);
  const rows = ['1', '株式会社', '3'].map((uid) => buildRow(normalizeRecord(buildSource({ uid, mark_name: uid }))));
  const staged = await readStaged(db, (writer) => rows.map((row, seq) => writer.writeRow(seq, row)).slice(1), 7);
  assert.deepEqual(
    staged,
    rows.map((row, seq) => textsOf({ batch: seq === 0 ? 0 : 7, seq }, row)),
  );
});

test('only the identity of an unchanged record is staged', async (t) => {
  const { db } = await createTestDatabase(t);
  const identity = { jurisdiction_code: 'XA', uid: 'é', source_version: '7' };
  const staged = await readStaged(db, (writer) => {
    writer.writeUnchanged(3, identity);
    return [];
  });
  const silent = Object.fromEntries(STAGED_COLUMNS.map((column) => [column, null]));
  assert.deepEqual(staged, [
    {
      ...silent,
      ...identity,
      ...{ kind: 'statement', is_partial: 'false', batch: '0', seq: '3', content_digest: '\\x', line_digest: '\\x' },
    },
  ]);
});
