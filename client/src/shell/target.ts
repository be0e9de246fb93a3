/** A file that a command writes: it gets its name once it is whole, and nothing stays behind of one that is not. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { describeFileFault, isMissing, MissingFile } from '../replica/settings.ts';

export interface Target {
  readonly write: (text: string) => Promise<void>;
  readonly keep: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** @throws MissingFile when it cannot be written there */
export async function openFileTarget(file: string): Promise<Target> {
  const isReplaced = await mayBeReplaced(file);
  const partial = isReplaced ? `${file}.part` : file;
  const inWords = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const words = describeFileFault(file, error);
      throw isMissing(error) ? new MissingFile(words) : new Error(words, { cause: error });
    }
  };
  const stream = createWriteStream(partial, { mode: 0o600 });
  const ended = finished(stream);
  ended.catch(() => undefined);
  await inWords(() => Promise.race([once(stream, 'open'), ended]));
  return {
    write: (text) =>
      inWords(async () => {
        if (!stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
      }),
    keep: () =>
      inWords(async () => {
        stream.end();
        await ended;
        if (isReplaced) await rename(partial, file);
      }),
    discard: async () => {
      stream.destroy();
      if (isReplaced) await rm(partial, { force: true });
    },
  };
}

/** A device or a pipe is written to; a file in its place would be no use to its reader. */
async function mayBeReplaced(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new MissingFile(`${file} is a folder`);
    return found.isFile();
  } catch (error) {
    if (error instanceof MissingFile) throw error;
    return true;
  }
}
