/**
 * Watches: what a customer wants to be notified of, and the hits in publishes. Limits are counts unless the name ends
 * in a unit.
 */
import type { HistoryEvent } from './history.ts';
import {
  type GoodsRelation,
  HELD_AS_NAMES,
  type HeldAs,
  LIKENESS_STRATEGIES,
  LIKENESS_STRATEGY_NAMES,
  type LikenessStrategy,
} from './likeness.ts';
import { cursor, pageSize } from './parameters.ts';
import type { Instant } from './record.ts';
import type { Count, FeedCursor, Month, NiceClass, PageCursor, Positive, RegisterCode, Text, Uid } from './values.ts';

export const WATCH_KINDS = ['search', 'records', 'owners', 'similar'] as const;
/** What is watched. */
export type WatchKind = (typeof WATCH_KINDS)[number];

/** What happened to a record: it begins to match, changes while matching, or stops matching. */
export type HitEvent = 'begins' | 'changes' | 'stops';

/** Live watches of a customer. */
export const WATCHES_MAX = 10_000;
/** Records or owners of one watch. */
export const WATCH_ITEMS_MAX = 10_000;
/** Records and owners of all live watches of a customer. */
export const WATCH_ITEMS_TOTAL_MAX = 1_000_000;
/** Length of the name of a watch, in Unicode code points. */
export const WATCH_NAME_MAX = 200;
/** Length of the customer's own reference on a watch, in Unicode code points. */
export const WATCH_REFERENCE_MAX = 100;
/** Length of a listed owner, in Unicode code points. */
export const WATCH_OWNER_MAX = 500;
/** They compare two names alone. The others rank a name among all, and a publish has no such order. */
export const WATCH_STRATEGIES = LIKENESS_STRATEGY_NAMES.filter(
  (name): name is WatchStrategy => name !== 'word' && name !== 'letters',
);
/** @values WATCH_STRATEGIES */
export type WatchStrategy = Exclude<LikenessStrategy, 'word' | 'letters'>;
/** Unless others are chosen: those that find names that are near or nearer. */
export const WATCH_STRATEGIES_DEFAULT = WATCH_STRATEGIES.filter((name) =>
  ['identical', 'near'].includes(LIKENESS_STRATEGIES[name].tier),
);

/** What `strategies` of a watch takes: strategies, and the texts that are compared. */
export const WATCH_CHOICES: readonly (WatchStrategy | HeldAs)[] = [...WATCH_STRATEGIES, ...HELD_AS_NAMES];

/** The form of a watch's id. */
export const WATCH_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Longest accepted body of a request, in bytes. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

const WATCHES_PAGE_MAX = 500;
export const WATCHES_PAGE_DEFAULT = 100;
export const HITS_PAGE_MAX = 500;
export const HITS_PAGE_DEFAULT = 100;

export const WATCH_ENDPOINTS = {
  watches: {
    path: '/v1/watches',
    parameters: { cursor, limit: pageSize(WATCHES_PAGE_MAX, WATCHES_PAGE_DEFAULT) },
    required: [],
    metered: true,
  },
  watch: { path: '/v1/watches/{watch}', parameters: {}, required: [], metered: true },
  put_watch: {
    method: 'PUT',
    path: '/v1/watches/{watch}',
    parameters: {},
    required: [],
    body: 'WatchInput',
    metered: true,
  },
  end_watch: { method: 'DELETE', path: '/v1/watches/{watch}', parameters: {}, required: [], metered: true },
  watch_hits: {
    path: '/v1/watches/{watch}/hits',
    parameters: {
      since: {
        value: { form: 'instant' },
        filter: false,
        description: 'Required. Hits with stamps at or after this instant.',
        example: '2026-01-01T00:00:00Z',
      },
      cursor,
      limit: pageSize(HITS_PAGE_MAX, HITS_PAGE_DEFAULT),
    },
    required: ['since'],
    metered: true,
  },
  watch_diagnosis: {
    path: '/v1/watches/{watch}/diagnosis',
    parameters: {
      jurisdiction_code: {
        value: { form: 'text' },
        filter: false,
        description: 'Required. Register code of the record.',
        example: 'EM',
      },
      uid: {
        value: { form: 'text' },
        filter: false,
        description: 'Required. Identity of the record within the register.',
        example: 'EM500000018229854',
      },
    },
    required: ['jurisdiction_code', 'uid'],
    metered: true,
  },
} as const;

/** A record by its identity. It may not exist yet. */
export interface RecordIdentity {
  /** @minLength 1 */
  readonly jurisdiction_code: RegisterCode;
  /** @minLength 1 */
  readonly uid: Uid;
}

/** @minLength 1 @maxLength WATCH_OWNER_MAX */
type WatchedOwner = string;

