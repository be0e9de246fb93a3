/**
 * Reads one file of a snapshot or a delta at a time, page by page: downloads it, compares it with its digest, and only
 * then hands its records on. A download that breaks off continues where it stopped.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { SnapshotFile } from '@tmds/contract/snapshots';
import type { TrademarkClient } from '../client.ts';
import { isApiError, TrademarkConnectionError, TrademarkProtocolError } from '../errors.ts';
import { keepPayloadTexts } from '../payload-text.ts';

export interface FileClient {
  snapshotFile(...call: Parameters<TrademarkClient['snapshotFile']>): AsyncIterable<Uint8Array>;
}

export interface FilePage {
  readonly items: TrademarkDetail[];
  /** The line after the last of them. */
  readonly line: number;
}

export interface FileLoader {
  /** The page that begins at this line, or goes on after the page before. */
  readPage(folderId: string, file: SnapshotFile, line: number): Promise<FilePage>;
  /** The next page begins at the line that is asked for; what has arrived of the file is kept. */
  rewind(): void;
  /** Forgets the file. */
  release(): void;
  /** Whether the error means that the service no longer has the file, or never sends what its manifest says. */
  isGone(error: unknown): boolean;
}

interface LoaderOptions {
  /** Records per page. */
  readonly limit: number;
  readonly payloads: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A file that is being downloaded, or loaded. */
interface OpenFile {
  readonly file: SnapshotFile;
  readonly pieces: Uint8Array[];
  bytes: number;
  isProven: boolean;
  /** Null: the file is read again, from the line that the replica has reached. */
  pages: AsyncGenerator<FilePage, void, void> | null;
}

/** How often a file may differ from its manifest in a row. */
const MISMATCHES_MAX = 3;

export function openFileLoader(client: FileClient, { limit, payloads, signal }: LoaderOptions): FileLoader {
  let open: OpenFile | null = null;
  let mismatches = 0;

  /** Fetches the missing part of the file and verifies its digest. */
  async function complete(current: OpenFile, folderId: string): Promise<void> {
    if (current.isProven) return;
    const { name, bytes, sha256 } = current.file;
    if (current.bytes < bytes) {
      const options = { signal, maxRetries: 0, start: current.bytes };
      for await (const piece of client.snapshotFile(folderId, name, options)) {
        current.pieces.push(piece);
        current.bytes += piece.length;
        if (current.bytes > bytes) break;
      }
    }
    const found = hash('sha256', Buffer.concat(current.pieces), 'hex');
    if (current.bytes === bytes && found === sha256) {
      current.isProven = true;
      mismatches = 0;
      return;
    }
    open = null;
    mismatches += 1;
    throw new TrademarkConnectionError(`${name} arrived otherwise than its manifest says; fetching it again`, null);
  }

  return {
    async readPage(folderId, file, line) {
      if (open?.file !== file) open = { file, pieces: [], bytes: 0, isProven: false, pages: null };
      const current = open;
      await complete(current, folderId);
      current.pages ??= readPages(current, line, limit, payloads);
      const { value } = await current.pages.next();
      if (value === undefined) throw buildCountError(file);
      return value;
    },
    rewind() {
      if (open !== null) open.pages = null;
    },
    release() {
      open = null;
    },
    isGone(error) {
      if (!isApiError(error, 'not_found') && mismatches < MISMATCHES_MAX) return false;
      mismatches = 0;
      return true;
    },
  };
}

function buildCountError({ name }: SnapshotFile): Error {
  return new TrademarkProtocolError(`${name} does not have as many records as its manifest says`, null);
}

async function* readPages(
  { file, pieces }: OpenFile,
  start: number,
  limit: number,
  payloads: boolean,
): AsyncGenerator<FilePage, void, void> {
  let items: TrademarkDetail[] = [];
  let line = 0;
  for await (const texts of readLines(pieces)) {
    for (const text of texts) {
      line += 1;
      if (line > file.record_count) throw buildCountError(file);
      if (line <= start) continue;
      items.push(readRecord(text, payloads));
      if (items.length < limit && line < file.record_count) continue;
      yield { items, line };
      items = [];
    }
  }
}

function readRecord(text: string, payloads: boolean): TrademarkDetail {
  const record = JSON.parse(text) as TrademarkDetail;
  if (payloads) keepPayloadTexts(record, text);
  else delete record.payload;
  return record;
}

const LINE_END = 0x0a;

/** Whole lines, as many as a piece of text completes. */
async function* readLines(pieces: readonly Uint8Array[]): AsyncGenerator<string[], void, void> {
  let rest: Buffer[] = [];
  for await (const chunk of Readable.from(pieces).pipe(createGunzip())) {
    const bytes = chunk as Buffer;
    const lines: string[] = [];
    let at = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, at)) {
      const tail = bytes.subarray(at, end);
      lines.push((rest.length === 0 ? tail : Buffer.concat([...rest, tail])).toString('utf8'));
      rest = [];
      at = end + 1;
    }
    if (at < bytes.length) rest.push(bytes.subarray(at));
    if (lines.length > 0) yield lines;
  }
}
