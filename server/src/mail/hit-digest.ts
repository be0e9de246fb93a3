/**
 * Sends a digest a day to the people who asked for one: how many hits each watch had, and where to read them. It
 * reveals nothing about a record.
 */
import {
  type ClaimedDigest,
  claimDigests,
  countHits,
  endDigest,
  noteFailedDigest,
  type WatchCount,
} from '../store/webhooks/digests.ts';
import { closeMail, type MailOptions, oneLine, sendDue } from './due-mail.ts';
import type { MailMessage } from './mailer.ts';

interface DigestMessage extends MailMessage {
  readonly watches: number;
}

/** Maximum watches in one mail. */
const WATCHES_MAX = 50;

/** One check: sends the digests that are due. */
export async function sendHitDigests(options: MailOptions): Promise<void> {
  const { database, publicUrl } = options;
  await sendDue<ClaimedDigest, DigestMessage>(
    {
      name: 'a digest',
      afterLast: 'the next one covers it',
      claim: (at) => claimDigests(database, at),
      write: async (digest) => {
        const counts = await countHits(database, digest, WATCHES_MAX + 1);
        if (counts.length > 0) return writeDigest(digest, counts, publicUrl);
        await endDigest(database, digest, 'empty');
        return null;
      },
      note: (digest, { failure, isLast }) =>
        failure === null
          ? endDigest(database, digest, 'sent')
          : noteFailedDigest(database, digest, { failure, isLast }),
      about: ({ user_id }, sent) => ({ user_id, ...(sent === null ? {} : { watches: sent.watches }) }),
    },
    options,
  );
}

function writeDigest(digest: ClaimedDigest, counts: readonly WatchCount[], publicUrl: string | null): DigestMessage {
  const { user_id, email, customer_name, covered_through, sending_through } = digest;
  const shown = counts.slice(0, WATCHES_MAX);
  const isWhole = shown.length === counts.length;
  const watches = `${isWhole ? '' : 'more than '}${shown.length} ${shown.length === 1 ? 'watch' : 'watches'}`;
  return {
    watches: counts.length,
    to: [email],
    subject: `Hits of ${watches}`,
    text: [
      `From ${sayInstant(covered_through)} to ${sayInstant(sending_through)}:`,
      '',
      ...shown.map(describeCount),
      ...(isWhole ? [] : ['… and further watches.']),
      '',
      ...closeMail(publicUrl, '/portal/watches', [
        `You get this mail because you asked for a daily digest of the watches of ${oneLine(customer_name)}.`,
        'You can switch it off in the portal, on the page of your account.',
      ]),
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
