/**
 * Forms that were submitted, and texts that are shown once. It neither validates forms nor decrypts texts. Invariants:
 * a form submitted several times takes effect once; a text can be taken once.
 */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

export interface FormSent {
  readonly token_digest: Buffer;
  readonly content_digest: Buffer;
  readonly valid_seconds: number;
}

export interface FormDone {
  content_digest: Buffer;
  led_to: string;
}

/**
 * Null for the first submission, which then takes effect in this transaction; else the outcome of the first. Waits for
 * a submission in progress.
 */
export async function claimForm(tx: Transaction, form: FormSent): Promise<FormDone | null> {
  const claimed = await tx.query(sql`
    insert into portal_form (token_digest, content_digest, expires_at)
    values (${form.token_digest}, ${form.content_digest}, now() + make_interval(secs => ${form.valid_seconds}::float8))
    on conflict do nothing returning token_digest`);
  if (claimed.length > 0) return null;
  return findForm(tx, form.token_digest);
}

async function findForm(db: Queryable, tokenDigest: Buffer): Promise<FormDone | null> {
  const [done] = await db.query<FormDone>(sql`
    select content_digest, coalesce(led_to, '/portal') as led_to from portal_form where token_digest = ${tokenDigest}`);
  return done ?? null;
}

export async function finishForm(tx: Transaction, tokenDigest: Buffer, ledTo: string): Promise<void> {
  await tx.query(sql`update portal_form set led_to = ${ledTo} where token_digest = ${tokenDigest}`);
}

export interface SealedText {
  readonly session_digest: Buffer;
  /** Identifies what the text belongs to. */
  readonly subject: string;
  readonly sealed: Buffer;
  readonly valid_seconds: number;
}

/** Replaces an earlier text of the same session and subject. False if the session has ended. */
export async function upsertReveal(db: Queryable, text: SealedText): Promise<boolean> {
  const kept = await db.query(sql`
    insert into portal_reveal (session_digest, subject, sealed, expires_at)
    select token_digest, ${text.subject}, ${text.sealed}::bytea,
      now() + make_interval(secs => ${text.valid_seconds}::float8)
    from portal_session where token_digest = ${text.session_digest} for key share
    on conflict (session_digest, subject) do update set sealed = excluded.sealed, expires_at = excluded.expires_at
    returning subject`);
  return kept.length > 0;
}

/** Resolves to the text once; null afterwards, and when it has expired. */
export async function takeReveal(db: Queryable, sessionDigest: Buffer, subject: string): Promise<Buffer | null> {
  const [taken] = await db.query<{ sealed: Buffer; live: boolean }>(sql`
    delete from portal_reveal where session_digest = ${sessionDigest} and subject = ${subject}
    returning sealed, expires_at > now() as live`);
  return taken?.live === true ? taken.sealed : null;
}
