/**
 * Events stated by other files than the record's own: they take the place of those joined before, and blank nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payload } from '@tmds/contract/record';
import fc from 'fast-check';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { type EventBody, joinEvents, separateEvents } from '../../src/record/join-events.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { parsePayload } from '../../src/record/payload-form.ts';
import { buildSource } from '../support/source.ts';

const UID = 'US500000097000001';
const HISTORY = { kind: 'history', code: 'NWAP', date: '2025-01-01' };

type Rows = Parameters<typeof joinEvents>[2];

function buildRecord(fields: Parameters<typeof buildSource>[0] = {}): NormalizedRecord {
  const payload = { parties: null, events: [HISTORY] };
  return normalizeRecord(buildSource({ jurisdiction_code: 'US', uid: UID, payload, ...fields }));
}

interface Parts extends Partial<EventBody> {
  number?: string;
  version?: string;
  event?: Record<string, unknown>;
}

/** A statement without the links to it. */
function state({ number = '1', version = '1', event = {}, ...body }: Parts = {}): Rows[number] {
  const told = { kind: 'opposition', source: 'uspto-ttab', number, date: '2026-01-01', ...event };
  return { part: `US uspto-ttab ${number}`, link: null, version, body: { event: told, named: '', ...body } };
}

function link({ number = '1', version = '1', marks = [{ number: '97000001' }] as unknown[] } = {}): Rows[number] {
  return { part: `US mark ${UID}`, link: `US uspto-ttab ${number}`, version, body: { marks } };
}

const tell = (parts: Parts = {}): Rows => [state(parts), link(parts)];

const join = (record: NormalizedRecord, ...rows: (Rows[number] | Rows)[]): NormalizedRecord =>
  joinEvents(record, 'uspto-ttab', rows.flat());

const eventsOf = ({ payload }: NormalizedRecord): unknown => payload?.events;

const JOINED = {
  kind: 'opposition',
  source: 'uspto-ttab',
  number: '1',
  date: '2026-01-01',
  marks: [{ number: '97000001' }],
};

test('adds an event to the events of the record, and changes nothing else of it', () => {
  const record = buildRecord({ mark_name: 'Harbor', owner_names: ['x'], status: 'Registered' });
  const joined = join(record, tell());
  assert.deepEqual(eventsOf(joined), [HISTORY, JOINED]);
  assert.deepEqual({ ...joined, payload: { ...joined.payload, events: [HISTORY] } }, record);
  assert.equal(join(joined, tell()), joined, 'joining again changes nothing');
  assert.equal(join(record), record, 'nothing is known of it');
  assert.deepEqual(separateEvents(joined, 'uspto-ttab'), record);
  assert.equal(separateEvents(joined, 'uspto-assignments'), joined);
});

test('puts the newer event in place of the one joined before, wherever that is', () => {
  const joined = join(buildRecord(), tell({ number: '1' }), tell({ number: '2' }));
  const ended = join(joined, tell({ number: '1', event: { status: '9' } }), tell({ number: '2' }));
  assert.deepEqual(eventsOf(ended), [HISTORY, { ...JOINED, number: '2' }, { ...JOINED, status: '9' }]);
});

test('proceedings of two types that share a number are two events', () => {
  const appeal = { ...JOINED, type: 'EXA' };
  const extension = { ...JOINED, type: 'EXT' };
  const rows = (type: string, more = {}): Rows =>
    tell({ event: { type, ...more } }).map((row) => {
      const part = `US uspto-ttab ${type} 1`;
      return row.link === null ? { ...row, part } : { ...row, link: part };
    });
  const joined = join(buildRecord(), rows('EXA'), rows('EXT'));
  assert.deepEqual(eventsOf(joined), [HISTORY, extension, appeal]);
  const ended = join(joined, rows('EXA', { status: '9' }), rows('EXT'));
  assert.deepEqual(eventsOf(ended), [HISTORY, extension, { ...appeal, status: '9' }]);
});

