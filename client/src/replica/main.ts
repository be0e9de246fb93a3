/** The entry point of `@tmds/client/replica`: keeps a copy of the service's records and proves it equal. */
export { openNdjsonSink } from './ndjson.ts';
export type { PayloadProof } from './payloads.ts';
export { openPostgresSink } from './postgres.ts';
export { type RepairOptions, repair } from './repair.ts';
export { type ReplicaStep, type ReplicateOptions, replicate } from './replicate.ts';
export {
  type Compaction,
  type DerivedTable,
  EPOCH,
  type RecordIdentity,
  type Repair,
  ReplicaError,
  type ReplicaScope,
  type ReplicaSink,
  type ReplicaSnapshot,
  type StoredRecord,
  type StoredReplica,
  type VerificationOutcome,
} from './sink.ts';
export { openSqliteSink } from './sqlite.ts';
export { openSqlite, type SqliteDatabase, type SqliteOpenOptions, type SqliteStatement } from './sqlite-driver.ts';
export type { ReplicaEvent, ReplicaPosition, ReplicaState } from './states.ts';
export { type RecordDifference, type Verification, type VerifyOptions, verify } from './verify.ts';
export type { VerifyRhythm } from './verify-rhythm.ts';
