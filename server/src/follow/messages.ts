/** The messages between the main thread, the writer of the index, the search threads, and the writer's workers. */
import type { MessagePort } from 'node:worker_threads';
import type { CountedField, Facets } from '../index/facets.ts';
import type { SavedView } from '../index/files.ts';
import type { FoundRecord, Matches } from '../index/search.ts';
import type { DeadRecords, SegmentParts } from '../index/segment.ts';
import type { RecordText } from '../index/sift.ts';
import type { SiftedMark } from '../likeness/watched-marks.ts';
import type { Condition, SearchQuery } from '../plan/search.ts';
import type { StampRange } from '../store/publish/publishes.ts';
import type { Difference } from './follower.ts';

/** From the writer to a search thread: a view, with the segments that the thread does not have yet. */
export interface ShownView {
  readonly number: number;
  readonly stamp: number;
  readonly parts: readonly { readonly id: string; readonly dead: DeadRecords | null }[];
  readonly fresh: readonly SegmentParts[];
}

/** From the main thread to a search thread, which answers each task before it gets the next one. */
export type SearchTask =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | {
      readonly kind: 'sift';
      readonly records: readonly RecordText[];
      readonly conditions: readonly Condition[];
      readonly alike: SiftedMark | null;
    }
  | { readonly kind: 'facets'; readonly conditions: readonly Condition[]; readonly fields: readonly CountedField[] };

export interface SearchRequestMessage<Task = SearchTask> {
  readonly id: number;
  readonly task: Task;
  readonly budgetMs: number;
  /** Work of earlier turns that no rest has followed, in milliseconds; 0 for an ordinary thread. */
  readonly owedMs: number;
}

export type SearchOutcome =
  /** Names that are alike come as JSON text: thousands of small objects would take the receiver twice as long. */
  | { readonly kind: 'found'; readonly result: PackedMatches | Facets | Uint32Array | string }
  | { readonly kind: 'interrupted'; readonly reason: 'cancelled' | 'timed_out' }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };

export interface SearchAnswerMessage {
  readonly id: number;
  /** How long the thread had the search, in milliseconds; rests included. */
  readonly tookMs: number;
  readonly restedMs: number;
  readonly outcome: SearchOutcome;
}

/** The parts of a found record that are read. */
export type ListedMatch = Pick<FoundRecord, 'jurisdiction_code' | 'uid' | 'updated_at'>;

/** The matches as a caller of the index gets them: the last record has the position of the next page. */
export type ListedMatches = Omit<Matches, 'records'> & { readonly records: readonly ListedMatch[] };

/** Their records as one text, because a copy of each would cost three times as much (docs/search.md). */
export type PackedMatches = Omit<Matches, 'records'> & { readonly packed: string };

/** In no part of a record: PostgreSQL cannot store it. */
const BETWEEN = '\0';

export function packMatches({ records, ...rest }: Matches): PackedMatches {
  const parts = records.map(
    ({ jurisdiction_code, uid, updated_at }) => `${jurisdiction_code}${BETWEEN}${uid}${BETWEEN}${updated_at}`,
  );
  return { ...rest, packed: parts.join(BETWEEN) };
}

export function openMatches({ packed, ...rest }: PackedMatches): ListedMatches {
  const parts = packed === '' ? [] : packed.split(BETWEEN);
  const records: ListedMatch[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    records.push({ jurisdiction_code: parts[at]!, uid: parts[at + 1]!, updated_at: parts[at + 2]! });
  }
  return { ...rest, records };
}

export interface SearcherData {
  /** Makes way for the calls of others; null for an ordinary thread (`rests.ts`). */
  readonly wayFlag: SharedArrayBuffer | null;
  /** Its position in `cancelled`. */
  readonly index: number;
  /** Its position in `adopted`. */
  readonly reader: number;
  readonly views: MessagePort;
  /** Int32 for each search thread: the id of the task to abandon. */
  readonly cancelled: SharedArrayBuffer;
  /** Int32 for each search thread: the number of the view it uses. */
  readonly adopted: SharedArrayBuffer;
  /** Int32: 1 once the thread can answer; null for a thread that can at once. */
  readonly prepared: SharedArrayBuffer | null;
}

export interface WriterData {
  /** Address of the database; an order `moved` changes it. */
  readonly url: string;
  /** Address of a standby of it, which is read from as long as that goes well; an order `follow` changes it. */
  readonly standbyUrl: string | null;
  /** Folder for snapshots; null = none are kept. */
  readonly folder: string | null;
  readonly adopted: SharedArrayBuffer;
}

/** From the main thread to the writer. */
export type WriterOrder =
  | { readonly kind: 'catch_up' }
  | { readonly kind: 'moved'; readonly url: string }
  | { readonly kind: 'reconnect' }
  | { readonly kind: 'follow'; readonly standbyUrl: string | null }
  | { readonly kind: 'reader'; readonly index: number; readonly port: MessagePort }
  | { readonly kind: 'close' };

/** The state of the index, for operators. */
export interface IndexStatus {
  readonly state: 'starting' | 'ready' | 'failed';
  /** While it is being built: records indexed so far, and records in all. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** The fault, in a sentence; null = none. */
  readonly fault: string | null;
  /** The stamp up to which it includes every publish; null before it is ready. */
  readonly stamp: string | null;
  readonly records: number;
  readonly segments: number;
  /** Bytes of memory by part of the index. */
  readonly bytes: Readonly<Record<string, number>>;
  /** The last comparison with the database; null before the first. */
  readonly compared: { readonly at: string; readonly differences: readonly Difference[] } | null;
}

export const NOT_STARTED: IndexStatus = {
  state: 'starting',
  progress: null,
  fault: null,
  stamp: null,
  records: 0,
  segments: 0,
  bytes: {},
  compared: null,
};

/** From the writer to the main thread. */
export type WriterReport =
  | { readonly kind: 'shown'; readonly stamp: number }
  /** The views sent so far are wrong: they must not answer any more searches. */
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'status'; readonly status: IndexStatus }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly text: string; readonly about: object }
  | { readonly kind: 'closed' };

/** From the writer to a worker. */
export type Work =
  | { readonly kind: 'build'; readonly url: string; readonly range: StampRange }
  | { readonly kind: 'merge'; readonly view: SavedView }
  | { readonly kind: 'save'; readonly folder: string; readonly databaseId: string; readonly view: SavedView };

export type WorkAnswer = { readonly id: number } & (
  | { readonly kind: 'progress'; readonly records: number }
  | { readonly kind: 'done'; readonly segments: readonly SegmentParts[] }
  | { readonly kind: 'failed'; readonly message: string }
);
