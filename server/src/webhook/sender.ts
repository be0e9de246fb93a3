/**
 * Sends due deliveries: notes new hits as deliveries, claims them, and makes their attempts in parallel. It decides
 * what an answer means and how many attempts run at once, to all receivers, to one, and for one customer. Invariants: a
 * delivery that was not answered with success is retried; only a receiver's own deliveries wait for it; a test event
 * has one attempt and changes nothing of its webhook; an error of the database costs one round.
 */

import type { WebhookOffReason } from '@tmds/contract/webhooks';
import type { Clock } from '../base/clock.ts';
import { failureForLog } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { runRounds, startRounds } from '../base/rounds.ts';
import type { Database } from '../database/driver/db.ts';
import { type AuditEntry, insertAudit } from '../store/accounts/customers.ts';
import { holdDuty } from '../store/duties/duties.ts';
import { JOBS } from '../store/duties/jobs.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  endDelivery,
  noteFailedDelivery,
  noteHits,
  releaseDelivery,
} from '../store/webhooks/deliveries.ts';
import { type ClaimedTest, claimTests, endTest, releaseTest } from '../store/webhooks/tests.ts';
import { signMessage, writeBody, writeTestBody } from './message.ts';
import { ANSWER_MS_MAX, type PostedAnswer, post, type Resolve } from './post.ts';
import type { SecretBox } from './secrets.ts';
import type { PrivateTargets } from './target.ts';

export interface SenderOptions {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly privateTargets: PrivateTargets;
  readonly resolve: Resolve;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of this program, sent to receivers. */
  readonly version: string;
}

/** `delivered`, `refused`: answered with another status, `unreached`: not answered. */
export type AttemptOutcome = 'delivered' | 'refused' | 'unreached';

/** Counts of this process, since it started. */
export interface SenderState {
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  readonly sending: number;
}

export interface Sender {
  /** Notes new hits and starts due attempts. Rejects if the database does not answer. */
  round(): Promise<void>;
  /** Resolves when nothing is being sent. */
  settled(): Promise<void>;
  /** Abandons the attempts under way, which are retried later. */
  stop(): Promise<void>;
  state(): SenderState;
}

const SENDING_MAX = 32;
const PER_HOST_MAX = 4;
const PER_CUSTOMER_MAX = 8;
/** An attempt has ended by then; if it has not, because the process ended, it is repeated. */
export const LEASE_SECONDS = (2 * ANSWER_MS_MAX) / 1000;
/** 10 seconds, 20, 40 … up to six hours; three days have 22 attempts. */
const PATIENCE = { firstPauseSeconds: 10, pauseSecondsMax: 6 * 3600, trySeconds: 3 * 86_400 };
/** The status of a receiver that wants no more messages. */
const GONE = 410;

export function buildSender(options: SenderOptions): Sender {
  const { clock, database, log, random } = options;
  const attempts: Record<AttemptOutcome, number> = { delivered: 0, refused: 0, unreached: 0 };
  const sending = new Map<Addressed, Promise<void>>();
  const ending = new AbortController();
  let filling: Promise<void> | null = null;
  /** Whether an attempt ended after the last claim was made, which then did not count on the free place. */
  let isFreedSince = false;
  /** Whether tests are claimed with the next deliveries: once a round, as customers send few. */
  let areTestsDue = false;

  const fillTests = async (): Promise<void> => {
    areTestsDue = false;
    const busy = [...sending.keys()];
    const askedMs = clock.monotonicMs();
    const claimed = await claimTests(database, {
      limit: SENDING_MAX - busy.length,
      fullHosts: listFull(
        busy.map(({ host }) => host),
        PER_HOST_MAX,
      ),
      fullCustomers: listFull(
        busy.map(({ customer_id }) => customer_id),
        PER_CUSTOMER_MAX,
      ),
    });
    // As with deliveries; the page says that such a test was lost.
    if (clock.monotonicMs() - askedMs > ANSWER_MS_MAX) return;
    for (const test of claimed) start(test, () => attemptTest(test));
  };
  const fillOnce = async (): Promise<void> => {
    for (let limit = SENDING_MAX - sending.size; limit > 0 && !ending.signal.aborted; ) {
      const busy = [...sending.keys()];
      const askedMs = clock.monotonicMs();
      const claimed = await claimDeliveries(database, {
        limit,
        perHostMax: PER_HOST_MAX,
        perCustomerMax: PER_CUSTOMER_MAX,
        busyHosts: busy.map(({ host }) => host),
        busyCustomers: busy.map(({ customer_id }) => customer_id),
        leaseSeconds: LEASE_SECONDS,
      });
      // A process that was paused may have learnt of its claims after others have taken them over.
      if (clock.monotonicMs() - askedMs > ANSWER_MS_MAX) return;
      for (const delivery of claimed) start(delivery, () => attempt(delivery));
      if (claimed.length === 0) return;
      limit = SENDING_MAX - sending.size;
    }
  };
  const fillAll = async (): Promise<void> => {
    do {
      isFreedSince = false;
      if (areTestsDue && sending.size < SENDING_MAX) await fillTests();
      await fillOnce();
    } while (isFreedSince);
  };
  const fill = (): Promise<void> => {
    isFreedSince = true;
    filling ??= fillAll().finally(() => {
      filling = null;
    });
    return filling;
  };
  const start = (claimed: Addressed, attemptIt: () => Promise<void>): void => {
    const work = attemptIt()
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.warn({ ...failureForLog(error), webhook: claimed.webhook_id }, NOT_NOTED);
      })
      .then(() => {
        sending.delete(claimed);
        // The next round reports an unavailable database.
        return fill().catch(() => undefined);
      });
    sending.set(claimed, work);
  };
  const attemptTest = async (test: ClaimedTest): Promise<void> => {
    const message = { id: test.test_id, body: writeTestBody(test.created_at) };
    const answer = await transmit(test, message, options, ending.signal);
    if (ending.signal.aborted && answer.status === null) return await releaseTest(database, test.test_id);
    const failure = judge(answer) === 'delivered' ? null : explain(answer);
    await endTest(database, test.test_id, { ...answer, failure });
    log.debug({ webhook: test.webhook_id, status: answer.status }, 'a test event was sent to a webhook');
  };
  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const answer = await deliver(delivery, options, ending.signal);
    if (ending.signal.aborted && answer.status === null) return await releaseDelivery(database, delivery);
    const outcome = judge(answer);
    attempts[outcome] += 1;
    const about = { webhook: delivery.webhook_id, delivery: delivery.delivery_id, attempts: delivery.attempts };
    const end = { ...answer, failure: outcome === 'delivered' ? null : explain(answer) };
    if (outcome === 'delivered') {
      await endDelivery(database, delivery, end);
      return log.debug({ ...about, status: end.status }, 'a webhook took a delivery');
    }
    const failed = { answer: end, isGone: answer.status === GONE };
    const patience = { ...PATIENCE, spread: 0.8 + 0.4 * random() };
    const off = await database.transaction(async (tx) => {
      const reason = await noteFailedDelivery(tx, delivery, failed, patience);
      if (reason !== null) await insertAudit(tx, auditOff(delivery, reason));
      return reason;
    });
    if (off === null)
      return log.info({ ...about, failure: end.failure }, 'a delivery to a webhook failed; tried again');
    log.warn({ ...about, failure: end.failure, reason: off }, 'a webhook was switched off');
  };
  return {
    round: async () => {
      while (!ending.signal.aborted && (await noteHits(database)));
      areTestsDue = true;
      await fill();
    },
    settled: async () => {
      while (sending.size > 0 || filling !== null) await Promise.all([filling, ...sending.values()]);
    },
    stop: async () => {
      ending.abort();
      await Promise.all([filling?.catch(() => undefined), ...sending.values()]);
    },
    state: () => ({ attempts: { ...attempts }, sending: sending.size }),
  };
}

