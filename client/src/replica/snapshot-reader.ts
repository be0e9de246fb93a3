/**
 * Starts a replica from the files of a snapshot, page by page as from the feed, and hands over to the feed at the
 * cursor of the snapshot. A file is downloaded, compared with its digest, and only then loaded; its place is saved with
 * every page. So a broken download continues where it stopped, and a killed process fetches at most one file again.
 * When the snapshot is gone, another one is loaded over the existing records, or the feed is read from its beginning.
 * Every existing record is either in the other snapshot or delivered later, so nothing is lost.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Snapshot, SnapshotsPage } from '@tmds/contract/snapshots';
import type { TrademarkClient } from '../client.ts';
import { isApiError, TrademarkProtocolError } from '../errors.ts';
import type { Answer } from '../transport.ts';
import { withLineage } from './lineage.ts';
import type { Reader, ReaderOptions, Taken } from './reader.ts';
import { choosePlan, readPlace, type SnapshotPlace, type SnapshotPlan, writePosition } from './snapshot-choice.ts';
import { type FileClient, type FileLoader, type FilePage, openFileLoader } from './snapshot-file.ts';
import { type ReplicaPosition, START } from './states.ts';

export interface SnapshotClient extends FileClient {
  snapshots(...call: Parameters<TrademarkClient['snapshots']>): Promise<Answer<SnapshotsPage>>;
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
  const loader = client === null ? null : openFileLoader(client, { limit, payloads: scope.expand !== null, signal });
  /** Snapshots that are gone, or whose files are not what their manifest says. */
  const unusable = new Set<string>();

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

  /** The next page of the file at the place; null when the snapshot cannot be used any more. */
  async function readPage(current: SnapshotPlan, place: SnapshotPlace, from: FileLoader): Promise<FilePage | null> {
    try {
      return await from.readPage(current.snapshot.id, current.files[place.file]!, place.line);
    } catch (error) {
      if (!from.isGone(error)) throw error;
      from.release();
      unusable.add(current.snapshot.id);
      note(`the snapshot of ${current.snapshot.as_of} cannot be used any more`);
      return null;
    }
  }

  async function takePage(from: FileLoader, current: SnapshotPlan, position: ReplicaPosition): Promise<Taken | null> {
    const begun = readPlace(position);
    const place = begun?.snapshot === current.snapshot.id ? begun : { snapshot: current.snapshot.id, file: 0, line: 0 };
    try {
      const page = await readPage(current, place, from);
      if (page === null) return null;
      const isEnd = page.line === current.files[place.file]!.record_count;
      const [file, line] = isEnd ? [place.file + 1, 0] : [place.file, page.line];
      if (isEnd) from.release();
      const delivered = position.delivered + page.items.length;
      return await save(page.items, position, writePosition(current, file, line, delivered, scope.jurisdiction_code));
    } catch (error) {
      // The position of the replica has to be read again, and then these lines.
      from.rewind();
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
      const taken = plan === null || loader === null ? null : await takePage(loader, plan, position);
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

function describePlan({ snapshot, files, registers }: SnapshotPlan, begun: SnapshotPlace | null): string {
  const records = registers.reduce((sum, { record_count }) => sum + record_count, 0);
  const megabytes = Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 ** 2);
  const verb = begun?.snapshot === snapshot.id ? 'resuming' : 'starting from';
  const [count, fileCount] = [records, files.length].map((number) => number.toLocaleString('en-US'));
  return `${verb} the snapshot of ${snapshot.as_of}: ${count} records, ${fileCount} files, ${megabytes} MB`;
}
