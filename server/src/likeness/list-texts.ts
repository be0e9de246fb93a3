/** The texts of ranked names and the records that hold them, up to the bounds of an answer. */
import { LIKENESS_NAME_RECORDS_MAX } from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import { instantOf } from '../index/instants.ts';
import type { Interruption } from '../index/interruption.ts';
import { hasBit } from '../index/postings.ts';
import { splitKey } from '../index/segment.ts';
import { readText } from '../index/texts.ts';
import type { RankedName } from './fuse.ts';
import type { MatchedPart } from './held-names.ts';

export interface AlikeRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
}

interface ListedText extends Pick<RankedName, 'places' | 'tier'> {
  readonly text: string;
  readonly records: readonly AlikeRecord[];
}

export interface ListedTexts {
  /** Best first; names that are spelled alike have several texts. */
  readonly texts: readonly ListedText[];
  /** Whether more names were ranked than their records fit. */
  readonly hasMore: boolean;
  /** Whether a name has more records than are listed. */
  readonly hasMoreRecords: boolean;
}

interface FoundText {
  readonly rank: number;
  readonly text: string;
  readonly records: AlikeRecord[];
}

export function listTexts(
  ranked: readonly RankedName[],
  parts: readonly MatchedPart[],
  recordsMax: number,
  interruption: Interruption,
): ListedTexts {
  const rankOf = new Map(ranked.slice(0, recordsMax).map(({ name }, rank) => [name, rank]));
  const found = new Map<string, FoundText>();
  let hasMoreRecords = false;
  for (const part of parts) {
    interruption.check();
    for (let text = 0; text < part.names.length; text += 1) {
      const rank = rankOf.get(part.names[text]!);
      if (rank !== undefined && !addRecords(part, text, rank, found)) hasMoreRecords = true;
    }
  }
  const sorted = [...found.values()].sort((one, other) => one.rank - other.rank || (one.text < other.text ? -1 : 1));
  const texts: ListedText[] = [];
  let left = recordsMax;
  let hasMore = ranked.length > rankOf.size;
  for (const { rank, text, records } of sorted) {
    if (records.length > left) hasMore = true;
    if (left === 0) break;
    const { places, tier } = ranked[rank]!;
    texts.push({ text, places, tier, records: records.slice(0, left) });
    left -= Math.min(left, records.length);
  }
  return { texts, hasMore, hasMoreRecords };
}

/** Adds the records of a text that satisfy the conditions; returns whether all of them fit. */
function addRecords({ part, bits }: MatchedPart, text: number, rank: number, found: Map<string, FoundText>): boolean {
  const { segment } = part;
  const { ordinals, ordinalStarts } = segment.names.mark_name;
  const matching = new Set<number>();
  for (let at = ordinalStarts[text]!; at < ordinalStarts[text + 1]!; at += 1) {
    if (bits === null || hasBit(bits.words, 0, ordinals[at]!)) matching.add(ordinals[at]!);
    if (matching.size > LIKENESS_NAME_RECORDS_MAX) break;
  }
  if (matching.size === 0) return true;
  const name = readText(segment.names.mark_name, text);
  const listed = found.get(name) ?? { rank, text: name, records: [] };
  found.set(name, listed);
  const room = LIKENESS_NAME_RECORDS_MAX - listed.records.length;
  for (const ordinal of [...matching].slice(0, room)) {
    listed.records.push({ ...splitKey(segment.readKey(ordinal)), updated_at: instantOf(segment.stampOf(ordinal)) });
  }
  return matching.size <= room;
}
