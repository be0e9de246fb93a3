/**
 * A store of objects: bytes under names that never change. It does not know what the objects mean, nor how their server
 * is reached.
 */
import { NoAnswer } from '../base/no-answer.ts';

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** When it was last written, by the clock of the store; milliseconds since the Unix epoch. */
  readonly writtenMs: number;
}

/** Every call is bounded in time, and tried again within it (`patience.ts`). Throws `ObjectStoreAway`. */
export interface ObjectStore {
  /** The store's place, for people; without secrets. */
  readonly place: string;
  /** Writes an object, or the same bytes again. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null if there is no such object. */
  get(name: string, bytesMax: number): Promise<Buffer | null>;
  /** Names without an object are skipped. */
  delete(names: readonly string[]): Promise<void>;
  /** All objects whose names begin with the prefix, in pages of at most 1,000. */
  list(prefix: string): AsyncIterable<readonly StoredObject[]>;
  /**
   * The same store for one call whose caller waits for the answer. If the store is silent, the call fails within three
   * seconds, for any number of objects. `signal`: the caller has gone.
   */
  forCall(signal?: AbortSignal): ObjectStore;
  close(): void;
}

/** Calls to the store that run at the same time in one process. */
export const OBJECTS_AT_ONCE = 32;

/** The store of objects does not answer, refuses, or holds something other than it should. */
export class ObjectStoreAway extends NoAnswer {
  /** `seen`: what happened, for the log. */
  constructor(seen: string, cause?: unknown) {
    super('payloads_away', { cause: new Error(seen, { cause }) });
  }

  /** What happened, for operators. */
  get seen(): string {
    return (this.cause as Error).message;
  }
}
