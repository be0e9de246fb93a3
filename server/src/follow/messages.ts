/** What the threads of an index say to each other: the process, its writer, its searchers, and the writer's workers. */
import type { MessagePort } from 'node:worker_threads';
import type { Facets } from '../index/facets.ts';
import type { SavedView } from '../index/files.ts';
import type { Matches } from '../index/search.ts';
import type { SegmentParts } from '../index/segment.ts';
import type { DeadRecords } from '../index/view.ts';
import type { Condition, SearchQuery } from '../plan/search.ts';
import type { TermField } from '../record/terms.ts';
import type { StampRange } from '../store/publish/publishes.ts';
import type { Difference } from './follower.ts';

/** To a searcher from the writer: a view, with the segments that it has not been given before. */
export interface ShownView {
  readonly number: number;
  readonly stamp: number;
  readonly parts: readonly { readonly id: string; readonly dead: DeadRecords | null }[];
  readonly fresh: readonly SegmentParts[];
}

/** To a searcher from the process. One at a time; a searcher answers every one. */
export type SearchTask =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'facets'; readonly conditions: readonly Condition[]; readonly fields: readonly TermField[] };

export interface SearchRequestMessage {
  readonly id: number;
  readonly task: SearchTask;
  readonly budgetMs: number;
}

export type SearchAnswerMessage = { readonly id: number } & (
  | { readonly kind: 'found'; readonly result: Matches | Facets }
  | { readonly kind: 'interrupted'; readonly reason: 'cancelled' | 'timed_out' }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string }
);

export interface SearcherData {
  /** Its place in `cancelled` and `adopted`. */
  readonly index: number;
  readonly views: MessagePort;
  /** Int32: by searcher, the task to give up. */
  readonly cancelled: SharedArrayBuffer;
  /** Int32: by searcher, the number of the view it looks at. */
  readonly adopted: SharedArrayBuffer;
}

export interface WriterData {
  /** Where the database answers, until told otherwise. */
  readonly url: string;
  /** For snapshots; null = none are kept. */
  readonly folder: string | null;
  readonly adopted: SharedArrayBuffer;
}

/** To the writer from the process. */
export type WriterOrder =
  | { readonly kind: 'catch_up' }
  | { readonly kind: 'moved'; readonly url: string }
  | { readonly kind: 'reader'; readonly index: number; readonly port: MessagePort }
  | { readonly kind: 'close' };

/** Where the index stands, for operators. */
export interface IndexStatus {
  readonly state: 'starting' | 'ready' | 'failed';
  /** While it starts: records taken in, of how many. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** What is wrong, in a sentence; null when nothing is. */
  readonly fault: string | null;
  /** Up to which stamp it has followed; null before it is ready. */
  readonly stamp: string | null;
  readonly records: number;
  readonly segments: number;
  /** Bytes of memory by part. */
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

/** To the process from the writer. */
export type WriterReport =
  | { readonly kind: 'shown'; readonly stamp: number }
  | { readonly kind: 'status'; readonly status: IndexStatus }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly text: string; readonly about: object }
  | { readonly kind: 'closed' };

/** To a worker from the writer. */
export type Work =
  | { readonly kind: 'build'; readonly url: string; readonly range: StampRange }
  | { readonly kind: 'merge'; readonly view: SavedView }
  | { readonly kind: 'save'; readonly folder: string; readonly databaseId: string; readonly view: SavedView };

export type WorkAnswer = { readonly id: number } & (
  | { readonly kind: 'progress'; readonly records: number }
  | { readonly kind: 'done'; readonly segments: readonly SegmentParts[] }
  | { readonly kind: 'failed'; readonly message: string }
);
