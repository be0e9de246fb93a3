import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureJson } from '../../src/parse/body.ts';

const UNBOUNDED = { depth: Number.POSITIVE_INFINITY, parts: Number.POSITIVE_INFINITY };

function measureSlowly(value: unknown): { depth: number; parts: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, parts: 0 };
  const inner = Object.values(value).map(measureSlowly);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    parts: 1 + Math.max(0, inner.length - 1) + inner.reduce((sum, { parts }) => sum + parts, 0),
  };
}

test('the shape of a JSON text is the shape of its value, whatever its strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(measureJson(Buffer.from(JSON.stringify(value)), UNBOUNDED), measureSlowly(value));
    }),
  );
  assert.deepEqual(measureJson(Buffer.from('{"a":["]\\"[{,"]}'), UNBOUNDED), { depth: 2, parts: 2 });
});

test('a text beyond the bounds is not read to its end', () => {
  const deep = measureJson(Buffer.alloc(4_000_000, '['), { depth: 3, parts: 100 });
  assert.deepEqual(deep, { depth: 4, parts: 4 });
  const wide = measureJson(Buffer.from(`[${'1,'.repeat(1_000)}1]`), { depth: 3, parts: 100 });
  assert.deepEqual(wide, { depth: 1, parts: 101 });
});
