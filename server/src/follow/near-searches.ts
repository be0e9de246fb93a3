/**
 * Matches tiny searches in the thread of the call, because the way to a search thread and back takes longer than they
 * do. One rule: what a search will touch is known before it begins, and a search that would take longer than the bound
 * goes to a thread.
 */
import type { MessagePort } from 'node:worker_threads';
import { NEVER_INTERRUPTED } from '../index/interruption.ts';
import { Scratch } from '../index/scratch.ts';
import { type Matches, searchView } from '../index/search.ts';
import { estimateWork } from '../index/work.ts';
import type { SearchQuery } from '../plan/search.ts';
import { ViewReader } from './view-reader.ts';

/**
 * Microseconds. The way to a thread and back costs 800 to 1,900 µs of waiting and some 100 µs of this thread
 * (docs/search.md); a search below the bound delays others no longer than rendering a page does.
 */
const NEAR_US_MAX = 150;

export class NearSearches {
  private readonly scratch = new Scratch();
  private reader: ViewReader | null = null;

  /** Reads views from a port from now on; until the first one comes, every search goes to a thread. */
  readFrom(port: MessagePort, index: number, adopted: SharedArrayBuffer): void {
    this.reader = new ViewReader(port, index, adopted, () => undefined);
    port.unref();
  }

  /** Null if the search takes a thread. */
  find(query: SearchQuery): Matches | null {
    const view = this.reader?.newest;
    if (view === undefined || view.number === 0 || estimateWork(view, query) > NEAR_US_MAX) return null;
    return searchView(view, query, this.scratch, NEVER_INTERRUPTED);
  }
}
