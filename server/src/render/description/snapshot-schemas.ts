/** The schemas of snapshots and deltas: their manifests, and the bytes of their files. */
import {
  DELTA_PERIODS,
  type Delta,
  type DeltaRegister,
  type DeltasPage,
  MANIFEST_FORM,
  SNAPSHOT_FORMATS,
  type Snapshot,
  type SnapshotFile,
  type SnapshotRegister,
  type SnapshotsPage,
} from '@tmds/contract/snapshots';
import { closed, instant, type Json, refer } from './schema-parts.ts';

export function buildSnapshotSchemas(): Json {
  const hex = (digits: number): Json => ({ type: 'string', pattern: `^[0-9a-f]{${digits}}$` });
  const count = { type: 'integer', minimum: 1 };
  /** What a snapshot and a delta say of their records. */
  const content = {
    digest_form: { type: 'integer', minimum: 1, description: 'Version of the text of a record and of its digest.' },
    payloads: { type: 'boolean', description: 'Whether records have their payloads.' },
    document_schema: { ...hex(16), description: 'Identifies the schema of payloads.' },
    since: { ...instant, description: 'Send it with the cursors.' },
  };
  const file = closed<SnapshotFile>(
    {
      name: { type: 'string', minLength: 1, description: 'Its name in the path of the download.' },
      format: {
        type: 'string',
        enum: SNAPSHOT_FORMATS,
        description: 'jsonl: lines as the feed delivers records, compressed by gzip; parquet: a column for each field.',
      },
      bytes: { ...count, description: 'Size of the download.' },
      sha256: { ...hex(64), description: 'Digest of these bytes.' },
      record_count: { ...count, description: 'Records in the file.' },
    },
    'A file of a snapshot or delta.',
  );
  const register = closed<SnapshotRegister>(
    {
      jurisdiction_code: { type: 'string', description: 'Register code.' },
      record_count: { ...count, description: 'Records of the register in the snapshot.' },
      digest: { ...hex(16), description: 'Exclusive or of the digests of the records, as /v1/digests gives it.' },
      cursor: { type: 'string', description: 'Goes on with the change feed of the register.' },
      files: { type: 'array', minItems: 1, items: refer('schemas', 'SnapshotFile'), description: 'Its files.' },
    },
    'A register in a snapshot. The files of one format hold all of its records, in the order of the feed.',
  );
  const snapshot = closed<Snapshot>(
    {
      id: { type: 'string', minLength: 1, description: 'Later snapshots have ids that sort later.' },
      form: { type: 'integer', const: MANIFEST_FORM, description: 'Version of the manifest.' },
      made_at: { ...instant, description: 'When it was begun.' },
      as_of: { ...instant, description: 'It has every record that last changed at or before this instant.' },
      ...content,
      cursor: {
        type: ['string', 'null'],
        description: 'Goes on with the change feed of all registers; null if not every register is in the snapshot.',
      },
      registers: {
        type: 'array',
        minItems: 1,
        items: refer('schemas', 'SnapshotRegister'),
        description: 'The registers in it.',
      },
    },
    'The manifest of a snapshot.',
  );
  const deltaRegister = closed<DeltaRegister>(
    {
      jurisdiction_code: { type: 'string', description: 'Register code.' },
      record_count: { type: 'integer', minimum: 0, description: 'Records of the register in the delta.' },
      digest: { ...hex(16), description: 'Exclusive or of the digests of these records.' },
      from_cursor: {
        type: ['string', 'null'],
        description: 'Where the change feed of the register was at `from_as_of`; null if it had no records.',
      },
      cursor: { type: 'string', description: 'Goes on with the change feed of the register.' },
      files: {
        type: 'array',
        items: refer('schemas', 'SnapshotFile'),
        description: 'Its files; none if nothing changed in it.',
      },
    },
    'A register in a delta. The files of one format hold all of its changed records, in the order of the feed.',
  );
  const delta = closed<Delta>(
    {
      id: { type: 'string', minLength: 1, description: 'In the path of its files.' },
      form: { type: 'integer', const: MANIFEST_FORM, description: 'Version of the manifest.' },
      period: {
        type: 'string',
        enum: DELTA_PERIODS,
        description: 'The deltas of a period follow each other without a gap: one begins where the one before it ends.',
      },
      made_at: { ...instant, description: 'When it was begun.' },
      from_as_of: { ...instant, description: 'It has no record that last changed at or before this instant.' },
      as_of: {
        ...instant,
        description: 'It has every record that last changed between `from_as_of` and this instant.',
      },
      ...content,
      from_cursor: { type: 'string', description: 'Where the change feed of all registers was at `from_as_of`.' },
      cursor: { type: 'string', description: 'Goes on with the change feed of all registers.' },
      registers: {
        type: 'array',
        minItems: 1,
        items: refer('schemas', 'DeltaRegister'),
        description: 'Every register, also those in which nothing changed.',
      },
    },
    'The manifest of a delta.',
  );
  return {
    DeltasPage: closed<DeltasPage>(
      {
        items: {
          type: 'array',
          items: refer('schemas', 'Delta'),
          description: 'By their ends; of deltas that end together the longest last.',
        },
      },
      'Deltas between snapshots.',
    ),
    Delta: delta,
    DeltaRegister: deltaRegister,
    SnapshotsPage: closed<SnapshotsPage>(
      { items: { type: 'array', items: refer('schemas', 'Snapshot'), description: 'The newest first.' } },
      'All snapshots.',
    ),
    Snapshot: snapshot,
    SnapshotRegister: register,
    SnapshotFile: file,
    SnapshotFileBytes: { type: 'string', format: 'binary', description: 'The bytes of a file of a snapshot or delta.' },
  };
}
