/**
 * Decodes the bytes of an entry, which must be UTF-8 or the ASCII part of it, into texts. Another encoding is refused,
 * never guessed. Bytes that are not UTF-8 become `UNDECODABLE`, so that the reader can tell which record they spoil. A
 * byte order mark is dropped. The texts are small whatever the chunks of the stream, so that a reader holds little more
 * than it needs.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { OperatorError } from '../../base/errors.ts';
import type { SourceEntry } from '../sources/entry.ts';
import { UNDECODABLE } from './xml-faults.ts';

const TEXT_BYTES_MAX = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Throws `OperatorError` naming the entry when it is UTF-16. */
export async function* decodeUtf8(entry: SourceEntry): AsyncGenerator<string, void, undefined> {
  const parts = withoutByteOrderMark(entry);
  /** A character whose last bytes have not arrived yet. */
  let open: Buffer = Buffer.alloc(0);
  for await (const chunk of parts) {
    for (let start = 0; start < chunk.length; start += TEXT_BYTES_MAX) {
      const bytes = chunk.subarray(start, start + TEXT_BYTES_MAX);
      const part = open.length === 0 ? bytes : Buffer.concat([open, bytes]);
      const end = part.length - countOpenBytes(part);
      open = part.subarray(end);
      if (end > 0) yield decodeWhole(part.subarray(0, end));
    }
  }
  if (open.length > 0) yield UNDECODABLE;
}

async function* withoutByteOrderMark(entry: SourceEntry): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of entry.stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (head === null) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length < BYTE_ORDER_MARK.length) continue;
    yield cutByteOrderMark(head, entry.name);
    head = null;
  }
  if (head !== null) yield cutByteOrderMark(head, entry.name);
}

function cutByteOrderMark(head: Buffer, entryName: string): Buffer {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new OperatorError(`${entryName} is UTF-16; only UTF-8 is read`);
  }
  const { length } = BYTE_ORDER_MARK;
  return head.subarray(0, length).equals(BYTE_ORDER_MARK) ? head.subarray(length) : head;
}

/** How many bytes at the end begin a character without ending it. */
function countOpenBytes(part: Buffer): number {
  for (let count = 1; count <= Math.min(3, part.length); count += 1) {
    const byte = part[part.length - count] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return count < wanted ? count : 0;
  }
  return 0;
}

function decodeWhole(part: Buffer): string {
  // Latin-1 is the fastest way to a string of ASCII.
  if (isAscii(part)) return part.toString('latin1');
  if (isUtf8(part)) return part.toString('utf8');
  return repair(part);
}

/** U+FFFD that the source states itself stays, so it takes the place of U+FFFE, which XML forbids as well. */
const REPLACEMENT = '\ufffd';
const STAND_IN = '\ufffe';

function repair(part: Buffer): string {
  const marked = swapBytes(swapBytes(part, STAND_IN, UNDECODABLE), REPLACEMENT, STAND_IN);
  return marked.toString('utf8').replaceAll(REPLACEMENT, UNDECODABLE).replaceAll(STAND_IN, REPLACEMENT);
}

/** A copy with one character in the place of another that takes as many bytes. */
function swapBytes(part: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(part);
  const bytes = Buffer.from(to);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + bytes.length)) bytes.copy(copy, at);
  return copy;
}