function auditOff({ webhook_id, customer_id }: ClaimedDelivery, reason: WebhookOffReason): AuditEntry {
  const change = { webhook: webhook_id, reason: OFF_REASONS[reason] };
  return { actor: 'service', action: 'webhook.off', customer_id, key_id: null, change };
}

/** In the words of the activity page. */
const OFF_REASONS: Readonly<Record<WebhookOffReason, string>> = {
  customer: 'the customer wants it',
  gone: 'the receiver answered 410',
  failed: 'nothing was taken for three days',
};

const NOT_NOTED = 'how a delivery to a webhook ended could not be noted; it is made again';

/** What is being sent, as far as the bounds are concerned. */
type Addressed = Pick<ClaimedDelivery, 'webhook_id' | 'host' | 'customer_id'>;

/** Those of the list that are in it as often as may be. */
function listFull(names: readonly string[], max: number): string[] {
  return [...new Set(names)].filter((name) => names.filter((each) => each === name).length >= max);
}

function deliver(delivery: ClaimedDelivery, options: SenderOptions, signal: AbortSignal): Promise<PostedAnswer> {
  const { delivery_id, created_at, watch, reference, after } = delivery;
  const message = { id: delivery_id, body: writeBody({ createdAt: created_at, watch, reference, after }) };
  return transmit(delivery, message, options, signal);
}

type Receiver = Pick<ClaimedDelivery, 'webhook_id' | 'url' | 'secret' | 'former_secret'>;

/** One attempt, signed by every secret that signs now. */
async function transmit(
  { webhook_id, url, secret, former_secret }: Receiver,
  { id, body }: { readonly id: string; readonly body: string },
  options: SenderOptions,
  signal: AbortSignal,
): Promise<PostedAnswer> {
  const { clock, secrets, version } = options;
  const sealed = [secret, former_secret].filter((each) => each !== null);
  const opened = await Promise.allSettled(sealed.map((each) => secrets.open(webhook_id, each)));
  const keys = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (opened[0]?.status !== 'fulfilled') return { status: null, bytes: 0, durationMs: 0, failure: UNSIGNED };
  const headers = {
    ...signMessage({ deliveryId: id, body }, keys, clock.nowMs()),
    'user-agent': `tmds/${version}`,
  };
  return await post({ url, headers, body }, { ...options, signal });
}

const UNSIGNED = 'It could not be signed: rotate the secret of this webhook.';

function judge({ status }: PostedAnswer): AttemptOutcome {
  if (status === null) return 'unreached';
  return status >= 200 && status < 300 ? 'delivered' : 'refused';
}

function explain({ status, failure }: PostedAnswer): string {
  if (status === null) return failure ?? 'The request failed.';
  if (status === GONE) return 'It answered 410: it wants no more messages.';
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed.`;
  return `It answered ${status}.`;
}

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
