/**
 * The newest view of the index in one thread, as the writer sends it. Segments are shared memory; a thread holds only
 * what it needs to read them.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { Segment } from '../index/segment.ts';
import { EMPTY_VIEW, type View } from '../index/view.ts';
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
