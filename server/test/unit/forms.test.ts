/**
 * Numbers that say how something is written: of snapshots of the index, and of digests of records. Each is pinned with
 * what it stands for, so that neither changes without the other.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DIGEST_FORM } from '@tmds/contract/extras';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import { SNAPSHOT_FORM } from '../../src/index/files.ts';
import { TERM_FIELD_NAMES, TERM_FIELDS } from '../../src/record/terms.ts';
import { buildSegment } from '../support/segments.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, renderDetail, type StoredRecord } from '../support/stored.ts';

/** A value for every field that searches or digests read. */
function buildSample(more: Partial<Parameters<typeof buildSource>[0]> = {}): StoredRecord {
  return buildStored(
    buildSource({
      office: 'XA',
      application_number: '2026/0001-7',
      registration_number: '0042',
      mark_name: 'Élan  VITAL',
      mark_name_variants: ['商標'],
      status: 'Registered',
      kind_of_mark: 'Individual',
      mark_feature: 'Word',
      nice_classes: [9, 42],
      vienna_codes: ['26.03.23'],
      owner_names: ['Müller & Söhne', 'hid\u200bden'],
      owner_countries: ['DE'],
      designated_countries: ['CH', 'FR'],
      application_date: '2026-01-02',
      ...more,
    }),
    '2026-01-03T00:00:00.000000Z',
  );
}

function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

test('an index that is built otherwise has another number than the snapshots of before', () => {
  // Of the register that states pseudo marks.
  const payload = { statements: [{ code: 'PM0001', text: 'ELAN VITALE' }] };
  const sample = buildSample({ jurisdiction_code: 'US', payload });
  const { terms, sections } = buildSegment([sample], 'only').parts;
  const built = Object.entries(sections).map(([name, numbers]) => [
    name,
    numbers.constructor.name,
    // Digests change with the text of a record, which the next test pins.
    name.startsWith('digests') ? numbers.length : [...numbers],
  ]);
  const filed = TERM_FIELD_NAMES.map((field) => [field, TERM_FIELDS[field](sample.record)]);
  assert.deepEqual(
    { form: SNAPSHOT_FORM, fingerprint: fingerprintOf([filed, terms, built]) },
    { form: 4, fingerprint: 'db6e8498b12e' },
    'What the index holds of a record has changed. Raise SNAPSHOT_FORM in server/src/index/files.ts, or snapshots of ' +
      'before would be searched as if they were of now. Then pin both here.',
  );
});

test('a record that is rendered otherwise has another number than the digests of before', () => {
  assert.deepEqual(
    { form: DIGEST_FORM, fingerprint: fingerprintOf([Object.keys(CONTENT_FIELDS), renderDetail(buildSample())]) },
    { form: 1, fingerprint: 'b352205bc19f' },
    'The text of a record has changed. Raise DIGEST_FORM in contract/src/extras.ts, or replicas of before would be ' +
      'called different where they are only older. Then pin both here.',
  );
});