test('names the marks of the record in every word that leads to it', () => {
  const marks = [{ role: 'relied_upon', registration_number: '7' }];
  assert.deepEqual(eventsOf(join(buildRecord(), tell(), link({ marks }))), [
    HISTORY,
    { ...JOINED, marks: [...JOINED.marks, ...marks] },
  ]);
});

test('an event that is taken back stays, and says so', () => {
  const { marks, ...event } = JOINED;
  const dropped = join(buildRecord(), state({ version: '2' }), link({ version: '1' }));
  assert.deepEqual(eventsOf(dropped), [HISTORY, { ...event, removed: true }], 'the newest no longer names the mark');
  assert.deepEqual(eventsOf(join(buildRecord(), tell({ removed: true }))), [HISTORY, { ...JOINED, removed: true }]);
});

test('a removal that states nothing else keeps what was stated before, and counts only while it is the newest', () => {
  const whole = tell({ version: '2', event: { text: 'ASSIGNS' } });
  const removal = (version: string): Rows[number] => state({ version, removed: true, partial: true });
  const removed = { ...JOINED, text: 'ASSIGNS', removed: true };
  for (const version of ['2', '3']) {
    assert.deepEqual(eventsOf(join(buildRecord(), whole, removal(version))), [HISTORY, removed]);
    assert.deepEqual(eventsOf(join(buildRecord(), removal(version), whole)), [HISTORY, removed]);
  }
  assert.deepEqual(eventsOf(join(buildRecord(), removal('1'), whole)), [HISTORY, { ...JOINED, text: 'ASSIGNS' }]);
});

test('leaves alone what a record states itself, in whatever form', () => {
  const { marks } = JOINED;
  for (const [events, kept] of [
    [null, []],
    [undefined, []],
    [{ free: 'form' }, [{ free: 'form' }]],
    [
      ['text', 7],
      ['text', 7],
    ],
    [[{ source: 'uspto-ttab', number: '7' }], [{ source: 'uspto-ttab', number: '7' }]],
  ] as const) {
    const payload = (events === undefined ? { other: 1 } : { events, other: 1 }) as Payload;
    const joined = join(buildRecord({ payload }), tell());
    assert.equal(joined.payload?.other, 1);
    const found = eventsOf(joined) as unknown[];
    assert.deepEqual(new Set(found), new Set([...kept, { ...JOINED, marks }]));
  }
  assert.deepEqual(eventsOf(join(buildRecord({ payload: null }), tell())), [JOINED]);
});

test('keeps numbers that doubles cannot hold [I-38]', () => {
  const record = { ...buildRecord(), ...parsePayload('{"big":9007199254740993,"events":null}') };
  const joined = join(record, tell());
  assert.match(String(joined.payload_text), /"big":9007199254740993/);
});

test('ends the same whatever was joined before and in whatever order', () => {
  const statement = fc.record({
    source: fc.constantFrom('uspto-ttab', 'uspto-assignments'),
    number: fc.constantFrom('1', '2', '3'),
    date: fc.constantFrom('2026-01-01', '2026-01-02'),
    removed: fc.boolean(),
  });
  const last = (list: readonly { source: string; number: string }[]): typeof list => [
    ...new Map(list.map((each) => [`${each.source} ${each.number}`, each])).values(),
  ];
  const joinAll = (record: NormalizedRecord, list: readonly { source: string; number: string }[], sources: string[]) =>
    sources.reduce((joined, source) => {
      const own = last(list).filter((each) => each.source === source);
      const rows = own.flatMap(({ number, ...event }) => tell({ number, event }));
      return joinEvents(joined, source, rows);
    }, record);
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 8 }), fc.nat(8), (list, at) => {
      const record = buildRecord();
      const sources = ['uspto-ttab', 'uspto-assignments'];
      const once = joinAll(record, list, sources);
      const twice = joinAll(joinAll(record, list.slice(0, at), sources), list, sources.toReversed());
      assert.deepEqual(twice, once);
    }),
  );
});
