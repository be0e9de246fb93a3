/**
 * Writes a zip archive while its entries are written, one after the other; holds no entry in memory. Lengths and
 * checksums follow each entry, so nothing has to be known before it.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  /** In ASCII. */
  readonly name: string;
  readonly chunks: AsyncIterable<string> | Iterable<string>;
}

/** Bits of an entry: its lengths follow it, and its name is UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** 1 January 1980, the first day of zip: an archive does not say when it was made. */
const DAY = 0x21;

interface Written {
  readonly name: Buffer;
  readonly offset: number;
  readonly sum: number;
  readonly packed: number;
  readonly length: number;
}

export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name: text, chunks } of entries) {
    const name = Buffer.from(text);
    const begin = offset;
    const head = localHead(name);
    offset += head.length;
    yield head;
    const counted = { sum: 0, length: 0 };
    let packed = 0;
    for await (const piece of deflate(chunks, counted)) {
      packed += piece.length;
      yield piece;
    }
    const entry = { name, offset: begin, packed, ...counted };
    const tail = descriptor(entry);
    offset += packed + tail.length;
    written.push(entry);
    yield tail;
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield Buffer.concat([directory, directoryEnd(written.length, directory.length, offset)]);
}

async function* deflate(chunks: ZipEntry['chunks'], counted: { sum: number; length: number }): AsyncGenerator<Buffer> {
  async function* count(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      counted.sum = crc32(bytes, counted.sum);
      counted.length += bytes.length;
      yield bytes;
    }
  }
  const packing = createDeflateRaw();
  const fed = pipeline(Readable.from(count()), packing);
  // A failure ends the loop below, which reports it.
  fed.catch(() => undefined);
  for await (const piece of packing) yield piece as Buffer;
  await fed;
}

function localHead(name: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(VERSION, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(DEFLATED, 8);
  head.writeUInt16LE(DAY, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ sum, packed, length }: Written): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(sum, 4);
  tail.writeUInt32LE(packed, 8);
  tail.writeUInt32LE(length, 12);
  return tail;
}

function directoryEntry({ name, offset, sum, packed, length }: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(DEFLATED, 10);
  entry.writeUInt16LE(DAY, 14);
  entry.writeUInt32LE(sum, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(length, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function directoryEnd(entries: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
