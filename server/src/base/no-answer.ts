/**
 * Why a stage has no answer, although nothing is wrong with the program: not now, or not to this question. It knows
 * nothing of the API, whose answer to each cause is in `render/failure.ts`.
 */

/** The words are for the log and for operators. */
const CAUSES = {
  // The same call may have an answer later.
  database_away: 'the database is not available',
  /** A statement was stopped because it ran too long. */
  database_slow: 'the database took too long to answer',
  connections_taken: 'no connection to the database became free in time',
  connections_closed: 'the connections to the database are closed',
  node_away: 'a node of the database does not answer',
  publish_uncommitted: 'a publish is not committed on every node of the database yet',
  another_version: 'the schema of the database is of another version',
  payloads_away: 'the store of payloads is not available',
  verdicts_waiting: 'too many calls wait for their verdicts, or for too long',
  searches_waiting: 'too many searches wait',
  searches_closed: 'the search threads are stopping',
  search_interrupted: 'the search was interrupted',
  search_over_time: 'the search took too long',
  index_building: 'the search index is being built',
  index_behind: 'the search index has not caught up yet',
  names_unread: 'the names are being read for searches for likeness',
  index_out_of_order: 'the search index holds a record that was replaced',
  records_changing: 'the records of the page kept changing while their payloads were read',
  too_many_changed: 'more records have changed since the position than an answer lists',
  // The same call has none later either, unless something is published.
  register_not_served: 'no register of this code is served',
  no_such_record: 'the register has no such record',
  past_horizon: 'the position is later than the horizon of the change feed',
  // Nor ever.
  customer_removed: 'the customer has been removed',
} as const;

export type NoAnswerCode = keyof typeof CAUSES;

export interface NoAnswerFacts {
  /** What happened, for the log; never sent. */
  readonly cause?: unknown;
  /** How much of the search index is built; null or absent if nobody knows. */
  readonly percent?: number | null;
  /** The register that was asked for; absent where it does not matter. */
  readonly register?: string;
}

export class NoAnswer extends Error {
  readonly code: NoAnswerCode;
  readonly percent: number | null;
  readonly register: string;

  constructor(code: NoAnswerCode, { cause, percent = null, register = '' }: NoAnswerFacts = {}) {
    super(CAUSES[code], { cause });
    this.name = 'NoAnswer';
    this.code = code;
    this.percent = percent;
    this.register = register;
  }
}

/** What happened; the failure itself if it is not one of these. */
export function causeOf(failure: unknown): unknown {
  return failure instanceof NoAnswer ? failure.cause : failure;
}
