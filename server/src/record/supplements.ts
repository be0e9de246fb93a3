/**
 * Supplements: statements about records that come in files of their own, such as the name behind a party's key. They
 * are kept apart from records and joined to them whenever either is published. This file decides which part of the
 * register a supplement states and how a record is joined; it knows no files and no database. Invariant: a join takes
 * the place of every earlier one, so a record ends the same whatever arrived first, and joining again changes nothing.
 */
import type { NormalizedRecord } from './document.ts';
import { joinParties } from './join-parties.ts';

/** A statement as it is kept. */
export interface Supplement {
  kind: SupplementKind;
  /** What it is about: `partyPart` or `markPart`. A record takes the supplements of its parts. */
  part: string;
  /** A part whose supplements also go to the records of this one; null for none. */
  link: string | null;
  /** What it states, as plain JSON; null if it only links. */
  body: unknown;
}

/**
 * Gives the record what these supplements state, in place of what earlier ones of the same kind stated. `supplements`
 * are all that are known for its parts, ordered by key.
 */
type Join = (record: NormalizedRecord, supplements: readonly Supplement[]) => NormalizedRecord;

/** How each kind is joined. */
const JOINS = { party: joinParties } as const satisfies Record<string, Join>;

export type SupplementKind = keyof typeof JOINS;

/** The record itself, for statements that name it: `US mark US500000097123456`. */
export function markPart({ jurisdiction_code, uid }: Pick<NormalizedRecord, 'jurisdiction_code' | 'uid'>): string {
  return `${jurisdiction_code} mark ${uid}`;
}

/** The parts whose supplements a record takes: its own, and those it names. */
export function listParts(record: NormalizedRecord): string[] {
  return [markPart(record), ...(record.named_parts ?? [])];
}

/** Joins a record with all that is known for its parts: its own and those it names. */
export function joinSupplements(record: NormalizedRecord, supplements: readonly Supplement[]): NormalizedRecord {
  const kinds = Object.keys(JOINS) as SupplementKind[];
  return kinds.reduce((joined, kind) => {
    return JOINS[kind](
      joined,
      supplements.filter((each) => each.kind === kind && each.body !== null),
    );
  }, record);
}
