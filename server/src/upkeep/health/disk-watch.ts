/** Checks the disk of the data folder while a server runs. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type DiskSpace, judgeDisk, readDiskSpace } from '../../database/embedded/disk-space.ts';
import { buildAlarmLog, type OpenAlarms } from './alarms.ts';

export interface DiskWatchOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms?: OpenAlarms;
  /** Default: the function of the operating system. */
  readonly readSpace?: (folder: string) => Promise<DiskSpace | null>;
}

/** One check; never rejects. */
export function buildDiskLook(options: DiskWatchOptions): () => Promise<void> {
  const { folder, readSpace = readDiskSpace } = options;
  const note = buildAlarmLog(options, 'the disk has room again');
  return async () => {
    const space = await readSpace(folder);
    const finding = space === null ? null : judgeDisk(folder, space);
    note(finding === null ? [] : [finding]);
  };
}
