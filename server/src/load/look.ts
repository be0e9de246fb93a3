/**
 * Watches the bytes of a file while a format reads them, so that afterwards one can say what the file was: how long,
 * whether blank, and by its beginning of which kind. It changes nothing and decides nothing.
 */
import { Readable } from 'node:stream';
import type { Format, SourceEntry } from './formats/format.ts';
import { type Head, parseHead } from './head.ts';
import { recognizeHead } from './recognize.ts';

/** As much as the database keeps of a reject. */
const HEAD_BYTES_MAX = 64 * 1024;
const BLANK = /^[\s\ufeff]*$/;

export interface Look {
  /** Yields the same bytes; to be read in place of the one given. */
  readonly entry: SourceEntry;
  /** How many bytes have been read. */
  readBytes(): number;
  isBlank(): boolean;
  /** The first bytes read, at most `HEAD_BYTES_MAX`. */
  head(): Head;
}

export function openLook(entry: SourceEntry): Look {
  const first: Buffer[] = [];
  let bytes = 0;
  let isBlank = true;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of entry.stream as AsyncIterable<Buffer>) {
      // A copy, because a part would keep the whole chunk in memory.
      if (bytes < HEAD_BYTES_MAX) first.push(Buffer.from(chunk.subarray(0, HEAD_BYTES_MAX - bytes)));
      bytes += chunk.length;
      isBlank &&= BLANK.test(chunk.toString('utf8'));
      yield chunk;
    }
  }
  const stream = Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 });
  let head: Head | null = null;
  return {
    entry: { ...entry, stream },
    readBytes: () => bytes,
    isBlank: () => isBlank,
    head() {
      head ??= parseHead(entry.name, Buffer.concat(first));
      return head;
    },
  };
}

/**
 * The end of a sentence that refuses a file: what it looks like, and the format that reads it. Empty where the file
 * looks like one of this format, or like nothing in particular.
 */
export function hintAt(head: Head, format: Format): string {
  if (head.text === '') return '';
  const { seen, formats, remedy } = recognizeHead(head);
  const [best] = formats;
  if (formats.includes(format.name)) return '';
  if (best !== undefined) return `; it looks like ${seen}: try the format ${best}`;
  return `; it looks like ${seen}, which no format reads${remedy === null ? '' : `: ${remedy}`}`;
}
