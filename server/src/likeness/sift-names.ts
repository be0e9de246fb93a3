/** Which of some records satisfy conditions and have a name that is like a mark, as watches compare names. */
import type { HeldAs } from '@tmds/contract/likeness';
import type { WatchStrategy } from '@tmds/contract/watches';
import { type RecordText, Sieve } from '../index/sift.ts';
import type { Condition } from '../plan/search.ts';
import { WatchedMarks } from './watched-marks.ts';

export interface SiftedMark {
  readonly mark: string;
  readonly strategies: readonly WatchStrategy[];
  /** The texts that are compared. */
  readonly heldAs: readonly HeldAs[];
}

/** Positions of records, ascending. `alike`: null = any name. */
export function siftRecords(
  records: readonly RecordText[],
  conditions: readonly Condition[],
  alike: SiftedMark | null,
): Uint32Array {
  const sieve = new Sieve(records);
  if (alike === null) return sieve.find(conditions);
  const marks = new WatchedMarks();
  marks.put(alike.mark, alike.mark, alike.strategies);
  const found = marks.match(sieve.listHeld()).get(alike.mark) ?? [];
  const texts = found.map(({ name }) => name);
  return sieve.find([{ kind: 'held', heldAs: alike.heldAs, texts }, ...conditions]);
}
