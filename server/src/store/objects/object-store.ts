/**
 * A store of objects: bytes under names that never change. What it holds, and how its server is spoken to, is known
 * elsewhere.
 */
import { ApiError } from '../../base/errors.ts';

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** When it was last written, by the clock of the store; milliseconds since the Unix epoch. */
  readonly writtenMs: number;
}

/** Every call is bounded in time, and tried again within it (`patience.ts`). Throws `ObjectStoreAway`. */
export interface ObjectStore {
  /** Where it is, for people; without secrets. */
  readonly place: string;
  /** Writes an object, or the same bytes again. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null if there is no such object. */
  get(name: string, bytesMax: number): Promise<Buffer | null>;
  /** Names without an object are passed over. */
  delete(names: readonly string[]): Promise<void>;
  /** All objects whose name begins so, in pages of at most 1,000. */
  list(prefix: string): AsyncIterable<readonly StoredObject[]>;
  /**
   * The same store for one call of somebody who waits for its answer: it is told within three seconds if the store is
   * silent, however many objects it needs. `signal`: they have gone.
   */
  forCall(signal?: AbortSignal): ObjectStore;
  close(): void;
}

/** Calls to the store that run at once, in one process. */
export const OBJECTS_AT_ONCE = 32;

const AWAY = 'Payloads are not available at the moment. Try again shortly.';

/** The store of objects does not answer, refuses, or holds something else than it should; answered with 503. */
export class ObjectStoreAway extends ApiError {
  /** `seen`: what happened, for the log. */
  constructor(seen: string, cause?: unknown) {
    super('unavailable', AWAY, { cause: new Error(seen, { cause }) });
  }

  /** What happened, for operators. */
  get seen(): string {
    return (this.cause as Error).message;
  }
}
