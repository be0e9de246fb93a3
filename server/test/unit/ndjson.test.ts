/** Which lines are records and which are not: the strictness of the ndjson format. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { RegisterItem } from '../../src/load/formats/format.ts';
import { listLines, readBlocks } from '../../src/load/formats/lines.ts';
import { ndjsonFormat } from '../../src/load/formats/ndjson.ts';
import { buildStagedRow, prepareItem } from '../../src/load/rows/encode.ts';

const RECORD = { jurisdiction_code: 'XA', uid: '1', status: 'Registered' };

async function readAll(chunks: readonly (string | Buffer)[], register: string | null = null): Promise<RegisterItem[]> {
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  const items: RegisterItem[] = [];
  for await (const item of ndjsonFormat.read({ name: 'a.ndjson', stream }, { register })) items.push(item);
  return items;
}

/** The reason of the only line, or null when it is kept. */
async function reasonOf(line: string | Buffer, register: string | null = null): Promise<string | null> {
  const items = await readAll([line], register);
  assert.equal(items.length, 1);
  const prepared = prepareItem(items[0] as RegisterItem);
  return prepared.kind === 'reject' ? prepared.reason : null;
}

const line = (fields: object): string => JSON.stringify({ ...RECORD, ...fields });

test('a line that is not a record is refused with a reason that names what is wrong [I-45]', async () => {
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
    'a payload full of marks': [
      line({ payload: { text: `a${'\u0301\u0323'.repeat(40_000)}` } }),
      'payload holds more than 30 combining marks in a row, the most that a text may have',
    ],
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
    record: null,
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
  const prepared = prepareItem(item as RegisterItem);
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
    blocks.map((block) => [block.firstLine, block.lineCount, block.cut, block.runs.map(String)]),
    [
      [1, 1, false, ['short\n']],
      [2, 1, true, ['x'.repeat(100)]],
      [3, 1, false, ['next\n']],
    ],
  );
});

test('lines are the same however a stream is cut into chunks, and no block shares memory that something else uses', async () => {
  const text = Buffer.from('a\n\nbbé\r\n \n\u{1f600}cc\nlast without an end');
  const linesOf = async (chunks: readonly Buffer[]): Promise<unknown[]> => {
    const lines: unknown[] = [];
    for await (const block of readBlocks(Readable.from(chunks, { objectMode: true }))) {
      for (const run of block.runs) assert.ok(run.buffer !== text.buffer);
      for (const { number, bytes, isUtf8 } of listLines(block)) lines.push([number, bytes.toString(), isUtf8]);
    }
    return lines;
  };
  const whole = await linesOf([text]);
  assert.deepEqual(whole, [
    [1, 'a', true],
    [3, 'bbé', true],
    [4, ' ', true],
    [5, '\u{1f600}cc', true],
    [6, 'last without an end', true],
  ]);
  for (let size = 1; size < text.length; size += 1) {
    const starts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => index * size);
    const shared = starts.map((start) => text.subarray(start, start + size));
    const owned = shared.map((chunk) => Buffer.from(new Uint8Array(chunk).buffer));
    assert.deepEqual(await linesOf(shared), whole);
    assert.deepEqual(await linesOf(owned), whole);
  }
});

test('a line that is not UTF-8 is found among lines that are', () => {
  const runs = [Buffer.from('a\n'), Buffer.from([0x62, 10, 0xff, 10, 0x63])];
  const lines = [...listLines({ runs, firstLine: 1, cut: false })];
  assert.deepEqual(
    lines.map(({ number, isUtf8 }) => [number, isUtf8]),
    [
      [1, true],
      [2, true],
      [3, false],
      [4, true],
    ],
  );
});

/** The stored payload of a line with this text for it. */
async function payloadOf(
  payload: string,
  before = '"jurisdiction_code":"XA","uid":"1","status":"Pending"',
): Promise<string> {
  const [item] = await readAll([`{${before},"payload":${payload}}`]);
  const prepared = prepareItem(item as RegisterItem);
  if (prepared.kind === 'reject') return prepared.reason;
  const built = buildStagedRow(prepared);
  return built.kind === 'reject' ? built.reason : (built.row.payload ?? 'null');
}

