/**
 * The members of a zip archive, one open at a time. A damaged archive fails: its table of contents, the length or the
 * checksum of a member, or sizes that make all of it a compression bomb. A member that cannot be opened, because it is
 * encrypted or itself a bomb, is passed on with the reason.
 */
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { BOMB, isBomb, nameFailures, type SourceEntry, UnreadableSource, unreadable } from './files.ts';

/** Members of one archive. Registers have at most a few million marks, split over many archives. */
const MEMBERS_MAX = 2_000_000;

/** Methods by which members are stored or packed. */
const METHODS: ReadonlySet<number> = new Set([0, 8]);

interface ZipFile {
  path: string;
  /** The name of the archive in the names of its entries. */
  name: string;
  totalBytes: number;
}

export async function* listZipEntries(
  { path, name: archiveName, totalBytes }: ZipFile,
  accepts: (entryName: string) => boolean,
  count: (bytes: number) => void,
): AsyncGenerator<SourceEntry> {
  const archive = await openArchive(path);
  let inflatedBytes = 0;
  try {
    if (archive.entryCount > MEMBERS_MAX) throw new UnreadableSource(`${path} has more than ${MEMBERS_MAX} members`);
    for await (const member of listMembers(archive, path)) {
      if (member.fileName.endsWith('/') || !accepts(member.fileName)) {
        count(member.compressedSize);
        continue;
      }
      const name = `${archiveName}/${member.fileName}`;
      const refusal = findRefusal(member);
      if (refusal !== null) {
        yield { name, stream: Readable.from([]), isMember: true, refusal };
        continue;
      }
      // Members may overlap in the file, so each is measured on its own, and all of them against the whole archive.
      inflatedBytes += member.uncompressedSize;
      if (isBomb(inflatedBytes, totalBytes)) throw new UnreadableSource(`${path} ${BOMB}`);
      const stream = await openMember(archive, member, name);
      try {
        yield { name, stream: nameFailures(name, checkSum(stream, member.crc32)), isMember: true };
      } finally {
        stream.destroy();
      }
      count(member.compressedSize);
    }
  } finally {
    archive.close();
  }
}

/** Why a member cannot be opened although the archive is sound. */
function findRefusal(member: yauzl.Entry): string | null {
  if (member.isEncrypted()) return 'is encrypted';
  if (!METHODS.has(member.compressionMethod)) {
    return `is packed by the method ${member.compressionMethod}, which is not read: pack it by deflate`;
  }
  return isBomb(member.uncompressedSize, member.compressedSize) ? BOMB : null;
}

/** The same bytes; fails at their end if they are not those that were packed. */
async function* checkSum(stream: Readable, expected: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of stream) {
    sum = crc32(chunk as Buffer, sum);
    yield chunk as Buffer;
  }
  if (sum !== expected) throw new Error('its checksum is wrong');
}

function openArchive(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, archive) => {
      if (error === null) resolve(archive);
      else reject(new UnreadableSource(`${path} is truncated or damaged: ${error.message}`, { cause: error }));
    });
  });
}

async function* listMembers(archive: yauzl.ZipFile, path: string): AsyncGenerator<yauzl.Entry> {
  for (;;) {
    const member = await new Promise<yauzl.Entry | null>((resolve, reject) => {
      archive.once('entry', resolve);
      archive.once('end', () => resolve(null));
      archive.once('error', (error: Error) => {
        reject(new UnreadableSource(`${path} is damaged: ${error.message}`, { cause: error }));
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
