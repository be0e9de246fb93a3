/**
 * Whether anybody still waits for an answer: what the call makes the database do ends when its caller goes away (rule
 * I-35). A signal costs microseconds, so it is made only when it is asked for.
 */
import type { ServerResponse } from 'node:http';
import { apiError } from '../base/errors.ts';

export interface Audience {
  /** Aborted when the caller goes away before the answer is whole. */
  readonly signal: AbortSignal;
  /** Calls `act` when the caller goes away before the answer is whole; cheaper than the signal. */
  onGone(act: (reason: unknown) => void): void;
}

type Response = Pick<ServerResponse, 'once' | 'writableFinished' | 'destroyed'>;

export function watchAudience(response: Response): Audience {
  let controller: AbortController | undefined;
  const onGone = (act: (reason: unknown) => void): void => {
    if (response.destroyed && !response.writableFinished) act(callerGone());
    else {
      response.once('close', () => {
        if (!response.writableFinished) act(callerGone());
      });
    }
  };
  return {
    onGone,
    get signal() {
      if (controller === undefined) {
        const made = new AbortController();
        controller = made;
        onGone((reason) => made.abort(reason));
      }
      return controller.signal;
    },
  };
}

/** Nobody reads it; the unit of the call goes back. */
function callerGone(): Error {
  return apiError('unavailable', 'The caller went away before the answer.');
}
