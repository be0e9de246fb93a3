/** The front door of `@tmds/client/replica`: keep a copy of the service, and prove it equal. */
export { openNdjsonSink } from './ndjson.ts';
export { openPostgresSink } from './postgres.ts';
export { EPOCH, type ReplicaStep, type ReplicateOptions, replicate } from './replicate.ts';
export { ReplicaError, type ReplicaScope, type ReplicaSink, type StoredRecord } from './sink.ts';
export { openSqlite, openSqliteSink, type SqliteDatabase, type SqliteStatement } from './sqlite.ts';
export type { ReplicaEvent, ReplicaPosition, ReplicaState } from './states.ts';
export { type RecordDifference, type Verification, type VerifyOptions, verify } from './verify.ts';
