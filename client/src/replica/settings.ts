/** Reads secrets, which other users of the machine must not see, from the environment or a file. */
import { readFile } from 'node:fs/promises';
import type { Environment } from '../config.ts';

/** Longer than any key or address; a longer file was named by mistake. */
const SECRET_BYTES_MAX = 16_384;

/** A file that an argument or a setting names cannot be read. */
export class MissingFile extends TypeError {}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS']);

/** Errors of the file system: the file does not exist, or may not be read or written. */
export function isMissing(error: unknown): boolean {
  return MISSING.has((error as { code?: unknown } | null)?.code);
}

const FILE_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there: a part of its path is a file',
  EISDIR: 'is a folder',
  EACCES: 'may not be opened by you',
  EPERM: 'may not be opened by you',
  EROFS: 'is on a disk that cannot be written',
  ENOSPC: 'does not fit on its disk',
  EEXIST: 'exists already',
};

/** `docket.csv is not there`. */
export function describeFileFault(file: string, error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException;
  // A file that is to be written is opened under a name that ends in .part.
  if (code === 'ENOENT' && path?.endsWith('.part')) return `the folder of ${file} is not there`;
  const words = FILE_WORDS[code ?? ''];
  return words === undefined ? `${file}: ${message}` : `${file} ${words}`;
}

/**
 * The variable's value, or the trimmed content of the file that `NAME_FILE` names.
 *
 * @throws TypeError when both are set; MissingFile when the file cannot be read
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
    throw new MissingFile(`${name}_FILE cannot be read: ${describeFileFault(path, error)}`);
  }
  throw new TypeError(`${name}_FILE names a file that is too long for a single setting`);
}

/** True for an address with a password, which every user of the machine could read in an argument. */
export function hasPassword(place: string): boolean {
  return URL.canParse(place) && new URL(place).password !== '';
}
