/** Examples of answers to lists of numbers and identities, and of the lists of snapshots and deltas. */
import type { AskedRegister, IdentitiesPage, NumbersPage } from '@tmds/contract/asked';
import { DIGEST_FORM } from '@tmds/contract/extras';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { DeltasPage, SnapshotsPage } from '@tmds/contract/snapshots';

const askedRegisters: AskedRegister[] = [
  { jurisdiction_code: 'EM', complete_through: '2026-11-25', late: false, gaps: 0, rejects: 0, searched: true },
  { jurisdiction_code: 'US', complete_through: '2026-11-20', late: true, gaps: 0, rejects: 3, searched: true },
];

export function buildAskedExamples(record: TrademarkDetail) {
  return {
    numbers: {
      items: [record],
      asked: [
        { jurisdiction_code: 'US', number: '97/123456', positions: [0] },
        { jurisdiction_code: 'EM', number: '018000001', positions: [] },
      ],
      coverage: askedRegisters,
      next_cursor: null,
    } satisfies NumbersPage,
    identities: {
      items: [record],
      asked: [
        { jurisdiction_code: record.jurisdiction_code, uid: record.uid, position: 0 },
        { jurisdiction_code: 'EM', uid: 'EM500000018000001', position: null },
      ],
      coverage: askedRegisters,
    } satisfies IdentitiesPage,
  };
}

export const SNAPSHOT_EXAMPLES = {
  snapshots: {
    items: [
      {
        id: '20261121T090500123Z',
        form: 1,
        made_at: '2026-11-21T09:05:00.123000Z',
        as_of: '2026-11-21T09:00:00.123456Z',
        digest_form: DIGEST_FORM,
        payloads: false,
        document_schema: '0f3a5c7e9b1d2f40',
        since: '1970-01-01T00:00:00.000000Z',
        cursor: 'AQAB',
        registers: [
          {
            jurisdiction_code: 'XA',
            record_count: 1204,
            digest: '8f14e45fceea167a',
            cursor: 'AQAC',
            files: [
              {
                name: 'XA-0001.jsonl.gz',
                format: 'jsonl',
                bytes: 182_044,
                sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                record_count: 1204,
              },
            ],
          },
        ],
      },
    ],
  } satisfies SnapshotsPage,
  deltas: {
    items: [
      {
        id: '20261122T090500123Z-day',
        form: 1,
        period: 'day',
        made_at: '2026-11-22T09:05:00.123000Z',
        from_as_of: '2026-11-21T09:00:00.123456Z',
        as_of: '2026-11-22T09:00:00.654321Z',
        digest_form: DIGEST_FORM,
        payloads: false,
        document_schema: '0f3a5c7e9b1d2f40',
        since: '1970-01-01T00:00:00.000000Z',
        from_cursor: 'AQAB',
        cursor: 'AQAD',
        registers: [
          {
            jurisdiction_code: 'XA',
            record_count: 17,
            digest: '3b5d5c3712955042',
            from_cursor: 'AQAC',
            cursor: 'AQAE',
            files: [
              {
                name: 'XA-0001.jsonl.gz',
                format: 'jsonl',
                bytes: 4_210,
                sha256: '2c624232cc221ba4c1f52d5ba1f2a8e2f0f7f0a0f5b7f1e8c0d3a5e6f7081920',
                record_count: 17,
              },
            ],
          },
        ],
      },
    ],
  } satisfies DeltasPage,
} as const;
