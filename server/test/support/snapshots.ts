/** Snapshots in tests: made with small files, so that a few records fill several, and read back. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DeltaRegister, SnapshotFormat, SnapshotRegister } from '@tmds/contract/snapshots';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { type SnapshotOptions, type SnapshotReport, writeSnapshot } from '../../src/store/snapshots/write.ts';

/** A file holds a few records of a test. */
const PART_BYTES = 4_000;

export async function makeSnapshot(
  db: Database,
  folder: string,
  options: Partial<SnapshotOptions> = {},
): Promise<SnapshotReport> {
  return await writeSnapshot({
    db,
    folder,
    registers: null,
    payloads: false,
    formats: ['jsonl'],
    horizonSeconds: 0,
    keep: 2,
    deltaDays: 0,
    version: '0.0.0-test',
    clock: systemClock,
    partBytes: PART_BYTES,
    ...options,
  });
}

export function namesOf({ files }: SnapshotRegister | DeltaRegister, format: SnapshotFormat): string[] {
  return files.filter((file) => file.format === format).map(({ name }) => name);
}

/** The lines of a register's files, in their order. */
export async function readLines(folder: string, register: SnapshotRegister | DeltaRegister): Promise<string[]> {
  const lines: string[] = [];
  for (const name of namesOf(register, 'jsonl')) {
    const text = gunzipSync(await readFile(join(folder, name))).toString('utf8');
    lines.push(...text.trimEnd().split('\n'));
  }
  return lines;
}
