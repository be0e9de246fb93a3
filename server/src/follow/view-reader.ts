/**
 * The newest view of the index in one thread, as the writer sends it, and the searches that are matched where they
 * arrive. Segments are shared memory; a thread holds only what it needs to read them.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Scratch } from '../index/matchers.ts';
import { estimateWork, type Matches, searchWithin } from '../index/search.ts';
import { EMPTY_VIEW, Segment, type View } from '../index/segment.ts';
import type { SearchQuery } from '../plan/search.ts';
import type { ShownView } from './messages.ts';

export class ViewReader {
  private readonly port: MessagePort;
  private readonly index: number;
  private readonly adopted: Int32Array;
  private readonly onDropped: (bytes: number) => void;
  private segments = new Map<string, Segment>();
  private view: View = EMPTY_VIEW;

  /**
   * `index`: its place in `adopted`, where it shows the writer which view it uses. `onDropped` is called with the bytes
   * of segments that it has just ceased to use.
   */
  constructor(port: MessagePort, index: number, adopted: SharedArrayBuffer, onDropped: (bytes: number) => void) {
    this.port = port;
    this.index = index;
    this.adopted = new Int32Array(adopted);
    this.onDropped = onDropped;
    port.on('message', (shown: ShownView) => this.adopt(shown));
  }

  /** Includes every view received so far, so that a search sees everything that the main thread knew when it began. */
  get newest(): View {
    for (let next = receiveMessageOnPort(this.port); next !== undefined; next = receiveMessageOnPort(this.port)) {
      this.adopt(next.message);
    }
    return this.view;
  }

  private adopt(shown: ShownView): void {
    for (const parts of shown.fresh) this.segments.set(parts.id, new Segment(parts));
    const kept = new Map(shown.parts.map(({ id }) => [id, this.segments.get(id)!]));
    const dropped = [...this.segments].filter(([id]) => !kept.has(id)).map(([, segment]) => sizeOf(segment));
    this.segments = kept;
    const parts = shown.parts.map(({ id, dead }) => ({ segment: kept.get(id)!, dead }));
    this.view = { number: shown.number, stamp: shown.stamp, parts };
    Atomics.store(this.adopted, this.index, shown.number);
    if (dropped.length > 0) this.onDropped(dropped.reduce((sum, bytes) => sum + bytes, 0));
  }
}

function sizeOf(segment: Segment): number {
  return Object.values(segment.measure()).reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Microseconds. The way to a thread and back costs 800 to 1,900 µs of waiting and some 100 µs of this thread
 * (docs/search.md); a search below the bound delays others no longer than rendering a page does.
 */
export const NEAR_US_MAX = 150;

/**
 * Tiny searches, matched in the thread of the call, because the way to a search thread and back takes longer than they
 * do. One rule: about what a search will touch is known before it begins, and a search goes to a thread if that is more
 * than the bound, or turns out to be.
 */
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
    return searchWithin(view, query, this.scratch, NEAR_US_MAX);
  }
}
