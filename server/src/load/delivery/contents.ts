/**
 * What one source holds: files read, refused and skipped, and whether that is enough. A source in which nothing was
 * found fails, unless the source or the operator says that this is intended (rule I-37). The bytes of a file are
 * watched while a format reads them, so that a message can later say what the file was.
 */
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { OperatorError } from '../../base/errors.ts';
import type { Issue } from '../../record/document.ts';
import type { Format, IssueCode, RejectItem } from '../formats/format.ts';
import { type Head, parseHead } from '../formats/head.ts';
import { recognizeHead } from '../formats/recognize.ts';
import type { SourceEntry } from '../sources/files.ts';

export interface Contents {
  /** It holds records or rejects of records. */
  hasRecords: boolean;
  /** It states that it holds none. */
  saysNone: boolean;
  /** Whether the format reads the member of this name; notes the ones that it does not read. */
  accepts(name: string): boolean;
  /** Notes a file that was read. */
  addFile(bytes: number): void;
  /** Notes a member that was refused, and why. */
  addRefusal(reason: string): void;
  /** Notes a file in which nothing was found. `seen`: what it looks like. */
  addRecordless(name: string, seen: string): void;
  /** Throws `OperatorError` if nothing was found and so much of the delivery was refused that it must be the wrong source. */
  checkStart(name: string): void;
  /** The first file that the format does not read, if it reads none of them. */
  findUnread(): string | null;
  /**
   * Reports the skipped files. Throws `OperatorError` if the source does not hold enough. `hint`: what the first of
   * them looks like.
   */
  end(name: string, hint: string): void;
}

/** Files that systems add to an archive. They never hold records, so they are not reported. */
const SYSTEM_FILES = /(^|\/)(__MACOSX\/|\.[^/]*$|thumbs\.db$|desktop\.ini$)/i;

/** Archives inside archives are opened only to identify them: they are not read, and may hold anything. */
const PACKED_FILES = /\.(zip|gz|tgz|tar|bz2|xz|zst|7z|rar|z)$/i;

/**
 * An archive of another format is refused after this many of its files. It may hold a million, each of which would go
 * to the rejects file.
 */
const REFUSED_FIRST_MAX = 1_000;

/** How many names or kinds a message or a report lists. */
const NAMED_MAX = 3;
const KINDS_MAX = 100;

export interface ContentsOptions {
  format: Format;
  allowEmpty: boolean;
  noteIssue(issue: Issue, times: number): void;
}

export function openContents({ format, allowEmpty, noteIssue }: ContentsOptions): Contents {
  let files = 0;
  let bytes = 0;
  let refusals = 0;
  let firstRefusal = '';
  const recordless = new Set<string>();
  const unread: string[] = [];
  /** Members that the format does not read, by the ending of their names. */
  const unreadKinds = new Map<string, { count: number; example: string }>();
  const noteUnread = (name: string): void => {
    if (unread.length < NAMED_MAX) unread.push(name);
    const ending = posix.extname(name).toLowerCase();
    const kind = unreadKinds.size < KINDS_MAX || unreadKinds.has(ending) ? ending : '…';
    const known = unreadKinds.get(kind);
    if (known === undefined) unreadKinds.set(kind, { count: 1, example: name });
    else known.count += 1;
  };
  const code = (issue: IssueCode): IssueCode => issue;
  return {
    hasRecords: false,
    saysNone: false,
    accepts(name) {
      if (SYSTEM_FILES.test(name)) return false;
      const isRead = format.accepts(name) || PACKED_FILES.test(name);
      if (!isRead) noteUnread(name);
      return isRead;
    },
    addFile(read) {
      files += 1;
      bytes += read;
    },
    addRefusal(reason) {
      refusals += 1;
      if (refusals === 1) firstRefusal = reason;
    },
    addRecordless(name, seen) {
      if (recordless.size < NAMED_MAX) recordless.add(seen);
      noteIssue({ code: code('recordless_file'), path: seen, value: name }, 1);
    },
    checkStart(name) {
      if (this.hasRecords || this.saysNone || refusals < REFUSED_FIRST_MAX) return;
      throw new OperatorError(
        `${name} is not ${format.title}: its first ${refusals} files are refused, ${firstRefusal}`,
      );
    },
    findUnread: () => (files === 0 ? (unread[0] ?? null) : null),
    end(name, hint) {
      for (const [ending, { count, example }] of unreadKinds) {
        const path = ending === '' ? 'no ending' : `*${ending}`;
        noteIssue({ code: code('unread_file'), path, value: example }, count);
      }
      if (this.hasRecords || this.saysNone) return;
      if (refusals > 0) {
        const all = refusals === 1 ? 'its only file is refused' : `all of its ${refusals} files are refused`;
        throw new OperatorError(`${name} holds nothing that can be loaded: ${all}, ${firstRefusal}`);
      }
      if (files === 0 && unread.length > 0) {
        throw new OperatorError(
          `${name} holds no file that ${format.name} reads; it holds ${unread.join(', ')}${hint}`,
        );
      }
      if (allowEmpty) return;
      const seen = recordless.size === 0 ? '' : `: ${[...recordless].join(', ')}`;
      throw new OperatorError(
        `${name} holds no records and does not say that this is intended: it has ${bytes} bytes in ` +
          `${files === 1 ? 'one file' : `${files} files`}${seen}; ${format.name} reads: ${format.title}; ` +
          'add --allow-empty to load it anyway',
      );
    },
  };
}

