/** Records into a database by the product's own stage and publish, with a hand on every step between them. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/driver/db.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { assignBatch, openRowWriter } from '../../src/store/publish/copy-rows.ts';
import { insertLoad } from '../../src/store/publish/loads.ts';
import { type PublishedBatch, type PublishOptions, publishBatch } from '../../src/store/publish/publish.ts';
import { createStage, dropStage, settleStage, stageRows } from '../../src/store/publish/stage.ts';
import { buildSource } from '../support/source.ts';

/** `source_digest`: 16 hexadecimal digits. */
export type SourceFields = Parameters<typeof buildSource>[0] & { source_digest?: string };

/** Stages one batch of a separate load; resolves to the load's id, for `publishBatch(db, loadId, 1)`. */
export async function stageRecords(db: Database, records: readonly SourceFields[]): Promise<string> {
  const loadId = randomUUID();
  await insertLoad(db, { loadId, format: 'ndjson', source: 'test' });
  await createStage(db, loadId);
  await stageRows(db, loadId, writeRows(records));
  await db.transaction(async (tx) => await settleStage(tx, loadId));
  return loadId;
}

async function* writeRows(records: readonly SourceFields[]): AsyncGenerator<Buffer> {
  const writer = openRowWriter(0);
  const starts = records.map(({ source_digest, ...fields }, index) => {
    const row = buildRow(normalizeRecord(buildSource(fields)));
    return writer.writeRow(index + 1, { ...row, source_digest: source_digest ?? null });
  });
  const bytes = writer.end();
  assignBatch(bytes, new Uint32Array(starts), 1);
  yield Buffer.from(bytes);
}

/** One publish with one stamp. */
export async function publishRecords(
  db: Database,
  records: readonly SourceFields[],
  options: PublishOptions = {},
): Promise<PublishedBatch> {
  const loadId = await stageRecords(db, records);
  const result = await publishBatch(db, loadId, 1, options);
  await dropStage(db, loadId);
  return result;
}

/** `count` records `<prefix>1 …` of one register that differ in their mark only. */
export function buildRecords(count: number, fields: SourceFields = {}, prefix = 'R'): SourceFields[] {
  return Array.from({ length: count }, (_, index) => ({ ...fields, uid: `${prefix}${index + 1}` }));
}
