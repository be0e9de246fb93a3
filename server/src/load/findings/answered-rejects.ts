/**
 * Finds the records that earlier loads rejected and this one states. It uses the keys that a load keeps of its rows
 * anyway (`repeats.ts`), so that a load without open rejects does nothing here.
 */
import type { RecordIdentity } from '../formats/format.ts';
import { addKey } from '../rows/repeats.ts';

export interface AnsweredRejects {
  /** `keys`: of rows that were read, two numbers each. */
  note(keys: Uint32Array): void;
  list(): RecordIdentity[];
}

export function openAnsweredRejects(open: readonly RecordIdentity[]): AnsweredRejects {
  const byKey = new Map<string, RecordIdentity>();
  for (const record of open) {
    const keys: number[] = [];
    addKey(keys, record.jurisdiction_code, record.uid);
    const [upper = 0, lower = 0] = new Uint32Array(keys);
    byKey.set(`${upper} ${lower}`, record);
  }
  const found = new Set<RecordIdentity>();
  return {
    note(keys) {
      if (byKey.size === 0) return;
      for (let at = 0; at < keys.length; at += 2) {
        const record = byKey.get(`${keys[at]} ${keys[at + 1]}`);
        if (record !== undefined) found.add(record);
      }
    },
    list: () => [...found],
  };
}
