/**
 * Where a backup goes: a folder, or a stream as one tar archive. Invariant: a folder gets its name only when every
 * member and its seal are on disk; a stream whose writer was ended lacks its end and its seal.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarPacker } from 'modern-tar';
import { OperatorError } from '../../base/errors.ts';
import { isAlive } from '../../base/processes.ts';
import { encodeSeal, type Member, SEAL } from './form.ts';

export interface BackupSink {
  /** Members arrive in the order of the backup. Throws OperatorError if there is no room. */
  put(member: Member): Promise<void>;
  /** Seals the members that were put. Until then the backup is not complete. */
  seal(): Promise<void>;
  /** Removes what was put, after a failure; never rejects. */
  abandon(): Promise<void>;
}

type Place = Omit<BackupSink, 'seal'> & { finish(): Promise<void> };

/** Throws OperatorError if something of that name exists, or the folder cannot be created. */
export async function openFolderSink(folder: string): Promise<BackupSink> {
  return sealing(await openFolder(folder));
}

/** @param modifiedMs what the members of the archive state as their time, in milliseconds since 1970 */
export function openStreamSink(output: Writable, modifiedMs: number): BackupSink {
  return sealing(openTar(output, modifiedMs));
}

function sealing(place: Place): BackupSink {
  const digests = new Map<string, string>();
  return {
    put: async (member) => {
      digests.set(member.name, createHash('sha256').update(member.bytes).digest('hex'));
      await place.put(member);
    },
    seal: async () => {
      await place.put({ name: SEAL, bytes: encodeSeal(digests) });
      await place.finish();
    },
    abandon: () => place.abandon(),
  };
}

async function openFolder(folder: string): Promise<Place> {
  if (await exists(folder)) {
    throw new OperatorError(`${folder} exists already; name another folder, or remove that one`);
  }
  const above = dirname(folder);
  const unfinished = join(above, `${unfinishedPrefix(folder)}${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(above, { recursive: true, mode: 0o700 }).catch(explain(above));
  await removeAbandoned(folder);
  await mkdir(unfinished, { mode: 0o700 }).catch(explain(unfinished));
  return {
    put: async ({ name, bytes }) => {
      // It holds digests of secrets, so nobody else may read it.
      const file = await open(join(unfinished, name), 'wx', 0o600).catch(explain(folder));
      try {
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        explain(folder)(error);
      } finally {
        await file.close();
      }
    },
    finish: async () => {
      await syncFolder(unfinished);
      await rename(unfinished, folder).catch(explain(folder));
      await syncFolder(above);
    },
    abandon: () => rm(unfinished, { recursive: true, force: true }).catch(() => undefined),
  };
}

function unfinishedPrefix(folder: string): string {
  return `${basename(folder)}.unfinished-`;
}

/** Leftovers of killed backups to the same folder. */
async function removeAbandoned(folder: string): Promise<void> {
  const prefix = unfinishedPrefix(folder);
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  // Not every system can do this; on those the rename has to be enough.
  await handle.sync().catch(() => undefined);
  await handle.close();
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full; make room, or name a folder on another disk',
  EDQUOT: 'its disk quota is used up; make room, or name a folder on another disk',
  EFBIG: 'a file of it would be larger than this account may write; raise ulimit -f',
  EACCES: 'this account may not write there; name another folder',
  EROFS: 'its disk is read-only; name another folder',
  ENOTDIR: 'something above it is not a folder; name another folder',
};

function explain(folder: string): (error: unknown) => never {
  return (error) => {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new OperatorError(`the backup cannot be written to ${folder}: ${reason}`, { cause: error });
  };
}

function openTar(output: Writable, modifiedMs: number): Place {
  const { readable, controller } = createTarPacker();
  const mtime = new Date(modifiedMs);
  let failure: unknown;
  const written = pipeline(Readable.fromWeb(readable as never), output, { end: false }).catch((error: unknown) => {
    failure = error;
  });
  const check = (): void => {
    if (failure === undefined) return;
    const words = failure instanceof Error ? failure.message : String(failure);
    throw new OperatorError(`the backup cannot be written: ${words}; its reader has ended`, { cause: failure });
  };
  return {
    put: async ({ name, bytes }) => {
      check();
      const writer = controller.add({ name, size: bytes.length, type: 'file', mode: 0o600, mtime }).getWriter();
      await Promise.race([writer.write(bytes).then(() => writer.close()), written]);
      check();
    },
    finish: async () => {
      controller.finalize();
      await written;
      check();
    },
    abandon: async () => {
      controller.error(new Error('the backup was abandoned'));
      await written;
    },
  };
}
