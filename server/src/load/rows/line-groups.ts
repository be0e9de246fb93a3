/** Groups of records for formats of independent lines: one for each block of lines, and one for each refused member. */

import type { LineFormat, RejectItem } from '../formats/format.ts';
import { readBlocks } from '../formats/lines.ts';
import type { SourceEntry } from '../sources/entry.ts';
import { openComparable } from './comparable.ts';
import type { Group, GroupBounds } from './compare.ts';
import { type LineReader, THREADS } from './workers.ts';

/** For each thread one block in work, the others queued or being compared, so that no thread waits. */
const BLOCKS_PER_THREAD = 5;

export const LINE_BOUNDS: GroupBounds = { groupsMax: THREADS * BLOCKS_PER_THREAD, bytesMax: 8 * 1024 * 1024 };

export async function* groupLines(
  files: AsyncIterable<SourceEntry | RejectItem>,
  { format, register, reader }: { format: LineFormat; register: string | null; reader: LineReader },
): AsyncGenerator<Group> {
  for await (const entry of files) {
    if ('reason' in entry) {
      yield { recordsMax: 0, bytes: entry.raw.length, open: async (seq) => openComparable([entry], seq, 0) };
      continue;
    }
    for await (const { bytes, firstLine, lineCount, cut } of readBlocks(entry.stream)) {
      const task = { format: format.name, entryName: entry.name, register, firstLine, cut };
      const open: Group['open'] = (seq) => reader.prepare({ ...task, seq, bytes: ownBytes(bytes) });
      yield { recordsMax: lineCount, bytes: bytes.length, open };
    }
  }
}

/** The same bytes in their own ArrayBuffer, which can be transferred to another thread. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return bytes as Uint8Array<ArrayBuffer>;
  return new Uint8Array(bytes);
}