/** As much as the database keeps of a reject. */
const HEAD_BYTES_MAX = 64 * 1024;
const BLANK = /^[\s\ufeff]*$/;

export interface Look {
  /** Yields the same bytes; to be read in place of the one given. */
  readonly entry: SourceEntry;
  /** How many bytes have been read. */
  readBytes(): number;
  isBlank(): boolean;
  /** The first bytes read, at most `HEAD_BYTES_MAX`. */
  head(): Head;
  /** The same before anything is read; the entry still yields these bytes. */
  peek(): Promise<Head>;
}

export function openLook(entry: SourceEntry): Look {
  const iterator = entry.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first: Buffer[] = [];
  /** Pulled by a peek, not yet passed on. */
  const pending: Buffer[] = [];
  let bytes = 0;
  let isBlank = true;
  const pull = async (): Promise<Buffer | null> => {
    const next = await iterator.next();
    if (next.done) return null;
    const chunk = next.value;
    // A copy, because a part would keep the whole chunk in memory.
    if (bytes < HEAD_BYTES_MAX) first.push(Buffer.from(chunk.subarray(0, HEAD_BYTES_MAX - bytes)));
    bytes += chunk.length;
    isBlank &&= BLANK.test(chunk.toString('utf8'));
    return chunk;
  };
  async function* watched(): AsyncGenerator<Buffer> {
    try {
      for (let chunk = pending.shift() ?? (await pull()); chunk !== null; chunk = pending.shift() ?? (await pull())) {
        yield chunk;
      }
    } finally {
      await iterator.return?.();
    }
  }
  let head: Head | null = null;
  const parse = (): Head => {
    head ??= parseHead(entry.name, Buffer.concat(first));
    return head;
  };
  return {
    entry: { ...entry, stream: Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 }) },
    readBytes: () => bytes,
    isBlank: () => isBlank,
    head: parse,
    async peek() {
      while (bytes < HEAD_BYTES_MAX) {
        const chunk = await pull();
        if (chunk === null) break;
        pending.push(chunk);
      }
      return parse();
    },
  };
}

/**
 * The end of a sentence that refuses a file: what it looks like, and which format reads it. Empty where it looks like a
 * file of this format.
 */
export function hintAtFile(head: Head, format: Format): string {
  const { seen, formats, remedy } = recognizeHead(head);
  if (head.text === '' || formats.includes(format.name)) return '';
  const advice = remedy === null ? '' : `: ${remedy}`;
  return hintAt(seen, formats) ?? `; it looks like ${seen}; no format reads that${advice}`;
}

/** The same for one record; empty where no format reads it. */
export function hintAtRecord({ raw, position }: RejectItem, file: Head, format: Format): string {
  // A part of a record may reveal less than the file around it.
  for (const head of [parseHead(position, Buffer.from(raw)), file]) {
    const { seen, formats } = recognizeHead(head);
    const hint = formats.includes(format.name) ? null : hintAt(seen, formats);
    if (hint !== null) return hint;
  }
  return '';
}

function hintAt(seen: string, [best]: readonly string[]): string | null {
  return best === undefined ? null : `; it looks like ${seen}: try the format ${best}`;
}
