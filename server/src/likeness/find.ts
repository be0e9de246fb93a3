/**
 * A search for likeness over a view of the index: which names are alike, why, and which records hold them. It knows the
 * names of the view from one search to the next.
 */
import {
  type ComparedText,
  HELD_AS_NAMES,
  type HeldAs,
  LIKENESS_STRATEGY_NAMES,
  type LikenessEvidence,
  type LikenessStrategy,
  type LikenessTier,
  type RelatedClass,
  type SimilarPage,
} from '@tmds/contract/likeness';
import { type Interruption, Scratch, type SearchTools } from '../index/matchers.ts';
import type { View } from '../index/segment.ts';
import type { LikenessSearch } from '../plan/likeness.ts';
import { isForeign, type SpelledWord, spellName } from '../record/spelling.ts';
import { explainName } from './explain.ts';
import { type Frequencies, FrequenciesInClasses } from './frequencies.ts';
import { fuseRankings } from './fuse.ts';
import { NamesOfView } from './held-names.ts';
import { type AlikeRecord, listTexts } from './list-texts.ts';
import { buildQuery } from './query.ts';
import { RelatedClasses } from './related-classes.ts';
import { NameScan, type Scanned } from './scan.ts';

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
