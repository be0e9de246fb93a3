/**
 * A replica of several registers reads the feed of each. It has one position: the cursor is a JSON object with a place
 * for each register, and `complete_to` is the earliest of them.
 */
import type { Instant } from '@tmds/contract/record';
import type { ReplicaPosition } from './states.ts';

/** A place in the feed of one register; null is the feed of all. */
export interface FeedPlace {
  readonly code: string | null;
  readonly cursor: string | null;
  readonly complete_to: Instant | null;
}

/** `us, EM` and `['em', 'US']` are both `EM,US`; null is every register. */
export function normalizeRegisters(codes: string | readonly string[] | undefined): string | null {
  if (codes === undefined) return null;
  const list = (typeof codes === 'string' ? codes.split(',') : codes).map((code) => code.trim().toUpperCase());
  if (list.length === 0 || list.includes('')) throw new TypeError('jurisdiction_code must name one register or more');
  return [...new Set(list)].sort().join(',');
}

export function splitPosition({ cursor, complete_to }: ReplicaPosition, registers: string | null): FeedPlace[] {
  const codes = registers?.split(',') ?? [null];
  if (codes.length === 1) return [{ code: codes[0] ?? null, cursor, complete_to }];
  const places = (cursor === null ? {} : JSON.parse(cursor)) as Record<string, Omit<FeedPlace, 'code'> | undefined>;
  return codes.map((code) => {
    const place = places[code ?? ''];
    return { code, cursor: place?.cursor ?? null, complete_to: place?.complete_to ?? null };
  });
}

export function joinPosition(places: readonly FeedPlace[], delivered: number): ReplicaPosition {
  const [first] = places;
  if (places.length === 1 && first !== undefined) {
    return { cursor: first.cursor, complete_to: first.complete_to, delivered };
  }
  const instants = places.map(({ complete_to }) => complete_to);
  const earliest = instants.includes(null) ? null : (instants.sort()[0] ?? null);
  const kept = Object.fromEntries(places.map(({ code, cursor, complete_to }) => [code, { cursor, complete_to }]));
  return { cursor: JSON.stringify(kept), complete_to: earliest, delivered };
}
