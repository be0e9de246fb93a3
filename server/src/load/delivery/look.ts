/**
 * Watches the bytes of a file while a format reads them, so that a message can later say what the file was: its length,
 * whether it was blank, and its kind by its beginning. It changes nothing and decides nothing.
 */
import { Readable } from 'node:stream';
import type { Format, RejectItem } from '../formats/format.ts';
import { type Head, parseHead } from '../formats/head.ts';
import { recognizeHead } from '../formats/recognize.ts';
import type { SourceEntry } from '../sources/entry.ts';

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
  /** The same before anything is read; the entry still yields these bytes. */
  peek(): Promise<Head>;
}

export function openLook(entry: SourceEntry): Look {
  const iterator = entry.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first: Buffer[] = [];
  /** Pulled by a peek, not yet passed on. */
  const pending: Buffer[] = [];
  let bytes = 0;
  let isBlank = true;
  const pull = async (): Promise<Buffer | null> => {
    const next = await iterator.next();
    if (next.done) return null;
    const chunk = next.value;
    // A copy, because a part would keep the whole chunk in memory.
    if (bytes < HEAD_BYTES_MAX) first.push(Buffer.from(chunk.subarray(0, HEAD_BYTES_MAX - bytes)));
    bytes += chunk.length;
    isBlank &&= BLANK.test(chunk.toString('utf8'));
    return chunk;
  };
  async function* watched(): AsyncGenerator<Buffer> {
    try {
      for (let chunk = pending.shift() ?? (await pull()); chunk !== null; chunk = pending.shift() ?? (await pull())) {
        yield chunk;
      }
    } finally {
      await iterator.return?.();
    }
  }
  let head: Head | null = null;
  const parse = (): Head => {
    head ??= parseHead(entry.name, Buffer.concat(first));
    return head;
  };
  return {
    entry: { ...entry, stream: Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 }) },
    readBytes: () => bytes,
    isBlank: () => isBlank,
    head: parse,
    async peek() {
      while (bytes < HEAD_BYTES_MAX) {
        const chunk = await pull();
        if (chunk === null) break;
        pending.push(chunk);
      }
      return parse();
    },
  };
}

/**
 * The end of a sentence that refuses a file: what it looks like, and which format reads it. Empty where it looks like a
 * file of this format.
 */
export function hintAtFile(head: Head, format: Format): string {
  const { seen, formats, remedy } = recognizeHead(head);
  if (head.text === '' || formats.includes(format.name)) return '';
  const advice = remedy === null ? '' : `: ${remedy}`;
  return hintAt(seen, formats) ?? `; it looks like ${seen}; no format reads that${advice}`;
}

/** The same for one record; empty where no format reads it. */
export function hintAtRecord({ raw, position }: RejectItem, file: Head, format: Format): string {
  // A part of a record may reveal less than the file around it.
  for (const head of [parseHead(position, Buffer.from(raw)), file]) {
    const { seen, formats } = recognizeHead(head);
    const hint = formats.includes(format.name) ? null : hintAt(seen, formats);
    if (hint !== null) return hint;
  }
  return '';
}

function hintAt(seen: string, [best]: readonly string[]): string | null {
  return best === undefined ? null : `; it looks like ${seen}: try the format ${best}`;
}
