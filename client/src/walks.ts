/** Walks over the pages of a search or of the feed, record by record or page by page. */
import type { HistoryEvent } from '@tmds/contract/history';
import type { ChangesPage, Instant, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { TrademarkProtocolError } from './errors.ts';
import type { Answer } from './transport.ts';

/** How a walk of a search ended. */
export interface SearchEnd {
  readonly items: number;
  /** Continues the same search as its `cursor`; null when every match was returned. */
  readonly next_cursor: string | null;
}

export interface SearchBounds {
  readonly cursor: string | null;
  readonly pageMax: number;
  readonly itemsMax: number;
}

/** A walk over a search. It can be used once, by record or by page. */
export class SearchWalk {
  /** With `count: 'capped'`, after the first page: the number of matches, up to 10,000. */
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

  /** Collects every record, at most `itemsMax`. */
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
  /** Save it and pass it to the next walk; null when there has never been a change. */
  readonly cursor: string | null;
  /** Every change up to this instant was returned. */
  readonly complete_to: Instant | null;
}

/** A walk to the end of the feed, by record or by page. */
export class ChangesWalk {
  /** The position after the last page that was consumed completely. Save it together with its records. */
  cursor: string | null;
  /** Every change up to this instant was returned; null before the end. */
  completeTo: Instant | null = null;
  /** From the last page: a different value than before means that the service has gone back (rule I-47). */
  lineage: string | null = null;
  readonly #fetchPage: (cursor: string | null) => Promise<Answer<ChangesPage>>;

  constructor(fetchPage: (cursor: string | null) => Promise<Answer<ChangesPage>>, cursor: string | null) {
    this.#fetchPage = fetchPage;
    this.cursor = cursor;
  }

  /** Pages with records; `cursor` advances when you request the next one. Returns how the walk ended. */
  async *pages(): AsyncGenerator<Answer<ChangesPage>, ChangesEnd, void> {
    let items = 0;
    for (;;) {
      const page = await this.#fetchPage(this.cursor);
      this.lineage = page.meta.feedLineage;
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

  /** Collects every change up to the end of the feed. */
  async toArray(): Promise<TrademarkDetail[]> {
    const records: TrademarkDetail[] = [];
    for await (const record of this) records.push(record);
    return records;
  }
}

/** How a walk of a history ended. */
export interface HistoryEnd {
  readonly items: number;
  /** The feed's cursor: save it and pass it to the next walk. Null when there has never been an event. */
  readonly cursor: string | null;
  /** For the feed: every event up to this instant was returned. */
  readonly complete_to: Instant | null;
}

interface EventPage<Event> {
  readonly items: readonly Event[];
  readonly next_cursor: string | null;
}

/** A walk to the end of a history, or of the hits of a watch, by event or by page. */
export class HistoryWalk<Event extends HistoryEvent = HistoryEvent> {
  /** The position after the last page that was consumed completely. */
  cursor: string | null;
  /** For the feed: every event up to this instant was returned; null before the end. */
  completeTo: Instant | null = null;
  /** From the last page: a different value than before means that the service has gone back (rule I-47). */
  lineage: string | null = null;
  readonly #fetchPage: (cursor: string | null) => Promise<Answer<EventPage<Event>>>;

  constructor(fetchPage: (cursor: string | null) => Promise<Answer<EventPage<Event>>>, cursor: string | null) {
    this.#fetchPage = fetchPage;
    this.cursor = cursor;
  }

  /** Pages with events; `cursor` advances when you request the next one. Returns how the walk ended. */
  async *pages(): AsyncGenerator<Answer<EventPage<Event>>, HistoryEnd, void> {
    let items = 0;
    for (;;) {
      const page = await this.#fetchPage(this.cursor);
      this.lineage = page.meta.feedLineage;
      items += page.items.length;
      if (page.items.length > 0) yield page;
      if (page.next_cursor === null) {
        this.completeTo = page.meta.changeHorizon;
        return { items, cursor: this.cursor, complete_to: this.completeTo };
      }
      if (page.next_cursor === this.cursor) throw notMoved(page);
      this.cursor = page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, HistoryEnd, void> {
    const pages = this.pages();
    let step = await pages.next();
    for (; !step.done; step = await pages.next()) yield* step.value.items;
    return step.value;
  }

  /** Collects every event up to the end. */
  async toArray(): Promise<Event[]> {
    const events: Event[] = [];
    for await (const event of this) events.push(event);
    return events;
  }
}

function checkMoved(page: Answer<SearchPage | ChangesPage>, cursor: string | null): void {
  if (page.next_cursor !== null && page.next_cursor !== cursor && page.items.length > 0) return;
  throw notMoved(page);
}

function notMoved({ meta }: Answer<object>): TrademarkProtocolError {
  return new TrademarkProtocolError('a page did not advance the cursor', meta.requestId);
}
