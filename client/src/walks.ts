/** Walks over the pages of a search or of the feed, each of which can be taken record by record or page by page. */
import type { ChangesPage, Instant, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { TrademarkProtocolError } from './errors.ts';
import type { Answer } from './transport.ts';

/** How a walk of a search ended. */
export interface SearchEnd {
  readonly items: number;
  /** Where to go on, as `cursor` of the same search; null when every match was seen. */
  readonly next_cursor: string | null;
}

export interface SearchBounds {
  readonly cursor: string | null;
  readonly pageMax: number;
  readonly itemsMax: number;
}

/** One walk over a search; it can be walked once, by record or by page. */
export class SearchWalk {
  /** How many records match, 10,000 at most, once the first page came and `count: 'capped'` was asked for. */
  matchedCount: number | null = null;
  /** True when more than `matchedCount` match. */
  matchedCountCapped: boolean | null = null;
  readonly #fetchPage: (cursor: string | null, limit: number) => Promise<Answer<SearchPage>>;
  readonly #bounds: SearchBounds;
  #records: AsyncGenerator<TrademarkDetail, SearchEnd, void> | null = null;

  constructor(fetchPage: (cursor: string | null, limit: number) => Promise<Answer<SearchPage>>, bounds: SearchBounds) {
    this.#fetchPage = fetchPage;
    this.#bounds = bounds;
  }

  /** Whole pages, each with its `meta`. Returns how the walk ended. */
  async *pages(): AsyncGenerator<Answer<SearchPage>, SearchEnd, void> {
    const { pageMax, itemsMax } = this.#bounds;
    let { cursor } = this.#bounds;
    let items = 0;
    while (items < itemsMax) {
      const page = await this.#fetchPage(cursor, Math.min(pageMax, itemsMax - items));
      this.matchedCount = page.matched_count ?? this.matchedCount;
      this.matchedCountCapped = page.matched_count_capped ?? this.matchedCountCapped;
      items += page.items.length;
      yield page;
      if (page.next_cursor === null) return { items, next_cursor: null };
      checkMoved(page, cursor);
      cursor = page.next_cursor;
    }
    return { items, next_cursor: cursor };
  }

  /** Every record in memory: no more than `itemsMax`. */
  async toArray(): Promise<TrademarkDetail[]> {
    const records: TrademarkDetail[] = [];
    for await (const record of this) records.push(record);
    return records;
  }

  next(): Promise<IteratorResult<TrademarkDetail, SearchEnd>> {
    return this[Symbol.asyncIterator]().next();
  }

  [Symbol.asyncIterator](): AsyncGenerator<TrademarkDetail, SearchEnd, void> {
    this.#records ??= this.#walk();
    return this.#records;
  }

  async *#walk(): AsyncGenerator<TrademarkDetail, SearchEnd, void> {
    const pages = this.pages();
    let step = await pages.next();
    for (; !step.done; step = await pages.next()) yield* step.value.items;
    return step.value;
  }
}

/** How a walk of the feed ended. */
export interface ChangesEnd {
  readonly items: number;
  /** To be kept and sent with the next walk; null when there never was a change. */
  readonly cursor: string | null;
  /** The instant up to which every change was seen. */
  readonly complete_to: Instant | null;
}

/** One walk to the end of the feed, by record or by page. */
export class ChangesWalk {
  /** The place after the last page that was consumed whole: what to keep, together with its records. */
  cursor: string | null;
  /** The instant up to which every change was seen; null before the end. */
  completeTo: Instant | null = null;
  readonly #fetchPage: (cursor: string | null) => Promise<Answer<ChangesPage>>;

  constructor(fetchPage: (cursor: string | null) => Promise<Answer<ChangesPage>>, cursor: string | null) {
    this.#fetchPage = fetchPage;
    this.cursor = cursor;
  }

  /** Pages with records; `cursor` moves when the next one is asked for. Returns how the walk ended. */
  async *pages(): AsyncGenerator<Answer<ChangesPage>, ChangesEnd, void> {
    let items = 0;
    for (;;) {
      const page = await this.#fetchPage(this.cursor);
      if (page.items.length === 0) {
        this.completeTo = page.meta.changeHorizon;
        return { items, cursor: this.cursor, complete_to: this.completeTo };
      }
      checkMoved(page, this.cursor);
      items += page.items.length;
      yield page;
      this.cursor = page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TrademarkDetail, ChangesEnd, void> {
    const pages = this.pages();
    let step = await pages.next();
    for (; !step.done; step = await pages.next()) yield* step.value.items;
    return step.value;
  }

  /** Every change up to the end of the feed, in memory. */
  async toArray(): Promise<TrademarkDetail[]> {
    const records: TrademarkDetail[] = [];
    for await (const record of this) records.push(record);
    return records;
  }
}

function checkMoved(page: Answer<SearchPage | ChangesPage>, cursor: string | null): void {
  if (page.next_cursor !== null && page.next_cursor !== cursor && page.items.length > 0) return;
  throw new TrademarkProtocolError('a page did not move the cursor on', page.meta.requestId);
}