test('a number of a payload keeps its value and every digit that carries it [I-38]', async () => {
  const kept = [
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '123456789.12345678901234567890',
    '0.1000000000000000055511151231257827',
    '98765432109876543210',
  ];
  for (const number of kept) {
    assert.equal(await payloadOf(`{"n":${number}}`), `{"n":${number}}`, number);
    assert.equal(await payloadOf(`{ "n" : [ ${number}, 1 ] }`), `{"n":[${number},1]}`, number);
  }
  const same: Record<string, string> = {
    '1.10': '1.1',
    '1e2': '100',
    '-0.50': '-0.5',
    '1E+21': '1e+21',
    '5e-324': '5e-324',
  };
  for (const [number, value] of Object.entries(same))
    assert.equal(await payloadOf(`{"n":${number}}`), `{"n":${value}}`);
});

test('whatever a payload holds besides such a number does not change [I-38]', async () => {
  const payload =
    '{"__proto__":{"a":[]},"toString":null,"é":"\\"1e400\\"","n":1e400,"t":"\\ud83d\\ude00\\n","o":{},"d":1.5}';
  const kept = '{"__proto__":{"a":[]},"toString":null,"é":"\\"1e400\\"","n":1e400,"t":"😀\\n","o":{},"d":1.5}';
  assert.equal(await payloadOf(payload), kept);
  const deep = `${'{"a":'.repeat(20_000)}1e400${'}'.repeat(20_000)}`;
  assert.equal(await payloadOf(deep), 'payload is nested deeper than 500 levels');
});

test('a payload that states a name twice is refused, however the line is written [I-38]', async () => {
  const reason = 'an object states "a" twice, with different values';
  assert.equal(await payloadOf('{"a":1,"a":2}'), reason);
  assert.equal(await payloadOf('{"x": [{"a": "1", "b": "\\u0022", "a": "2"}]}'), reason);
  assert.equal(await payloadOf('{"a": "1", "a": "1"}'), '{"a":"1"}');
  assert.equal(await payloadOf('{"a":{"a":2},"a":2}'), reason);
});

test('a line that states a field twice is refused, unless it says the same', async () => {
  const repeated = (name: string, again: string): string =>
    `${line({ mark_name: 'A' }).slice(0, -1)},"${name}":${again}}`;
  const reason = 'an object states "mark_name" twice, with different values';
  assert.equal(await reasonOf(repeated('mark_name', '"B"')), reason);
  assert.equal(await reasonOf(repeated('mark_name', '"B","payload":{"a":"1"}')), reason);
  assert.equal(await reasonOf(repeated('mark_name', 'null').replaceAll(',', ', ')), reason);
  assert.equal(await reasonOf(repeated('mark_name', '"A"')), null);
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const both = repeated('mark_name', `"A","owner_names":${deep}`);
  assert.equal(await reasonOf(both), 'the line is nested deeper than 500 levels');
});

test('a value that no filter can find is delivered and reported, with its field [I-38, I-14]', async () => {
  const odd = {
    office: 'EUROPE',
    vienna_codes: ['260323', '26.03.23', '26', '26.3.23.1', '200.1'],
    owner_countries: ['us', 'CANADA', 'D/E'],
    designated_countries: ['ÖSTERR'],
    application_number: '1'.repeat(20_000),
    mark_name: '\u0001',
  };
  const [item] = await readAll([line(odd)]);
  const prepared = prepareItem(item as RegisterItem, 'a line that raises an issue is always read');
  assert.ok(prepared.kind === 'record');
  assert.deepEqual(prepared.record.vienna_codes, ['260323', '26.03.23', '26', '26.3.23.1', '200.01']);
  assert.equal(prepared.lineDigest, '');
  const found = prepared.issues.map(({ code, path, value }) => [code, path, value.slice(0, 10)]);
  const unfindable = [
    ['office', 'EUROPE'],
    ['mark_name', '\u0001'],
    ['application_number', '1111111111'],
    ['vienna_codes', '260323'],
    ['vienna_codes', '26.3.23.1'],
    ['owner_countries', 'CANADA'],
    ['owner_countries', 'D/E'],
    ['designated_countries', 'ÖSTERR'],
  ];
  const isUnfindable = ([code]: string[]): boolean => code === 'unfindable_value';
  assert.deepEqual(
    found.filter(isUnfindable),
    unfindable.map(([path, value]) => ['unfindable_value', path, value]),
  );
  assert.deepEqual(
    found.filter((issue) => !isUnfindable(issue)),
    [['unknown_vienna_category', 'vienna_codes', '200.01']],
  );
});
