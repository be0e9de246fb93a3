/**
 * Advisory locks are pairs: a space, and what is locked in it. Programs of the previous version hold them too, so each
 * number keeps its meaning.
 */

/** The space of this service. */
export const LOCK_SPACE = 0x746d6473;
/** Held exclusively by the step of a migration or a restore, shared by everything that needs the schema to stay. */
export const MIGRATION_LOCK = 1;
/** Shared by the processes that use the embedded database. */
export const ATTACH_LOCK = 2;
/** Held by the only server of the embedded database. */
export const SERVER_LOCK = 3;
/** Taken while rights are granted. */
export const ROLES_LOCK = 5;
/** Taken by a publish before its stamp, until it has committed. */
export const PUBLISH_LOCK = 10;
/** Shared by indexes that fall behind; a load waits for it. */
export const PACE_LOCK = 11;
/** Taken while days of the call log are made and dropped. */
export const CALL_DAYS_LOCK = 12;
/** Held by the only restore. */
export const RESTORE_LOCK = 13;
/** Held by the process that removes expired rows. */
export const RETENTION_LOCK = 14;
/** Held by the process that matches watches. */
export const MATCHING_LOCK = 15;
/** Held by the process that sends webhooks. */
export const SENDING_LOCK = 21;
/** Held by the only snapshot for replicas that is being made. */
export const SNAPSHOT_LOCK = 22;
/**
 * Shared by everything that brings objects to their store and names them in rows; held exclusively while objects that
 * no row names are removed.
 */
export const OBJECTS_LOCK = 23;
/** Held by the only move of payloads. */
export const PAYLOAD_MOVE_LOCK = 24;

/**
 * By schema version: held shared by programs of that version, and exclusively by a migration that they do not work
 * with.
 */
export const PROGRAM_LOCK_SPACE = 0x746d7376;
/** The space of the lock of a sync. */
export const SYNC_LOCK_SPACE = 0x746d7379;
export const SYNC_LOCK = 1;
