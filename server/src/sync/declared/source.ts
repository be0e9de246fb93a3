/** The declaration of a source, as `sources.toml` states it and the rest of a sync uses it. */

import { readFile, stat } from 'node:fs/promises';
import { readVariable } from '../../base/config.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Format } from '../../load/formats/format.ts';
import type { NamePattern } from './file-names.ts';
import type { Rhythm } from './rhythm.ts';

export interface DeclaredSource {
  name: string;
  /** The name of its table in `sources.toml`. */
  line: number;
  place: DeclaredPlace;
  files: NamePattern;
  format: Format;
  /** `--register` of its loads; null leaves it to the format. */
  register: string | null;
  /** What a bad file stops: the register, or only the source if its files belong to several registers. */
  stops: string;
  rhythm: Rhythm | null;
  /** Label of the first period that is taken; null for all. */
  since: string | null;
  /** Labels of periods that are never published, such as holidays. */
  except: ReadonlySet<string>;
  graceMs: number;
  /** What a missing period does once its grace has ended. */
  gaps: 'wait' | 'pass';
  /** How a file is handled whose period is older than a loaded one. */
  late: 'load' | 'report';
  keep: KeepRule;
  /** Name of a file of checksums next to the files; `{name}` is replaced by the file's name. */
  checksums: string | null;
  bytesMax: number;
  fetchMsMax: number;
  everyMs: number;
  load: {
    acceptRejects: boolean;
    allowEmpty: boolean;
    whole: boolean;
    acceptAbsent: boolean;
    /** Whether a loaded file makes its register complete through its period, or only as far as it says itself. */
    frontier: 'file' | 'period';
  };
}

export type KeepRule =
  | { keep: 'all' }
  | { keep: 'none' }
  | { keep: 'last'; files: number }
  | { keep: 'days'; days: number };

export type DeclaredPlace = FolderPlace | HttpPlace | SftpPlace;

export interface FolderPlace {
  kind: 'folder';
  /** Absolute. */
  folder: string;
  /** A file that was written to within this time may still be on its way. */
  settleMs: number;
}

export interface HttpPlace {
  kind: 'http';
  url: string;
  catalogue: 'page' | 'list' | 'json';
  /** The members of a JSON catalogue that hold each fact; dots lead into objects. */
  json: JsonMapping | null;
  /** Hosts that files and redirects may be on, in addition to the host of `url`. */
  hosts: readonly string[];
  user: string | null;
  password: Secret | null;
  token: Secret | null;
  key: Secret | null;
  keyHeader: string;
}

export interface JsonMapping {
  files: string;
  url: string;
  name: string | null;
  bytes: string | null;
  date: string | null;
  digest: string | null;
}

export interface SftpPlace {
  kind: 'sftp';
  host: string;
  port: number;
  folder: string;
  user: string;
  password: Secret | null;
  privateKey: Secret | null;
  passphrase: Secret | null;
  /** `SHA256:…` as `ssh-keygen -l` writes it. */
  hostKey: string;
}

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
