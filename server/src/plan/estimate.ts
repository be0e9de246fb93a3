/**
 * What a search may cost along each way, by how common its terms are. It says what to try first and nothing else:
 * statistics may be old or wrong, filters may depend on each other, and every path of a search is bounded.
 */
import { codeTerm } from '../record/terms.ts';
import { coverDates } from './cover.ts';
import { findChangeBounds, hasPart, type Interval, isIndexed } from './filters.ts';
import type { SearchPath } from './paths.ts';
import type { RecordSample } from './record-sample.ts';
import type { SearchPlan } from './search.ts';
import { type Reached, type Survey, surveySearch } from './survey.ts';

/** How many records there are, and what share of them, from 0 to 1, carries each of the commonest terms. */
export interface TermStatistics {
  readonly records: number;
  readonly shares: ReadonlyMap<number, number>;
  /** The least of the shares; 1 where there are none. */
  readonly rarest: number;
}

export const NOTHING_KNOWN: TermStatistics = { records: 0, shares: new Map(), rarest: 1 };

/** What share of the records, from 0 to 1, carries a term, or any term of a set. */
export interface Shares {
  readonly of: (term: number) => number;
  readonly ofAny: (terms: readonly number[]) => number;
}

/** As the statistics have them; a term that is not listed is believed to have the share `unlisted`. */
export function readShares({ shares }: Pick<TermStatistics, 'shares'>, unlisted: number): Shares {
  const of = (term: number): number => shares.get(term) ?? unlisted;
  const ofAny = (terms: readonly number[]): number =>
    Math.min(
      1,
      terms.reduce((sum, term) => sum + of(term), 0),
    );
  return { of, ofAny };
}

/** Costs are processor time of the database in microseconds. */
export interface Estimate {
  /** Rows to walk until the page is full. */
  readonly pageRows: number;
  readonly walkCost: number;
  /** Of gathering every match. */
  readonly gatherCost: number;
  /** Of gathering those of a few months. */
  readonly leapCost: number;
  /** Of the whole query. */
  readonly matches: number;
  /** The most records that are believed to bear a pinned name or number; of one that is not listed, as many as may. */
  readonly pinnedMost: number;
  /** Null where there is no sample, or it knows nothing of a condition. */
  readonly seen: Seen | null;
}

/** What a sample shows of a search. */
export interface Seen {
  /** Where the page is; null where so few match that the sample does not show it. */
  readonly page: Reached | null;
  /** Whether it is heard before the terms: they tell nothing, or it contradicts them. */
  readonly isHeard: boolean;
  /** The cheapest way to collect it without walking. */
  readonly collecting: Way;
}

/** `gather` and `recent` collect all matches, `leap` those of the dates up to the page. */
export interface Way extends Pick<SearchPath, 'kind' | 'asksOnly'> {
  readonly cost: number;
  /** Records it fetches, about. */
  readonly rows: number;
}

type Estimated = Pick<
  SearchPlan,
  | 'conditions'
  | 'scope'
  | 'lanes'
  | 'sought'
  | 'walked'
  | 'signed'
  | 'covers'
  | 'walkedInterval'
  | 'sort'
  | 'order'
  | 'after'
  | 'limit'
>;

/** A walk over so many costs about as much as looking through a sample. */
const PAGE_ROWS_PLAIN = 500;
/** A term that is not among the commonest is taken to be so much rarer than the rarest of them. */
const UNKNOWN_RARER = 8;
/** The share of records that the lists of a first leap's months hold. */
const LEAP_SHARE = 0.024;
/** Measured among ten million records: an entry of the shortest list. */
const ENTRY_COST = 0.15;
/** An entry of any other list that is asked for; or, skipped through, what each of the shortest costs, and per term. */
const OTHER_ENTRY_COST = 0.07;
const SKIP_COST = 0.5;
const SKIP_COST_TERM = 0.05;
/** Of each record that has a part of a name, where nothing else is asked for: it is found by trigrams, and compared. */
const PART_COST = 9;
const PART_COST_LEAST = 5_000;
/** As many records as have the part have its ideographs; other trigrams stand in many more names, so many at least. */
const PART_COST_TELLING = 4.5;
const TRIGRAM_RECORDS_MIN = 40_000;
const TRIGRAM_FACTOR = 4;
/** A record that is fetched, or walked past. Those that a sample shows are fetched from all over the table. */
const FETCH_COST = 1.5;
const FETCH_COST_SEEN = 3;
const FETCH_COST_PART = 6;
/** Months and years of a leap, about. */
const DATED_TERMS = 12;
/** Its dates are the list of many months, and told by a few hits: where those fall short, another leap is taken. */
const LEAP_RISK = 1.5;
const PASS_COST_BY_CHANGE = 0.9;
/** Records lie in the order of changes; an order by date lies across them. */
const PASS_COST_BY_DATE = 2;
/** The names of a record are unpacked. */
const PASS_COST_PART_BY_CHANGE = 2;
const PASS_COST_PART_BY_DATE = 3;
/** Passed by its signature, a record is not touched; whether it could be is looked up page by page. */
const PASS_COST_SIGNED_BY_CHANGE = 0.3;
const PASS_COST_SIGNED_BY_DATE = 0.8;

