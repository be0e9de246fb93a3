/** The files that a load has read, stored before anything of them is published, in pages so that memory stays bounded. */
import type { Queryable } from '../store/driver/db.ts';
import { insertLoadFiles } from '../store/publish/load-files.ts';
import type { DeliveredFile } from './file-digest.ts';

export interface DeliveredFiles {
  note(file: DeliveredFile): Promise<void>;
  /** Stores what is not stored yet. */
  flush(): Promise<void>;
}

const PAGE_ROWS = 500;

export function openDeliveredFiles(db: Queryable, loadId: string): DeliveredFiles {
  let page: DeliveredFile[] = [];
  let stored = 0;
  const flush = async (): Promise<void> => {
    if (page.length === 0) return;
    await insertLoadFiles(db, { loadId, firstNumber: stored + 1, files: page });
    stored += page.length;
    page = [];
  };
  return {
    async note(file) {
      page.push(file);
      if (page.length >= PAGE_ROWS) await flush();
    },
    flush,
  };
}
