/** Reads the query of the list of deltas. */
import type { Instant } from '@tmds/contract/record';
import type { DeclaredValues } from './query.ts';
import { parseInstant } from './values.ts';

export interface DeltasRequest {
  /** Only deltas that end later; null: all. */
  readonly after: Instant | null;
}

export function parseDeltas(values: DeclaredValues<'deltas'>): DeltasRequest {
  return { after: values.as_of === undefined ? null : parseInstant('as_of', values.as_of) };
}
