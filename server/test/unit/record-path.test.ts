/** Which endpoint the address of a record belongs to, by the end of its path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPathEnd, splitPathEnd } from '../../src/parse/query.ts';

test('only a literal end behind a uid makes an address one of the history', () => {
  const cases: [path: string, end: ReturnType<typeof readPathEnd>][] = [
    ['/v1/XA/trademarks/a', null],
    ['/v1/XA/trademarks/a/history', 'history'],
    ['/records/v1/XA/trademarks/a/b/history', 'history'],
    ['/v1/XA/trademarks/history', null],
    ['/v1/XA/trademarks/history/history', 'history'],
    ['/v1/XA/trademarks/a%2Fhistory', null],
    ['/v1/XA/trademarks/a%2Fhistory/history', 'history'],
    ['/v1/XA/trademarks/a/HISTORY', null],
    ['/v1/XA/trademarks/a/history/', null],
    ['/v1/XA/trademarks/a/history/latest', null],
    ['/v1/XA/trademarks/a/history/2026-01-01', 'version'],
    ['/v1/XA/trademarks/a/history/2026-01-01T00:00:00.000001Z', 'version'],
    ['/v1/XA/trademarks/a/history/2026-01-01T00%3a00%3A00%2B01:00', 'version'],
    ['/v1/XA/trademarks/a/history/2026-01-01%2Fb', null],
    ['/v1/XA/trademarks/a%2Fhistory/2026-01-01', null],
    ['/v1/XA/history', null],
    ['/v1/history', null],
  ];
  for (const [path, end] of cases) assert.equal(readPathEnd(path), end, path);
});

test('everything before the end is the uid, whatever it contains', () => {
  assert.deepEqual(splitPathEnd('a/history', null), { uid: 'a/history', version: '' });
  assert.deepEqual(splitPathEnd('a/history/history', 'history'), { uid: 'a/history', version: '' });
  const version = '2026-01-01T00:00:00Z';
  assert.deepEqual(splitPathEnd(`a/history/b/history/${version}`, 'version'), { uid: 'a/history/b', version });
});

test('an address that repeats the end many times is read in time', () => {
  assert.equal(readPathEnd(`/v1/XA/trademarks/a${'/history/2026-'.repeat(1_000)}x/y`), null);
});
