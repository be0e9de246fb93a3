/** The entry point of `@tmds/client`: the client, its errors and the types of the API. */
export type { AskedIdentity, AskedNumber, AskedRegister, IdentitiesPage, NumbersPage } from '@tmds/contract/asked';
export type {
  CoverageIssues,
  CoverageLoad,
  CoverageReport,
  CoverageSeries,
  LatePeriod,
  MissingPeriod,
  MissingReason,
  SourceCondition,
} from '@tmds/contract/coverage';
export type {
  Agreement,
  ComputedDateInfo,
  DateEvent,
  DateInfo,
  DateRuleInfo,
  DateRulesPage,
  DueItem,
  DuePage,
  RecordDates,
} from '@tmds/contract/dates';
export type {
  DiagnosisCriterion,
  DiagnosisEvent,
  DiagnosisVerdict,
  DiagnosisWindow,
  WatchDiagnosis,
} from '@tmds/contract/diagnosis';
export type { NormalizedDocument } from '@tmds/contract/document';
export type { FilterDate, KindOfMark, MarkFeature, Order, Sort, Status } from '@tmds/contract/enums';
export type { ErrorCode, ValidationDetail } from '@tmds/contract/errors';
export type {
  FieldChange,
  HistoryCause,
  HistoryEvent,
  HistoryPage,
  HistorySource,
  PayloadChange,
  SourceFile,
} from '@tmds/contract/history';
export type {
  ComparedText,
  CountedWord,
  GoodsRelation,
  LikenessEvidence,
  LikenessStrategy,
  LikenessTier,
  RelatedClass,
  SimilarEntry,
  SimilarPage,
  SimilarRecord,
} from '@tmds/contract/likeness';
export {
  listNumberForms,
  listRecordNumbers,
  normalizeMadridNumber,
  normalizeNumber,
  type RecordNumber,
  type RecordNumberKind,
} from '@tmds/contract/numbers';
export type {
  ChangesPage,
  DateText,
  Instant,
  JurisdictionInfo,
  JurisdictionsPage,
  Payload,
  SearchPage,
} from '@tmds/contract/record';
export type { Completeness, RegisterCompleteness, SearchCoverage } from '@tmds/contract/search-coverage';
export type {
  Delta,
  DeltaPeriod,
  DeltaRegister,
  DeltasPage,
  Snapshot,
  SnapshotFile,
  SnapshotFormat,
  SnapshotRegister,
  SnapshotsPage,
} from '@tmds/contract/snapshots';
export type { Health, ProductUsage, UsageReport } from '@tmds/contract/usage';
export type {
  HitEvent,
  WatchDetail,
  WatchesPage,
  WatchHitItem,
  WatchHitsPage,
  WatchInput,
  WatchKind,
  WatchMonth,
  WatchSummary,
} from '@tmds/contract/watches';
export type {
  DeliveryState,
  WebhookDeliveriesPage,
  WebhookDelivery,
  WebhookEvent,
  WebhookInfo,
  WebhookInput,
  WebhookOffReason,
  WebhookSecretInput,
  WebhooksPage,
  WebhookWithSecret,
} from '@tmds/contract/webhooks';
export type { MatchedCount, SearchAllOptions } from './calls.ts';
export { TrademarkClient } from './client.ts';
export type { Clock } from './clock.ts';
export type {
  CallOptions,
  ClientOptions,
  Fetch,
  FetchAnswer,
  FetchBody,
  FetchInit,
  RequestInfo,
  ResponseInfo,
} from './config.ts';
export type { DownloadOptions } from './download.ts';
export {
  isApiError,
  TrademarkApiError,
  TrademarkConnectionError,
  TrademarkError,
  TrademarkProtocolError,
  TrademarkTimeoutError,
} from './errors.ts';
export type { ExportEnd, ExportedRecord, ExportField, ExportPage, ExportWalk } from './export.ts';
export type { SearchFilters } from './parameters.ts';
export { payloadText } from './payload-text.ts';
export type {
  ChangesParameters,
  DeltasParameters,
  DiagnosisParameters,
  DueParameters,
  ExportParameters,
  GetParameters,
  HistoryParameters,
  HitsParameters,
  NumbersOfRegistersParameters,
  NumbersParameters,
  RecordHistoryParameters,
  RecordIdentity,
  RegisterNumber,
  SearchParameters,
  SimilarParameters,
  WatchesParameters,
  WebhookDeliveriesParameters,
  WebhooksParameters,
} from './query.ts';
export type { TrademarkDetail } from './record.ts';
export type { Answer, AnswerMeta, Call, CallResponse } from './transport.ts';
export { VERSION } from './version.ts';
export type { ChangesEnd, ChangesWalk, HistoryEnd, HistoryWalk, SearchEnd, SearchWalk } from './walks.ts';
