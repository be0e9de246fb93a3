/**
 * Stores the files that a load has read, with their periods, before any of their content is published. They are stored
 * in pages, so that memory stays bounded.
 */
import type { Queryable } from '../../database/driver/db.ts';
import { insertLoadFiles, type LoadFile } from '../../store/publish/loads.ts';
import type { DeliveredFile } from '../sources/file-digest.ts';

export interface DeliveredFiles {
  /** A period that the file being read says it is of. */
  notePeriod(label: string): void;
  /** Called for each file once it has been read, before the next one is. */
  note(file: DeliveredFile): Promise<void>;
  /** Stores the files that are not stored yet. */
  flush(): Promise<void>;
}

const PAGE_ROWS = 500;

/** `declared`: the period of all files, whatever they state; null if none is declared. */
export function openDeliveredFiles(db: Queryable, loadId: string, declared: string | null): DeliveredFiles {
  let page: LoadFile[] = [];
  const stated = new Set<string>();
  let stored = 0;
  const flush = async (): Promise<void> => {
    if (page.length === 0) return;
    await insertLoadFiles(db, { loadId, firstNumber: stored + 1, files: page });
    stored += page.length;
    page = [];
  };
  /** A file of several periods, such as an archive of journals, has no single period. */
  const takePeriod = (): string | null => {
    const [label = null] = stated.size === 1 ? stated : [];
    stated.clear();
    return declared ?? label;
  };
  return {
    notePeriod(label) {
      if (stated.size < 2) stated.add(label);
    },
    async note(file) {
      page.push({ ...file, period: takePeriod() });
      if (page.length >= PAGE_ROWS) await flush();
    },
    flush,
  };
}
