/** The records that the rows of a compared docket were found to mean. */

import type { Queryable } from '../../database/driver/db.ts';
import { findPart } from '../../store/accounts/dockets.ts';
import type { WatchedRecord } from '../../store/watches/watches.ts';
import { type Docket, unpackFindings } from './stored-docket.ts';

/** Each once, in the order of the database. No further part is read once there are `max`. */
export async function listFound(
  database: Queryable,
  { docket_id: docketId, parts }: Pick<Docket, 'docket_id' | 'parts'>,
  max: number = Number.POSITIVE_INFINITY,
): Promise<WatchedRecord[]> {
  const found = new Map<string, WatchedRecord>();
  for (let number = 0; number < parts && found.size < max; number += 1) {
    const part = await findPart(database, docketId, number);
    for (const finding of part?.findings == null ? [] : await unpackFindings(part.findings)) {
      const { jurisdiction_code, uid } = finding;
      if (jurisdiction_code === null || uid === null) continue;
      found.set(`${jurisdiction_code}\n${uid}`, { jurisdiction_code, uid });
    }
  }
  const keyed = [...found].map(([key, record]) => ({ key: Buffer.from(key), record }));
  return keyed.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ record }) => record);
}
