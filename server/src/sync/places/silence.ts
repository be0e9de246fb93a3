/** Ends operations that wait for a server that has fallen silent. */
import type { Clock } from '../../base/clock.ts';
import { PassingFailure, SILENCE_MS } from './place.ts';

export interface SilenceWatch {
  readonly signal: AbortSignal;
  /** The server has said something. */
  heard(): void;
  stop(): void;
}

/** Aborts its signal with a `PassingFailure` after a minute of silence, or when `outer` is aborted. */
export function watchSilence(clock: Clock, outer: AbortSignal, whom: string): SilenceWatch {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const onOuter = (): void => controller.abort(outer.reason);
  const start = (): void => {
    cancel = clock.callAfter(SILENCE_MS, () => {
      controller.abort(new PassingFailure(`${whom} has sent nothing for ${SILENCE_MS / 1000} s`));
    });
  };
  if (outer.aborted) onOuter();
  outer.addEventListener('abort', onOuter, { once: true });
  start();
  return {
    signal: controller.signal,
    heard() {
      cancel();
      if (!controller.signal.aborted) start();
    },
    stop() {
      cancel();
      outer.removeEventListener('abort', onOuter);
    },
  };
}
