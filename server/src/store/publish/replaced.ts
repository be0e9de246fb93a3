/**
 * Handles stored records before a publish overwrites them: the replaced versions are kept with the cause
 * (docs/design/history.md), and records of equal content get the version and origin of their last reading. It runs
 * under the publish lock, in the transaction that writes.
 */

import type { Transaction } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { documentsDiffer, heldIn, PACKED_COLUMNS } from '../documents/read.ts';
import type { Stamp } from './feed-clock.ts';

/** The staged row's version is not older than the record's, as far as both are known. */
const NOT_OLDER = sql`(record.source_version <= stage.source_version) is not false`;

/** The staged row replaces the record: its content differs, and its version is not older. */
export const REPLACES = sql`record.content_digest <> stage.content_digest and ${NOT_OLDER}`;

/** Why it replaces the record (docs/design/history.md). */
const CAUSE = sql`case
          when stage.kind = 'removal' then 'removal'
          when stage.kind = 'rejoin' then 'office'
          when record.source_digest = stage.source_digest then 'renormalization'
          when record.source_version = stage.source_version then 'correction'
          else 'office' end`;

/** The nodes could not compute it as a separate subquery. */
const DOCUMENT_CHANGES = sql`(${documentsDiffer(heldIn('payload'), heldIn('stage', 'payload'))})`;
const KEPT_COLUMNS = ['document', ...PACKED_COLUMNS];
const KEPT_LIST = joinSql(KEPT_COLUMNS.map(identifier), ', ');
const KEPT_VALUES = joinSql(
  KEPT_COLUMNS.map((column) => sql`case when ${DOCUMENT_CHANGES} then payload.${identifier(column)} end`),
  ', ',
);

/** Keeps the versions that are about to be replaced. A payload that does not change is not kept a second time. */
export async function keepVersions(tx: Transaction, stage: Statement, batch: number, { stamp }: Stamp): Promise<void> {
  await tx.query(
    sql`insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, source_version,
          mark_variants, detail, has_document, ${KEPT_LIST})
        select record.jurisdiction_code, record.uid, record.updated_at, ${stamp}::timestamptz, ${CAUSE},
          record.source_version, record.mark_variants, record.detail, ${DOCUMENT_CHANGES},
          ${KEPT_VALUES}
        from ${stage} stage join record
            on record.jurisdiction_code = stage.jurisdiction_code and record.uid = stage.uid
          left join payload on payload.jurisdiction_code = stage.jurisdiction_code and payload.uid = stage.uid
        where stage.batch = ${batch} and not stage.superseded and stage.detail is not null and ${REPLACES}
        order by stage.jurisdiction_code, stage.uid`,
    { prepare: false },
  );
}

/**
 * Equal content under a higher version, or from another source record. Readers see no change, but a version in between
 * must not win later, and the next reading must be compared with the last one.
 */
export async function raiseSources(tx: Transaction, stage: Statement, batch: number): Promise<void> {
  await tx.query(
    sql`update record set source_version = coalesce(stage.source_version, record.source_version),
        source_digest = coalesce(stage.source_digest, record.source_digest)
      from ${stage} stage
      where stage.batch = ${batch} and not stage.superseded
        and record.jurisdiction_code = stage.jurisdiction_code and record.uid = stage.uid
        and record.content_digest = stage.content_digest and ${NOT_OLDER}
        and (record.source_version is distinct from coalesce(stage.source_version, record.source_version)
          or record.source_digest is distinct from coalesce(stage.source_digest, record.source_digest))`,
    { prepare: false },
  );
}
