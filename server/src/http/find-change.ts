/** What changed in a version of a record, for pages of the portal. */
import { type Queryable, withLimits } from '../database/driver/db.ts';
import { findVersionEvent, type VersionEvent } from '../store/records/history.ts';
import type { RecordVersion } from '../store/records/versions.ts';
import { orNull } from './or-null.ts';

/**
 * Null if there is no such version, or if it cannot be determined in time.
 *
 * @param deadlineMs on the monotonic clock.
 */
export async function findChangeInTime(
  database: Queryable,
  name: RecordVersion,
  deadlineMs: number,
): Promise<VersionEvent | null> {
  return await orNull(() => findVersionEvent(withLimits(database, { deadlineMs }), name));
}
