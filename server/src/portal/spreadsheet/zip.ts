/**
 * Writes a zip archive while its entries are written, one after the other (`yazl`), and holds no entry in memory. A
 * reader that leaves early ends the entry that is being written.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  readonly name: string;
  readonly chunks: AsyncIterable<string> | Iterable<string>;
}

/** An archive does not say when it was made. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const written = archive.outputStream as Readable;
  const fail = (error: Error): void => void written.destroy(error);
  archive.on('error', fail);
  const opened: Readable[] = [];
  for (const { name, chunks } of entries) {
    archive.addReadStreamLazy(name, OPTIONS, (give) => {
      const entry = Readable.from(chunks).on('error', fail);
      opened.push(entry);
      give(null, entry);
    });
  }
  archive.end();
  try {
    for await (const piece of written) yield piece as Buffer;
  } finally {
    for (const entry of opened) entry.destroy();
  }
}
