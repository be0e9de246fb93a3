/**
 * Tracks what one source holds: files read, refused and skipped, and decides whether that is enough. A source in which
 * nothing was found fails, unless the source or the operator says that this is intended (rule I-37).
 */
import { posix } from 'node:path';
import { OperatorError } from '../../base/errors.ts';
import type { Issue } from '../../record/document.ts';
import type { Format } from '../formats/format.ts';
import type { IssueCode } from '../formats/issues.ts';

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
        `${name} holds no records and does not say that this is intended: read were ${bytes} bytes in ` +
          `${files === 1 ? 'one file' : `${files} files`}${seen}; expected was ${format.title}; ` +
          'add --allow-empty to load it anyway',
      );
    },
  };
}
