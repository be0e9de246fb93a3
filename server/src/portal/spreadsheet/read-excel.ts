/**
 * Reads a sheet of an Excel file in a thread, one file at a time, with bounds of time and memory: a file that somebody
 * sends must not delay anybody else. The rows come as CSV.
 */
import { open } from 'node:fs/promises';
import pLimit from 'p-limit';
import { startThread } from '../../base/threads.ts';

export interface ExcelOrder {
  readonly path: string;
  readonly target: string;
  /** The name of the sheet; null: the first with a list. */
  readonly wanted: string | null;
}

/** The sheet that was read, and the names of the others. */
export interface SheetRead {
  readonly sheet: string;
  readonly others: readonly string[];
}

export type ExcelOutcome = SheetRead | { readonly fault: string };

const SECONDS_MAX = 60;
const MEMORY_MB = 512;

const TOO_MUCH = 'The file takes too long to read. Delete what is not needed, or save the sheet as CSV.';

const inTurn = pLimit(1);

export function readExcel(order: ExcelOrder): Promise<ExcelOutcome> {
  return inTurn(
    () =>
      new Promise<ExcelOutcome>((resolve) => {
        const thread = startThread(new URL('./excel-thread.js', import.meta.url), {
          workerData: order,
          resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
        });
        const end = (outcome: ExcelOutcome): void => {
          clearTimeout(timer);
          resolve(outcome);
          void thread.terminate();
        };
        const timer = setTimeout(() => end({ fault: TOO_MUCH }), SECONDS_MAX * 1000);
        thread.once('message', end);
        // Also when it runs out of memory.
        thread.once('error', () => end({ fault: TOO_MUCH }));
        thread.once('exit', () => end({ fault: TOO_MUCH }));
      }),
  );
}

/** What the first bytes of a file say: an archive, as `.xlsx` is one, or the container of `.xls` and of locked files. */
export async function findKind(path: string): Promise<'archive' | 'container' | 'text'> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    const begin = buffer.subarray(0, bytesRead).toString('latin1');
    if (begin.startsWith('PK\u0003\u0004')) return 'archive';
    return begin.startsWith('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1') ? 'container' : 'text';
  } finally {
    await file.close();
  }
}
