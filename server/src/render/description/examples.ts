/** An invented record, and example answers with it, for the interface description. */
import type { CoverageReport } from '@tmds/contract/coverage';
import {
  DATES_DISCLAIMER,
  type DateInfo,
  type DateRulesPage,
  type DuePage,
  type RecordDates,
} from '@tmds/contract/dates';
import { DIGEST_FORM } from '@tmds/contract/extras';
import type { HistoryEvent, HistoryPage } from '@tmds/contract/history';
import type { SimilarPage } from '@tmds/contract/likeness';
import type { ChangesPage, JurisdictionsPage, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import type { UsageReport } from '@tmds/contract/usage';
import type { WatchDetail, WatchesPage, WatchHitsPage, WatchInput, WatchSummary } from '@tmds/contract/watches';
import { buildAskedExamples, SNAPSHOT_EXAMPLES } from './list-examples.ts';

const record: TrademarkDetail = {
  jurisdiction_code: 'XA',
  uid: 'XA500000097123456',
  office: 'XA',
  application_number: '97123456',
  registration_number: null,
  mark_name: 'Lumora',
  status: 'Pending',
  tm5_status: 'Application published',
  kind_of_mark: 'Individual',
  mark_feature: 'Word',
  application_date: '2026-03-02',
  registration_date: null,
  publication_date: '2026-08-14',
  expiry_date: null,
  renewal_date: null,
  termination_date: null,
  opposition_period_end: '2026-11-14',
  status_date: '2026-08-14',
  external_update_date: '2026-08-15',
  nice_classes: [9, 42],
  vienna_codes: null,
  owner_names: ['lumora instruments ltd.'],
  owner_countries: ['XA'],
  representative_names: null,
  international_registration_numbers: null,
  priority_numbers: ['2025-104522'],
  designated_countries: null,
  record_update_date: '2026-08-16',
  first_seen_at: '2026-03-04T05:00:00.000001Z',
  updated_at: '2026-08-16T05:00:00.123456Z',
};

const event: HistoryEvent = {
  jurisdiction_code: 'XA',
  uid: 'XA500000097123456',
  version: '2026-08-16T05:00:00.123456Z',
  previous_version: '2026-03-04T05:00:00.000001Z',
  cause: 'office',
  source: {
    load_id: '0b9f4a0e-6a53-4c0a-9d4e-2f2b8a1f7c11',
    format: 'uspto-apc',
    files: [
      {
        name: 'apc260815.zip',
        sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
        bytes: 1_048_576,
        period: '2026-08-15',
      },
    ],
    more_files: 0,
    source_date: '2026-08-14',
  },
  changes: [
    { field: 'tm5_status', old: 'Application filed', new: 'Application published' },
    { field: 'publication_date', old: null, new: '2026-08-14' },
    { field: 'payload', paths: ['/events/3', '/publications'], more_paths: 0 },
  ],
};

const first: HistoryEvent = {
  ...event,
  version: '2026-03-04T05:00:00.000001Z',
  previous_version: null,
  cause: 'first',
  source: null,
  changes: [],
};

const watch: WatchSummary = {
  id: 'lumora-eu',
  name: 'Lumora in Europe',
  reference: 'M-2041',
  kind: 'search',
  search: 'jurisdiction=EM%2CXA&mark_name_contains=lumora',
  item_count: 0,
  revision: 1,
  created_at: '2026-08-01T08:30:00.000000Z',
  changed_at: '2026-08-01T08:30:00.000000Z',
  holds_from: '2026-08-01T05:00:00.123456Z',
  ended_at: null,
};

const renewal: DateInfo = {
  event: 'renewal',
  stated: '2036-03-02',
  computed: {
    ends_on: '2036-03-02',
    opens_on: '2035-09-02',
    due_on: '2036-03-03',
    late_until: '2036-09-02',
    rule: 'em.renewal',
    rule_version: 1,
    anchor: 'application_date',
    anchor_date: '2026-03-02',
    consequence: 'The registration ends with the term, and can be restored only where and while the office allows it.',
  },
  agreement: 'agrees',
  missing: null,
};

const position = { form: DIGEST_FORM, as_of: '2026-11-21T09:00:00.123456Z', bucket_bits: 10 };

export const EXAMPLES = {
  record,
  search: { items: [record], next_cursor: null } satisfies SearchPage,
  ...buildAskedExamples(record),
  changes: { items: [record], next_cursor: 'AQAB' } satisfies ChangesPage,
  jurisdictions: {
    items: [{ jurisdiction_code: 'XA', record_count: 1204, data_current_through: '2026-08-15T00:00:00.000000Z' }],
  } satisfies JurisdictionsPage,
  coverage: {
    jurisdiction_code: 'XA',
    record_count: 1204,
    data_current_through: '2026-11-20T00:00:00.000000Z',
    conclusion:
      'A change published by the office from week 2026-W02 through week 2026-W47 is here, except for week 2026-W45, ' +
      'which is missing.',
    series: [
      {
        source: 'xa-weekly',
        format: 'ndjson',
        condition: 'gaps',
        first_period: '2026-W02',
        last_period: '2026-W47',
        complete_through: '2026-W44',
        expected: true,
        missing: [{ period: '2026-W45', reason: 'absent' }],
        missing_count: 1,
        out_of_order: [],
        out_of_order_count: 0,
        order_matters: true,
        next_period: '2026-W48',
        overdue_at: '2026-12-02T00:00:00.000000Z',
        last_loaded_at: '2026-11-23T05:00:00.123456Z',
        checked_at: '2026-11-23T09:00:00.000000Z',
      },
    ],
    last_load: {
      load_id: '0b2a3a52-6c1e-4a8e-9d53-1f1b7f6f1a10',
      format: 'ndjson',
      finished_at: '2026-11-23T05:00:00.123456Z',
      read: 38,
      new: 5,
      changed: 33,
      unchanged: 0,
      rejected: 0,
      issues: 2,
    },
    open_rejects: 0,
    issues: {
      load_id: '7d0f6c0e-2f38-4f0e-8b0d-6a5f0c1d2e3f',
      finished_at: '2026-01-12T05:00:00.123456Z',
      read: 1100,
      flagged: 11,
      share: 0.01,
    },
  } satisfies CoverageReport,
  usage: {
    month: '2026-11',
    resets_at: '2026-12-01T00:00:00.000000Z',
    key: { id: '4kz0q1m8x2ab', name: 'docketing', created_at: '2026-01-05T08:30:00.000000Z' },
    products: [{ product: 'records', calls: 1532, quota: 100000, remaining: 98468, rate_limit_per_minute: 600 }],
  } satisfies UsageReport,
  digests: {
    ...position,
    items: [{ jurisdiction_code: 'XA', record_count: 1204, digest: '8f14e45fceea167a' }],
    unsettled: [{ jurisdiction_code: 'XA', uid: 'XA500000097123456' }],
  },
  registerDigests: {
    ...position,
    items: [{ bucket: 517, record_count: 2, digest: '45c48cce2e2d7fbd' }],
    unsettled: [{ uid: 'XA500000097123456' }],
  },
  bucketDigests: {
    ...position,
    items: [{ uid: 'XA500000097123457', digest: 'c9f0f895fb98ab91' }],
    unsettled: [{ uid: 'XA500000097123456' }],
    next_cursor: null,
  },
  history: { items: [event], next_cursor: 'AQAB' } satisfies HistoryPage,
  recordHistory: { items: [event, first], next_cursor: null } satisfies HistoryPage,
  recordVersion: {
    ...record,
    tm5_status: 'Application filed',
    publication_date: null,
    updated_at: '2026-03-04T05:00:00.000001Z',
  } satisfies TrademarkDetail,
  snapshots: SNAPSHOT_EXAMPLES.snapshots,
  deltas: SNAPSHOT_EXAMPLES.deltas,
  dueDates: {
    items: [
      {
        due_on: '2036-03-02',
        jurisdiction_code: 'EM',
        uid: 'EM500000018222704',
        mark_name: 'Lumora',
        status: 'Registered',
        dates: [renewal],
      },
    ],
    next_cursor: null,
    disclaimer: DATES_DISCLAIMER,
  } satisfies DuePage,
  recordDates: {
    jurisdiction_code: 'EM',
    uid: 'EM500000018222704',
    route: 'direct',
    as_of: '2026-11-27',
    dates: [renewal],
    disclaimer: DATES_DISCLAIMER,
  } satisfies RecordDates,
  dateRules: {
    items: [
      {
        rule: 'em.renewal',
        version: 1,
        jurisdiction_code: 'EM',
        route: 'direct',
        event: 'renewal',
        anchor: 'application_date',
        holds: null,
        text: 'Ten years from filing and every ten years after.',
        terms: [{ duration: 'P10Y', first_only: false, begins_from: null, begins_before: null }],
        repeats: true,
        window: 'P6M',
        grace: 'P6M',
        extendable_to: null,
        rolls: true,
        consequence:
          'The registration ends with the term, and can be restored only where and while the office allows it.',
        source: 'Regulation (EU) 2017/1001, articles 52 and 53',
      },
    ],
    disclaimer: DATES_DISCLAIMER,
  } satisfies DateRulesPage,
  watchInput: {
    name: 'Lumora in Europe',
    reference: 'M-2041',
    search: 'jurisdiction=EM,XA&mark_name_contains=lumora',
  } satisfies WatchInput,
  watchSummary: watch,
  watches: { items: [watch], next_cursor: null } satisfies WatchesPage,
  watch: {
    ...watch,
    records: null,
    owners: null,
    matches_now: 3,
    months: [
      { month: '2026-11', events: 0, last_changed: 0, hits: 0 },
      { month: '2026-10', events: 5, last_changed: 2, hits: 4 },
    ],
    counted_from: '2025-12-01T00:00:00.000000Z',
  } satisfies WatchDetail,
  watchHits: {
    items: [{ event: 'changes', ...event, likeness: null, reference: 'M-2041' }],
    next_cursor: 'AQAB',
  } satisfies WatchHitsPage,
  similar: {
    mark: 'lumira',
    compared: { words: ['lumira'], is_transliterated: false },
    names_compared: 812_331,
    held_as: ['mark', 'variant', 'pseudo_mark'],
    strategies: [
      { strategy: 'edits', names_found: 3, names_listed: 3 },
      { strategy: 'letters', names_found: null, names_listed: 500 },
    ],
    related_classes: [{ nice_class: 9, related_class: 42, share: 0.31 }],
    bounds_met: ['entries'],
    items: [
      {
        name: 'lumora',
        held_as: 'mark',
        compared: { words: ['lumora'], is_transliterated: false },
        tier: 'near',
        evidence: [
          { strategy: 'edits', edits: 1, place: 1 },
          { strategy: 'letters', likeness: 0.56, place: 4 },
        ],
        goods: { relation: 'same', nice_classes: [9] },
        age_years: 2,
        record,
        family: {
          owner: 'acme inc.',
          beginning: 'lumora',
          members: [
            {
              name: 'lumora light',
              held_as: 'mark',
              compared: { words: ['lumora', 'light'], is_transliterated: false },
              tier: 'shared',
              evidence: [{ strategy: 'letters', likeness: 0.41, place: 17 }],
              goods: { relation: 'same', nice_classes: [9] },
              age_years: 1,
              record,
            },
          ],
        },
      },
    ],
  } satisfies SimilarPage,
  health: { status: 'ok', version: '0.1.0' },
} as const;
