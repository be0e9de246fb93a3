/** A file that a command writes: it gets its name once it is whole, and nothing stays behind of one that is not. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

export interface Target {
  readonly write: (text: string) => Promise<void>;
  readonly keep: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

export async function openFileTarget(file: string): Promise<Target> {
  const partial = `${file}.part`;
  const stream = createWriteStream(partial, { mode: 0o600 });
  const ended = finished(stream);
  ended.catch(() => undefined);
  await Promise.race([once(stream, 'open'), ended]);
  return {
    write: async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
    },
    keep: async () => {
      stream.end();
      await ended;
      await rename(partial, file);
    },
    discard: async () => {
      stream.destroy();
      await rm(partial, { force: true });
    },
  };
}
