/** What the interface description says about each operation, apart from its parameters. Its type makes it complete. */

import { type DATES_ENDPOINTS, DATES_RECORDS_MAX } from '@tmds/contract/dates';
import type { WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { DeclaredName } from '../../parse/query.ts';
import { EXPORT_TYPES } from '../export.ts';
import { SNAPSHOT_TYPES } from '../snapshots.ts';
import { EXAMPLES } from './examples.ts';
import type { Operation } from './operation.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

const { id, kind, holds_from } = EXAMPLES.watchSummary;
const { jurisdiction_code, uid, updated_at: version } = EXAMPLES.record;

const DIAGNOSIS_EXAMPLE: WatchDiagnosis = {
  watch: id,
  kind,
  jurisdiction_code,
  uid,
  verdict: 'no_match',
  text: 'No change of it satisfies all that the watch asks for. As it is now, it fails: mark_name_contains.',
  holds_from,
  complete_through: '2026-11-24T00:00:00.123456Z',
  ended_at: null,
  criteria: [
    { criterion: 'jurisdiction', asks: 'jurisdiction=EM%2CXA', holds: true, since: version, likeness: null },
    {
      criterion: 'mark_name_contains',
      asks: 'mark_name_contains=lumora',
      holds: false,
      since: version,
      likeness: null,
    },
  ],
  events: [{ version, window: 'checked', matches: null, hit: null, done_at: null }],
  has_more_events: false,
};

const DATE_OPERATIONS = {
  due_dates: {
    id: 'listDueDates',
    tag: 'dates',
    summary: 'What is due between two days',
    description:
      'The dates of the records that the filters match, in order: those that offices state and those that follow from ' +
      'the rules, as of `from`. A record whose office states a date is listed under it, whatever the rule gives. The ' +
      `filters may match at most ${DATES_RECORDS_MAX.toLocaleString('en')} records. It belongs to the product ` +
      '`analytics`. One unit a page.',
    schema: 'DuePage',
    example: EXAMPLES.dueDates,
    headers: ['Coverage'],
    codes: ['missing_filter', 'query_too_broad', 'query_timeout'],
  },
  record_dates: {
    id: 'getRecordDates',
    tag: 'dates',
    summary: 'The dates of one record',
    description:
      'For each event what the office states, what follows from a rule, and whether they agree; or which fact is ' +
      'missing. Nothing replaces the date of the office. A part of an international registration is dated by the ' +
      'registration, if its record is held. A period of opposition that has passed is listed only if its office ' +
      'states its end. It belongs to the product `analytics`.',
    schema: 'RecordDates',
    example: EXAMPLES.recordDates,
    headers: ['Coverage'],
  },
  date_rules: {
    id: 'listDateRules',
    tag: 'dates',
    summary: 'The rules from which dates follow',
    description:
      'Every rule with its versions: the fact it runs from, its terms, window, grace and consequence, and the article of ' +
      'its source. It belongs to the product `analytics`.',
    schema: 'DateRulesPage',
    example: EXAMPLES.dateRules,
    headers: ['ETag'],
  },
} as const satisfies Record<keyof typeof DATES_ENDPOINTS, Operation>;

const SNAPSHOT_MEDIA = Object.values(SNAPSHOT_TYPES);
const search = {
  tag: 'records',
  description:
    'Filters are combined with AND, the values of one comma-separated parameter with OR (except `nice_class_all`). ' +
    'A search without a match is answered with 200 and empty `items`.',
  schema: 'SearchPage',
  example: EXAMPLES.search,
  headers: ['Coverage'],
} as const;
const changes = {
  tag: 'records',
  description:
    'Records whose content changed, oldest change first. Keep the latest `next_cursor` and send it with the same ' +
    '`since`: every later change arrives exactly once. An empty page means caught up.',
  schema: 'ChangesPage',
  example: EXAMPLES.changes,
  headers: ['X-Change-Horizon', 'X-Poll-After', 'Feed-Lineage'],
} as const;

const historyFeed = {
  tag: 'history',
  description:
    'Every version of every record is an event at its own stamp, oldest first, up to the horizon of the change feed. ' +
    'All filters of a search can be given: an event passes if its version, or the one before, satisfies them. Keep ' +
    'the latest `next_cursor` and send it with the same query: every later event arrives exactly once. A page reads ' +
    'a bounded number of events, so **with filters it may be empty and still have a `next_cursor`**: continue from ' +
    'there. Only `next_cursor: null` means that no events were left to read.',
  schema: 'HistoryPage',
  example: EXAMPLES.history,
  headers: ['X-Change-Horizon', 'X-Poll-After', 'Feed-Lineage', 'Coverage'],
} as const;

const digests = {
  tag: 'verification',
  description:
    'For verifying a replica: the digests of the records that last changed at or before `as_of`, and the identities ' +
    'of those that have changed since.',
  headers: ['Feed-Lineage'],
} as const;

export const OPERATIONS: Readonly<Record<DeclaredName, Operation>> = {
  health: {
    id: 'getHealth',
    tag: 'service',
    summary: 'Liveness',
    description: '200 if the service can answer queries. Needs no key and is not metered.',
    schema: 'Health',
    example: EXAMPLES.health,
  },
  usage: {
    id: 'getUsage',
    tag: 'account',
    summary: "The key's usage this month",
    description: 'Counts, quotas and limits of every product of the key, this call included.',
    schema: 'UsageReport',
    example: EXAMPLES.usage,
  },
  jurisdictions: {
    id: 'listJurisdictions',
    tag: 'records',
    summary: 'Registers served',
    description: 'All registers with their record counts and how current they are, sorted by code.',
    schema: 'JurisdictionsPage',
    example: EXAMPLES.jurisdictions,
    headers: ['ETag', 'Coverage'],
  },
  search: {
    ...search,
    id: 'searchTrademarks',
    summary: 'Search all registers',
    codes: ['missing_filter', 'query_too_broad', 'query_timeout'],
  },
  scoped_search: {
    ...search,
    id: 'searchRegisterTrademarks',
    summary: 'Search one register',
    codes: ['query_too_broad', 'query_timeout'],
  },
  lookup: {
    id: 'getTrademark',
    tag: 'records',
    summary: 'One record by its identity',
    description: 'The pair of register code and `uid` is stable. A `uid` is opaque; percent-encode all of it.',
    schema: 'TrademarkDetail',
    example: EXAMPLES.record,
    headers: ['ETag', 'Coverage'],
  },
  register_numbers: {
    id: 'findRegisterNumbers',
    tag: 'records',
    summary: 'Many records of a register by their numbers',
    description:
      'The records whose application, registration or international registration number is one of `numbers`, in ' +
      'whichever usual form it is written: with or without separators, zeros and letters before it. Newest change ' +
      'first. A number without a record is simply absent.',
    schema: 'SearchPage',
    example: EXAMPLES.search,
    headers: ['Coverage'],
    codes: ['query_timeout'],
  },
  numbers: {
    id: 'findNumbers',
    tag: 'records',
    summary: 'Many records of several registers by their numbers',
    description:
      'As for one register, each number in its own register. `items` has each record once, register by register in the ' +
      'order of their codes, newest change first. `asked` has every number in the order in which they were asked for, ' +
      'with the places of its records in `items`. A number without a record has no places: `coverage` says through ' +
      'which day its register is complete, and whether the register was searched at all. If there is a `next_cursor`, ' +
      'send it with the same numbers: a number has none only if no page has a record of it.',
    schema: 'NumbersPage',
    example: EXAMPLES.numbers,
    headers: ['Coverage'],
    codes: ['query_timeout'],
  },
  identities: {
    id: 'findIdentities',
    tag: 'records',
    summary: 'Many records of several registers by their identities',
    description:
      'The records of up to 500 uids, each once in `items`. `asked` has every identity in the order in which they were ' +
      'asked for, with the place of its record in `items`, or null. What null means for a register is in `coverage`.',
    schema: 'IdentitiesPage',
    example: EXAMPLES.identities,
    headers: ['Coverage'],
  },
  export: {
    id: 'exportTrademarks',
    tag: 'records',
    summary: 'A whole search as a stream',
    description:
      'Every record that matches, as lines of JSON or rows of CSV, without a limit. Each 500 records are a page and cost ' +
      'a unit before they are sent, as the pages of a search do, and rate and quota are judged for each. After each page ' +
      'comes a position: in NDJSON a line with `next_cursor`, in CSV the last column of its last row. Send it back to ' +
      'continue after any end; drop what came after the last position. `null` in NDJSON and `complete` in CSV mean that ' +
      'everything was sent. A page that is refused, such as by the quota, ends the stream with a position that has the ' +
      '`error`. After five minutes, and when the server stops, the stream ends after a page: continue from its position.',
    schema: 'ExportText',
    example: null,
    media: Object.values(EXPORT_TYPES).map((type) => type.split(';')[0]!),
    headers: ['Coverage'],
    codes: ['missing_filter', 'query_too_broad', 'query_timeout'],
  },
  changes: {
    id: 'listChanges',
    ...changes,
    summary: 'Changes in all registers',
    codes: ['query_timeout'],
  },
  scoped_changes: {
    id: 'listRegisterChanges',
    ...changes,
    summary: 'Changes in one register',
    codes: ['query_timeout'],
  },
  coverage: {
    id: 'getCoverage',
    tag: 'records',
    summary: 'What silence of a register means',
    description:
      'Through which periods of its sources a register was loaded, which are missing or were loaded out of order, its ' +
      'last load with its rejects, and the share of its records with issues. `conclusion` sums it up in a sentence. ' +
      'It costs a unit, as every call does; the same in the portal costs nothing.',
    schema: 'CoverageReport',
    example: EXAMPLES.coverage,
    headers: ['ETag', 'Coverage'],
  },
  digests: {
    ...digests,
    id: 'listDigests',
    summary: 'Digests of all registers',
    schema: 'DigestsPage',
    example: EXAMPLES.digests,
  },
  register_digests: {
    ...digests,
    id: 'listRegisterDigests',
    summary: 'Digests of one register by bucket',
    schema: 'RegisterDigestsPage',
    example: EXAMPLES.registerDigests,
  },
  bucket_digests: {
    ...digests,
    id: 'listBucketDigests',
    summary: 'Digests of the records in one bucket',
    schema: 'BucketDigestsPage',
    example: EXAMPLES.bucketDigests,
  },
  history: {
    id: 'listHistory',
    ...historyFeed,
    summary: 'History of all registers',
    codes: ['query_too_broad', 'query_timeout'],
  },
  register_history: {
    id: 'listRegisterHistory',
    ...historyFeed,
    summary: 'History of one register',
    codes: ['query_too_broad', 'query_timeout'],
  },
  record_history: {
    id: 'listRecordHistory',
    tag: 'history',
    summary: 'History of one record',
    description:
      'The versions of a record, newest first: what changed, why, and from which source. With filters, a page may be ' +
      'empty and still have a `next_cursor`; `next_cursor: null` is the end. A literal `/history` ends the `uid`; a ' +
      '`uid` that itself ends like this is sent with `%2Fhistory`.',
    schema: 'HistoryPage',
    example: EXAMPLES.recordHistory,
    headers: ['Coverage'],
    codes: ['query_timeout'],
  },
  record_version: {
    id: 'getTrademarkVersion',
    tag: 'history',
    summary: 'One record as it was',
    description:
      'The record under one of its stamps, as the look-up answered at that time. It never changes: cache it.',
    schema: 'TrademarkDetail',
    example: EXAMPLES.recordVersion,
    headers: ['ETag'],
  },
  snapshots: {
    id: 'listSnapshots',
    tag: 'snapshots',
    summary: 'Snapshots of the registers as files',
    description:
      'The newest first; empty if the operator makes none. A snapshot has every record that last changed at or before ' +
      '`as_of`; the change feed continues from its cursors, so a replica that loads the files misses nothing.',
    schema: 'SnapshotsPage',
    example: EXAMPLES.snapshots,
    headers: ['ETag', 'Feed-Lineage'],
  },
  deltas: {
    id: 'listDeltas',
    tag: 'snapshots',
    summary: 'What changed between snapshots, as files',
    description:
      'In the order in which they are applied; empty if the operator makes none. A delta has every record whose last ' +
      'change is after `from_as_of` and at or before `as_of`. A copy that is complete up to an instant between the two ' +
      'takes each of its records instead of the one that it has, and is then complete up to `as_of`; the change feed continues from ' +
      'its cursors. There are no deletions. `/v1/snapshots/{snapshot_id}/{file}` has the files, with the id of the delta.',
    schema: 'DeltasPage',
    example: EXAMPLES.deltas,
    headers: ['ETag', 'Feed-Lineage'],
  },
  snapshot_file: {
    id: 'getSnapshotFile',
    tag: 'snapshots',
    summary: 'One file of a snapshot or delta',
    description:
      'As the manifest describes it. A broken download resumes with `Range`; each call costs one unit. 404 when ' +
      'the snapshot has been replaced: list the snapshots again.',
    schema: 'SnapshotFileBytes',
    example: null,
    media: SNAPSHOT_MEDIA,
    headers: ['ETag', 'Accept-Ranges', 'Feed-Lineage'],
  },
  watches: {
    id: 'listWatches',
    tag: 'watches',
    summary: 'Watches of the customer',
    description: 'The live watches of the customer of the key, in the order of their ids.',
    schema: 'WatchesPage',
    example: EXAMPLES.watches,
  },
  watch: {
    id: 'getWatch',
    tag: 'watches',
    summary: 'One watch, and what it matches',
    description:
      'The watch with all that it lists, how many records match now, and for each of the last twelve months in how many ' +
      'events of the history a record began to match, changed while matching, or stopped matching; how many of the ' +
      'matching records last changed in it; and how many hits the watch had. Where the history has too many events, they ' +
      'are counted from `counted_from` on. A watch that has ended is answered too.',
    schema: 'WatchDetail',
    example: EXAMPLES.watch,
    codes: ['query_timeout'],
  },
  put_watch: {
    id: 'putWatch',
    tag: 'watches',
    summary: 'Make or change a watch',
    description:
      'You choose the id. The body takes exactly one of `search` (the query string of a search, without the parameters ' +
      'that shape a page), `records`, `owners` and `similar`. Sending the same body again changes nothing; another body ' +
      'changes the watch, and its hits stay. Hits begin after `holds_from`. A search that the search endpoint would ' +
      'refuse is refused here in the same words; it has at most 16,384 bytes, like one in an address. The body has at ' +
      'most 4 MB and is read after rate and quota are checked. A customer may send four bodies at a time; a further one ' +
      'gets 503.',
    schema: 'Watch',
    example: EXAMPLES.watchSummary,
    body: { schema: 'WatchInput', example: EXAMPLES.watchInput },
    codes: ['missing_filter', 'query_too_broad', 'cursor_invalid', 'cursor_query_mismatch', 'validation_error'],
  },
  end_watch: {
    id: 'endWatch',
    tag: 'watches',
    summary: 'End a watch',
    description: 'Nothing more is matched; its hits stay. Ending it again changes nothing.',
    schema: 'Watch',
    example: { ...EXAMPLES.watchSummary, ended_at: '2026-11-20T10:00:00.000000Z' },
  },
  watch_hits: {
    id: 'listWatchHits',
    tag: 'watches',
    summary: 'The hits of a watch',
    description:
      'Every version of a record that the watch matches, or that replaces one it matches, oldest first: the record ' +
      'begins to match, changes while matching, or stops matching. Keep the latest `next_cursor` and send it with the ' +
      'same `since`: every later hit arrives exactly once. An empty page means caught up to X-Change-Horizon; it costs ' +
      'a unit like any other, so ask when a webhook announces hits, or after X-Poll-After.',
    schema: 'WatchHitsPage',
    example: EXAMPLES.watchHits,
    headers: ['X-Change-Horizon', 'X-Poll-After', 'Feed-Lineage', 'Coverage'],
  },
  watch_diagnosis: {
    id: 'diagnoseWatch',
    tag: 'watches',
    summary: 'Why a record did or did not hit a watch',
    description:
      'The latest 100 changes of a record, matched again as the watch is now: which of them hit, which came before ' +
      'the watch had this form, are not checked yet, or came after it ended; and of each thing that the watch asks ' +
      'for, whether the record satisfies it and since which version. A record that no register has is answered too.',
    schema: 'WatchDiagnosis',
    example: DIAGNOSIS_EXAMPLE,
    headers: ['Coverage'],
  },
  ...WEBHOOK_OPERATIONS,
  ...DATE_OPERATIONS,
  similar: {
    id: 'listSimilar',
    tag: 'likeness',
    summary: 'Marks whose names are alike',
    description:
      'Compares `mark` with every distinct name of the records that satisfy the filters, including translations and ' +
      'transliterations that a register holds. Each strategy lists the names that it finds by how alike they are; ' +
      '`place` is how many names are as alike or more. Entries come by tier: `identical`, then `near` and `shared`, ' +
      'where a strategy of that tier finds at most a few names that are as alike, then `alike`. Within a tier, ' +
      'classes in common come first if `classes` is given, then the places of all strategies decide together. Marks ' +
      'of one owner that begin alike are one entry. `bounds_met` says what was left out. The product is `analytics`.',
    schema: 'SimilarPage',
    example: EXAMPLES.similar,
    headers: ['Coverage'],
    codes: ['query_too_broad', 'query_timeout'],
  },
};
