/**
 * Where the text of a setting comes from: the environment, `tmds.toml`, or a file that holds a secret. It knows neither
 * the settings nor the meaning of their values. Invariants: the environment overrides the file; no message repeats a
 * value that may be secret.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a source has to know about a setting. */
export interface SourcedSetting {
  readonly variable: string;
  /** Several values, separated by commas; in `tmds.toml` an array. */
  readonly isList?: boolean;
  /** May also be given as the path of a file that holds it: `…_FILE`, or `…_file` in `tmds.toml`. */
  readonly isSecret?: boolean;
}

export type Origin = 'default' | 'file' | 'environment' | 'secret file';

/** The value stated for a setting, in the form that its variable would have. */
export interface Statement {
  readonly text: string;
  readonly from: Exclude<Origin, 'default'>;
  /** How messages name it: `PORT`, or `port (tmds.toml, line 3)`. */
  readonly place: string;
}

export interface Statements {
  /** By variable; a setting that is not stated is missing. */
  readonly stated: ReadonlyMap<string, Statement>;
  /** The path of the configuration file; null if there is none. */
  readonly file: string | null;
  readonly problems: readonly string[];
  /** Warnings: settings that hold but should be corrected. */
  readonly warnings: readonly string[];
}

/** Names the configuration file. */
export const CONFIG_VARIABLE = 'TMDS_CONFIG';
/** Read from the working folder if it is there. */
const CONFIG_FILE = 'tmds.toml';
const CONFIG_BYTES_MAX = 1024 * 1024;
const SECRET_BYTES_MAX = 64 * 1024;
/** Readable by accounts outside the owner's group. */
const WORLD_READABLE = 0o004;

/** The name of a setting in `tmds.toml`: its variable's name in lower case, without `TMDS_`. */
export function keyOf(variable: string): string {
  return variable.replace(/^TMDS_/, '').toLowerCase();
}

export function secretFileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/** `explicit` is the file of `--config`; then `TMDS_CONFIG`, then `tmds.toml` in the working folder. Never throws. */
export function readStatements(
  settings: readonly SourcedSetting[],
  environment: Environment,
  explicit: string | null,
): Statements {
  const problems: string[] = [];
  const warnings: string[] = [];
  const { file, values } = readConfigFile(settings, environment, explicit, { problems, warnings });
  const stated = new Map<string, Statement>();
  for (const setting of settings) {
    const statement =
      findStatement(setting, (name) => findVariable(name, environment), { problems, warnings }) ??
      findStatement(setting, (name) => values.get(keyOf(name)) ?? null, { problems, warnings });
    if (statement !== null) stated.set(setting.variable, statement);
  }
  return { stated, file, problems, warnings };
}

interface Notes {
  readonly problems: string[];
  readonly warnings: string[];
}

/** An empty variable counts as unset. */
function findVariable(name: string, environment: Environment): Statement | null {
  const text = environment[name];
  return text === undefined || text === '' ? null : { text, from: 'environment', place: name };
}

/** What one source states: the value itself, or the file that holds it. */
function findStatement(
  { variable, isSecret }: SourcedSetting,
  find: (name: string) => Statement | null,
  notes: Notes,
): Statement | null {
  const direct = find(variable);
  const byFile = isSecret ? find(secretFileVariable(variable)) : null;
  if (byFile === null) return direct;
  if (direct !== null) {
    notes.problems.push(`${direct.place} and ${byFile.place} are both set; keep one of them`);
    return null;
  }
  const content = readFile(byFile.text, SECRET_BYTES_MAX);
  if ('problem' in content) {
    notes.problems.push(`${byFile.place} names the file ${byFile.text}, which ${content.problem}`);
    return null;
  }
  const text = content.text.replace(/\r?\n$/, '');
  if (text === '') {
    notes.problems.push(`${byFile.place} names the file ${byFile.text}, which is empty`);
    return null;
  }
  if (content.isWorldReadable) notes.warnings.push(warnOfReaders(byFile.text, byFile.place));
  return { text, from: 'secret file', place: byFile.place };
}

function warnOfReaders(path: string, what: string): string {
  return `every account of this machine can read ${path} (${what}); run: chmod o-r ${path}`;
}

