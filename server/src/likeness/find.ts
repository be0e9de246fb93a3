/**
 * A search for likeness over a view of the index: which names are alike, why, and which records hold them. It knows the
 * names of the view from one search to the next.
 */
import {
  type ComparedText,
  LIKENESS_NAME_RECORDS_MAX,
  LIKENESS_RECORDS_MAX,
  LIKENESS_STRATEGY_NAMES,
  type LikenessEvidence,
  type LikenessStrategy,
  type LikenessTier,
  type RelatedClass,
  type SimilarPage,
} from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import { instantOf } from '../index/instants.ts';
import type { Interruption } from '../index/interruption.ts';
import { hasBit } from '../index/postings.ts';
import { Scratch } from '../index/scratch.ts';
import { splitKey } from '../index/segment.ts';
import { readText } from '../index/texts.ts';
import type { View } from '../index/view.ts';
import type { LikenessSearch } from '../plan/likeness.ts';
import { isForeign, type SpelledWord, spellName } from '../record/spelling.ts';
import { explainName } from './explain.ts';
import { fuseRankings, type RankedName } from './fuse.ts';
import { type MatchedPart, NamesOfView } from './held-names.ts';
import { buildQuery } from './query.ts';
import { RelatedClasses } from './related-classes.ts';
import { NameScan, type Scanned } from './scan.ts';

export interface AlikeRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
}

/** A name that is alike, with some of the records that hold it and satisfy the conditions. */
export interface AlikeName {
  /** In compared form. */
  readonly name: string;
  readonly compared: ComparedText;
  readonly tier: LikenessTier;
  readonly evidence: readonly LikenessEvidence[];
  readonly records: readonly AlikeRecord[];
}

export interface AlikeNames {
  /** The search saw every publish up to this stamp, in microseconds since 1970. */
  readonly stamp: number;
  readonly compared: ComparedText;
  readonly namesCompared: number;
  readonly strategies: SimilarPage['strategies'];
  readonly related: readonly RelatedClass[];
  /** Best first. */
  readonly names: readonly AlikeName[];
  /** Whether more names were listed than their records fit. */
  readonly hasMore: boolean;
  /** Whether a name has more records than are listed. */
  readonly hasMoreRecords: boolean;
}

export class LikenessFinder {
  private readonly names = new NamesOfView();
  private readonly related = new RelatedClasses();
  private readonly scan = new NameScan();
  private readonly scratch = new Scratch();
  private adopted = -1;

  /** Reads what is new in a view. A search does it too; doing it before saves its time. */
  adopt(view: View, interruption: Interruption): void {
    if (view.number === this.adopted) return;
    this.names.adopt(view, interruption);
    this.adopted = view.number;
  }

  /** @throws SearchInterrupted */
  find(view: View, search: LikenessSearch, interruption: Interruption): AlikeNames {
    this.adopt(view, interruption);
    if (search.classes.length > 0) this.related.measure(view, interruption);
    const { lexicon } = this.names;
    const query = buildQuery(lexicon, search.mark);
    const held = this.names.findHeld(view, search.conditions, { scratch: this.scratch, interruption });
    const scanned = this.scan.run(lexicon, query, held.names, new Set(search.strategies), interruption);
    const ranked = fuseRankings(scanned.rankings, (name) => lexicon.readLetters(name));
    const listed = listNames(ranked, held.parts, interruption);
    const names = listed.names.flatMap(({ text, places, tier, records }) => {
      const words = spellName(text);
      const evidence = explainName(query.words, words, places, lexicon);
      return evidence.length === 0 ? [] : [{ name: text, compared: describe(words), tier, evidence, records }];
    });
    return {
      stamp: view.stamp,
      compared: describe(query.words),
      namesCompared: scanned.names,
      strategies: describeLists(scanned),
      related: this.related.list(search.classes),
      names,
      hasMore: listed.hasMore,
      hasMoreRecords: listed.hasMoreRecords,
    };
  }

  /** Bytes of memory, without what a search needs. */
  get size(): number {
    return this.names.size;
  }
}

function describe(words: readonly SpelledWord[]): ComparedText {
  return { words: words.map(({ letters }) => letters), is_transliterated: isForeign(words) };
}

/** They find every name to some degree, and what is little alike is not counted. */
const BY_DEGREE: ReadonlySet<LikenessStrategy> = new Set(['letters', 'word', 'transliteration']);

function describeLists({ rankings }: Scanned): AlikeNames['strategies'] {
  return LIKENESS_STRATEGY_NAMES.flatMap((strategy) => {
    const ranking = rankings.get(strategy);
    if (ranking === undefined) return [];
    const names_found = BY_DEGREE.has(strategy) ? null : ranking.found;
    return [{ strategy, names_found, names_listed: ranking.list().length }];
  });
}

interface ListedText extends Pick<RankedName, 'places' | 'tier'> {
  readonly rank: number;
  readonly text: string;
  readonly records: AlikeRecord[];
}

/** The texts of the names and the records that hold them, up to the bounds; a name may have several texts. */
function listNames(ranked: readonly RankedName[], parts: readonly MatchedPart[], interruption: Interruption) {
  const rankOf = new Map(ranked.slice(0, LIKENESS_RECORDS_MAX).map(({ name }, rank) => [name, rank]));
  const found = new Map<string, ListedText>();
  let hasMoreRecords = false;
  for (const { part, names, bits } of parts) {
    const { segment } = part;
    const dictionary = segment.names.mark_name;
    interruption.check();
    for (let text = 0; text < names.length; text += 1) {
      const rank = rankOf.get(names[text]!);
      if (rank === undefined) continue;
      const records: AlikeRecord[] = [];
      const seen = new Set<number>();
      for (let at = dictionary.ordinalStarts[text]!; at < dictionary.ordinalStarts[text + 1]!; at += 1) {
        const ordinal = dictionary.ordinals[at]!;
        if (seen.has(ordinal) || (bits !== null && !hasBit(bits.words, 0, ordinal))) continue;
        seen.add(ordinal);
        if (records.length === LIKENESS_NAME_RECORDS_MAX) hasMoreRecords = true;
        else records.push({ ...splitKey(segment.readKey(ordinal)), updated_at: instantOf(segment.stampOf(ordinal)) });
      }
      if (records.length === 0) continue;
      const name = readText(dictionary, text);
      const { places, tier } = ranked[rank]!;
      const known = found.get(name) ?? { rank, text: name, places, tier, records: [] };
      known.records.push(...records.slice(0, LIKENESS_NAME_RECORDS_MAX - known.records.length));
      found.set(name, known);
    }
  }
  const texts = [...found.values()].sort((one, other) => one.rank - other.rank || (one.text < other.text ? -1 : 1));
  const kept: ListedText[] = [];
  let records = 0;
  for (const text of texts) {
    if (records + text.records.length > LIKENESS_RECORDS_MAX) break;
    records += text.records.length;
    kept.push(text);
  }
  return { names: kept, hasMore: kept.length < texts.length || ranked.length > rankOf.size, hasMoreRecords };
}
