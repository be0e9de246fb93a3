/** Records matched without being stored, against the reference, record by record. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Sieve } from '../../src/index/sift.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { foldName, NAME_SEPARATOR } from '../../src/record/names.ts';
import { runsOf } from '../support/depth.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, renderDetail, type StoredRecord } from '../support/stored.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, registersArbitrary } from './search-registers.ts';

const RUNS = runsOf(5);
const QUERIES_PER_SIEVE = 40;

function textOf(stored: StoredRecord): ConstructorParameters<typeof Sieve>[0][number] {
  const { record, updated_at } = stored;
  const variants = record.mark_name_variants?.map(foldName) ?? [];
  const mark_variants = variants.length === 0 ? null : variants.join(NAME_SEPARATOR);
  return { updated_at, detail: renderDetail(stored), mark_variants };
}

test('records in any order pass a sieve exactly if the search finds them [4.3]', () => {
  let passed = 0;
  const queries = fc.array(queryArbitrary, { minLength: QUERIES_PER_SIEVE, maxLength: QUERIES_PER_SIEVE });
  fc.assert(
    fc.property(registersArbitrary, fc.infiniteStream(fc.nat()), queries, (stored, dice, asked) => {
      const mixed = stored
        .map((each) => ({ each, rank: dice.next().value }))
        .sort((one, other) => one.rank - other.rank)
        .map(({ each }) => each);
      const sieve = new Sieve(mixed.map(textOf));
      for (const { register, texts } of asked) {
        const { conditions } = planSearch(parseSearch(texts as SearchValues, register));
        const wanted = new Set(selectRecords(stored, texts, register));
        const expected = mixed.flatMap((each, position) => (wanted.has(each) ? [position] : []));
        passed += expected.length;
        assert.deepEqual([...sieve.find(conditions)], expected, JSON.stringify({ register, texts }));
        assert.deepEqual([...sieve.find(conditions)], expected, 'asked again');
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(passed > RUNS * QUERIES_PER_SIEVE, 'the queries met records');
});

test('several versions of a record are matched separately, and no condition lets all pass', () => {
  const version = (mark_name: string, day: string, mark_name_variants: string[] | null = null) =>
    textOf(buildStored(buildSource({ mark_name, mark_name_variants }), `${day}T00:00:00.000000Z`));
  const sieve = new Sieve([version('NEW NAME', '2026-01-02'), version('OLD NAME', '2026-01-01', ['älter'])]);
  const name = (match: 'part' | 'whole', text: string) => [{ kind: 'name', family: 'mark_name', match, text }] as const;
  assert.deepEqual([...sieve.find([])], [0, 1]);
  assert.deepEqual([...sieve.find(name('part', 'name'))], [0, 1]);
  assert.deepEqual([...sieve.find(name('whole', 'new name'))], [0]);
  assert.deepEqual([...sieve.find(name('whole', 'älter'))], [1]);
  assert.deepEqual([...sieve.find([{ kind: 'changes', from: '2026-01-02T00:00:00.000000Z', to: null }])], [0]);
  assert.deepEqual(sieve.listNames('mark_name'), ['new name', 'old name', 'älter']);
  assert.deepEqual([...new Sieve([]).find([])], []);
});

test('fields that are asked for at different times are matched together as well', () => {
  const numbered = (application_number: string | null, registration_number: string | null) =>
    textOf(buildStored(buildSource({ application_number, registration_number }), '2026-01-01T00:00:00.000000Z'));
  const sieve = new Sieve([numbered('11', null), numbered(null, '11'), numbered('12', '13')]);
  const fields = ['registration_number', 'application_number'] as const;
  assert.deepEqual([...sieve.find([{ kind: 'number', field: 'application_number', number: '11' }])], [0]);
  sieve.prepare(['registration_number', 'owner_name']);
  assert.deepEqual([...sieve.find([{ kind: 'numbers', fields, numbers: ['11'] }])], [0, 1]);
  assert.deepEqual([...sieve.find([{ kind: 'number', field: 'registration_number', number: '13' }])], [2]);
});

test('more records than fit one chunk of a segment are matched too', () => {
  const count = 70_000;
  const of = (jurisdiction_code: string) =>
    textOf(buildStored(buildSource({ jurisdiction_code }), '2026-01-01T00:00:00.000000Z'));
  const [us, em] = [of('US'), of('EM')];
  const sieve = new Sieve(Array.from({ length: count }, (_, at) => (at % 2 === 0 ? us : em)));
  const found = sieve.find([{ kind: 'terms', field: 'jurisdiction', values: ['EM'] }]);
  assert.equal(found.length, count / 2);
  assert.ok(found.every((position, at) => position === at * 2 + 1));
});
