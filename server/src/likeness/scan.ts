/**
 * Compares a mark with every name that is held: first with every distinct word, then with every name. Both passes are
 * exact: they list what a comparison of the texts finds (a key is compared by its hash; what a hit says of it is
 * computed from the texts again). The work is proportional to the letters of all names, and is interrupted between
 * pieces of it.
 */
import { LIKENESS_STRATEGY_NAMES, type LikenessStrategy } from '@tmds/contract/likeness';
import type { Interruption } from '../index/matchers.ts';
import type { Lexicon } from './lexicon.ts';
import { NamePass } from './name-pass.ts';
import type { LikenessQuery } from './query.ts';
import { Ranking } from './ranking.ts';
import type { HeldNames, Rankings } from './rankings.ts';
import { KEY_PAIRS, likenessMinOf } from './strategies.ts';
import { WordPass } from './word-pass.ts';

/** Names compared between two checks whether the search continues: half a millisecond of work. */
const NAMES_AT_ONCE = 4_096;

export interface Scanned {
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
