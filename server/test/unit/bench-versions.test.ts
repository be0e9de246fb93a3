/** What `npm run bench -- versions` concludes of its measurements. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Figure, listBelow, median, ratioOf, renderVersions } from '../../../bench/versions/report.ts';

const one = (kind: string, old: number, now: number): Figure => ({
  kind,
  callers: 1,
  unit: 'ms',
  old: { value: old, p99Ms: null },
  new: { value: now, p99Ms: null },
});
const several = (kind: string, old: number, now: number): Figure => ({
  kind,
  callers: 16,
  unit: '/s',
  old: { value: old, p99Ms: 9.5 },
  new: { value: now, p99Ms: 12 },
});
const load: Figure = { ...one('first load', 30, 20), callers: null, unit: 's' };

const render = (figures: readonly Figure[]): string =>
  renderVersions({
    oldVersion: 'abc',
    newVersion: 'def',
    loaded: '2,000 generated records',
    machine: 'A machine;',
    seconds: 4,
    rounds: 3,
    figures,
  });

test('a ratio above 1 means that the new version is faster, of times and of rates', () => {
  assert.equal(ratioOf(one('look-up', 2, 4)), 0.5);
  assert.equal(ratioOf(several('look-up', 1000, 2000)), 2);
  assert.equal(ratioOf(load), 1.5);
});

test('the median of an even number of values is one of them', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 3);
});

test('what is slower is listed with its ratio, slowest first, and not what is at the bound', () => {
  const figures = [one('look-up', 9, 10), several('number', 100, 50), one('health', 0.95, 1), load];
  assert.deepEqual(listBelow(figures, 0.95), ['number, 16 callers (0.50)', 'look-up, one caller (0.90)']);
  assert.deepEqual(listBelow(figures, 2), [
    'number, 16 callers (0.50)',
    'look-up, one caller (0.90)',
    'health, one caller (0.95)',
    'first load (1.50)',
  ]);
});

test('the table has a row for each figure, and says below it what is slower and what is faster', () => {
  const lines = render([load, one('look-up', 2.5, 3.125), several('look-up', 5374.4, 3784)]).split('\n');
  assert.equal(lines[0], '# Versions: OLD abc, NEW def');
  const begin = lines.indexOf('|---|---:|---:|---:|---:|---:|---:|');
  assert.deepEqual(lines.slice(begin + 1), [
    '| first load |  | 30.0 s | 20.0 s |  |  | 1.50 |',
    '| look-up | 1 | 2.50 ms | 3.13 ms |  |  | 0.80 |',
    '| look-up | 16 | 5,374/s | 3,784/s | 9.5 ms | 12.0 ms | 0.70 |',
    '',
    'Slower (below 0.95): look-up, 16 callers (0.70); look-up, one caller (0.80).',
    'Faster (above 1.05): first load (1.50).',
    '',
  ]);
});

test('a table in which nothing changed says so', () => {
  const lines = render([one('look-up', 2, 2)]).split('\n');
  assert.deepEqual(lines.slice(-3), ['Slower: no kind is below 0.95.', 'Faster: no kind is above 1.05.', '']);
});
