/** Parties by key: what a mark names, what is joined to it, and what it states itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestContent } from '../../src/record/digest.ts';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { listNamedParts, partyPart, readPartyFields, type StatedParty } from '../../src/record/parties.ts';
import { joinSupplements, type Supplement } from '../../src/record/supplements.ts';
import { buildSource } from '../support/source.ts';

const KEY: StatedParty = { role: 'applicant', identifier: '7' };
const AGENT: StatedParty = { role: 'representative', uri: 'http://office.invalid/representative/0099' };
const STATED: StatedParty = {
  role: 'applicant',
  identifier: '8',
  names: [{ text: 'Eigen AG' }],
  address: { country: 'CH' },
};

function markOf(parties: readonly StatedParty[], fields: object = {}): NormalizedRecord {
  const payload = { parties, events: [{ kind: 'history' }] };
  const named_parts = listNamedParts('XA', parties);
  return normalizeRecord(buildSource({ ...readPartyFields(parties), payload, named_parts, ...fields }));
}

function entry(part: string, name: string, more: object = {}): Supplement {
  return { kind: 'party', part, link: null, version: null, body: { names: [{ text: name }], ...more } };
}

const partiesOf = (record: NormalizedRecord): StatedParty[] => (record.payload?.parties ?? []) as StatedParty[];

const APPLICANT = entry('XA applicant 7', 'Nordwind  GmbH', { address: { country: 'DE', city: 'Kiel' } });
const REPRESENTATIVE = entry('XA representative 99', 'Rat & Tat', { nationality: { country: 'AT' } });

test('a mark names the parties of which it states no more than a key, by number or by address', () => {
  assert.deepEqual(listNamedParts('XA', [KEY, AGENT, STATED]), ['XA applicant 7', 'XA representative 99']);
  assert.deepEqual(listNamedParts('XA', [{ role: 'owner', identifier: '007' }]), ['XA applicant 7']);
  assert.equal(partyPart('GB', 'applicant', 'A07'), 'GB applicant A07');
  const both: StatedParty = { ...STATED, identifier: '7' };
  assert.deepEqual(listNamedParts('XA', [KEY, both]), [], 'stated next to its key');
  const unusable = ['', 'x'.repeat(201), 'a\u001fb'].map((identifier) => ({ role: 'applicant', identifier }));
  assert.deepEqual(listNamedParts('XA', [{ role: 'applicant' }, ...unusable]), []);
});

test('names, countries and addresses are joined where the key is, next to what the mark states [I-32]', () => {
  const joined = joinSupplements(markOf([KEY, STATED, AGENT]), [APPLICANT, REPRESENTATIVE]);
  assert.deepEqual(joined.owner_names, ['nordwind gmbh', 'eigen ag']);
  assert.deepEqual(joined.owner_countries, ['DE', 'CH']);
  assert.deepEqual(joined.representative_names, ['rat & tat']);
  assert.deepEqual(joined.payload?.parties, [
    { ...KEY, names: [{ text: 'Nordwind  GmbH' }], address: { country: 'DE', city: 'Kiel' } },
    STATED,
    { ...AGENT, names: [{ text: 'Rat & Tat' }], nationality: { country: 'AT' } },
  ]);
  assert.deepEqual(joined.payload?.events, [{ kind: 'history' }]);
});

test('a party that the office removed from the mark has its name in the payload, and is not an owner', () => {
  const joined = joinSupplements(markOf([{ ...KEY, current: false }, STATED]), [APPLICANT]);
  assert.deepEqual(joined.owner_names, ['eigen ag']);
  assert.deepEqual(partiesOf(joined)[0]?.names, [{ text: 'Nordwind  GmbH' }]);
});

test('a statement cannot change what the mark says of a party: its role, its key, whether it is current', () => {
  const body = { ...(APPLICANT.body as object), role: 'owner', identifier: '1', current: false, uri: 'x' };
  const joined = joinSupplements(markOf([KEY]), [{ ...APPLICANT, body }]);
  const [party] = partiesOf(joined);
  assert.deepEqual(
    [party?.role, party?.identifier, party?.current, party?.uri],
    ['applicant', '7', undefined, undefined],
  );
});

test('a record that names no part is left unchanged, whatever is known', () => {
  const record = markOf([STATED], { owner_names: ['something else'] });
  assert.equal(joinSupplements(record, [APPLICANT, REPRESENTATIVE]), record);
  const bare = normalizeRecord(buildSource({ named_parts: ['XA applicant 7'] }));
  assert.equal(joinSupplements(bare, [APPLICANT]), bare);
});

test('fields of a side that the payload has no party of do not change', () => {
  const joined = joinSupplements(markOf([AGENT], { owner_names: ['as before'] }), [REPRESENTATIVE]);
  assert.deepEqual([joined.owner_names, joined.representative_names], [['as before'], ['rat & tat']]);
});

test('numbers of a payload keep every digit [I-38]', () => {
  const text = `{"parties":[{"role":"applicant","identifier":"7"}],"source":{"n":9007199254740993}}`;
  const record = { ...markOf([KEY]), payload: JSON.parse(text), payload_text: text };
  const joined = joinSupplements(record, [APPLICANT]);
  assert.equal(typeof joined.payload_text, 'string');
});

test('a join takes the place of every earlier one, and nothing known gives the statement back', () => {
  const party = fc.record(
    {
      role: fc.constantFrom('applicant', 'owner', 'representative', 'correspondent'),
      identifier: fc.constantFrom('1', '2', '03'),
      current: fc.constantFrom(true, false),
      names: fc.array(fc.record({ text: fc.constantFrom('A b', 'C', 'ÄÖ') }), { minLength: 1, maxLength: 2 }),
      address: fc.record({ country: fc.constantFrom('DE', 'at', 'Nowhere') }),
    },
    { requiredKeys: ['role'] },
  );
  const known = fc.array(
    fc
      .tuple(fc.constantFrom('applicant', 'representative'), fc.constantFrom('1', '2', '3'), fc.string())
      .map(([kind, key, name]) => entry(`XA ${kind} ${key}`, `N${name}`)),
  );
  fc.assert(
    fc.property(fc.array(party as fc.Arbitrary<StatedParty>, { maxLength: 4 }), known, known, (parties, one, other) => {
      const mark = markOf(parties);
      const last = digestContent(joinSupplements(mark, other));
      assert.equal(digestContent(joinSupplements(joinSupplements(mark, one), other)), last);
      assert.equal(digestContent(joinSupplements(joinSupplements(mark, one), [])), digestContent(mark));
    }),
  );
});
