/**
 * The last stamp as a page has recently read it, for the pages of other searches. To a search that began before the
 * statement was sent, it proves as much as a stamp that the search reads itself (docs/search.md). It knows neither
 * searches nor statements, only which came first.
 * Invariant: nobody gets a stamp from a statement that was sent before they began (rule I-41).
 */
import type { Instant } from '@tmds/contract/record';

/** A position in the order of beginnings and sent statements. */
export type Moment = number & { readonly is: 'moment' };

export class LastStamps {
  private latest = 0;
  private sent = 0;
  private stamp: Instant | null = null;

  /** Later than every one before it. */
  mark(): Moment {
    this.latest += 1;
    return this.latest as Moment;
  }

  /** A statement that was sent at this moment or later has read the stamp. */
  note(sent: Moment, stamp: Instant): void {
    // The earlier of two statements that run in parallel may be answered last.
    if (sent < this.sent) return;
    this.sent = sent;
    this.stamp = stamp;
  }

  /** The last stamp at some moment after this one; null if no statement has been sent since and answered. */
  findSince(begun: Moment): Instant | null {
    return this.sent > begun ? this.stamp : null;
  }
}
