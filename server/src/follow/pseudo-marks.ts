/**
 * Takes the pseudo marks of earlier loads into the index once they have been read from documents: no publish brings
 * them. Segments are not merged in the meantime.
 */
import { systemClock } from '../base/clock.ts';
import type { Database } from '../database/driver/db.ts';
import { PseudoMarksOf } from '../index/pseudo-marks.ts';
import type { View } from '../index/segment.ts';
import type { IndexWriter } from '../index/writer.ts';
import { readPseudoMarks } from '../store/publish/publishes.ts';

/** Pause after a failure, usually of the database. */
const RETRY_MS = 500;

interface Surroundings {
  readonly database: () => Database;
  /** Another one after the index was restarted. */
  readonly writer: () => IndexWriter;
  /** The segments that are being merged, by id. */
  readonly merging: Set<string>;
  readonly onTaken: (view: View) => void;
  readonly log: (level: 'info' | 'warn', text: string, about?: object) => void;
}

export class PseudoMarks {
  /** Those that had been read by then are in the index; null: none of them. */
  heldAt: string | null = null;
  private isTaking = false;
  private readonly surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  /** `heldAt`: of the database. Never rejects. */
  async take(heldAt: string | null): Promise<void> {
    const { database, writer, merging, onTaken, log } = this.surroundings;
    if (heldAt === this.heldAt || this.isTaking || merging.size > 0) return;
    this.isTaking = true;
    const own = writer();
    const taken = own.view.parts.map(({ segment }) => ({ segment, marks: new PseudoMarksOf(segment) }));
    for (const { segment } of taken) merging.add(segment.parts.id);
    try {
      for await (const rows of readPseudoMarks(database())) {
        for (const row of rows) for (const { marks } of taken) marks.add(row);
      }
      if (own !== writer()) return;
      for (const { segment, marks } of taken) {
        const parts = marks.finish();
        // Everything that is dead is dead in the new segment too, which has the same records.
        if (parts !== null) own.replace([{ segment, dead: null }], parts);
      }
      this.heldAt = heldAt;
      onTaken(own.view);
      log('info', 'the search index has the pseudo marks of earlier loads');
    } catch (error) {
      log('warn', 'pseudo marks could not be read and will be retried', { err: String(error) });
      await systemClock.sleep(RETRY_MS);
    } finally {
      for (const { segment } of taken) merging.delete(segment.parts.id);
      this.isTaking = false;
    }
  }
}
