/**
 * Starts a replica from the files of a snapshot, page by page as from the feed, and hands over to the feed at the
 * cursor of the snapshot. A file is downloaded, compared with its digest, and only then loaded; its place is saved with
 * every page. So a broken download continues where it stopped, and a killed process fetches at most one file again.
 * When the snapshot is gone, another one is loaded over the existing records, or the feed is read from its beginning.
 * Every existing record is either in the other snapshot or delivered later, so nothing is lost.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Snapshot, SnapshotFile, SnapshotsPage } from '@tmds/contract/snapshots';
import type { TrademarkClient } from '../client.ts';
import { isApiError, TrademarkConnectionError, TrademarkProtocolError } from '../errors.ts';
import { keepPayloadTexts } from '../payload-text.ts';
import type { Answer } from '../transport.ts';
import { withLineage } from './lineage.ts';
import type { Reader, ReaderOptions, Taken } from './reader.ts';
import { choosePlan, readPlace, type SnapshotPlace, type SnapshotPlan, writePosition } from './snapshot-choice.ts';
import { type ReplicaPosition, START } from './states.ts';

export interface SnapshotClient {
  snapshots(...call: Parameters<TrademarkClient['snapshots']>): Promise<Answer<SnapshotsPage>>;
  snapshotFile(...call: Parameters<TrademarkClient['snapshotFile']>): AsyncIterable<Uint8Array>;
}

/** A file that is being downloaded, or loaded. */
interface OpenFile {
  readonly file: SnapshotFile;
  readonly pieces: Uint8Array[];
  bytes: number;
  isProven: boolean;
  /** Null: the file is read again, from the line that the replica has reached. */
  pages: AsyncGenerator<Page, void, void> | null;
}

interface Page {
  readonly items: TrademarkDetail[];
  /** The line after the last of them. */
  readonly line: number;
}

