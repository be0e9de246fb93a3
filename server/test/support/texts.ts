/** Sources of a load that tests make in memory. */
import { Readable } from 'node:stream';
import { openStream, type Source } from '../../src/load/sources/source.ts';

/** Text made while it is read, as if it came through a pipe of that name. It can be read any number of times. */
export function openText(name: string, parts: Iterable<string> | AsyncIterable<string>): Source {
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const part of parts) yield Buffer.from(part);
  }
  return {
    name,
    totalBytes: null,
    readBytes: () => 0,
    async *entries(accepts, noteFile) {
      const opened = await openStream(name, Readable.from(bytes(), { objectMode: false }));
      yield* opened.entries(accepts, noteFile);
    },
  };
}
