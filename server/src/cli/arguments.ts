/** Arguments that several commands take, and the person who runs them. */
import { userInfo } from 'node:os';
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { InvalidArgumentError } from 'commander';
import { isProduct } from '../access/keys.ts';
import { OperatorError } from '../base/errors.ts';
import type { Config } from '../base/settings.ts';
import { parseEmail } from '../portal/frame/roles.ts';

/** The person who makes a change, for the audit. */
export function findActor(): string {
  try {
    return `operator ${userInfo().username}`;
  } catch {
    return 'operator';
  }
}

const NAME_CHARACTERS_MAX = 200;

/** The name of a customer or a key, trimmed. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX) {
    throw new InvalidArgumentError(`It must have 1 to ${NAME_CHARACTERS_MAX} characters.`);
  }
  return name;
}

const REASON_CHARACTERS_MAX = 500;

/** One line for people, trimmed. */
export function parseReason(text: string): string {
  const reason = text.replace(/\s+/g, ' ').trim();
  if (reason !== '' && reason.length <= REASON_CHARACTERS_MAX) return reason;
  throw new InvalidArgumentError(`It must have 1 to ${REASON_CHARACTERS_MAX} characters.`);
}

/** Refuses an unconfirmed action as wrong usage; `effect` says what would happen. */
export function askToConfirm(effect: string): never {
  throw new OperatorError(`${effect}; add --yes to do it`, { exitStatus: 2 });
}

/**
 * The address of an invitation, as browsers of this machine or of `TMDS_PUBLIC_URL` reach it. `server`: where the data
 * folder is served at this moment, which need not be where this command would serve it.
 */
export function linkInvitation(
  { host, port, publicUrl }: Pick<Config, 'host' | 'port' | 'publicUrl'>,
  token: string,
  server: string | null,
): string {
  const configured = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const local = (server ?? configured).replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:');
  return `${publicUrl ?? local}/portal/invitation/${token}`;
}

export function parseAddress(text: string): string {
  const email = parseEmail(text);
  if (email === null) throw new InvalidArgumentError('It must be an e-mail address.');
  return email;
}

/** `known`: what the same option named before. */
export function parseProducts(text: string, known: readonly Product[] = []): Product[] {
  const products = [...new Set([...known, ...text.split(',').map((element) => element.trim())])];
  const unknown = products.find((product) => !isProduct(product));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is not one of ${PRODUCTS.join(', ')}.`);
  return products.filter(isProduct);
}

export function parseRateLimit(text: string): number {
  const calls = Number(text);
  if (!/^\d{1,10}$/.test(text) || calls < 1 || calls > 2_147_483_647) {
    throw new InvalidArgumentError('It must be an integer of at least 1.');
  }
  return calls;
}

export function parseRegister(code: string): string {
  if (/^[A-Za-z0-9]{2,5}$/.test(code)) return code.toUpperCase();
  throw new InvalidArgumentError('A register code has 2 to 5 letters or digits.');
}

/** A text instead of null, which commander takes for a missing value. */
export function parseQuota(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be an integer of at least 0, or unlimited.');
  return Number(text);
}

export function parseMonth(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('Give a month such as 2026-11.');
  return text;
}

const DURATION_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90s`, `30m`, `24h` or `7d`, as seconds. */
export function parseDuration(text: string): number {
  const unitSeconds = DURATION_SECONDS[text.slice(-1)];
  const count = text.slice(0, -1);
  if (unitSeconds === undefined || !/^\d{1,6}$/.test(count)) {
    throw new InvalidArgumentError('Give a duration such as 90s, 30m, 24h or 7d.');
  }
  return Number(count) * unitSeconds;
}

/** For options that limit a list. */
export function buildLimitParser(limitMax: number): (text: string) => number {
  return (text) => {
    const limit = Number(text);
    if (/^\d+$/.test(text) && limit >= 1 && limit <= limitMax) return limit;
    throw new InvalidArgumentError(`It must be an integer from 1 to ${limitMax}.`);
  };
}
