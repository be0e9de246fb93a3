/**
 * Where a feed is read from, and the file that keeps it between runs. A position belongs to one feed and one instant;
 * a file of another feed is refused, because its cursor would be.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { UsageError } from '../docket/options.ts';
import { describeFileFault, MissingFile } from '../replica/settings.ts';
import type { ShellCall } from './call.ts';

export interface Position {
  readonly since: string;
  readonly cursor: string | null;
}

interface Kept extends Position {
  readonly feed: string;
}

export interface Place {
  readonly start: Position;
  /** Keeps the position, if it is kept at all; nothing written before it is read again. */
  readonly save: (cursor: string | null) => Promise<void>;
}

/** @param feed names the feed with what it is read by */
export async function openPlace({ given, clock }: ShellCall, feed: string): Promise<Place> {
  const file = given.text('keep');
  const kept = file === undefined ? null : await readKept(file, feed);
  const since = given.text('since');
  if (kept !== null && ((since !== undefined && since !== kept.since) || given.has('cursor'))) {
    throw new UsageError(
      `${file} has a position since ${kept.since}: leave out --since and --cursor, or delete the file`,
    );
  }
  const start = kept ?? {
    since: since ?? chooseSince(given.has('follow'), clock.nowMs()),
    cursor: given.text('cursor') ?? null,
  };
  if (given.has('cursor') && since === undefined) throw new UsageError('--cursor needs the --since that it belongs to');
  const save = async (cursor: string | null): Promise<void> => {
    if (file !== undefined) await writeKept(file, { feed, since: start.since, cursor });
  };
  // What comes before the first page is of the same instant for the next run.
  if (kept === null) await save(start.cursor);
  return { start, save };
}

function chooseSince(isFollowing: boolean, nowMs: number): string {
  if (isFollowing) return new Date(nowMs).toISOString();
  throw new UsageError('--since is missing, such as --since 2026-01-01; or use --follow for what comes from now on');
}

async function readKept(file: string, feed: string): Promise<Kept | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new MissingFile(describeFileFault(file, error));
  }
  const kept = parseKept(text);
  if (kept === null) throw new UsageError(`${file} holds something other than a position of this command`);
  if (kept.feed !== feed) throw new UsageError(`${file} has the position of another feed: ${kept.feed}, not ${feed}`);
  return kept;
}

function parseKept(text: string): Kept | null {
  try {
    const { feed, since, cursor } = JSON.parse(text) as Partial<Kept>;
    const isCursor = typeof cursor === 'string' || cursor === null;
    return typeof feed === 'string' && typeof since === 'string' && isCursor ? { feed, since, cursor } : null;
  } catch {
    return null;
  }
}

/** The file is whole at any time. */
async function writeKept(file: string, kept: Kept): Promise<void> {
  try {
    await writeFile(`${file}.part`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    await rename(`${file}.part`, file);
  } catch (error) {
    throw new MissingFile(describeFileFault(file, error));
  }
}
