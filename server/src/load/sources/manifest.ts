/**
 * Reads what is known of a delivery before it is read: its number of records, and the sizes and checksums of its files,
 * as an office publishes them with the files. A delivery that differs is refused before any of it is published.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { OperatorError } from '../../base/errors.ts';
import { unreadable } from './files.ts';

/** The number of hexadecimal digits of a checksum shows its algorithm. */
export const CHECKSUM_ALGORITHMS: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
  128: 'sha512',
};
const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;

export interface ManifestEntry {
  /** Without folders; null if the manifest gives only a checksum, which then belongs to the only file. */
  name: string | null;
  bytes: number | null;
  /** Hexadecimal, lower case. */
  checksum: string | null;
  records: number | null;
}

/** Reads a JSON list of files, or lines as `sha256sum` and its like write them. Throws `OperatorError`. */
export async function readManifest(path: string): Promise<ManifestEntry[]> {
  let text: string;
  try {
    if ((await stat(path)).size > MANIFEST_BYTES_MAX) throw new OperatorError(`${path} is too large for a manifest`);
    text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    throw unreadable(path, error);
  }
  return parseManifest(text, path);
}

/** The same of a text; `path` names it in messages. */
export function parseManifest(text: string, path: string): ManifestEntry[] {
  const entries = /^\s*[[{]/.test(text) ? parseJsonManifest(text, path) : parseChecksumLines(text, path);
  if (entries.length === 0) throw new OperatorError(`the manifest ${path} names no file`);
  return entries;
}

const LINE = /^\\?([0-9a-f]+)(?:\s+(?=\S)\*?(.+))?$/i;
const BSD_LINE = /^(?:MD5|SHA1|SHA256|SHA512)\s*\((.+)\)\s*=\s*([0-9a-f]+)$/i;

function parseChecksumLines(text: string, path: string): ManifestEntry[] {
  const entries: ManifestEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const stated = line.trim();
    if (stated === '' || stated.startsWith('#')) continue;
    const [, bsdName, bsdHex] = BSD_LINE.exec(stated) ?? [];
    const [, hex = bsdHex, name = bsdName] = LINE.exec(stated) ?? [];
    if (hex === undefined || CHECKSUM_ALGORITHMS[hex.length] === undefined) {
      throw new OperatorError(`the manifest ${path}, line ${index + 1}, is not a checksum with the name of a file`);
    }
    const file = name === undefined ? null : basename(name);
    entries.push({ name: file, bytes: null, checksum: hex.toLowerCase(), records: null });
  }
  return entries;
}

const CHECKSUM_KEYS = Object.values(CHECKSUM_ALGORITHMS);
const KEYS: readonly string[] = ['name', 'bytes', 'records', ...CHECKSUM_KEYS];

/** Strict, because a misspelled key would check nothing. */
function parseJsonManifest(text: string, path: string): ManifestEntry[] {
  let stated: unknown;
  try {
    stated = JSON.parse(text);
  } catch (cause) {
    throw new OperatorError(`the manifest ${path} is not valid JSON`, { cause });
  }
  const files = Array.isArray(stated) ? stated : (stated as { files?: unknown }).files;
  if (!Array.isArray(files)) throw new OperatorError(`the manifest ${path} must be a list of files, or {"files": […]}`);
  return files.map((file, index) => parseJsonEntry(file, `the manifest ${path}, file ${index + 1}`));
}

function parseJsonEntry(file: unknown, where: string): ManifestEntry {
  if (typeof file !== 'object' || file === null) throw new OperatorError(`${where}: must be an object`);
  const stated = file as Record<string, unknown>;
  const unknown = Object.keys(stated).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new OperatorError(`${where}: unknown key "${unknown}"; known: ${KEYS.join(', ')}`);
  const { name } = stated;
  if (typeof name !== 'string' || name === '') throw new OperatorError(`${where}: has no name`);
  const checksums = CHECKSUM_KEYS.filter((key) => stated[key] !== undefined && stated[key] !== null);
  const strongest = checksums.at(-1);
  const checksum = strongest === undefined ? null : stated[strongest];
  const isHex = typeof checksum === 'string' && /^[0-9a-f]+$/i.test(checksum);
  if (checksum !== null && !(isHex && CHECKSUM_ALGORITHMS[checksum.length] === strongest)) {
    throw new OperatorError(`${where}: ${strongest} is not a checksum of that kind`);
  }
  return {
    name: basename(name),
    bytes: readCount(stated, 'bytes', where),
    checksum: isHex ? checksum.toLowerCase() : null,
    records: readCount(stated, 'records', where),
  };
}

function readCount(stated: Record<string, unknown>, key: string, where: string): number | null {
  const value = stated[key] ?? null;
  if (value === null || (Number.isSafeInteger(value) && (value as number) >= 0)) return value as number | null;
  throw new OperatorError(`${where}: ${key} must be a whole number`);
}

/** Throws `OperatorError` for the first file that the manifest does not name, or that differs from it. */
export async function checkFiles(paths: readonly string[], manifest: readonly ManifestEntry[]): Promise<void> {
  for (const path of paths) {
    const entry = findEntry(path, paths, manifest);
    const seen = await measureFile(path, entry);
    if (entry.bytes !== null && entry.bytes !== seen.bytes) {
      throw new OperatorError(
        `${path} has ${seen.bytes} bytes; the manifest says ${entry.bytes}; fetch the file again`,
      );
    }
    if (entry.checksum !== null && entry.checksum !== seen.checksum) {
      const found = `${path} has the ${CHECKSUM_ALGORITHMS[entry.checksum.length]} ${seen.checksum}`;
      throw new OperatorError(`${found}; the manifest says ${entry.checksum}; fetch the file again`);
    }
  }
}

/** How many records the manifest says that these files hold together; null if it does not say so of each. */
export function expectRecords(paths: readonly string[], manifest: readonly ManifestEntry[]): number | null {
  const counts = paths.map((path) => findEntry(path, paths, manifest).records);
  return counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

function findEntry(path: string, paths: readonly string[], manifest: readonly ManifestEntry[]): ManifestEntry {
  const name = basename(path);
  const named = manifest.find((entry) => entry.name === name);
  const [only] = manifest;
  if (named !== undefined) return named;
  if (only !== undefined && only.name === null && manifest.length === 1 && paths.length === 1) return only;
  const names = manifest.slice(0, 3).map((entry) => entry.name ?? 'a checksum without a name');
  throw new OperatorError(`the manifest does not name ${name}; it names ${names.join(', ')}`);
}

async function measureFile(path: string, { checksum }: ManifestEntry): Promise<{ bytes: number; checksum: string }> {
  try {
    if (checksum === null) return { bytes: (await stat(path)).size, checksum: '' };
    const hash = createHash(CHECKSUM_ALGORITHMS[checksum.length] ?? 'sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    return { bytes, checksum: hash.digest('hex') };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Throws `OperatorError` if a delivery holds another number of records, rejected ones included, than it should. */
export function checkCount(expected: number, { read, rejected }: { read: number; rejected: number }): void {
  if (read === expected) return;
  const rejects = rejected === 0 ? '' : `, ${rejected} of them rejected`;
  throw new OperatorError(
    `the delivery should hold ${expected} records and holds ${read}${rejects}; nothing of it was stored`,
  );
}
