/** What is content and what is not (rule I-22), on the digest that decides whether a change is delivered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestContent } from '../../src/record/digest.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildSource } from '../support/source.ts';

function digestOf(fields: Partial<Record<keyof SourceRecord, unknown>>): string {
  return digestContent(normalizeRecord(buildSource(fields)));
}

const FULL = {
  mark_name: 'Café',
  nice_classes: [9, 42],
  owner_names: ['acme', 'bravo'],
  mark_name_variants: ['kafe'],
  payload: { parties: [{ name: 'Acme', role: 'owner' }, { name: 'Bravo' }], note: 'é', empty: [] },
};

test('key order, list order, silence and normal form are not content [4.6.6, I-22]', () => {
  const same = digestOf(FULL);
  const variations: Record<string, typeof FULL | object> = {
    'list order': { ...FULL, nice_classes: [42, 9], owner_names: ['bravo', 'acme'] },
    'payload key order and list order': {
      ...FULL,
      payload: { note: 'é', parties: [{ name: 'Bravo' }, { role: 'owner', name: 'Acme' }] },
    },
    'normal form': { ...FULL, mark_name: 'Cafe\u0301', payload: { ...FULL.payload, note: 'e\u0301' } },
    'null, missing and empty list': { ...FULL, payload: { ...FULL.payload, gone: null, empty: null } },
    'an empty list for null': { ...FULL, vienna_codes: [] },
    'the version of the source': { ...FULL, source_version: '20260101' },
  };
  for (const [what, fields] of Object.entries(variations)) assert.equal(digestOf(fields), same, what);
});

test('every delivered value, payload and held variants included, is content [I-22]', () => {
  const before = digestOf(FULL);
  const changes: Record<string, object> = {
    'a field': { ...FULL, status: 'Registered' },
    'a list entry': { ...FULL, nice_classes: [9] },
    'a variant': { ...FULL, mark_name_variants: ['kafé'] },
    'no variants': { ...FULL, mark_name_variants: null },
    'a payload value': { ...FULL, payload: { ...FULL.payload, note: 'e' } },
    'a payload entry twice': {
      ...FULL,
      payload: { ...FULL.payload, parties: [...FULL.payload.parties, { name: 'Bravo' }] },
    },
    'no payload': { ...FULL, payload: null },
    'an empty payload': { ...FULL, payload: {} },
    'a value moved to another field': { ...FULL, owner_names: null, representative_names: FULL.owner_names },
  };
  const digests = Object.values(changes).map(digestOf);
  assert.equal(digests.includes(before), false);
  assert.equal(new Set(digests).size, digests.length);
});
