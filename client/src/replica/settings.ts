/** Where the command takes what must not be seen by everyone on the machine: the environment, or a file it names. */
import { readFile } from 'node:fs/promises';
import type { Environment } from '../config.ts';

/** A secret may be longer than any key or address, and is not a whole file that was named by mistake. */
const SECRET_BYTES_MAX = 16_384;

/**
 * The variable's value, or what is in the file that `NAME_FILE` names, without white space at its ends.
 *
 * @throws TypeError when both are set, or the file cannot be read
 */
export async function readSecret(environment: Environment, name: string): Promise<string | undefined> {
  const value = environment[name];
  const path = environment[`${name}_FILE`];
  if (path === undefined || path === '') return value;
  if (value !== undefined) throw new TypeError(`${name} and ${name}_FILE are both set: leave one out`);
  try {
    const text = await readFile(path, 'utf8');
    if (text.length <= SECRET_BYTES_MAX) return text.trim();
  } catch (error) {
    throw new TypeError(`${name}_FILE cannot be read: ${(error as Error).message}`);
  }
  throw new TypeError(`${name}_FILE is no file with one setting: it is too long`);
}

/** True for an address that carries a password, which every user of the machine can read in an argument. */
export function hasPassword(place: string): boolean {
  return URL.canParse(place) && new URL(place).password !== '';
}
