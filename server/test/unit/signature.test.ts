/** Signatures rule out records that cannot match, and never one that does (docs/decisions/0022). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signConditions } from '../../src/plan/signed.ts';
import { type Signature, signTerms } from '../../src/record/signature.ts';
import {
  codeTerm,
  dateTerm,
  enumTerm,
  nameTerms,
  niceClassTerm,
  numberTerms,
  sliceTerm,
} from '../../src/record/terms.ts';
import { buildPlan } from '../support/search-shapes.ts';

const bitsOf = (word: bigint): number => BigInt.asUintN(64, word).toString(2).replaceAll('0', '').length;
const hasAll = (signature: Signature, wanted: Signature): boolean =>
  signature.every((word, index) => (word & wanted[index]!) === wanted[index]!);

const COUNTRIES = ['AT', 'CH', 'CN', 'DE', 'FR', 'GB', 'IN', 'IT', 'JP', 'KR', 'SE', 'US'].map(
  (code) => codeTerm('owner_country', code)!,
);
const CLASSES = Array.from({ length: 45 }, (_, index) => niceClassTerm(index + 1));

test('every facet sets one bit in either word, and all bits of a word are in use [4.3]', () => {
  for (const term of [...COUNTRIES, ...CLASSES]) {
    const [first, second] = signTerms([term]);
    assert.deepEqual([bitsOf(first), bitsOf(second)], [1, 1]);
  }
  const names = Array.from({ length: 2_000 }, (_, index) => nameTerms('owner_name', `owner ${index}`)[0]);
  assert.deepEqual(signTerms(names), [-1n, -1n]);
});

test('a signature has the bits of each of its terms, and lacks those of most others [4.3]', () => {
  let ruledOut = 0;
  let asked = 0;
  for (let record = 0; record < 500; record += 1) {
    const carried = Array.from(
      { length: 12 },
      (_, index) => [...COUNTRIES, ...CLASSES][(record * 7 + index * 5) % 57]!,
    );
    const signature = signTerms(carried);
    for (const term of [...COUNTRIES, ...CLASSES]) {
      if (carried.includes(term)) assert.ok(hasAll(signature, signTerms([term])));
      else {
        asked += 1;
        if (!hasAll(signature, signTerms([term]))) ruledOut += 1;
      }
    }
  }
  assert.ok(ruledOut / asked > 0.9, `${ruledOut} of ${asked}`);
});

test('dates, numbers, registers, slices and upper halves of names set no bit [4.3]', () => {
  const [, upper] = nameTerms('mark_name', 'acme');
  const date = dateTerm('application_date', 'year', '2024-02-29');
  const unsigned = [
    codeTerm('jurisdiction', 'US')!,
    ...numberTerms('application_number', '1'),
    upper,
    date,
    sliceTerm(3),
  ];
  assert.deepEqual(signTerms(unsigned), [0n, 0n]);
});

test('a search asks signatures for what they tell, and not for what most records carry [4.3]', () => {
  const pending = enumTerm('status', 'Pending');
  const [nine, ten] = [niceClassTerm(9), niceClassTerm(10)];
  const signedOf = (texts: Record<string, string>, shares: ReadonlyMap<number, number> = new Map()) =>
    signConditions(buildPlan({ texts }), { shares });
  assert.deepEqual(signedOf({ status: 'pending', nice_class: '9,10' }), {
    all: signTerms([pending]),
    anyOf: [signTerms([nine, ten])],
  });
  const shares = new Map([
    [pending, 0.6],
    [nine, 0.2],
    [ten, 0.1],
  ]);
  assert.equal(signedOf({ status: 'pending', nice_class: '9,10' }, shares), null);
  assert.notEqual(signedOf({ status: 'pending', nice_class: '9' }, shares), null);
  assert.notEqual(signedOf({ owner_name: 'acme', status: 'pending' }), null, 'a whole name is told');
});

test('a search does not ask signatures beside what they know nothing of [4.3]', () => {
  const interval = { application_date_from: '2024-01-01' };
  for (const beside of [{ publication_date: '2024-01-01' }, interval, { mark_name_contains: 'gold' }]) {
    const texts = { jurisdiction: 'us', nice_class: '9', ...beside };
    assert.equal(buildPlan({ texts }).signed, null, JSON.stringify(beside));
  }
  assert.equal(buildPlan({ texts: { nice_class: '9', application_number: '1' } }).signed, null);
  const inItsOrder = buildPlan({ texts: { nice_class: '9', ...interval, sort: 'application_date' } });
  assert.notEqual(inItsOrder.signed, null, 'the order itself bounds the walk');
});