/** Null where nothing is known: of a part of a name, or change times in another order, without a sample. */
export function estimateSearch(plan: Estimated, statistics: TermStatistics, sample: RecordSample): Estimate | null {
  const estimate = estimateByTerms(plan, statistics);
  if (estimate !== null && isPlain(plan, estimate)) return estimate;
  const survey = isKnown(statistics) ? surveySearch(plan, sample) : null;
  if (survey === null) return estimate;
  const { page, matches, matchesMost } = survey;
  const ways = listWays(plan, statistics, survey);
  const collecting = ways.reduce((cheapest, way) => (way.cost < cheapest.cost ? way : cheapest));
  const isHeard = estimate === null || (page !== null && !isAsBelieved(estimate, survey, sample));
  const seen = { page, isHeard, collecting };
  const byTerms = estimate ?? UNESTIMATED;
  if (page !== null && !isHeard) return { ...byTerms, seen };
  // Too few of them for a sample: then not so many as filters that have nothing to do with each other would leave.
  const pinnedMost = Math.min(byTerms.pinnedMost, survey.pinnedMost);
  if (page === null) return { ...leaveFewer(byTerms, matchesMost), pinnedMost, seen };
  const walkCost = page.rows * passCost(plan);
  return { ...byTerms, matches, pageRows: page.rows, walkCost, gatherCost: collecting.cost, pinnedMost, seen };
}

/** As if no more than so many match, spread as before. */
function leaveFewer(estimate: Estimate, matchesMost: number): Estimate {
  if (estimate.matches <= matchesMost) return estimate;
  const farther = estimate.matches / matchesMost;
  const { pageRows, walkCost } = estimate;
  return { ...estimate, matches: matchesMost, pageRows: pageRows * farther, walkCost: walkCost * farther };
}

/** So many standard deviations, and hits, from what the terms say, a sample may be by chance. */
const DEVIATIONS_BELIEVED = 2.5;
const HITS_BELIEVED = 2;

/** Statistics know single terms better than a sample does; it has to contradict them to be heard first. */
function isAsBelieved({ matches }: Estimate, survey: Survey, { weight }: RecordSample): boolean {
  if (survey.page?.isNear !== true) return false;
  const hits = matches / weight;
  const hitsBeside = Math.abs(survey.matches / weight - hits);
  return hitsBeside <= DEVIATIONS_BELIEVED * Math.sqrt(hits) + HITS_BELIEVED;
}

/** A page of the newest of what many records carry is found before a sample has been looked through. */
function isPlain({ sort, conditions }: Estimated, { pageRows }: Estimate): boolean {
  return sort === 'updated_at' && conditions.intervals.length === 0 && pageRows < PAGE_ROWS_PLAIN;
}

/** What is told by a sample alone. */
const UNESTIMATED: Estimate = {
  pageRows: Number.POSITIVE_INFINITY,
  walkCost: Number.POSITIVE_INFINITY,
  gatherCost: Number.POSITIVE_INFINITY,
  leapCost: Number.POSITIVE_INFINITY,
  matches: Number.POSITIVE_INFINITY,
  pinnedMost: Number.POSITIVE_INFINITY,
  seen: null,
};

function isKnown({ records, shares }: TermStatistics): boolean {
  return records > 0 && shares.size > 0;
}

/** At least one; of equal ones the first is the surest. */
function listWays(plan: Estimated, statistics: TermStatistics, survey: Survey): Way[] {
  const { page, gathered, named, recent, pinnedMost } = survey;
  const { records } = statistics;
  const { texts, pinned } = plan.walked;
  const isPart = texts.some(isIndexed);
  const lists = listSets(plan, readShares(statistics, statistics.rarest));
  if (isPart) lists.push({ share: shareOfTrigrams(plan, named, records), terms: 1 });
  const fetchCost = isPart ? FETCH_COST_PART : FETCH_COST_SEEN;
  const ways: Way[] = [];
  if (isPart) {
    const cost = isTelling(plan) ? named * PART_COST_TELLING : PART_COST_LEAST + named * PART_COST;
    ways.push({ kind: 'gather', asksOnly: 'parts', cost, rows: named });
  }
  ways.push({ kind: 'gather', cost: scanCost(lists, records) + gathered * fetchCost, rows: gathered });
  if (recent !== null) ways.push({ kind: 'recent', cost: recent * FETCH_COST, rows: recent });
  if (pinned.length > 0) {
    ways.push({ kind: 'gather', asksOnly: 'pinned', cost: pinnedMost * FETCH_COST_SEEN, rows: pinnedMost });
  }
  if (page !== null && plan.sort !== 'updated_at' && (page.dates.length > 0 || plan.walkedInterval === null)) {
    const datedLists = [...lists, { share: page.dateRows / records, terms: DATED_TERMS }];
    const cost = LEAP_RISK * (scanCost(datedLists, records) + page.dateMatches * fetchCost);
    ways.push({ kind: 'leap', cost, rows: page.dateMatches });
  }
  return ways;
}

