/** A format states the fields that its source has; every other field is null. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import { NOT_STATED } from '../../src/load/formats/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';

test('a field that no format names is null in every record, and only identity and status must be stated [2.2.1]', () => {
  const identity = { jurisdiction_code: 'XA', uid: 'XA1', status: 'Unknown' } as const;
  const held = { mark_name_variants: null, payload: null, source_version: null };
  const record = normalizeRecord({ ...NOT_STATED, ...identity, ...held });
  const expected = Object.keys(CONTENT_FIELDS).map((field) => [
    field,
    identity[field as keyof typeof identity] ?? null,
  ]);
  assert.deepEqual(
    Object.keys(CONTENT_FIELDS).map((field) => [field, record[field as keyof typeof record]]),
    expected,
  );
  assert.deepEqual(Object.keys(NOT_STATED).length + Object.keys(identity).length, expected.length);
});
