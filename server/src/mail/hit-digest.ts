/**
 * Sends a digest a day to the people who asked for one: how many hits each watch had, and where to read them. It
 * reveals nothing about a record. Any number of processes may check; each digest is sent by one of them. A mail whose
 * answer is lost is sent again, under the same message id.
 */
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import {
  type ClaimedDigest,
  claimDigests,
  countHits,
  endDigest,
  noteFailedDigest,
  type WatchCount,
} from '../store/webhooks/digests.ts';
import type { Mailer, MailMessage } from './mailer.ts';

export interface DigestOptions {
  readonly database: Queryable;
  readonly mailer: Mailer;
  /** Where browsers reach the portal, such as `https://api.example`; null = the mail has no link. */
  readonly publicUrl: string | null;
  readonly log: Log;
}

const DIGESTS_AT_ONCE = 20;
/** One minute, two, four … up to six hours: sixteen attempts take three days. */
const PAUSES = { firstPauseSeconds: 60, pauseSecondsMax: 6 * 3600 };
const ATTEMPTS_MAX = 20;
/** Maximum watches in one mail. */
const WATCHES_MAX = 50;

/** One check: sends the digests that are due. */
export async function sendHitDigests(options: DigestOptions): Promise<void> {
  const { database } = options;
  for (;;) {
    const digests = await claimDigests(database, { limit: DIGESTS_AT_ONCE, ...PAUSES });
    for (const digest of digests) await attempt(digest, options);
    if (digests.length < DIGESTS_AT_ONCE) return;
  }
}

async function attempt(digest: ClaimedDigest, { database, mailer, publicUrl, log }: DigestOptions): Promise<void> {
  const counts = await countHits(database, digest, WATCHES_MAX + 1);
  if (counts.length === 0) return await endDigest(database, digest, 'empty');
  try {
    await mailer.send(writeDigest(digest, counts, publicUrl));
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const isLast = digest.attempts >= ATTEMPTS_MAX;
    await noteFailedDigest(database, digest, { failure, isLast });
    const next = isLast ? 'the next one covers it' : 'tried again later';
    return log.warn({ user_id: digest.user_id, attempts: digest.attempts, failure }, `a digest was not sent; ${next}`);
  }
  await endDigest(database, digest, 'sent');
  log.info({ user_id: digest.user_id, watches: counts.length }, 'a digest was sent');
}

/** Always one line, whatever characters a name holds. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim();

function writeDigest(digest: ClaimedDigest, counts: readonly WatchCount[], publicUrl: string | null): MailMessage {
  const { user_id, email, customer_name, covered_through, sending_through } = digest;
  const shown = counts.slice(0, WATCHES_MAX);
  const isWhole = shown.length === counts.length;
  const watches = `${isWhole ? '' : 'more than '}${shown.length} ${shown.length === 1 ? 'watch' : 'watches'}`;
  return {
    to: [email],
    subject: `Hits of ${watches}`,
    text: [
      `From ${sayInstant(covered_through)} to ${sayInstant(sending_through)}:`,
      '',
      ...shown.map(describeCount),
      ...(isWhole ? [] : ['… and further watches.']),
      '',
      ...(publicUrl === null ? [] : [`${publicUrl}/portal/watches`, '']),
      `You get this mail because you asked for a daily digest of the watches of ${oneLine(customer_name)}.`,
      'You can switch it off in the portal, on the page of your account.',
      '',
    ].join('\n'),
    messageId: `<digest-${user_id}-${sending_through.replace(/\D/g, '')}@trademark-data-service>`,
  };
}

function describeCount({ watch, name, reference, begins, changes, stops }: WatchCount): string {
  const parts = [
    [begins, 'began to match'],
    [changes, 'changed'],
    [stops, 'stopped matching'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString('en')} ${words}`);
  const own = reference === null ? '' : `, your reference ${oneLine(reference)}`;
  return `${oneLine(name)} (${watch}${own}): ${said.join(', ')}`;
}

const sayInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
