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

export const WATCH_KINDS = ['search', 'records', 'owners', 'similar'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

/** What happened to a record: it begins to match, changes while matching, or stops matching. */
export const HIT_EVENTS = ['begins', 'changes', 'stops'] as const;
export type HitEvent = (typeof HIT_EVENTS)[number];

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

/** What a customer sends to create or change a watch: exactly one of `search`, `records`, `owners` and `similar`. */
export interface WatchInput {
  readonly name: string;
  /** The customer's own, such as the number of a matter; hits, messages and files repeat it. Null or left out: none. */
  readonly reference?: string | null;
  /** The query string of a search, such as `jurisdiction=US&owner_name=acme`. */
  readonly search?: string;
  readonly records?: readonly { readonly jurisdiction_code: string; readonly uid: string }[];
  /** Names, compared like `owner_name` of a search. */
  readonly owners?: readonly string[];
  readonly similar?: SimilarInput;
}

/** A mark; the watch is hit by records with names that are alike. */
export interface SimilarInput {
  readonly mark: string;
  /** Default: `WATCH_STRATEGIES_DEFAULT`, and all texts. */
  readonly strategies?: readonly (WatchStrategy | HeldAs)[];
  /** Classes of the goods of the mark: hits say how their classes relate to these. They leave nothing out. */
  readonly classes?: readonly number[];
  /** The query string of a search, which the records have to satisfy. */
  readonly search?: string;
}

export interface WatchSummary {
  readonly id: string;
  readonly name: string;
  /** The customer's own; null: none. */
  readonly reference: string | null;
  readonly kind: WatchKind;
  /** The canonical query string, of a search or of a search for likeness; null for records and owners. */
  readonly search: string | null;
  /** How many records or owners it lists; 0 for a search. */
  readonly item_count: number;
  /** Rises with every change, from 1. */
  readonly revision: number;
  readonly created_at: Instant;
  readonly changed_at: Instant;
  /** How far events had been matched when it was changed: later ones are matched by its current definition. */
  readonly holds_from: Instant;
  /** Null while it is live. */
  readonly ended_at: Instant | null;
}

export interface WatchMonth {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  /**
   * Events of the history in which a record began to match, changed while matching, or stopped matching, with stamps of
   * the month from `counted_from` on. Null for a month before it.
   */
  readonly events: number | null;
  /** Records that match now, by the month of their last change. */
  readonly last_changed: number;
  /** Hits of this watch with stamps of the month. */
  readonly hits: number;
}

export interface WatchDetail extends WatchSummary {
  /** Null unless it is a watch of records. */
  readonly records: readonly { readonly jurisdiction_code: string; readonly uid: string }[] | null;
  /** In compared form; null unless it is a watch of owners. */
  readonly owners: readonly string[] | null;
  /** Records that match now. */
  readonly matches_now: number;
  /** The last twelve months, the running one first. */
  readonly months: readonly WatchMonth[];
  /** Where counting starts: at the start of the first month, or later if there were too many events to check. */
  readonly counted_from: Instant;
}

export interface WatchesPage {
  readonly items: readonly WatchSummary[];
  readonly next_cursor: string | null;
}

/** An event of the history, and how it hits the watch. */
export interface WatchHitItem extends HistoryEvent {
  readonly event: HitEvent;
  /** Why its name is alike; null unless the watch was for likeness when it was hit. */
  readonly likeness: HitLikeness | null;
  /** The customer's own reference on the watch, as it is when the hit is read; null: none. */
  readonly reference: string | null;
}

/** Why a name is alike: of the version that the event created or, if the record stops matching, of the one before. */
export interface HitLikeness {
  /** The name that is alike, in compared form. */
  readonly name: string;
  /** What the name is of the mark; null: the hit is older than the distinction. */
  readonly held_as: HeldAs | null;
  /** Nearest first, each in words. */
  readonly evidence: readonly { readonly strategy: WatchStrategy; readonly text: string }[];
  /** Null if the watch names no classes. */
  readonly goods: GoodsRelation | null;
}

export interface WatchHitsPage {
  readonly items: readonly WatchHitItem[];
  /** A durable position: keep the latest one. Null only on an empty page, which means caught up. */
  readonly next_cursor: string | null;
}
