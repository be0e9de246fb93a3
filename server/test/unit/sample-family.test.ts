/** Records that belong together in life belong together in the sample. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { generateRecords } from '../../src/generator/generate.ts';
import { addMonths, dayText, findDay } from '../../src/generator/lifecycle.ts';
import type { SampleRecord } from '../../src/generator/record.ts';

const RECORDS = 60_000;

describe('families', () => {
  let records: SampleRecord[];
  before(() => {
    records = [...generateRecords({ records: RECORDS, seed: 31, payload: 'none' })];
  });

  test('national parts of an international registration share its number, mark and goods', () => {
    const parents = new Map(
      records
        .filter((record) => record.jurisdiction_code === 'WO')
        .map((record) => [record.international_registration_numbers?.[0], record]),
    );
    const parts = records.filter((record) => record.office === 'WO' && record.jurisdiction_code !== 'WO');
    const families = new Map<string, Set<string>>();
    let orphans = 0;
    for (const part of parts) {
      const number = part.international_registration_numbers?.[0] as string;
      families.set(number, (families.get(number) ?? new Set()).add(part.jurisdiction_code));
      const parent = parents.get(number);
      if (parent === undefined) {
        orphans += 1;
        continue;
      }
      assert.equal(part.mark_name, parent.mark_name);
      if (part.nice_classes !== null && parent.nice_classes !== null)
        assert.deepEqual(part.nice_classes, parent.nice_classes);
      assert.ok(parent.designated_countries?.includes(part.jurisdiction_code), part.uid);
      assert.ok((part.application_date ?? '9') >= (parent.application_date ?? '0'));
    }
    assert.ok(parts.length > RECORDS * 0.03);
    assert.ok(orphans < parts.length * 0.02, `${orphans} of ${parts.length}`);
    assert.ok([...families.values()].filter((registers) => registers.size >= 3).length > 100);
  });

  test('a priority number is the number of the first filing elsewhere, at most six months before', () => {
    const byNumber = new Map<string, SampleRecord[]>();
    for (const record of records) {
      const number = record.application_number;
      if (number !== null) byNumber.set(number, [...(byNumber.get(number) ?? []), record]);
    }
    const claims = records.filter((record) => record.priority_numbers !== null);
    const linked = claims.filter((claim) => {
      const firsts = byNumber.get(claim.priority_numbers?.[0] as string) ?? [];
      return firsts.some((first) => {
        if (first.jurisdiction_code === claim.jurisdiction_code || first.mark_name !== claim.mark_name) return false;
        if (first.application_date === null || claim.application_date === null) return true;
        const last = dayText(addMonths(findDay(first.application_date) as number, 6));
        return first.application_date < claim.application_date && claim.application_date <= last;
      });
    });
    assert.ok(claims.length > RECORDS * 0.05, String(claims.length));
    assert.ok(linked.length > claims.length * 0.96, `${linked.length} of ${claims.length}`);
  });

  test('numbers are reused: within a register by divisions, between registers by chance', () => {
    const within = new Map<string, number>();
    const registersOf = new Map<string, Set<string>>();
    for (const record of records) {
      for (const number of [record.application_number, record.registration_number]) {
        if (number === null) continue;
        registersOf.set(number, (registersOf.get(number) ?? new Set()).add(record.jurisdiction_code));
      }
      const key = `${record.jurisdiction_code} ${record.application_number}`;
      within.set(key, (within.get(key) ?? 0) + 1);
    }
    assert.ok([...within.values()].filter((count) => count > 1).length > 200);
    assert.ok([...registersOf.values()].filter((registers) => registers.size > 1).length > 200);
  });

  test('marks of other scripts hold their transliteration, owners their Latin name next to the original', () => {
    const other = records.filter(
      (record) => record.mark_name !== null && /^[^\p{Script=Latin}]+$/u.test(record.mark_name),
    );
    const held = other.filter((record) => /^[\p{Script=Latin}]/u.test(record.mark_name_variants?.[0] ?? ''));
    assert.ok(other.length > 5000, String(other.length));
    assert.ok(held.length > other.length * 0.85, `${held.length} of ${other.length}`);
    const japanese = records.filter(
      (record) => record.jurisdiction_code === 'JP' && record.owner_countries?.[0] === 'JP',
    );
    const paired = japanese.filter(
      (record) =>
        /\p{Script=Han}|\p{Script=Katakana}/u.test(record.owner_names?.[0] ?? '') &&
        /^[\p{Script=Latin} .&-]+$/u.test(record.owner_names?.[1] ?? ''),
    );
    assert.ok(paired.length > japanese.length * 0.6, `${paired.length} of ${japanese.length}`);
  });
});
