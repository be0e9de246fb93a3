/**
 * Bytes to text, strictly: a file that is not UTF-8 is refused, never repaired. A byte order mark is passed over. The
 * pieces are small whatever the chunks of the stream, so a reader never holds more than it asked for.
 */
import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { OperatorError } from '../base/errors.ts';
import type { SourceEntry } from './formats/format.ts';

const PIECE_BYTES_MAX = 64 * 1024;

/** Throws `OperatorError` naming the entry when its bytes are not UTF-8. */
export async function* decodeUtf8(entry: SourceEntry): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let offset = 0;
  let last = 0;
  for await (const chunk of entry.stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (offset === 0) checkByteOrder(bytes, entry.name);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES_MAX) {
      const piece = bytes.subarray(start, start + PIECE_BYTES_MAX);
      // After an ASCII byte the decoder holds nothing back, and Latin-1 is the fast way to one-byte strings.
      const isPlain = last < 0x80 && isAscii(piece);
      const text = isPlain ? piece.toString('latin1') : decodePiece(decoder, piece, offset + start, entry.name);
      last = piece.at(-1) ?? 0;
      if (text !== '') yield text;
    }
    offset += bytes.length;
  }
  if (last >= 0x80) decodePiece(decoder, null, offset, entry.name);
}

function decodePiece(decoder: TextDecoder, piece: Buffer | null, offset: number, entryName: string): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw new OperatorError(`${entryName} is not valid UTF-8 near byte ${offset}; only UTF-8 is read`, { cause });
  }
}

function checkByteOrder(bytes: Buffer, entryName: string): void {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new OperatorError(`${entryName} is UTF-16; only UTF-8 is read`);
  }
}
