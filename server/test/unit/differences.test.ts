/** What differs between two versions: fields with their values, payloads by their paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAYLOAD_PATHS_MAX } from '@tmds/contract/history';
import fc from 'fast-check';
import { comparePayloads, listFieldChanges } from '../../src/record/differences.ts';
import { digestContent } from '../../src/record/digest.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildSource } from '../support/source.ts';

const record = (fields: Partial<Record<keyof SourceRecord, unknown>>) => normalizeRecord(buildSource(fields));

function pathsOf(before: unknown, after: unknown): string[] | null {
  return comparePayloads(JSON.stringify(before), JSON.stringify(after))?.paths ?? null;
}

test('gives each field with its whole value before and after, in the order of the record', () => {
  const before = record({ mark_name: 'Old', nice_classes: [9], owner_names: ['b', 'a'], status: 'Pending' });
  const after = record({ mark_name: 'Old', nice_classes: [9, 42], owner_names: ['a', 'b'], expiry_date: '2036-01-01' });
  assert.deepEqual(listFieldChanges(before, after), [
    { field: 'expiry_date', old: null, new: '2036-01-01' },
    { field: 'nice_classes', old: [9], new: [9, 42] },
    { field: 'owner_names', old: ['b', 'a'], new: ['a', 'b'] },
  ]);
  assert.deepEqual(listFieldChanges(before, before), []);
});

test('the order of a set, and Unicode normal form, are no difference; the order of any other list is [I-22, I-34]', () => {
  const before = record({
    mark_name: 'Cafe\u0301',
    vienna_codes: ['26.3', '1.1'],
    designated_countries: ['FR', 'DE'],
    priority_numbers: ['E\u0301', 'A'],
  });
  const after = record({
    mark_name: 'Caf\u00e9',
    vienna_codes: ['1.1', '26.3'],
    designated_countries: ['DE', 'FR'],
    priority_numbers: ['A', '\u00c9'],
  });
  assert.deepEqual(listFieldChanges(before, after), []);
});

test('names places of a payload by JSON Pointers, of what is gone by the place it had', () => {
  const cases: [before: unknown, after: unknown, paths: string[] | null][] = [
    [{ a: 1 }, { a: 1 }, null],
    [{ a: 1, b: [] }, { b: null, a: 1 }, null],
    [{ a: 'e\u0301' }, { a: '\u00e9' }, null],
    [{ a: 1 }, { a: 2, b: 3 }, ['/a', '/b']],
    [{ a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 1 } } }, ['/a/b/d']],
    [{ 'a/b': 1, 'm~n': 1, '': 1 }, { 'a/b': 2, 'm~n': 2, '': 2 }, ['/a~1b', '/m~0n', '/']],
    [{ a: { b: 1 } }, { a: [1] }, ['/a']],
    [{ a: [1, 2, 3] }, { a: [0, 1, 2, 3] }, ['/a/0']],
    [{ a: [1, 2, 3] }, { a: [1, 3] }, ['/a/1']],
    [{ a: [1, 1] }, { a: [1] }, ['/a/1']],
    [{ a: [1, 2] }, { a: [2, 1] }, ['/a']],
    [
      {
        a: [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      },
      {
        a: [
          { x: 2, y: 2 },
          { x: 1, y: 3 },
        ],
      },
      ['/a/1/y'],
    ],
    [{ a: [{ x: 1 }, { x: 2 }] }, { a: [{ x: 9 }, { x: 2 }, { x: 3 }] }, ['/a/0', '/a/2']],
    [{ a: [[1, [2]]] }, { a: [[1, [3]]] }, ['/a/0/1/0']],
    // An entry that moved while it changed: what it has now by its new place, what it lost by its old one.
    [{ a: [1, { x: 1, y: 1 }] }, { a: [{ x: 2 }, 1] }, ['/a/0/x', '/a/1/y']],
    [{ a: [1, [1, 2]] }, { a: [[2], 1] }, ['/a/1/0']],
    [{ a: [1] }, {}, ['/a']],
    [{ a: true }, { a: 'true' }, ['/a']],
    [{ a: {} }, {}, ['/a']],
  ];
  for (const [before, after, paths] of cases) {
    assert.deepEqual(pathsOf(before, after), paths, `${JSON.stringify(before)} ${JSON.stringify(after)}`);
  }
});

test('a payload that comes or goes differs as a whole, and none is the same as an empty one [I-42]', () => {
  const whole = { field: 'payload', paths: [''], more_paths: 0 };
  assert.deepEqual(comparePayloads(null, '{"a":1}'), whole);
  assert.deepEqual(comparePayloads('{"a":1}', null), whole);
  for (const none of [null, '{}', '{"a":null}']) assert.equal(comparePayloads(null, none), null, String(none));
  assert.equal(comparePayloads('{"a":[]}', null), null);
});

test('numbers are compared as they were stated, digit for digit [I-38]', () => {
  assert.equal(comparePayloads('{"a":12345678901234567890}', '{"a":12345678901234567891}')?.paths[0], '/a');
  assert.equal(comparePayloads('{"a":12345678901234567890,"b":1.0}', '{"b":1,"a":12345678901234567890.0}'), null);
});

test('gives a bounded number of paths of bounded length, and how many more there are', () => {
  const wide = (value: number) => Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`k${index}`, value]));
  const change = comparePayloads(JSON.stringify(wide(1)), JSON.stringify(wide(2)))!;
  assert.equal(change.paths.length, PAYLOAD_PATHS_MAX);
  assert.equal(change.more_paths, 250 - PAYLOAD_PATHS_MAX);
  const key = 'k'.repeat(2_000);
  assert.deepEqual(pathsOf({ a: { [key]: 1 } }, { a: { [key]: 2 } }), ['/a']);
  const huge = 'x'.repeat(9_000_000);
  assert.deepEqual(pathsOf({ a: huge }, { a: `${huge}.` }), ['']);
});

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, 2, 'a', 'b', true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c/d'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

function readPointer(value: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (node, key) =>
        (node as Record<string, unknown> | null | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      value,
    );
}

test('finds a difference exactly when the content digest does, and each path leads to something [I-22]', () => {
  let different = 0;
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [before, after] = [{ value: one }, { value: other }];
      const paths = pathsOf(before, after);
      const isSame = digestContent(record({ payload: before })) === digestContent(record({ payload: after }));
      assert.equal(paths === null, isSame);
      if (paths === null) return;
      different += 1;
      for (const path of paths) {
        const places = [readPointer(before, path), readPointer(after, path)];
        assert.ok(
          places.some((place) => place !== undefined),
          path,
        );
      }
    }),
  );
  assert.ok(different > 20);
});
