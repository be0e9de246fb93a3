/** Sends while the process runs, if no other process does: one round every second, in parallel with serving. */
import { failureForLog } from '../base/errors.ts';
import { type HeldDuty, holdDuty } from '../store/duties/duties.ts';
import { buildSender, type SenderOptions, type SenderState } from './sender.ts';

const ROUND_MS = 1_000;
/** The pause before checking whether the other process has ended. */
const WAIT_MS = 5_000;

export interface WebhookRun {
  state(): SenderState;
  /** Abandons the attempts under way, which are retried later. */
  stop(): Promise<void>;
}

export function startWebhooks(options: SenderOptions): WebhookRun {
  const { database, clock, log } = options;
  const sender = buildSender(options);
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number): Promise<void> => clock.sleep(ms, signal).catch(() => undefined);
  const send = async ({ isHeld }: HeldDuty): Promise<void> => {
    while (!signal.aborted && (await isHeld())) {
      await sender.round();
      await pause(ROUND_MS);
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await holdDuty(database, 'webhooks', send).catch((error: unknown) => {
        if (!signal.aborted) log.warn(failureForLog(error), 'webhooks could not be checked; retried in seconds');
      });
      await pause(WAIT_MS);
    }
  };
  const running = run();
  return {
    state: () => sender.state(),
    stop: async () => {
      ending.abort();
      await sender.stop();
      await running;
    },
  };
}
