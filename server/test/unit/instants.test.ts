/** Instants as numbers and texts; versions of a record are ordered by them, however their office writes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instantOf, microsOf } from '../../src/base/clock.ts';
import { orderInstant } from '../../src/load/formats/dates.ts';

test('instants and microseconds are the same thing', () => {
  for (const instant of ['1969-12-31T23:59:59.999999Z', '2026-11-23T09:00:00.123456Z', '2038-01-19T03:14:08.000001Z']) {
    assert.equal(instantOf(microsOf(instant)), instant);
  }
  const ms = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2200, 0) });
  fc.assert(
    fc.property(ms, fc.integer({ min: 0, max: 999 }), (milliseconds, micros) => {
      const text = new Date(milliseconds).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
      assert.equal(instantOf(milliseconds * 1000 + micros), text);
      assert.equal(microsOf(text), milliseconds * 1000 + micros);
    }),
  );
});

test('one instant has one text, whatever its zone and its precision', () => {
  const same = [
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05',
    ' 2026-01-02 03:04:05z ',
    '2026-01-02T03:04:05.0Z',
    '2026-01-02T03:04:05.000000000000Z',
    '2026-01-02T05:04:05+02:00',
    '2026-01-02T05:04:05,000+0200',
    '2026-01-01T22:04:05-05',
    '2026-01-01T23:34:05-03:30',
  ];
  assert.deepEqual([...new Set(same.map(orderInstant))], ['2026-01-02T03:04:05.000000000Z']);
  assert.equal(orderInstant('2026-01-02'), '2026-01-02T00:00:00.000000000Z');
  assert.equal(orderInstant('2026-01-02+02:00'), '2026-01-01T22:00:00.000000000Z');
});

test('texts of instants compare as the instants do', () => {
  const instant = fc.record({ ms: fc.integer({ min: 0, max: 4e12 }), zone: fc.integer({ min: -14, max: 14 }) });
  const write = ({ ms, zone }: { ms: number; zone: number }): string => {
    const offset = `${zone < 0 ? '-' : '+'}${String(Math.abs(zone)).padStart(2, '0')}:00`;
    const text = new Date(ms + zone * 3_600_000).toISOString().replace('Z', offset);
    return zone % 2 === 0 ? text : text.replace(/\.?0*([+-]\d\d:\d\d)$/, '$1');
  };
  fc.assert(
    fc.property(instant, instant, (one, other) => {
      const [a, b] = [orderInstant(write(one)) ?? '', orderInstant(write(other)) ?? ''];
      assert.equal(Math.sign(one.ms - other.ms), a === b ? 0 : a < b ? -1 : 1);
    }),
  );
});

test('an invalid instant orders nothing', () => {
  for (const text of [
    null,
    '',
    'masked',
    '2026-02-30T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03Z',
    '20260102',
  ]) {
    assert.equal(orderInstant(text), null, String(text));
  }
});
