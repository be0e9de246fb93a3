/**
 * Cuts a stream of bytes into runs of whole lines (`LineBlock`), and runs into lines, without decoding anything. A line
 * ends at LF or CRLF. A line that is too long is cut and marked as cut.
 */

/** The longest line that is read, in bytes. */
const LINE_BYTES_MAX = 48 * 1024 * 1024;

export interface LineBlock {
  /** Whole lines in their own memory; the last one may lack its line end. */
  bytes: Buffer;
  /** The number of the first line in the file, from 1. */
  firstLine: number;
  lineCount: number;
  /** The bytes are the beginning of a single line that was too long. */
  cut: boolean;
}

export interface Line {
  number: number;
  /** Without the line end. */
  bytes: Buffer;
  cut: boolean;
}

const LF = 10;
const CR = 13;

/** Runs of lines in order. Bytes of a line beyond `lineBytesMax` are dropped. */
export async function* readBlocks(
  stream: AsyncIterable<Buffer>,
  lineBytesMax: number = LINE_BYTES_MAX,
): AsyncGenerator<LineBlock> {
  let open: Buffer[] = [];
  let openBytes = 0;
  let line = 1;
  let cut = false;
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end === 0) {
      if (openBytes <= lineBytesMax) open.push(chunk);
      openBytes += chunk.length;
      cut = openBytes > lineBytesMax;
      continue;
    }
    const rest = cut ? chunk.indexOf(LF) + 1 : 0;
    if (cut) {
      yield { bytes: Buffer.concat(open).subarray(0, lineBytesMax), firstLine: line, lineCount: 1, cut: true };
      line += 1;
      open = [];
    }
    if (end > rest) {
      const bytes = Buffer.concat([...open, chunk.subarray(rest, end)]);
      const lineCount = countLines(bytes);
      yield { bytes, firstLine: line, lineCount, cut: false };
      line += lineCount;
    }
    open = end < chunk.length ? [chunk.subarray(end)] : [];
    openBytes = chunk.length - end;
    cut = openBytes > lineBytesMax;
  }
  if (openBytes > 0) {
    yield { bytes: Buffer.concat(open).subarray(0, lineBytesMax), firstLine: line, lineCount: 1, cut };
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    count += 1;
    // A search costs more than checking the next byte, which suffices within a run of line ends.
    for (; bytes[at + 1] === LF; at += 1) count += 1;
  }
  return count;
}

/**
 * Every line but those that consist of `blanks` only, by default the empty ones. They are counted, and cost next to
 * nothing: there may be a hundred million of them.
 */
export function* listLines(block: Omit<LineBlock, 'lineCount'>, blanks = LINE_ENDS): Generator<Line> {
  const { bytes, cut } = block;
  if (cut) {
    yield { number: block.firstLine, bytes, cut };
    return;
  }
  let number = block.firstLine;
  for (let start = 0; start < bytes.length; number += 1) {
    const text = skip(bytes, start, blanks);
    if (text === bytes.length) return;
    if (bytes[text] === LF) {
      start = text + 1;
      continue;
    }
    const found = bytes.indexOf(LF, text);
    const next = found < 0 ? bytes.length : found + 1;
    let end = found < 0 ? next : found;
    if (bytes[end - 1] === CR) end -= 1;
    yield { number, bytes: bytes.subarray(start, end), cut: false };
    start = next;
  }
}

const LINE_ENDS: readonly number[] = [CR];
/** The blanks that may surround a line of JSON. */
export const JSON_BLANKS: readonly number[] = [CR, 32, 9];

/** The first place from `start` that holds none of `blanks`. */
function skip(bytes: Buffer, start: number, blanks: readonly number[]): number {
  let at = start;
  while (at < bytes.length && blanks.includes(bytes[at]!)) at += 1;
  return at;
}
