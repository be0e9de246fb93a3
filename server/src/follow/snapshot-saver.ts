/**
 * Saves snapshots of the index, from which the next start opens it, on a worker thread. It decides when one is due.
 * A snapshot that cannot be written costs no search: it is tried again, and the log says so once.
 */
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { describeView } from '../index/files.ts';
import type { IndexWriter } from '../index/writer.ts';
import type { SeenPublish } from '../store/publish/lineage.ts';
import type { WorkPool } from './work-pool.ts';

/** A snapshot is saved after this many changed records, or this long after the first of them. */
const DUE_RECORDS = 50_000;
const DUE_MS = 60_000;
/** Pause after a failure. */
const RETRY_MS = DUE_MS / 10;

interface Surroundings {
  /** Null: no snapshots are saved. */
  readonly folder: string | null;
  readonly pool: Pick<WorkPool, 'isFull' | 'run'>;
  readonly clock: Clock;
  /** Another one after the index was restarted. */
  readonly writer: () => Pick<IndexWriter, 'view' | 'hold'>;
  readonly log: (level: 'info' | 'warn', text: string, about?: object) => void;
}

export class SnapshotSaver {
  private readonly surroundings: Surroundings;
  private unsaved = { records: 0, sinceMs: 0 };
  private isSaving = false;
  /** Why the last snapshot could not be written; null if it could. */
  private fault: string | null = null;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  /** The folder of a database; null: no snapshots are saved. */
  folderOf(databaseId: string): string | null {
    const { folder } = this.surroundings;
    return folder === null ? null : join(folder, databaseId);
  }

  noteChanges(records: number): void {
    if (records === 0) return;
    if (this.unsaved.records === 0) this.unsaved.sinceMs = this.surroundings.clock.monotonicMs();
    this.unsaved.records += records;
  }

  /** The next snapshot is due now. */
  noteDue(): void {
    this.noteChanges(DUE_RECORDS);
  }

  /** Never rejects. `seen`: the last publish that the index includes. */
  async saveIfDue(databaseId: string, seen: SeenPublish | null, pseudoMarksHeldAt: string | null): Promise<void> {
    const { pool, clock, writer, log } = this.surroundings;
    const folder = this.folderOf(databaseId);
    if (folder === null || this.isSaving || pool.isFull || !this.isDue()) return;
    this.isSaving = true;
    const own = writer();
    const { view } = own;
    const release = own.hold();
    this.unsaved = { records: 0, sinceMs: 0 };
    try {
      const saved = { ...describeView(view.parts, view.stamp), seen, pseudoMarksHeldAt };
      await pool.run({ kind: 'save', folder, databaseId, view: saved });
      if (this.fault !== null) log('info', 'snapshots of the search index are written again');
      this.fault = null;
    } catch (error) {
      this.noteDue();
      const err = String(error);
      if (err !== this.fault) {
        log('warn', 'a snapshot of the search index could not be written, so the next start takes longer; retried', {
          err,
        });
      }
      this.fault = err;
      await clock.sleep(RETRY_MS);
    } finally {
      release();
      this.isSaving = false;
    }
  }

  private isDue(): boolean {
    const { records, sinceMs } = this.unsaved;
    const { clock } = this.surroundings;
    return records >= DUE_RECORDS || (records > 0 && clock.monotonicMs() - sinceMs > DUE_MS);
  }
}
