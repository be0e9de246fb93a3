/** What is content and what is not (rule I-22), on the digest that decides whether a change is delivered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestContent, parseExactly } from '../../src/record/digest.ts';
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

test('key order, the order of sets, silence and normal form are not content [4.6.6, I-22, I-34, I-42]', () => {
  const same = digestOf(FULL);
  const variations: Record<string, typeof FULL | object> = {
    'the order of classes': { ...FULL, nice_classes: [42, 9] },
    'payload key order': {
      ...FULL,
      payload: { note: 'é', parties: [{ role: 'owner', name: 'Acme' }, { name: 'Bravo' }] },
    },
    'normal form': { ...FULL, mark_name: 'Cafe\u0301', payload: { ...FULL.payload, note: 'e\u0301' } },
    'null, missing and empty list': { ...FULL, payload: { ...FULL.payload, gone: null, empty: null } },
    'an empty list for null': { ...FULL, vienna_codes: [] },
    'the version of the source': { ...FULL, source_version: '20260101' },
  };
  for (const [what, fields] of Object.entries(variations)) assert.equal(digestOf(fields), same, what);
  const none = digestOf({ ...FULL, payload: null });
  for (const payload of [{}, { parties: null }]) assert.equal(digestOf({ ...FULL, payload }), none);
});

const SETS = {
  nice_classes: [9, 42],
  vienna_codes: ['26.01.01', '05.03.13'],
  owner_countries: ['US', 'DE'],
  designated_countries: ['JP', 'CN'],
  international_registration_numbers: ['1234567', '984562A'],
  priority_numbers: ['2', '1'],
};
const ORDERED = { owner_names: ['acme', 'bravo'], representative_names: ['x', 'a'], mark_name_variants: ['b', 'a'] };

test('six lists of a record are sets, and every other list has an order [I-34, 4.6.6]', () => {
  const before = { ...SETS, ...ORDERED };
  for (const [field, list] of Object.entries(SETS)) {
    assert.equal(digestOf({ ...before, [field]: list.toReversed() }), digestOf(before), field);
  }
  for (const [field, list] of Object.entries(ORDERED)) {
    assert.notEqual(digestOf({ ...before, [field]: list.toReversed() }), digestOf(before), field);
  }
});

test('parties and address lines that change places are a changed content [I-34, I-22]', () => {
  const digestWith = (parties: object[]): string => digestOf({ payload: { parties } });
  const acme = { names: ['Acme'], address: { lines: ['1 High Street', 'Flat 2'] } };
  const bravo = { names: ['Bravo'] };
  const moved = { ...acme, address: { lines: ['Flat 2', '1 High Street'] } };
  const digests = [
    [acme, bravo],
    [bravo, acme],
    [moved, bravo],
  ].map(digestWith);
  assert.equal(new Set(digests).size, 3);
});

test('a number of a payload is its value, however written and however long [I-38]', () => {
  const digestWith = (number: string): string => digestOf({ payload: parseExactly(`{"n":${number}}`) });
  assert.equal(digestWith('1.10'), digestWith('11e-1'));
  assert.equal(digestWith('1e400'), digestWith('10.0E+399'));
  const values = ['9007199254740992', '9007199254740993', '1e400', '1e401', '1e-400', '0', '-1e400', '0.1', 'null'];
  assert.equal(new Set(values.map(digestWith)).size, values.length);
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
    'a value moved to another field': { ...FULL, owner_names: null, representative_names: FULL.owner_names },
  };
  const digests = Object.values(changes).map(digestOf);
  assert.equal(digests.includes(before), false);
  assert.equal(new Set(digests).size, digests.length);
});
