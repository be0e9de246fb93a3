/** The texts of ranked names and the records that hold them, up to the bounds of an answer. */
import { type HeldAs, LIKENESS_NAME_RECORDS_MAX } from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import { instantOf } from '../base/clock.ts';
import { readText } from '../index/arrays.ts';
import type { Interruption } from '../index/matchers.ts';
import { splitKey } from '../index/segment.ts';
import type { RankedName } from './fuse.ts';
import type { HeldTexts } from './held-texts.ts';

export interface AlikeRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
  /** What the name is of its mark. */
  readonly held_as: HeldAs;
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
  parts: readonly HeldTexts[],
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
function addRecords(part: HeldTexts, text: number, rank: number, found: Map<string, FoundText>): boolean {
  const { segment } = part;
  let listed: FoundText | null = null;
  for (const { ordinal, heldAs: held_as } of part.listRecords(text)) {
    listed ??= findListed(part, text, rank, found);
    const key = splitKey(segment.readKey(ordinal));
    // A record may hold one text in two ways; the text of its mark and its variants come first.
    if (
      listed.records.some(
        ({ uid, jurisdiction_code }) => uid === key.uid && jurisdiction_code === key.jurisdiction_code,
      )
    )
      continue;
    if (listed.records.length === LIKENESS_NAME_RECORDS_MAX) return false;
    listed.records.push({ ...key, updated_at: instantOf(segment.stampOf(ordinal)), held_as });
  }
  return true;
}

function findListed({ texts }: HeldTexts, text: number, rank: number, found: Map<string, FoundText>): FoundText {
  const name = readText(texts, text);
  const listed = found.get(name) ?? { rank, text: name, records: [] };
  found.set(name, listed);
  return listed;
}
