/** An operator's decisions about a file that failed or came late: to skip it, or to retry it. */

import type { Clock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Database } from '../database/driver/db.ts';
import {
  changeSourceFile,
  listSourceFiles,
  type SourceFile,
  type SourceFileState,
} from '../store/sync/source-files.ts';
import type { DeclaredSource } from './declared/source.ts';
import { removeFile } from './files.ts';

const SKIPPED_FROM: readonly SourceFileState[] = ['seen', 'fetched', 'failed', 'late'];
const RETRIED_FROM: readonly SourceFileState[] = ['failed', 'late', 'skipped', 'double'];

interface Decision {
  db: Database;
  clock: Clock;
  dataDir: string;
  sources: readonly DeclaredSource[];
}

/** Throws `OperatorError` (exit status 2) unless exactly one source has such a file that can be skipped. */
export async function skipFile(name: string, { db, clock, sources }: Decision): Promise<void> {
  const { file } = await findFile(name, SKIPPED_FROM, { db, sources });
  await change(db, file, { state: 'skipped', reason: 'left out by the operator' }, clock);
}

/** The file is fetched again, and loaded although it is late. Throws the same errors as `skipFile`. */
export async function retryFile(name: string, { db, clock, dataDir, sources }: Decision): Promise<void> {
  const { file, source } = await findFile(name, RETRIED_FROM, { db, sources });
  await removeFile(source, file, dataDir);
  await change(db, file, { state: 'seen' }, clock);
}

async function change(
  db: Database,
  file: SourceFile,
  to: { state: SourceFileState; reason?: string },
  clock: Clock,
): Promise<void> {
  if (await changeSourceFile(db, file, to, clock.nowMs())) return;
  throw new OperatorError(`${file.name} has just been changed by another process; check it again (tmds sources)`);
}

async function findFile(
  name: string,
  states: readonly SourceFileState[],
  { db, sources }: Pick<Decision, 'db' | 'sources'>,
): Promise<{ source: DeclaredSource; file: SourceFile }> {
  const found: { source: DeclaredSource; file: SourceFile }[] = [];
  for (const source of sources) {
    const files = await listSourceFiles(db, source.name);
    found.push(...files.filter((file) => file.name === name).map((file) => ({ source, file })));
  }
  const [one, other] = found;
  const refuse = (reason: string): OperatorError => new OperatorError(reason, { exitStatus: 2 });
  if (one === undefined) throw refuse(`no source has a file ${name}; tmds sources --json lists them`);
  if (other !== undefined) {
    throw refuse(`${name} is a file of both ${one.source.name} and ${other.source.name}; name the source as well`);
  }
  if (states.includes(one.file.state)) return one;
  throw refuse(`${name} is ${one.file.state}; this is for files that are ${states.join(', ')}`);
}