/** @param client null: the replica starts from the feed */
export function buildSnapshotReader(
  client: SnapshotClient | null,
  feed: Reader,
  { sink, scope, limit, signal }: ReaderOptions,
  note: (message: string) => void,
): Reader {
  let held: ReplicaPosition | null = null;
  let hasAnswered = false;
  let lineage: string | null = null;
  let isInFeed = false;
  let plan: SnapshotPlan | null = null;
  let open: OpenFile | null = null;
  /** Snapshots that are gone, or whose files are not what their manifest says. */
  const unusable = new Set<string>();
  let mismatches = 0;

  async function findPlan(begun: SnapshotPlace | null): Promise<SnapshotPlan | null> {
    if (client === null) return null;
    const snapshots = await listSnapshots(client);
    const chosen = choosePlan(
      snapshots.filter(({ id }) => !unusable.has(id)),
      scope,
      begun,
    );
    if (chosen !== null) note(describePlan(chosen, begun));
    return chosen;
  }

  async function listSnapshots(from: SnapshotClient): Promise<readonly Snapshot[]> {
    try {
      const { items, meta } = await from.snapshots({ signal, maxRetries: 0 });
      hasAnswered = true;
      lineage = meta.feedLineage;
      return Array.isArray(items) ? items : [];
    } catch (error) {
      // An older service has no such call, and a gateway may block it. A wrong address shows in the feed.
      if (isApiError(error, 'not_found') || TrademarkProtocolError.is(error)) return [];
      throw error;
    }
  }

  async function save(items: TrademarkDetail[], from: ReplicaPosition, next: ReplicaPosition): Promise<Taken> {
    const to = withLineage(next, from.lineage ?? lineage);
    held = null;
    await sink.save(items, from, to);
    held = to;
    return { event: { kind: 'page_saved', position: to }, records: items.length, left: [] };
  }

  /** Fetches the missing part of the file and verifies its digest. */
  async function complete(from: SnapshotClient, current: OpenFile, snapshotId: string): Promise<void> {
    if (current.isProven) return;
    const { name, bytes, sha256 } = current.file;
    if (current.bytes < bytes) {
      const options = { signal, maxRetries: 0, start: current.bytes };
      for await (const piece of from.snapshotFile(snapshotId, name, options)) {
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

  /** The next page of the file at the place; null when the snapshot cannot be used any more. */
  async function readPage(from: SnapshotClient, current: SnapshotPlan, place: SnapshotPlace): Promise<Page | null> {
    const file = current.files[place.file]!;
    try {
      if (open?.file !== file) open = { file, pieces: [], bytes: 0, isProven: false, pages: null };
      await complete(from, open, current.snapshot.id);
    } catch (error) {
      if (!isApiError(error, 'not_found') && mismatches < MISMATCHES_MAX) throw error;
      mismatches = 0;
      open = null;
      unusable.add(current.snapshot.id);
      note(`the snapshot of ${current.snapshot.as_of} cannot be used any more`);
      return null;
    }
    const reading = open;
    reading.pages ??= readPages(reading, place.line, limit, scope.expand !== null);
    const { value } = await reading.pages.next();
    if (value === undefined) throw buildCountError(file);
    return value;
  }

  async function takePage(
    from: SnapshotClient,
    current: SnapshotPlan,
    position: ReplicaPosition,
  ): Promise<Taken | null> {
    const begun = readPlace(position);
    const place = begun?.snapshot === current.snapshot.id ? begun : { snapshot: current.snapshot.id, file: 0, line: 0 };
    try {
      const page = await readPage(from, current, place);
      if (page === null) return null;
      const isEnd = page.line === current.files[place.file]!.record_count;
      const [file, line] = isEnd ? [place.file + 1, 0] : [place.file, page.line];
      if (isEnd) open = null;
      const delivered = position.delivered + page.items.length;
      return await save(page.items, position, writePosition(current, file, line, delivered, scope.jurisdiction_code));
    } catch (error) {
      // The position of the replica has to be read again, and then these lines.
      if (open !== null) (open as OpenFile).pages = null;
      throw error;
    }
  }

  async function take(): Promise<Taken> {
    if (isInFeed) return await feed.take();
    const position = held ?? (await sink.open(scope));
    held = position;
    const begun = readPlace(position);
    const isNew = position.cursor === null && position.complete_to === null;
    if (begun !== null || isNew) {
      plan ??= await findPlan(begun);
      const taken = plan === null || client === null ? null : await takePage(client, plan, position);
      if (taken !== null) return taken;
      if (plan !== null) {
        plan = null;
        return await take();
      }
      // The feed does not know the place in a snapshot.
      if (begun !== null) return await save([], position, { ...START, delivered: position.delivered });
    }
    isInFeed = true;
    return await feed.take();
  }

  return {
    take,
    findHeld: () => (isInFeed ? feed.findHeld() : held),
    hasAnswered: () => hasAnswered || feed.hasAnswered(),
  };
}

/** How often a file may differ from its manifest before its snapshot is given up. */
const MISMATCHES_MAX = 3;

function describePlan({ snapshot, files, registers }: SnapshotPlan, begun: SnapshotPlace | null): string {
  const records = registers.reduce((sum, { record_count }) => sum + record_count, 0);
  const megabytes = Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 ** 2);
  const verb = begun?.snapshot === snapshot.id ? 'resuming' : 'starting from';
  const [count, fileCount] = [records, files.length].map((number) => number.toLocaleString('en-US'));
  return `${verb} the snapshot of ${snapshot.as_of}: ${count} records, ${fileCount} files, ${megabytes} MB`;
}

function buildCountError({ name }: SnapshotFile): Error {
  return new TrademarkProtocolError(`${name} does not have as many records as its manifest says`, null);
}

async function* readPages(
  { file, pieces }: OpenFile,
  start: number,
  limit: number,
  payloads: boolean,
): AsyncGenerator<Page, void, void> {
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