/** Characters that say so much that the lists of their trigrams are short, whatever the part. */
const TELLING_CHARACTER = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;

function isTelling({ walked }: Estimated): boolean {
  return walked.texts.some(({ text }) => TELLING_CHARACTER.test(text));
}

/** Of the records that have the rarest trigrams of a part. */
function shareOfTrigrams(plan: Estimated, named: number, records: number): number {
  const listed = isTelling(plan) ? named : Math.max(TRIGRAM_RECORDS_MIN, named * TRIGRAM_FACTOR);
  return Math.min(1, listed / records);
}

/** By the shares of single terms, as if filters had nothing to do with each other. */
function estimateByTerms(plan: Estimated, statistics: TermStatistics): Estimate | null {
  const { scope, lanes, walked, walkedInterval, limit } = plan;
  const { allOf, anyOf, pinned } = walked;
  const { records, rarest } = statistics;
  if (hasPart(walked) || !isKnown(statistics) || findChangeBounds(plan) !== null) return null;
  const compared = walked.intervals.filter((interval) => interval !== walkedInterval);
  const shares = readShares(statistics, rarest / UNKNOWN_RARER);
  const narrowest = narrowestShare(plan, shares);
  // The two terms of a name say the same.
  const pinnedShare = Math.min(1, ...pinned.map(shares.of));
  const independent = [
    ...allOf.filter((term) => !pinned.includes(term)).map(shares.of),
    ...[...anyOf, ...compared.flatMap(coverInterval)].map(shares.ofAny),
    pinnedShare,
  ];
  const matching = independent.reduce((product, share) => product * share, 1);
  const scoped = shareOfScope(scope, shares);
  const pageRows = (limit + 1) / (lanes.length === 0 ? matching * scoped : matching);
  const walkedShare = walkedInterval === null ? [] : coverInterval(walkedInterval).map(shares.ofAny);
  const matches = walkedShare.reduce((product, share) => product * share, records * matching * scoped);
  // A pinned name or number is gathered with everything that bears it.
  const fetched = pinned.length === 0 ? matches : records * pinnedShare;
  return {
    pageRows,
    walkCost: pageRows * passCost(plan),
    gatherCost: records * narrowest * ENTRY_COST + fetched * FETCH_COST,
    leapCost: records * Math.min(narrowest, LEAP_SHARE) * ENTRY_COST,
    matches,
    pinnedMost: records * Math.min(1, ...pinned.map(readShares(statistics, rarest).of)),
    seen: null,
  };
}

/** Of the sets that the index is asked for together. */
function narrowestShare(plan: Pick<SearchPlan, 'sought' | 'covers'>, shares: Shares): number {
  return Math.min(1, ...listSets(plan, shares).map(({ share }) => share));
}

/** What the index is asked for: any of so many terms, which such a share of the records carries. */
interface TermSet {
  readonly share: number;
  readonly terms: number;
}

function listSets({ sought, covers }: Pick<SearchPlan, 'sought' | 'covers'>, shares: Shares): TermSet[] {
  const sets = [...sought.allOf.map((term) => [term]), ...sought.anyOf, ...covers];
  return sets.map((terms) => ({ share: shares.ofAny(terms), terms: terms.length }));
}

/** Of the index alone: it goes through all lists, or skips through those that are much longer than the shortest. */
function scanCost(sets: readonly TermSet[], records: number): number {
  const [narrowest, ...others] = [...sets].sort((one, other) => one.share - other.share);
  if (narrowest === undefined) return Number.POSITIVE_INFINITY;
  const costs = others.map(({ share, terms }) =>
    Math.min(share * OTHER_ENTRY_COST, narrowest.share * (SKIP_COST + terms * SKIP_COST_TERM)),
  );
  return records * costs.reduce((sum, cost) => sum + cost, narrowest.share * ENTRY_COST);
}

function passCost({ signed, sort, walked }: Estimated): number {
  if (hasPart(walked)) return sort === 'updated_at' ? PASS_COST_PART_BY_CHANGE : PASS_COST_PART_BY_DATE;
  if (sort === 'updated_at') return signed === null ? PASS_COST_BY_CHANGE : PASS_COST_SIGNED_BY_CHANGE;
  return signed === null ? PASS_COST_BY_DATE : PASS_COST_SIGNED_BY_DATE;
}

function coverInterval({ column, from, to }: Interval): number[][] {
  return column === 'updated_at' ? [] : coverDates(column, from, to);
}

function shareOfScope(scope: readonly string[], shares: Shares): number {
  if (scope.length === 0) return 1;
  return shares.ofAny(scope.map((code) => codeTerm('jurisdiction', code)).filter((term) => term !== null));
}

/** From this share of the records on, several registers are not walked side by side, but in the order of all. */
const SIDE_BY_SIDE_SHARE_MAX = 0.4;

/** Whether so much belongs to the registers asked for that passing the records of the others costs less. */
export function isBroadScope(scope: readonly string[], statistics: TermStatistics): boolean {
  return scope.length > 1 && shareOfScope(scope, readShares(statistics, 0)) > SIDE_BY_SIDE_SHARE_MAX;
}
