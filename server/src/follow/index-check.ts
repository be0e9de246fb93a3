/** Checks whether the search indexes of the servers that use this data folder are level with the database. */

import type { Observation } from '../base/observation.ts';
import type { Queryable } from '../database/driver/db.ts';
import { readDiskSpace } from '../database/embedded/disk-space.ts';
import { findPublishState } from '../database/readers/publish-state.ts';
import { microsOf } from '../index/instants.ts';
import { indexFolder, listStatuses, type ServerIndexStatus } from './status.ts';

/** An index that is further behind has stopped following. */
const LAG_MS_MAX = 5_000;

export async function checkSearchIndexes(db: Queryable, dataDir: string): Promise<Observation[]> {
  const { lastStamp } = await findPublishState(db);
  const statuses = await listStatuses(indexFolder(dataDir));
  if (statuses.length === 0) return [{ seen: 'no server uses this data folder', remedy: null }];
  const isFull = (await readDiskSpace(dataDir))?.isFull === true;
  return statuses.map((status) => judge(status, lastStamp, isFull ? dataDir : null));
}

/** `fullDisk`: the folder where servers write their status, if its disk takes nothing more. */
function judge(status: ServerIndexStatus, lastStamp: string, fullDisk: string | null): Observation {
  const server = `server ${status.pid}`;
  if (status.state === 'failed') {
    return { seen: `${server}: ${status.fault}`, remedy: 'see the log of the server; it retries automatically' };
  }
  if (status.state === 'starting' || status.stamp === null) {
    const { done, total } = status.progress ?? { done: 0, total: 0 };
    const share = total === 0 ? '' : `, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} records`;
    return { seen: `${server}: being built${share}; searches answer 503 until it is ready`, remedy: null };
  }
  const lagMs = (microsOf(lastStamp) - microsOf(status.stamp)) / 1000;
  const seen = `${server}: ${describe(status)}, ${lagMs <= 0 ? 'level with the database' : `${lagMs} ms behind`}`;
  const differing = status.compared?.differences ?? [];
  if (differing.length > 0) {
    const registers = differing.map(({ jurisdiction_code }) => jurisdiction_code).join(', ');
    return { seen: `${seen}; differs from the database in ${registers}`, remedy: 'restart the server' };
  }
  if (lagMs > LAG_MS_MAX && fullDisk !== null) {
    const remedy = `make room on the disk of ${fullDisk}: it is full, and the server cannot say there how far it is`;
    return { seen: `${server}: up to ${status.stamp} when it could last write its status`, remedy };
  }
  if (lagMs > LAG_MS_MAX)
    return { seen, remedy: `see the log of the server: ${status.fault ?? 'it does not follow the database'}` };
  return { seen, remedy: null };
}

function describe({ records, segments, bytes, stamp, searchers, compared }: ServerIndexStatus): string {
  const parts = Object.entries(bytes).sort(([, one], [, other]) => other - one);
  const total = parts.reduce((sum, [, size]) => sum + size, 0);
  const listed = parts.map(([part, size]) => `${part} ${megabytes(size)}`).join(', ');
  const checked = compared === null ? 'not compared yet' : `equal to the table at ${compared.at}`;
  return (
    `${records.toLocaleString('en')} records in ${segments} segments, ${megabytes(total)} MB (${listed}), ` +
    `${searchers} search threads, up to ${stamp}, ${checked}`
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(bytes < 10 * 1024 ** 2 ? 1 : 0);
}
