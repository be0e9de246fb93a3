/**
 * Secrets that are shown once, on the page after the form that created them, and the form that replaces one. Between
 * the two requests the text is stored encrypted, with a key derived from the session's token. The database has only the
 * token's digest, so it cannot decrypt what it stores. Reading the text removes it.
 */

import { type SealUse, seal, unseal } from '../../access/seal.ts';
import { digestText } from '../../access/secret.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { takeReveal, upsertReveal } from '../../store/accounts/portal-forms.ts';
import { PageRefusal, pageNotFound, type SignedInCall } from './call.ts';
import { choiceField } from './field-kinds.ts';
import { declareForm, type Values } from './forms.ts';

/** From one page to the next; browsers follow the redirect at once. */
const SECRET_SECONDS = 300;

/** The page's words when a text cannot be shown again. */
const LOST = {
  key: {
    title: 'The secret cannot be shown again',
    message: 'A secret is shown once, to the person who created the key. If nobody kept it, rotate the key.',
  },
  webhook: {
    title: 'The secret cannot be shown again',
    message: 'A secret is shown once, to the person who made it. If nobody kept it, rotate it.',
  },
  calendar: {
    title: 'The address cannot be shown again',
    message: 'An address is shown once, to the person who made it. If nobody kept it, revoke it and make another.',
  },
  invitation: {
    title: 'The link cannot be shown again',
    message:
      'A link is shown once, to the person who created it. A new invitation to the same address replaces this one.',
  },
} as const;

export interface SecretSubject {
  readonly kind: keyof typeof LOST;
  readonly id: string;
}

const nameOf = ({ kind, id }: SecretSubject): string => `${kind} ${id}`;

const sealOf = (token: string, subject: string): SealUse => ({ from: token, use: 'portal reveal', subject });

export interface ShownSecret {
  readonly title: string;
  readonly text: string;
  /** When the link, or the replaced text of the key, stops working; null when nothing does. */
  readonly until: string | null;
}

/** Throws PageRefusal if the session has ended in the meantime. */
export async function keepSecret(
  db: Queryable,
  { token }: Pick<SignedInCall, 'token'>,
  of: SecretSubject,
  revealed: ShownSecret,
): Promise<void> {
  const subject = nameOf(of);
  const sealed = seal(sealOf(token, subject), JSON.stringify(revealed));
  const kept = { session_digest: digestText(token), subject, sealed, valid_seconds: SECRET_SECONDS };
  if (!(await upsertReveal(db, kept))) throw pageNotFound();
}

/**
 * Throws PageRefusal when it has been shown already or has expired, and for a link on another site, which must not use
 * up the only time that it can be shown.
 *
 * @param path where the reader goes on from there
 */
export async function showSecret(
  { token, fromElsewhere }: Pick<SignedInCall, 'token' | 'fromElsewhere'>,
  db: Queryable,
  of: SecretSubject,
  path: string,
): Promise<ShownSecret> {
  const subject = nameOf(of);
  const sealed = fromElsewhere ? null : await takeReveal(db, digestText(token), subject);
  if (sealed !== null) return JSON.parse(unseal(sealOf(token, subject), sealed)) as ShownSecret;
  const { title, message } = LOST[of.kind];
  throw new PageRefusal(410, title, message, path);
}

/** How long the old secret keeps working, and when it stops. */
const GRACES = [
  { value: '0', label: 'no time', until: 'now' },
  { value: '3600', label: 'one hour', until: 'in one hour' },
  { value: '86400', label: 'one day', until: 'in one day' },
  { value: '604800', label: 'seven days', until: 'in seven days' },
] as const;

export const ROTATION = declareForm({
  grace: choiceField({
    as: 'radio',
    label: 'Keep the old secret working for',
    choices: GRACES,
    initial: '86400',
    fault: 'There is no such grace period.',
  }),
});
type Rotation = Values<typeof ROTATION.fields>;

export function readGrace({ grace }: Rotation): { readonly graceSeconds: number; readonly until: string } {
  const { value, until } = GRACES.find((each) => each.value === grace)!;
  return { graceSeconds: Number(value), until };
}

export const ROTATE_LABEL = 'Rotate and show the new secret';
