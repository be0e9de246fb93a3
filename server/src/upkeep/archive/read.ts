/**
 * Reads a backup from a folder, or from a stream that holds one tar archive, member by member, and checks each against
 * the seal. In a folder the seal is read first, in a stream last: the reader of a stream must keep nothing until the
 * last member has arrived. It knows nothing about databases.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTarDecoder } from 'modern-tar';
import { OperatorError } from '../../base/errors.ts';
import { damaged, decodeSeal, HEAD, MEMBER_BYTES_MAX, type Member, SEAL } from './form.ts';

/** Ends only if the backup is complete and unchanged; otherwise throws OperatorError that names the member. */
export type Members = AsyncGenerator<Member, void, undefined>;

/** `path`: a folder, or a file that holds what a backup wrote to a stream. Throws OperatorError if there is neither. */
export async function openBackup(path: string): Promise<Members> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new OperatorError(`there is no backup at ${path}`);
  return found.isDirectory() ? readFolder(path) : readStream(createReadStream(path));
}

async function* readFolder(folder: string): Members {
  const sealed = await readFile(join(folder, SEAL)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new OperatorError(`${folder} is not a complete backup: ${SEAL} is missing; use another backup`);
  });
  const digests = decodeSeal(sealed);
  for (const [name, digest] of digests) {
    const size = await stat(join(folder, name)).then(
      (found) => found.size,
      () => null,
    );
    if (size === null) throw new OperatorError(`the backup is not complete: ${name} is missing; use another backup`);
    if (size > MEMBER_BYTES_MAX) throw damaged(name);
    const bytes = await readFile(join(folder, name));
    if (digestOf(bytes) !== digest) throw damaged(name);
    yield { name, bytes };
  }
}

export async function* readStream(input: Readable): Members {
  const digests = new Map<string, string>();
  let after = 'its beginning';
  let isSealed = false;
  try {
    // The archive ends with zeros, which the decoder has to read.
    const entries = Readable.toWeb(input).pipeThrough(createTarDecoder({ strict: true }) as never);
    for await (const { header, body } of entries as unknown as AsyncIterable<Entry>) {
      if (isSealed || digests.has(header.name)) throw damaged(header.name);
      const bytes = await readBody(header.name, header.size ?? 0, body);
      if (header.name === SEAL) {
        checkSeal(decodeSeal(bytes), digests);
        isSealed = true;
      } else {
        if (digests.size === 0 && header.name !== HEAD) throw new OperatorError('this is not a backup of tmds');
        digests.set(header.name, digestOf(bytes));
        yield { name: header.name, bytes };
      }
      after = header.name;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`the backup is damaged or cut off after ${after}: ${words}`, { cause: error });
  }
  if (!isSealed) throw new OperatorError(`the backup is not complete: it ends after ${after}, without ${SEAL}`);
}

interface Entry {
  readonly header: { readonly name: string; readonly size?: number };
  readonly body: AsyncIterable<Uint8Array>;
}

async function readBody(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (size > MEMBER_BYTES_MAX && name !== SEAL) throw damaged(name);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function checkSeal(sealed: ReadonlyMap<string, string>, read: ReadonlyMap<string, string>): void {
  for (const [name, digest] of sealed) {
    const found = read.get(name);
    if (found === undefined) throw new OperatorError(`the backup is not complete: ${name} is missing`);
    if (found !== digest) throw damaged(name);
  }
  for (const name of read.keys()) if (!sealed.has(name)) throw damaged(name);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