/** A watch: exactly one of `search`, `records`, `owners` and `similar`. @schema @closed */
export interface WatchInput {
  /** For people. @minLength 1 @maxLength WATCH_NAME_MAX */
  readonly name: string;
  /**
   * Your own, such as the number of a matter: hits, messages to webhooks and files repeat it.
   * @minLength 1
   * @maxLength WATCH_REFERENCE_MAX
   */
  readonly reference?: string | null;
  /** The query string of a search, such as `jurisdiction=US&owner_name=acme`. */
  readonly search?: string;
  /** Records by their identities. @minItems 1 @maxItems WATCH_ITEMS_MAX */
  readonly records?: readonly RecordIdentity[];
  /** Names, compared like `owner_name` of a search. @minItems 1 @maxItems WATCH_ITEMS_MAX */
  readonly owners?: readonly WatchedOwner[];
  readonly similar?: SimilarInput;
}

/** A mark; the watch is hit by records with names that are alike. @closed */
export interface SimilarInput {
  /** The text of the mark. @minLength 1 @maxLength LIKENESS_MARK_MAX */
  readonly mark: string;
  /**
   * In which ways names are alike; if none is named: {@link WATCH_STRATEGIES_DEFAULT}. And which texts are compared; if
   * none is named, all: {@link HELD_AS_NAMES}.
   * @minItems 1
   */
  readonly strategies?: readonly (WatchStrategy | HeldAs)[];
  /** Nice classes of its goods: hits say how they relate. They leave nothing out. @minItems 1 */
  readonly classes?: readonly NiceClass[];
  /** The query string of a search, which the records have to satisfy. */
  readonly search?: string;
}

/** A watch. @schema Watch */
export interface WatchSummary {
  /** Chosen by the customer. */
  readonly id: string;
  /** For people. */
  readonly name: Text;
  /** Your own, such as the number of a matter; null: none. */
  readonly reference: string | null;
  readonly kind: WatchKind;
  /** The canonical query string of the search, or of the search for likeness; null for records and owners. */
  readonly search: string | null;
  /** How many records or owners it lists; 0 for a search. */
  readonly item_count: Count;
  /** Rises with every change, from 1. */
  readonly revision: Positive;
  /** When it was made. */
  readonly created_at: Instant;
  /** When it was last changed. */
  readonly changed_at: Instant;
  /** How far events had been matched when it was changed: later ones are matched by its current definition. */
  readonly holds_from: Instant;
  /** Null while it is live. */
  readonly ended_at: Instant | null;
}

/** One page of watches. @schema */
export interface WatchesPage {
  /** The watches. */
  readonly items: readonly WatchSummary[];
  readonly next_cursor: PageCursor;
}

export interface WatchMonth {
  readonly month: Month;
  /**
   * Events of the history, from `counted_from` on, in which a record began to match, changed while matching, or stopped
   * matching. Null for a month before it.
   */
  readonly events: Count | null;
  /** Records that match now and last changed in the month. */
  readonly last_changed: Count;
  /** Hits of the watch in the month. */
  readonly hits: Count;
}

/** A watch with everything that it lists, and what it matches. @schema */
export interface WatchDetail extends WatchSummary {
  /** Null unless it lists records. */
  readonly records: readonly RecordIdentity[] | null;
  /** In the form in which names are compared; null unless it lists owners. */
  readonly owners: readonly string[] | null;
  /** Records that match now. */
  readonly matches_now: Count;
  /** The last twelve months, the running one first. */
  readonly months: readonly WatchMonth[];
  /** Where counting starts: the first month, or later if there were too many events to check. */
  readonly counted_from: Instant;
}

/** An event of the history, and how it hits the watch. @schema WatchHit */
export interface WatchHitItem extends HistoryEvent {
  /** The record begins to match, changes while matching, or stops matching. */
  readonly event: HitEvent;
  /** Why its name is alike; null unless the watch was for likeness when it was hit. @oneOf */
  readonly likeness: HitLikeness | null;
  /** Your own reference on the watch, as it is now; null: none. */
  readonly reference: string | null;
}

/** Why its name is alike: of the version that the event created or, if it stops matching, of the one before. */
export interface HitLikeness {
  /** The name that is alike, in compared form. */
  readonly name: string;
  /** What the name is of the mark; null: the hit is older than the distinction. */
  readonly held_as: HeldAs | null;
  /** Every way in which it is alike, the nearest first. */
  readonly evidence: readonly LikenessWay[];
  /** How its classes relate; null if the watch names no classes. @oneOf */
  readonly goods: GoodsRelation | null;
}

/** One way in which it is alike. */
export interface LikenessWay {
  /** The way in which names are alike. */
  readonly strategy: WatchStrategy;
  /** In words. */
  readonly text: string;
}

/** One page of the hits of a watch, in the order of the history. @schema */
export interface WatchHitsPage {
  /** The hits. */
  readonly items: readonly WatchHitItem[];
  readonly next_cursor: FeedCursor;
}
