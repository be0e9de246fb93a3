/** The messages between the main thread and the thread that matches watches. */

export interface MatcherData {
  /** Address of the database; an order `moved` changes it. */
  readonly url: string;
}

/** From the main thread. */
export type MatcherOrder = { readonly kind: 'moved'; readonly url: string } | { readonly kind: 'close' };

/** To the main thread: a line of the log. */
export interface MatcherReport {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly about: object;
}
