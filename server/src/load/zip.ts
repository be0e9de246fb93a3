/**
 * The members of a zip archive, one open at a time. Before reading it refuses archives with a damaged table of
 * contents, encrypted members, or sizes that make it a compression bomb.
 */
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { OperatorError } from '../base/errors.ts';
import { bomb, isBomb, nameFailures, unreadable } from './file-errors.ts';
import type { SourceEntry } from './formats/format.ts';

/** Members of one archive. Registers have at most a few million marks, split over many archives. */
const MEMBERS_MAX = 2_000_000;

export async function* listZipEntries(
  path: string,
  totalBytes: number,
  accepts: (entryName: string) => boolean,
  count: (bytes: number) => void,
): AsyncGenerator<SourceEntry> {
  const archive = await openArchive(path);
  let inflatedBytes = 0;
  try {
    if (archive.entryCount > MEMBERS_MAX) throw new OperatorError(`${path} has more than ${MEMBERS_MAX} members`);
    for await (const member of listMembers(archive, path)) {
      if (member.fileName.endsWith('/') || !accepts(member.fileName)) {
        count(member.compressedSize);
        continue;
      }
      const name = `${basename(path)}/${member.fileName}`;
      // Members may overlap in the file, so each is measured on its own, and all of them against the whole archive.
      inflatedBytes += member.uncompressedSize;
      if (isBomb(member.uncompressedSize, member.compressedSize) || isBomb(inflatedBytes, totalBytes)) throw bomb(name);
      if (member.isEncrypted()) throw new OperatorError(`${name} is encrypted`);
      const stream = await openMember(archive, member, name);
      try {
        yield { name, stream: nameFailures(name, stream), isMember: true };
      } finally {
        stream.destroy();
      }
      count(member.compressedSize);
    }
  } finally {
    archive.close();
  }
}

function openArchive(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, archive) => {
      if (error === null) resolve(archive);
      else reject(new OperatorError(`${path} is truncated or damaged: ${error.message}`, { cause: error }));
    });
  });
}

async function* listMembers(archive: yauzl.ZipFile, path: string): AsyncGenerator<yauzl.Entry> {
  for (;;) {
    const member = await new Promise<yauzl.Entry | null>((resolve, reject) => {
      archive.once('entry', resolve);
      archive.once('end', () => resolve(null));
      archive.once('error', (error: Error) => {
        reject(new OperatorError(`${path} is damaged: ${error.message}`, { cause: error }));
      });
      archive.readEntry();
    });
    archive.removeAllListeners();
    if (member === null) return;
    yield member;
  }
}

function openMember(archive: yauzl.ZipFile, member: yauzl.Entry, name: string): Promise<Readable> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(member, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(unreadable(name, error));
    });
  });
}
