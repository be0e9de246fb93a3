/**
 * The texts of an entry, and what is a fault in them. Bytes must be UTF-8 or the ASCII part of it. Another encoding is
 * refused, never guessed. Bytes that are not UTF-8 become `UNDECODABLE`, so that the reader can tell which record they
 * spoil. A byte order mark is dropped. The texts are small whatever the chunks of the stream, so that a reader holds
 * little more than it needs. A character that XML forbids, or a reference to an entity that nobody declares, costs the
 * record around it; other faults cost the file.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { OperatorError } from '../../base/errors.ts';
import type { SourceEntry } from '../sources/files.ts';

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

/** Stands for bytes that are not UTF-8. XML forbids this character, so a parser rejects it like the others. */
export const UNDECODABLE = '\uffff';

/** The parser's words for a fault, without place and full stop. */
export function nameFault(error: Error): string {
  return error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
}

/** What the parser has just read. */
interface FaultyText {
  /** The last character. */
  character: string;
  /** The text from the last `&` on, if the fault is one of a reference; null if it is too long to be one. */
  reference: string | null;
}

/** Faults of a reference, whose text the parser then takes as it is written. */
const REFERENCE_FAULTS: ReadonlySet<string> = new Set([
  'undefined entity',
  'disallowed character in entity name',
  'empty entity name',
]);

const REFERENCE_SHOWN_MAX = 40;

/** Why the fault costs its record alone; null if it costs the file. `declared`: the entities that the file declares. */
export function explainRecordFault(
  fault: string,
  { character, reference }: FaultyText,
  declared: ReadonlySet<string>,
): string | null {
  if (fault === 'malformed character entity') return 'has a reference to a character that XML forbids';
  if (fault === 'the string "]]>" is disallowed in char data')
    return 'has the characters ]]>, which XML forbids in text';
  if (REFERENCE_FAULTS.has(fault)) {
    // A tag sign may hide where the record ends.
    if (reference === null || reference.includes('<') || declared.has(reference.slice(1, -1))) return null;
    return `has the reference ${reference.slice(0, REFERENCE_SHOWN_MAX)}, which XML does not define`;
  }
  // A tag sign inside of an attribute has the same message, but may hide where the record ends.
  if (fault !== 'disallowed character' || character === '<') return null;
  if (character === UNDECODABLE) return 'has bytes that are not UTF-8';
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `has the character U+${code}, which XML forbids`;
}

/** Why the fault costs the file. */
export function explainFault(fault: string): string {
  if (fault !== 'undefined entity') return `is not well-formed XML: ${fault}`;
  return 'uses an entity that it declares; declared entities are refused, never expanded';
}

/** What a document type declaration says about entities; an internal subset without any is fine. */
export function inspectDeclaration(declaration: string): { declared: string[]; declaresExternal: boolean } {
  const bare = declaration.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return {
    declared: Array.from(bare.matchAll(/<!ENTITY\s+([^\s%>]+)/g), ([, name = '']) => name),
    declaresExternal: /<!ENTITY\s+(?:%\s+)?[^\s>]+\s+(?:SYSTEM|PUBLIC)\b/.test(bare),
  };
}
