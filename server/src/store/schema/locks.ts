/** Advisory locks are pairs: a space, and what is locked in it. */

/** The space of this service; each lock in it has a number beside its use. */
export const LOCK_SPACE = 0x746d6473;
/** Within `LOCK_SPACE`: held alone by the step of a migration or a restore, shared by what needs the schema to stay. */
export const MIGRATION_LOCK = 1;
/** Within `LOCK_SPACE`: held by the only snapshot for replicas that is being made. */
export const SNAPSHOT_LOCK = 21;
/**
 * Within `LOCK_SPACE`: shared by what brings objects to their store and names them in rows; held alone while objects that
 * no row names are taken away.
 */
export const OBJECTS_LOCK = 22;
/** Within `LOCK_SPACE`: held by the only move of payloads. */
export const PAYLOAD_MOVE_LOCK = 23;
/** By schema version: held, shared, by programs of that version; alone, by a migration that they do not work with. */
export const PROGRAM_LOCK_SPACE = 0x746d7376;
