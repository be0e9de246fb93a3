/** Where the files of a source are: a folder, an HTTP server or an SFTP server, behind one interface. */
import type { Clock } from '../../base/clock.ts';

export interface ListedFile {
  name: string;
  /** Null where the list does not say. */
  bytes: number | null;
  /** What the list says about the content: a different text means different content. */
  fingerprint: string;
  /** A checksum as the list states it, hexadecimal; null if it states none. */
  checksum: string | null;
  /** Where it is, in the words of its place. */
  address: string;
}

export interface Listing {
  files: ListedFile[];
  /** Oddities of the list, in sentences. */
  remarks: string[];
  /** Files that do not count, or not yet, with the reason. */
  passed?: { name: string; reason: string }[];
}

interface OpenedFile {
  parts: AsyncIterable<Uint8Array>;
  /** Where in the file the parts begin. 0 where the server does not resume. */
  offset: number;
  /** Size of the whole file; null if it is not stated. */
  bytes: number | null;
  /** Shows that the content is still the same; null if the server gives none. */
  validator: string | null;
}

export interface Resumption {
  offset: number;
  validator: string | null;
}

export interface RemotePlace {
  list(): Promise<Listing>;
  /** A file next to the listed ones, such as a list of checksums; null if there is none with this name. */
  readBeside(file: ListedFile, name: string): Promise<Buffer | null>;
  open(file: ListedFile, from: Resumption | null): Promise<OpenedFile>;
  close(): Promise<void>;
}

/**
 * A failure of a server that may pass: the server is asked again after `afterMs`, or after a time that the caller
 * chooses.
 */
export class PassingFailure extends Error {
  readonly afterMs: number | null;

  constructor(message: string, options: { afterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.afterMs = options.afterMs ?? null;
  }
}

/** A download cannot resume where it stopped: the file has to be fetched from its beginning. */
export class CannotResume extends PassingFailure {}

/** A larger list is refused. */
export const LIST_BYTES_MAX = 64 * 1024 * 1024;
const LIST_FILES_MAX = 200_000;
/** A server that sends nothing for this long is abandoned. */
const SILENCE_MS = 60_000;

/** Whether a name from a list may become the name of a file here. */
export function isSafeName(name: string): boolean {
  return name !== '' && name.length <= 200 && !/[/\\\0-\x1f\x7f]/.test(name) && !name.startsWith('.');
}

/** The first entry of each name, in order; a name that repeats with different facts is a remark. */
export function listOnce(found: readonly ListedFile[]): Listing {
  const files = new Map<string, ListedFile>();
  const remarks: string[] = [];
  for (const file of found.slice(0, LIST_FILES_MAX)) {
    const known = files.get(file.name);
    if (known === undefined) files.set(file.name, file);
    else if (known.fingerprint !== file.fingerprint)
      remarks.push(`the list names ${file.name} twice, and differently; the first counts`);
  }
  if (found.length > LIST_FILES_MAX)
    remarks.push(`the list names more than ${LIST_FILES_MAX} files; the rest is not read`);
  return { files: [...files.values()], remarks };
}

interface SilenceWatch {
  readonly signal: AbortSignal;
  /** The server has said something. */
  heard(): void;
  stop(): void;
}

/** Aborts its signal with a `PassingFailure` after a minute of silence, or when `outer` is aborted. */
export function watchSilence(clock: Clock, outer: AbortSignal, whom: string): SilenceWatch {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const onOuter = (): void => controller.abort(outer.reason);
  const start = (): void => {
    cancel = clock.callAfter(SILENCE_MS, () => {
      controller.abort(new PassingFailure(`${whom} has sent nothing for ${SILENCE_MS / 1000} s`));
    });
  };
  if (outer.aborted) onOuter();
  outer.addEventListener('abort', onOuter, { once: true });
  start();
  return {
    signal: controller.signal,
    heard() {
      cancel();
      if (!controller.signal.aborted) start();
    },
    stop() {
      cancel();
      outer.removeEventListener('abort', onOuter);
    },
  };
}
