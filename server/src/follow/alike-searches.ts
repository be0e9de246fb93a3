/**
 * Searches for likeness: one thread that no other search waits for. It makes way for every call of the service, so it
 * takes what they leave. Customers take turns, and few searches wait: further ones are refused as busy. The thread and
 * its memory are there from the first search on.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { NoAnswer } from '../base/no-answer.ts';
import type { AlikeNames } from '../likeness/find.ts';
import type { LikenessSearch } from '../plan/likeness.ts';
import type { WayFlag } from './company.ts';
import { type SearchLimits, SearchPool } from './search-pool.ts';

/** One thread: a second one would take a processor from the searches of the Record API. */
const THREADS = { ordinary: 1, patient: 0, spare: 1 } as const;
const WAITING_MAX = 50;
/** A search waits this long for the names to be read; a server with few has them by then. */
const READING_MS_MAX = 2_000;
const LOOK_AGAIN_MS = 50;

export interface AlikeOptions {
  /** The place of its thread in `adopted`. */
  readonly firstReader: number;
  readonly wayFlag: WayFlag;
  readonly adopted: SharedArrayBuffer;
  readonly clock: Clock;
  readonly openViews: (index: number) => MessagePort;
}

export class AlikeSearches {
  private readonly prepared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private readonly options: AlikeOptions;
  private pool: SearchPool<LikenessSearch> | null = null;

  constructor(options: AlikeOptions) {
    this.options = options;
  }

  private openPool(): SearchPool<LikenessSearch> {
    const { firstReader, wayFlag, adopted, clock, openViews } = this.options;
    const script = new URL('./alike-thread.js', import.meta.url);
    const prepared = this.prepared.buffer as SharedArrayBuffer;
    const kind = {
      script,
      threads: THREADS,
      waitingMax: WAITING_MAX,
      firstReader,
      wayFlag,
      allMakeWay: true,
      prepared,
    };
    return new SearchPool<LikenessSearch>(kind, adopted, clock, openViews);
  }

  /** @throws NoAnswer, also until the names have been read; the reason of the signal. */
  async find(search: LikenessSearch, limits: SearchLimits): Promise<AlikeNames> {
    const { clock } = this.options;
    this.pool ??= this.openPool();
    const refusedMs = clock.monotonicMs() + READING_MS_MAX;
    while (Atomics.load(this.prepared, 0) === 0) {
      if (clock.monotonicMs() > refusedMs) throw new NoAnswer('names_unread');
      await clock.sleep(LOOK_AGAIN_MS, limits.signal);
    }
    const { result, endTurn } = await this.pool.run(search, limits);
    endTurn();
    return JSON.parse(result as string) as AlikeNames;
  }

  /** Replaces the thread, because it no longer receives views once their writer has ended. */
  reopen(): void {
    Atomics.store(this.prepared, 0, 0);
    this.pool?.reopen();
  }

  async close(): Promise<void> {
    await this.pool?.close();
  }
}