type FileContent = { readonly text: string; readonly isWorldReadable: boolean } | { readonly problem: string };

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'this account may not read',
  EISDIR: 'is a folder',
};

function readFile(path: string, bytesMax: number): FileContent {
  try {
    const handle = openSync(path, 'r');
    try {
      const { mode } = fstatSync(handle);
      const buffer = Buffer.alloc(bytesMax + 1);
      let length = 0;
      // A pipe, such as the shell's <(…), gives its content in pieces.
      for (let read = -1; read !== 0 && length <= bytesMax; length += read) {
        read = readSync(handle, buffer, length, buffer.length - length, null);
      }
      if (length > bytesMax) return { problem: `is larger than ${bytesMax} bytes` };
      const isWorldReadable = process.platform !== 'win32' && (mode & WORLD_READABLE) !== 0;
      return { text: buffer.toString('utf8', 0, length), isWorldReadable };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return { problem: REASONS[code] ?? `cannot be read (${code})` };
  }
}

interface ConfigFile {
  readonly file: string | null;
  /** By key. */
  readonly values: ReadonlyMap<string, Statement>;
}

function readConfigFile(
  settings: readonly SourcedSetting[],
  environment: Environment,
  explicit: string | null,
  { problems, warnings }: Notes,
): ConfigFile {
  const named = explicit ?? findVariable(CONFIG_VARIABLE, environment)?.text ?? null;
  const file = named ?? CONFIG_FILE;
  const content = readFile(file, CONFIG_BYTES_MAX);
  if ('problem' in content) {
    if (named === null && content.problem === REASONS.ENOENT) return { file: null, values: new Map() };
    problems.push(`the configuration file ${file} ${content.problem}`);
    return { file, values: new Map() };
  }
  const { text, isWorldReadable } = content;
  const keys = new Map<string, SourcedSetting>();
  for (const setting of settings) {
    keys.set(keyOf(setting.variable), setting);
    if (setting.isSecret) keys.set(keyOf(secretFileVariable(setting.variable)), { variable: setting.variable });
  }
  const values = new Map<string, Statement>();
  for (const [key, value] of Object.entries(parseToml(file, text, problems))) {
    const line = findLine(text, key);
    const where = line === null ? file : `${file}, line ${line}`;
    const setting = keys.get(key);
    if (setting === undefined) {
      problems.push(`${key} (${where}) is not a setting${suggest(key, [...keys.keys()])}`);
      continue;
    }
    const written = writeValue(value, setting.isList === true);
    if (written === null) problems.push(`${key} (${where}) must be ${shapeOf(setting)}`);
    else if (written !== '') values.set(key, { text: written, from: 'file', place: `${key} (${where})` });
    if (isWorldReadable && setting.isSecret) warnings.push(warnOfReaders(file, `it holds ${key}`));
  }
  return { file, values };
}

function parseToml(file: string, text: string, problems: string[]): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the message repeats the line, which may hold a secret.
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
    problems.push(`${file}, line ${error.line}, column ${error.column}: ${reason}`);
    return {};
  }
}

/** Where a key or a table begins; the parser does not report it. */
function findLine(text: string, key: string): number | null {
  const start = new RegExp(`^\\s*(\\[+\\s*)?["']?${key.replace(/[^\w-]/g, '\\$&')}["']?\\s*[=.\\]]`);
  const at = text.split('\n').findIndex((line) => start.test(line));
  return at < 0 ? null : at + 1;
}

/** As the variable would state it; null if it cannot. `true` and `false` stand for `on` and `off`. */
function writeValue(value: unknown, isList: boolean): string | null {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (!isList || !Array.isArray(value)) return null;
  return value.every((part) => typeof part === 'string' && !part.includes(',')) ? value.join(',') : null;
}

function shapeOf({ isList }: SourcedSetting): string {
  return isList ? 'an array of texts without commas' : 'a text, a number, true or false';
}

/** `PORT` and `tmds_port` are what people write for `port`. */
function suggest(key: string, keys: readonly string[]): string {
  const meant = keys.find((candidate) => candidate === keyOf(key.toUpperCase()));
  return meant === undefined ? '' : `; write ${meant}`;
}
