/**
 * Passwords, how often they may be guessed, and the fields of a person who joins. Hashes are Argon2id with the
 * parameters that OWASP recommends. An unknown account takes as long as a wrong password and gets the same answer.
 * Invariant: an attempt is counted before its password is checked, so parallel guesses gain nothing.
 */

import { hash, verify } from '@node-rs/argon2';
import { normalForm } from '@tmds/contract/text';
import { html } from 'htm/preact';
import pLimit from 'p-limit';
import { networkOf } from '../../access/network.ts';
import { buildToken, digestText } from '../../access/secret.ts';
import { apiError } from '../../base/errors.ts';
import type { Database } from '../../database/driver/db.ts';
import { countAttempts, deleteAttempts, findAccount } from '../../store/accounts/portal.ts';
import { unkeptField } from '../frame/field-kinds.ts';

/** Characters (code points) of a password. */
const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 200;

export const ATTEMPT_WINDOW_SECONDS = 900;
/** Attempts within a window for one account, and from one network address. */
export const ACCOUNT_ATTEMPTS_MAX = 10;
const ADDRESS_ATTEMPTS_MAX = 60;

/** Algorithm 2 is Argon2id; memory in KiB. */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * One hash at a time: each takes some 40 ms of a processor and 19 MB, and twenty at a time would slow down everybody's
 * calls. A hash that would wait for longer than two seconds or so is refused.
 */
const oneAtATime = pLimit(1);
const WAITING_MAX = 50;

/** @throws ApiError `unavailable` if too many wait. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (oneAtATime.pendingCount >= WAITING_MAX) {
    throw apiError('unavailable', 'Too many people are signing in. Try again shortly.');
  }
  return await oneAtATime(work);
}

/** @throws ApiError `unavailable` if too many passwords wait to be hashed. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalForm(password, 'NFKC'), ARGON2));
}

export function findPasswordFault(password: string, repeated: string, email: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `The password needs at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `The password may have at most ${PASSWORD_MAX} characters.`;
  if (password.toLowerCase().includes(email.split('@')[0]!.toLowerCase()) && length < PASSWORD_MIN + 4) {
    return 'The password is too similar to the e-mail address.';
  }
  if (new Set(password).size < 5) return 'The password repeats the same few characters.';
  if (password !== repeated) return 'The two passwords differ.';
  return null;
}

export type SignIn =
  | { readonly userId: string; readonly isOperator: boolean }
  | { readonly refused: 'wrong' | 'too_many' }
  /** The password is right, but the person's customer is suspended. */
  | { readonly refused: 'suspended'; readonly reason: string | null };

let unknownHash: Promise<string> | null = null;

export async function signIn(
  database: Database,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<SignIn> {
  const account = subjectOf('account', email);
  const [ofAccount = 0, ofAddress = 0] = await countAttempts(
    database,
    [account, subjectOf('address', networkOf(address))],
    ATTEMPT_WINDOW_SECONDS,
  );
  if (ofAccount > ACCOUNT_ATTEMPTS_MAX || ofAddress > ADDRESS_ATTEMPTS_MAX) return { refused: 'too_many' };
  const found = await findAccount(database, email);
  unknownHash ??= hash(buildToken().text, ARGON2);
  const stored = found?.password_hash ?? (await unknownHash);
  const fits = await inTurn(() => verify(stored, normalForm(password, 'NFKC')));
  if (!fits || found === null || found.password_hash === null) return { refused: 'wrong' };
  await deleteAttempts(database, account);
  if (found.suspended) return { refused: 'suspended', reason: found.suspension_reason };
  return { userId: found.user_id, isOperator: found.is_operator };
}

/** True while this address may try another invitation link. */
export async function mayTryLink(database: Database, address: string): Promise<boolean> {
  const [attempts = 0] = await countAttempts(database, [subjectOf('link', networkOf(address))], ATTEMPT_WINDOW_SECONDS);
  return attempts <= ADDRESS_ATTEMPTS_MAX;
}

/** Attempts are stored under digests, so that the table reveals no addresses. */
function subjectOf(kind: string, text: string): Buffer {
  return digestText(`${kind}\0${text}`);
}

export const NEW_PASSWORD = {
  password: unkeptField({
    label: 'New password',
    hint: `At least ${PASSWORD_MIN} characters. A whole sentence makes a good password.`,
    attributes: {
      type: 'password',
      autocomplete: 'new-password',
      required: true,
      minlength: PASSWORD_MIN,
      maxlength: PASSWORD_MAX,
    },
  }),
  repeated: unkeptField({
    label: 'Repeat the password',
    attributes: { type: 'password', autocomplete: 'new-password', required: true },
  }),
};

/** For the password manager of a browser: whose password the form takes. */
export function renderUsername(email: string): unknown {
  return html`<input type="hidden" name="username" autocomplete="username" value=${email} />`;
}
