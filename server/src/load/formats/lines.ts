/**
 * Cuts a stream of bytes into runs of whole lines (`LineBlock`), and runs into lines, without decoding anything. A line
 * ends at LF or CRLF. A line that is too long is cut and marked as cut.
 */
import { isUtf8 } from 'node:buffer';

/** The longest line that is read, in bytes. */
const LINE_BYTES_MAX = 48 * 1024 * 1024;

export interface LineBlock {
  /** Whole lines in memory of which nothing else uses any part; the last one may lack its line end. */
  runs: readonly Buffer<ArrayBuffer>[];
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
  /** Found for a run of lines at once: to ask for each costs more than all of them. */
  isUtf8: boolean;
  cut: boolean;
}

const LF = 10;
const CR = 13;

/**
 * Runs of lines in order. Bytes of a line beyond `lineBytesMax` are dropped. A chunk of the stream is not copied, except
 * for the line that it begins and does not end: what is allocated for each chunk is work for the garbage collector.
 */
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
      yield cutLine(open, lineBytesMax, line);
      line += 1;
      open = [];
    }
    const tail = Buffer.from(chunk.subarray(end));
    if (end > rest) {
      const first = open.length === 0 ? rest : chunk.indexOf(LF) + 1;
      const runs: Buffer<ArrayBuffer>[] = [];
      if (first > rest) runs.push(join([...open, chunk.subarray(rest, first)]));
      if (end > first) runs.push(ownsMemory(chunk) ? chunk.subarray(first, end) : join([chunk.subarray(first, end)]));
      const lineCount = runs.reduce((sum, run) => sum + countLines(run), 0);
      yield { runs, firstLine: line, lineCount, cut: false };
      line += lineCount;
    }
    open = tail.length > 0 ? [tail] : [];
    openBytes = tail.length;
    cut = openBytes > lineBytesMax;
  }
  if (openBytes > 0) yield { ...cutLine(open, lineBytesMax, line), cut };
}

function cutLine(pieces: readonly Buffer[], lineBytesMax: number, line: number): LineBlock {
  return { runs: [join(pieces).subarray(0, lineBytesMax)], firstLine: line, lineCount: 1, cut: true };
}

/** The pieces in their own memory: `Buffer.concat` may use memory that it shares. */
function join(pieces: readonly Buffer[]): Buffer<ArrayBuffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}

/** Streams that cut one piece of memory into several chunks yield parts of it. */
function ownsMemory(chunk: Buffer): chunk is Buffer<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.byteLength;
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
export function* listLines(
  block: Pick<LineBlock, 'firstLine' | 'cut'> & { runs: readonly Buffer[] },
  blanks = LINE_ENDS,
): Generator<Line> {
  const { runs, cut } = block;
  let number = block.firstLine;
  for (const bytes of runs) {
    const areUtf8 = isUtf8(bytes);
    if (cut) {
      yield { number, bytes, isUtf8: areUtf8, cut };
      return;
    }
    for (let start = 0; start < bytes.length; number += 1) {
      const text = skip(bytes, start, blanks);
      if (text === bytes.length) break;
      if (bytes[text] === LF) {
        start = text + 1;
        continue;
      }
      const found = bytes.indexOf(LF, text);
      const next = found < 0 ? bytes.length : found + 1;
      let end = found < 0 ? next : found;
      if (bytes[end - 1] === CR) end -= 1;
      const line = bytes.subarray(start, end);
      yield { number, bytes: line, isUtf8: areUtf8 || isUtf8(line), cut: false };
      start = next;
    }
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
