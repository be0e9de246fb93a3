/** Threads that read lines: their rows are those of the main thread, and memory that is used again changes none. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readBlocks } from '../../src/load/formats/lines.ts';
import { ndjsonFormat } from '../../src/load/formats/ndjson.ts';
import type { EncodedRows } from '../../src/load/rows/encode.ts';
import { type LineReader, openLineReader } from '../../src/load/rows/workers.ts';
import { openRowWriter } from '../../src/store/publish/copy-rows.ts';

/** Blocks whose rows grow and shrink, so that memory of one is too large or too small for another. */
const CHUNKS = [40, 3, 90, 1, 40].map((count, chunk) =>
  Array.from({ length: count }, (_, line) => {
    const names = Array.from({ length: line % 5 }, (_, name) => `Ünit ${chunk}.${line}.${name} 株式会社`);
    const record = { jurisdiction_code: 'XA', uid: `${chunk}-${line}`, status: 'Registered', owner_names: names };
    return line === 2 ? 'no record\n' : `${JSON.stringify(record)}\n`;
  }).join(''),
);

async function encodeAll(reader: LineReader, rounds: number): Promise<unknown[]> {
  const encoded: unknown[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const stream = Readable.from(CHUNKS.map((text) => Buffer.from(text)));
      for await (const { runs, firstLine, cut } of readBlocks(stream)) {
        const task = { format: 'ndjson', entryName: 'a.ndjson', register: null, runs, firstLine, cut, seq: firstLine };
        const rows = await (await reader.prepare(task)).encode(null);
        encoded.push(textOf(rows));
        rows.release?.();
      }
    }
  } finally {
    await reader.close();
  }
  return encoded;
}

function textOf({ rows, rowStarts, keys, unchanged, rejects, ...counts }: EncodedRows): unknown {
  const { read, partials, registers } = counts;
  const refused = rejects.map(({ raw, reason, position }) => [Buffer.from(raw).toString(), reason, position]);
  return [hash('sha256', rows, 'hex'), [...rowStarts], [...keys], unchanged.length, refused, read, partials, registers];
}

test('threads make the rows of the main thread, round after round, in memory that other rows have used', async () => {
  const once = await encodeAll(openLineReader(ndjsonFormat), 1);
  assert.equal(once.length, CHUNKS.length);
  const thrice = await encodeAll(openLineReader(ndjsonFormat, 2 ** 30), 3);
  assert.deepEqual(thrice, [...once, ...once, ...once]);
});

test('rows are written into the memory that is given, unless it is less than they may need', () => {
  const memory = new ArrayBuffer(1_000);
  const row = { jurisdiction_code: 'XA', uid: '1' };
  const within = openRowWriter(900, memory);
  within.writeRejoin(1, row);
  const apart = openRowWriter(1_100, memory);
  apart.writeRejoin(1, row);
  const [used, other] = [within.end(), apart.end()];
  assert.equal(used.buffer, memory);
  assert.notEqual(other.buffer, memory);
  assert.deepEqual(used, other);
});
