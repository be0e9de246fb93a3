/**
 * A search for likeness over a view of the index: which names are alike, why, and which records hold them. It knows
 * the names of the view from one search to the next. A mark is compared with every name that is held: first with every
 * distinct word, then with every name. Both passes are exact: they list what a comparison of the texts finds (a key is
 * compared by its hash; what a hit says of it is computed from the texts again). The work is proportional to the
 * letters of all names, and is interrupted between pieces of it.
 */
import {
  type ComparedText,
  HELD_AS_NAMES,
  type HeldAs,
  LIKENESS_NAME_RECORDS_MAX,
  LIKENESS_STRATEGY_NAMES,
  type LikenessEvidence,
  type LikenessStrategy,
  type LikenessTier,
  type RelatedClass,
  type SimilarPage,
} from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import { instantOf } from '../base/clock.ts';
import { readText } from '../index/arrays.ts';
import type { Interruption, SearchTools } from '../index/matchers.ts';
import { Scratch } from '../index/matchers.ts';
import type { View } from '../index/segment.ts';
import { splitKey } from '../index/segment.ts';
import type { LikenessSearch } from '../plan/likeness.ts';
import { isForeign, type SpelledWord, spellName } from '../record/spelling.ts';
import { explainName } from './explain.ts';
import { type HeldTexts, NamesOfView } from './held-names.ts';
import { KEY_PAIRS, likenessMinOf } from './keys.ts';
import type { Lexicon } from './lexicon.ts';
import { NamePass } from './name-pass.ts';
import { buildQuery, type Frequencies, FrequenciesInClasses, type LikenessQuery } from './query.ts';
import { fuseRankings, type HeldNames, type RankedName, Ranking, type Rankings } from './ranking.ts';
import { RelatedClasses } from './related-classes.ts';
import { WordPass } from './word-pass.ts';

/** A name that is alike, with some of the records that hold it and satisfy the conditions. */
interface AlikeName {
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
  readonly heldAs: readonly HeldAs[];
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

  private adopt(view: View, interruption: Interruption): void {
    if (view.number === this.adopted) return;
    this.names.adopt(view, interruption);
    this.adopted = view.number;
  }

  /** Everything that a search of the view may need. */
  prepare(view: View, interruption: Interruption): void {
    this.adopt(view, interruption);
    this.related.measure(view, interruption);
  }

  /** @throws SearchInterrupted */
  find(view: View, search: LikenessSearch, interruption: Interruption): AlikeNames {
    this.adopt(view, interruption);
    if (search.classes.length > 0) this.related.measure(view, interruption);
    const { lexicon } = this.names;
    const tools = { scratch: this.scratch, interruption };
    const frequencies = this.findFrequencies(view, search, tools);
    const query = buildQuery(frequencies, search.mark);
    const held = this.names.findHeld(view, search, tools);
    const scanned = this.scan.run(lexicon, query, held.names, new Set(search.strategies), interruption);
    const ranked = fuseRankings(scanned.rankings, (name) => lexicon.readLetters(name));
    const listed = listTexts(ranked, held.parts, search.recordsMax, interruption);
    const names = listed.texts.flatMap(({ text, places, tier, records }) => {
      const words = spellName(text);
      const evidence = explainName(query.words, words, places, frequencies);
      return evidence.length === 0 ? [] : [{ name: text, compared: describe(words), tier, evidence, records }];
    });
    return {
      stamp: view.stamp,
      compared: describe(query.words),
      namesCompared: scanned.names,
      heldAs: HELD_AS_NAMES.filter((name) => search.heldAs.includes(name)),
      strategies: describeLists(scanned),
      related: this.related.list(search.classes),
      names,
      hasMore: listed.hasMore,
      hasMoreRecords: listed.hasMoreRecords,
    };
  }

  private findFrequencies(view: View, { inClasses }: LikenessSearch, tools: SearchTools): Frequencies {
    const { lexicon } = this.names;
    if (inClasses.length === 0) return lexicon;
    const counts = this.names.countWords(view, { conditions: inClasses, heldAs: HELD_AS_NAMES }, tools);
    return new FrequenciesInClasses(lexicon, lexicon.allCounts, counts);
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

interface AlikeRecord {
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

interface ListedTexts {
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

function listTexts(
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

/** Names compared between two checks whether the search continues: half a millisecond of work. */
const NAMES_AT_ONCE = 4_096;

interface Scanned {
  readonly rankings: Rankings;
  /** How many names were compared. */
  readonly names: number;
}

/** Its memory is kept for the next scan. */
export class NameScan {
  private readonly words = new WordPass();
  private readonly lists = new Map(LIKENESS_STRATEGY_NAMES.map((name) => [name, new Ranking(likenessMinOf(name))]));

  /** The lists are valid until the next scan. @throws SearchInterrupted */
  run(
    lexicon: Lexicon,
    query: LikenessQuery,
    held: HeldNames,
    strategies: ReadonlySet<LikenessStrategy>,
    interruption: Interruption,
  ): Scanned {
    for (const list of this.lists.values()) list.clear();
    const rankings = new Map([...this.lists].filter(([name]) => strategies.has(name)));
    if (query.words.length === 0) return { rankings, names: 0 };
    const keys = KEY_PAIRS.map(({ against, strategy, lengthMin }) => {
      const key = rankings.has(strategy) ? query.key(against) : null;
      return key !== null && key.length >= lengthMin ? key : null;
    });
    this.words.run(lexicon, query, keys, interruption);
    const pass = new NamePass(lexicon, query, keys, this.words, rankings);
    let names = 0;
    for (let from = 0; from < lexicon.nameCount; from += NAMES_AT_ONCE) {
      interruption.check();
      names += pass.compare(from, Math.min(lexicon.nameCount, from + NAMES_AT_ONCE), held);
    }
    return { rankings, names };
  }
}
