/**
 * Mail that is due, of every kind. Any number of processes may check; each mail is sent by one of them. A mail whose
 * answer is lost is sent again, under the same message id.
 */
import type { Log } from '../base/log.ts';
import type { Queryable } from '../database/driver/db.ts';
import type { Mailer, MailMessage } from './mailer.ts';

export interface MailOptions {
  readonly database: Queryable;
  readonly mailer: Mailer;
  /** Where browsers reach the portal, such as `https://api.example`; null = the mail has no link. */
  readonly publicUrl: string | null;
  readonly log: Log;
}

const CLAIMED_AT_ONCE = 20;
/** One minute, two, four … up to six hours: sixteen attempts take three days. */
const PAUSES = { firstPauseSeconds: 60, pauseSecondsMax: 6 * 3600 };
const ATTEMPTS_MAX = 20;

interface Claimed {
  readonly attempts: number;
}

export interface MailKind<Item extends Claimed, Message extends MailMessage = MailMessage> {
  /** As the log says it, such as `a digest`. */
  readonly name: string;
  /** What happens after the last attempt, as the log says it. */
  readonly afterLast: string;
  readonly claim: (at: typeof PAUSES & { readonly limit: number }) => Promise<readonly Item[]>;
  /** Null if there is nothing to send, which it has noted then. A rejection is a failed attempt. */
  readonly write: (item: Item) => Promise<Message | null>;
  /** `failure`: null after it was sent. */
  readonly note: (item: Item, outcome: { readonly failure: string | null; readonly isLast: boolean }) => Promise<void>;
  /** What identifies it in the log, and once it was sent. */
  readonly about: (item: Item, sent: Message | null) => Readonly<Record<string, unknown>>;
}

/** One check: sends everything that is due. */
export async function sendDue<Item extends Claimed, Message extends MailMessage = MailMessage>(
  kind: MailKind<Item, Message>,
  options: Pick<MailOptions, 'mailer' | 'log'>,
): Promise<void> {
  for (;;) {
    const items = await kind.claim({ limit: CLAIMED_AT_ONCE, ...PAUSES });
    for (const item of items) await attempt(kind, item, options);
    if (items.length < CLAIMED_AT_ONCE) return;
  }
}

async function attempt<Item extends Claimed, Message extends MailMessage>(
  { name, afterLast, write, note, about }: MailKind<Item, Message>,
  item: Item,
  { mailer, log }: Pick<MailOptions, 'mailer' | 'log'>,
): Promise<void> {
  const { attempts } = item;
  let message: Message | null;
  try {
    message = await write(item);
    if (message === null) return;
    await mailer.send(message);
  } catch (error) {
    // The message of the mail server; it holds no password.
    const failure = error instanceof Error ? error.message : String(error);
    const isLast = attempts >= ATTEMPTS_MAX;
    await note(item, { failure, isLast });
    log.warn(
      { ...about(item, null), attempts, failure },
      `${name} was not sent; ${isLast ? afterLast : 'tried again later'}`,
    );
    return;
  }
  await note(item, { failure: null, isLast: true });
  log.info(about(item, message), `${name} was sent`);
}

/** Always one line, whatever characters a name holds. */
export const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim();

/** The end of a mail's text: a link to a page of the portal, if it can be reached, and why one gets it. */
export function closeMail(publicUrl: string | null, path: string, why: readonly string[]): string[] {
  return [...(publicUrl === null ? [] : [`${publicUrl}${path}`, '']), ...why, ''];
}
