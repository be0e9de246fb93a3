/** Later states of a record: realistic, repeatable, and always a change of content. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateChange } from '../../src/generator/change.ts';
import { generateRecords } from '../../src/generator/generate.ts';
import type { SampleRecord } from '../../src/generator/record.ts';
import { digestContent } from '../../src/record/digest.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';

const digestOf = (record: SampleRecord) => digestContent(normalizeRecord({ ...record, source_version: null }));

test('every change is a change of content, valid, and of the same identity [4.6.6, I-22]', () => {
  for (const payload of ['none', 'full'] as const) {
    for (const record of generateRecords({ records: 1500, seed: 6, payload })) {
      let state = record;
      for (let step = 1; step <= 4; step += 1) {
        const next = generateChange(state, 6, step);
        assert.notEqual(digestOf(next), digestOf(state), `${record.uid} step ${step}`);
        assert.deepEqual([next.jurisdiction_code, next.uid], [record.jurisdiction_code, record.uid]);
        assert.deepEqual(Object.keys(next), Object.keys(record));
        assert.equal(next.payload === null, payload === 'none');
        state = next;
      }
    }
  }
});

test('changes are repeatable and leave their input alone', () => {
  for (const record of generateRecords({ records: 400, seed: 9 })) {
    const before = JSON.stringify(record);
    const one = JSON.stringify(generateChange(record, 'feed', 3));
    assert.equal(JSON.stringify(generateChange(JSON.parse(before), 'feed', 3)), one);
    assert.equal(JSON.stringify(record), before);
  }
});

test('a change moves on in time and states what it means', () => {
  const seen = new Set<string>();
  for (const record of generateRecords({ records: 3000, seed: 12, payload: 'none' })) {
    const next = generateChange(record, 1, 1);
    const past = [record.application_date, record.publication_date, record.registration_date, record.renewal_date];
    const last = [...past, record.termination_date, record.status_date, record.external_update_date]
      .filter((date) => date !== null)
      .sort()
      .at(-1);
    assert.ok(last === undefined || (next.external_update_date as string) > last);
    if (next.status !== record.status) {
      seen.add(`${record.status} to ${next.status}`);
      assert.equal(next.status_date, next.external_update_date);
    }
    if (next.status === 'Registered') assert.notEqual(next.registration_date, null);
    if (next.status === 'Abandoned' && record.status === 'Pending')
      assert.equal(next.termination_date, next.status_date);
    if (next.renewal_date !== record.renewal_date) seen.add('renewed');
    if (JSON.stringify(next.owner_names) !== JSON.stringify(record.owner_names)) seen.add('transferred');
    if (JSON.stringify(next.nice_classes) !== JSON.stringify(record.nice_classes)) seen.add('limited');
  }
  assert.deepEqual([...seen].sort(), [
    'Abandoned to Pending',
    'Cancelled to Registered',
    'Pending to Abandoned',
    'Pending to Registered',
    'Registered to Cancelled',
    'Unknown to Registered',
    'limited',
    'renewed',
    'transferred',
  ]);
});
