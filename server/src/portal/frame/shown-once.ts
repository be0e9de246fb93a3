/**
 * Secrets that are shown once, on the page after the form that created them: keys and invitation links. Between the two
 * requests the text is stored encrypted, with a key derived from the session's token. The database has only the token's
 * digest, so it cannot decrypt what it stores. Reading the text removes it.
 */
import { type SealUse, seal, unseal } from '../../access/seal.ts';
import { digestText } from '../../access/secret.ts';
import { takeReveal, upsertReveal } from '../../store/accounts/portal-forms.ts';
import type { Queryable } from '../../store/driver/db.ts';

/** From one page to the next; browsers follow the redirect at once. */
const SECRET_SECONDS = 300;

const sealOf = (token: string, subject: string): SealUse => ({ from: token, use: 'portal reveal', subject });

/** A new key or link, and what its page says about it. */
export interface ShownSecret {
  readonly title: string;
  readonly text: string;
  /** When the link, or the replaced text of the key, stops working; null when nothing does. */
  readonly until: string | null;
}

export async function keepSecret(
  db: Queryable,
  { token, subject }: { token: string; subject: string },
  revealed: ShownSecret,
): Promise<void> {
  const sealed = seal(sealOf(token, subject), JSON.stringify(revealed));
  await upsertReveal(db, { session_digest: digestText(token), subject, sealed, valid_seconds: SECRET_SECONDS });
}

/** Null when it has been shown already or has expired. */
export async function takeSecret(
  db: Queryable,
  { token, subject }: { token: string; subject: string },
): Promise<ShownSecret | null> {
  const sealed = await takeReveal(db, digestText(token), subject);
  return sealed === null ? null : (JSON.parse(unseal(sealOf(token, subject), sealed)) as ShownSecret);
}
