/**
 * Supplements: statements about records that come in separate files, such as the name behind a party's key. They are
 * kept apart from records and joined to them whenever either is published. This file decides which part of the register
 * a supplement states and how a record is joined; it knows no files and no database. Invariant: a join replaces every
 * earlier one, so a record ends up the same whatever arrived first, and joining again changes nothing.
 */
import type { NormalizedRecord } from './document.ts';
import { joinEvents, separateEvents } from './join-events.ts';
import { joinParties } from './parties.ts';

/** A statement in its stored form. */
export interface Supplement {
  kind: SupplementKind;
  /** Its subject: `partyPart` or `markPart`. A record takes the supplements of its parts. */
  part: string;
  /** A part whose supplements also go to the records of this one; null for none. */
  link: string | null;
  /** Orders the statements of a key, and of a part where a join compares them; null if the source states no order. */
  version: string | null;
  /** What it states, as plain JSON; null if it only links. */
  body: unknown;
}

interface Join {
  /**
   * Gives the record what these supplements state, in place of what earlier ones stated. `supplements` are all of this
   * kind that are known for its parts, ordered by key.
   */
  join(record: NormalizedRecord, supplements: readonly Supplement[]): NormalizedRecord;
  /** Takes away all that supplements of this kind may have given. */
  separate(record: NormalizedRecord): NormalizedRecord;
}

/** How each kind is joined. */
const JOINS = {
  party: { join: joinParties, separate: (record) => joinParties(record, []) },
  'uspto-assignments': joinOf('uspto-assignments'),
  'uspto-ttab': joinOf('uspto-ttab'),
} as const satisfies Record<string, Join>;

function joinOf(source: string): Join {
  return {
    join: (record, supplements) => joinEvents(record, source, supplements),
    separate: (record) => separateEvents(record, source),
  };
}

type SupplementKind = keyof typeof JOINS;

const KINDS = Object.keys(JOINS) as SupplementKind[];

/** The record itself, for statements that name it: `US mark US500000097123456`. */
export function markPart({ jurisdiction_code, uid }: Pick<NormalizedRecord, 'jurisdiction_code' | 'uid'>): string {
  return `${jurisdiction_code} mark ${uid}`;
}

/** The record by its registration number, for statements that name it by nothing else: `US registration 7220244`. */
export function registrationPart(
  record: Pick<NormalizedRecord, 'jurisdiction_code' | 'registration_number'>,
): string | null {
  const { jurisdiction_code, registration_number } = record;
  return registration_number === null ? null : `${jurisdiction_code} registration ${registration_number}`;
}

/** The parts whose supplements a record takes: its own, and those it names. */
export function listParts(record: NormalizedRecord): string[] {
  const registration = registrationPart(record);
  return [markPart(record), ...(registration === null ? [] : [registration]), ...(record.named_parts ?? [])];
}

/** Joins a record with all supplements known for its parts: its own and those it names. */
export function joinSupplements(record: NormalizedRecord, supplements: readonly Supplement[]): NormalizedRecord {
  return KINDS.reduce(
    (joined, kind) =>
      JOINS[kind].join(
        joined,
        supplements.filter((each) => each.kind === kind && each.body !== null),
      ),
    record,
  );
}

/** The record without what supplements gave it, as its own source states it. */
export function separateSupplements(record: NormalizedRecord): NormalizedRecord {
  return KINDS.reduce((separated, kind) => JOINS[kind].separate(separated), record);
}
