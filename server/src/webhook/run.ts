/** Sends while the process runs, if no other process does: one round after the other, in parallel with serving. */
import { failureForLog } from '../base/errors.ts';
import { runRounds, startRounds } from '../base/rounds.ts';
import { holdDuty } from '../store/duties/duties.ts';
import { JOBS } from '../store/duties/jobs.ts';
import { buildSender, type SenderOptions, type SenderState } from './sender.ts';

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
  const send = async (): Promise<number> => {
    await sender.round();
    return JOBS.webhooks.everyMs;
  };
  const rounds = startRounds(clock, async (signal) => {
    await holdDuty(database, 'webhooks', ({ isHeld }) => runRounds(clock, signal, send, isHeld)).catch(
      (error: unknown) => {
        if (!signal.aborted) log.warn(failureForLog(error), 'webhooks could not be checked; retried in seconds');
      },
    );
    return WAIT_MS;
  });
  return {
    state: () => sender.state(),
    stop: async () => {
      const ended = rounds.stop();
      await sender.stop();
      await ended;
    },
  };
}
