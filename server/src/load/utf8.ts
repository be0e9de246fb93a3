/**
 * Decodes UTF-8 strictly: a file with other bytes is refused, never repaired. A byte order mark is dropped. The texts
 * are small whatever the chunks of the stream, so that a reader holds little more than it needs.
 */
import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { OperatorError } from '../base/errors.ts';
import type { SourceEntry } from './formats/format.ts';

const TEXT_BYTES_MAX = 64 * 1024;

/** Throws `OperatorError` naming the entry when its bytes are not UTF-8. */
export async function* decodeUtf8(entry: SourceEntry): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let offset = 0;
  let last = 0;
  for await (const chunk of entry.stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (offset === 0) checkByteOrder(bytes, entry.name);
    for (let start = 0; start < bytes.length; start += TEXT_BYTES_MAX) {
      const part = bytes.subarray(start, start + TEXT_BYTES_MAX);
      // After an ASCII byte the decoder has nothing pending, and Latin-1 is the fastest way to a string of ASCII.
      const isPlain = last < 0x80 && isAscii(part);
      const text = isPlain ? part.toString('latin1') : decodePart(decoder, part, offset + start, entry.name);
      last = part.at(-1) ?? 0;
      if (text !== '') yield text;
    }
    offset += bytes.length;
  }
  if (last >= 0x80) decodePart(decoder, null, offset, entry.name);
}

function decodePart(decoder: TextDecoder, part: Buffer | null, offset: number, entryName: string): string {
  try {
    return part === null ? decoder.decode() : decoder.decode(part, { stream: true });
  } catch (cause) {
    throw new OperatorError(`${entryName} is not valid UTF-8 near byte ${offset}; convert it to UTF-8`, { cause });
  }
}

function checkByteOrder(bytes: Buffer, entryName: string): void {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new OperatorError(`${entryName} is UTF-16; only UTF-8 is read`);
  }
}
