/** Which lines are records and which are not: the strictness of the ndjson format. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { FormatItem } from '../../src/load/formats/format.ts';
import { readBlocks } from '../../src/load/formats/lines.ts';
import { ndjsonFormat } from '../../src/load/formats/ndjson.ts';
import { prepareItem } from '../../src/load/normalize.ts';

const RECORD = { jurisdiction_code: 'XA', uid: '1', status: 'Registered' };

async function readAll(chunks: readonly (string | Buffer)[], register: string | null = null): Promise<FormatItem[]> {
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  const items: FormatItem[] = [];
  for await (const item of ndjsonFormat.read({ name: 'a.ndjson', stream }, { register })) items.push(item);
  return items;
}

/** The reason of the only line, or null when it is kept. */
async function reasonOf(line: string | Buffer, register: string | null = null): Promise<string | null> {
  const items = await readAll([line], register);
  assert.equal(items.length, 1);
  const prepared = prepareItem(items[0] as FormatItem);
  return prepared.kind === 'reject' ? prepared.reason : null;
}

const line = (fields: object): string => JSON.stringify({ ...RECORD, ...fields });

test('a line that is not a record is refused with a reason that names what is wrong', async () => {
  const refusals: Record<string, [string, string]> = {
    'no JSON': ['{"jurisdiction_code"', 'the line is not valid JSON'],
    'a list': ['[]', 'the line is JSON but not an object'],
    null: ['null', 'the line is JSON but not an object'],
    'an unknown field': [line({ colour: 'red' }), 'unknown field "colour"'],
    'a field named like a method': [line({ toString: 'x' }), 'unknown field "toString"'],
    'no uid': ['{"jurisdiction_code":"XA","status":"Pending"}', 'uid is missing'],
    'no status': [line({ status: null }), 'status is missing'],
    'no register': [line({ jurisdiction_code: null }), 'jurisdiction_code is missing'],
    'a number for text': [line({ mark_name: 5 }), 'mark_name must be text'],
    'text for a list': [line({ owner_names: 'Acme' }), 'owner_names must be a list of texts'],
    'null in a list': [line({ owner_names: [null] }), 'owner_names must be text'],
    'a class as text': [line({ nice_classes: ['9'] }), 'nice_classes must hold integers from 1 to 45, not "9"'],
    'a list for a payload': [line({ payload: [] }), 'payload must be an object'],
    'text for a payload': [line({ payload: '{}' }), 'payload must be an object'],
    'an impossible date': [
      line({ expiry_date: '2026-02-30' }),
      'expiry_date must be a calendar date YYYY-MM-DD, not "2026-02-30"',
    ],
    'a NUL character': [line({ mark_name: 'a\0' }), 'mark_name contains a NUL character'],
    'half a surrogate pair': [line({ mark_name: '\ud800' }), 'mark_name contains half of a surrogate pair'],
    'a document too deep to read': [
      `${line({}).slice(0, -1)},"payload":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      'payload is nested deeper than 500 levels',
    ],
  };
  for (const [what, [text, reason]] of Object.entries(refusals)) assert.equal(await reasonOf(text), reason, what);
  assert.match((await reasonOf(line({ status: 'Live' }))) ?? '', /^status must be one of Registered, .* not "Live"$/);
});

test('a line of bytes that are no UTF-8 is refused alone, as the bytes it is', async () => {
  const broken = Buffer.concat([Buffer.from('{"uid":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  const items = await readAll([Buffer.concat([Buffer.from(`${line({})}\n`), broken, Buffer.from(`\n${line({})}`)])]);
  assert.deepEqual(
    items.map((item) => item.kind),
    ['record', 'reject', 'record'],
  );
  assert.deepEqual(items[1], {
    kind: 'reject',
    raw: broken,
    reason: 'the line is not valid UTF-8',
    position: 'a.ndjson, line 2',
  });
});

test('byte order mark, CRLF, blank lines and a missing last line end are no one’s fault', async () => {
  const text = `\ufeff${line({ uid: '1' })}\r\n\r\n  \n${line({ uid: '2' })}\n${line({ uid: '3' })}`;
  const whole = await readAll([text]);
  const bytes = Buffer.from(text);
  const pieces = await readAll(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
  const seen = whole.map((item) => (item.kind === 'record' ? [item.record.uid, item.position] : item));
  assert.deepEqual(seen, [
    ['1', 'a.ndjson, line 1'],
    ['2', 'a.ndjson, line 4'],
    ['3', 'a.ndjson, line 5'],
  ]);
  assert.deepEqual(
    pieces.map((item) => item.position),
    whole.map((item) => item.position),
  );
});

test('enum values are taken in any letter case and kept in their own spelling [I-11, I-32]', async () => {
  const [item] = await readAll([line({ status: 'REGISTERED', kind_of_mark: 'common RIGHT', mark_feature: 'sound' })]);
  assert.ok(item?.kind === 'record');
  const { status, kind_of_mark, mark_feature } = item.record;
  assert.deepEqual([status, kind_of_mark, mark_feature], ['Registered', 'Common right', 'Sound']);
});

test('what the service sets itself is left out of a record and reported, not refused', async () => {
  const stamps = { record_update_date: '2026-01-01', first_seen_at: null, updated_at: '2026-01-01T00:00:00.000000Z' };
  const [item] = await readAll([line(stamps)]);
  const prepared = prepareItem(item as FormatItem);
  assert.ok(item?.kind === 'record' && prepared.kind === 'record');
  assert.deepEqual(
    item.issues,
    Object.keys(stamps).map((path) => ({ code: 'service_field', path, value: '' })),
  );
  assert.equal('updated_at' in prepared.record, false);
});

test('a record of another register than the one asked for is refused', async () => {
  assert.equal(await reasonOf(line({}), 'XB'), 'the record is of register "XA", not of XB');
  assert.equal(await reasonOf(line({ jurisdiction_code: 'xb' }), 'XB'), null);
});

test('a line beyond the bound is cut and refused without being held, and the next one is read', async () => {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from('short\n');
    for (let round = 0; round < 50; round += 1) yield Buffer.from('x'.repeat(10));
    yield Buffer.from('x\nnext\n');
  }
  const blocks = [];
  for await (const block of readBlocks(chunks(), 100)) blocks.push(block);
  assert.deepEqual(
    blocks.map((block) => [block.firstLine, block.lineCount, block.cut, block.bytes.length]),
    [
      [1, 1, false, 6],
      [2, 1, true, 100],
      [3, 1, false, 5],
    ],
  );
});
