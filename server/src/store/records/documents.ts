/**
 * Documents of the records of a list, for what pages show of them next to the delivered fields. Bounded by their size
 * together; those in the store of objects are not fetched, because each would be a separate request.
 */

import { keyLists, type RecordKey } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { documentBytes, heldDocument, heldIn, readDocuments } from '../documents/read.ts';

const HELD = heldIn('payload');
const IS_HERE = sql`(${HELD.text} is not null or ${HELD.packed} is not null)`;

/**
 * In the order of `records`, as long as they fit into `bytesMax` together; null for a record without a document here.
 */
export async function listDocuments(
  db: Queryable,
  records: readonly RecordKey[],
  bytesMax: number,
): Promise<(Buffer | null)[]> {
  if (records.length === 0) return [];
  const near = db.isDistributed === true ? sql`payload.uid = any(${records.map(({ uid }) => uid)}::text[])` : sql`true`;
  const rows = await db.queryBytes<{ readonly position: Buffer; readonly held: Buffer }>(sql`
    with sized as materialized (
      select listed.jurisdiction_code, listed.uid, listed.position,
        sum(found.bytes) over (order by listed.position) as total
      from unnest(${keyLists(records)}) with ordinality as listed (jurisdiction_code, uid, position)
        cross join lateral ${documentOf(documentBytes(HELD), sql`bytes`, near)} as found
    )
    select listed.position, found.held
    from (select jurisdiction_code, uid, position from sized where total <= ${bytesMax}::bigint) as listed
      cross join lateral ${documentOf(heldDocument(HELD), sql`held`, near)} as found`);
  const documents = await readDocuments(
    db,
    rows.map(({ held }) => held),
  );
  const found: (Buffer | null)[] = records.map(() => null);
  for (const [at, { position }] of rows.entries()) found[Number(position.toString()) - 1] = documents[at] ?? null;
  return found;
}

function documentOf(value: Statement, name: Statement, near: Statement): Statement {
  return sql`(
          select ${value} as ${name} from payload
          where payload.jurisdiction_code = listed.jurisdiction_code and payload.uid = listed.uid
            and ${IS_HERE} and ${near}
          group by payload.jurisdiction_code, payload.uid
        )`;
}
