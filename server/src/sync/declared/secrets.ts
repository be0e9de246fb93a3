/**
 * Secrets of sources. `sources.toml` only says where each is: `env:NAME` or `file:/path`. They are read when they are
 * needed, and never appear in a message.
 */
import { readFile, stat } from 'node:fs/promises';
import { readVariable } from '../../base/config.ts';
import { OperatorError } from '../../base/errors.ts';

export type Secret = { from: 'env'; name: string } | { from: 'file'; path: string };

const SECRET_BYTES_MAX = 64 * 1024;

/** Null unless the text is a reference. */
export function parseSecret(text: string): Secret | null {
  const [, from, where = ''] = /^(env|file):(.+)$/s.exec(text) ?? [];
  if (from === 'env' && /^[A-Za-z_]\w*$/.test(where)) return { from, name: where };
  return from === 'file' ? { from, path: where } : null;
}

/** Without the blanks and line ends around it. Throws `OperatorError` if there is none. */
export async function readSecret(secret: Secret): Promise<string> {
  const text = secret.from === 'env' ? readVariable(secret.name) : await readSecretFile(secret.path);
  const value = text?.trim() ?? '';
  if (value === '') {
    const where = secret.from === 'env' ? `the variable ${secret.name} is not set` : `${secret.path} is empty`;
    throw new OperatorError(`a secret of the source is missing: ${where}`);
  }
  return value;
}

async function readSecretFile(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > SECRET_BYTES_MAX) throw new OperatorError(`${path} is too large for a secret`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new OperatorError(`a secret of the source cannot be read: ${path} (${code})`, { cause: error });
  }
}
