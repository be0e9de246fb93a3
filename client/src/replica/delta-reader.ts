/**
 * Brings a replica forward by the files of deltas instead of the change feed. The delta that reaches furthest among
 * those that go on from the replica is applied, then the next. Its records are saved page by page at the old position,
 * and the position moves to the end of the delta with the last of them: so a run that is killed applies a delta again,
 * which changes nothing, and the feed can take over at any time.
 */
import { DIGEST_FORM } from '@tmds/contract/extras';
import {
  type Delta,
  type DeltasPage,
  MANIFEST_FORM,
  SNAPSHOT_SINCE,
  type SnapshotFile,
} from '@tmds/contract/snapshots';
import type { TrademarkClient } from '../client.ts';
import { TrademarkConnectionError } from '../errors.ts';
import type { Answer } from '../transport.ts';
import { type FeedPlace, joinPosition, splitPosition } from './feeds.ts';
import { withLineage } from './lineage.ts';
import type { Reader, ReaderOptions, Taken } from './reader.ts';
import { ReplicaError, type ReplicaScope } from './sink.ts';
import { type FileClient, openFileLoader } from './snapshot-file.ts';
import type { ReplicaPosition } from './states.ts';

export interface DeltaClient extends FileClient {
  deltas(...call: Parameters<TrademarkClient['deltas']>): Promise<Answer<DeltasPage>>;
}

/** A delta that is being applied. */
interface Applied {
  readonly delta: Delta;
  readonly files: readonly SnapshotFile[];
  readonly lineage: string | null;
  file: number;
  line: number;
}

export function buildDeltaReader(client: DeltaClient, { sink, scope, limit, signal }: ReaderOptions): Reader {
  const loader = openFileLoader(client, { limit, payloads: scope.expand !== null, signal });
  let held: ReplicaPosition | null = null;
  let hasAnswered = false;
  let isIndexed = false;
  let applied: Applied | null = null;

  /** Null: there is no later delta. */
  async function findNext(position: ReplicaPosition): Promise<Applied | null> {
    const { label } = sink;
    const completeTo = position.complete_to;
    if (completeTo === null) throw buildStartError(label);
    const { items, meta } = await client.deltas({ as_of: completeTo }, { signal, maxRetries: 0 });
    hasAnswered = true;
    const lineage = meta.feedLineage;
    if (position.lineage != null && lineage !== null && lineage !== position.lineage) throw buildLineageError(label);
    const fitting = items.filter((delta) => isFitting(delta, scope));
    const delta = chooseDelta(fitting, completeTo);
    if (delta === null && fitting.length > 0) throw buildGapError(label, completeTo, fitting[0]!.from_as_of);
    if (delta === null) return null;
    return {
      delta,
      files: listFiles(delta, splitPosition(position, scope.jurisdiction_code)),
      lineage,
      file: 0,
      line: 0,
    };
  }

  async function save(items: Parameters<typeof sink.save>[0], from: ReplicaPosition, to: ReplicaPosition) {
    held = null;
    await sink.save(items, from, to);
    held = to;
  }

  async function takePage(current: Applied, position: ReplicaPosition): Promise<Taken> {
    const { delta, files, lineage } = current;
    const file = files[current.file];
    try {
      const page = file === undefined ? null : await loader.readPage(delta.id, file, current.line);
      const isFileEnd = page !== null && page.line === file!.record_count;
      const isEnd = page === null || (isFileEnd && current.file + 1 === files.length);
      const items = page?.items ?? [];
      const delivered = position.delivered + items.length;
      const to = isEnd
        ? withLineage(moveTo(delta, position, delivered, scope), position.lineage ?? lineage)
        : { ...position, delivered };
      await save(items, position, to);
      if (isEnd) applied = null;
      else if (isFileEnd) Object.assign(current, { file: current.file + 1, line: 0 });
      else current.line = page.line;
      if (isEnd || isFileEnd) loader.release();
      return { event: { kind: 'page_saved', position: to }, records: items.length, left: [] };
    } catch (error) {
      loader.rewind();
      const isGone = loader.isGone(error);
      // The list is read again: there may be another delta, and another process may have moved the replica.
      if (isGone || held === null) applied = null;
      if (!isGone) throw error;
      throw new TrademarkConnectionError(`the delta ${delta.id} cannot be fetched any more`, null, { cause: error });
    }
  }

  return {
    async take() {
      const position = held ?? (await sink.open(scope));
      held = position;
      applied ??= await findNext(position);
      if (applied !== null) return await takePage(applied, position);
      if (!isIndexed) await sink.index?.();
      isIndexed = true;
      return { event: { kind: 'end_saved', position, pollAfterMs: 0 }, records: 0, left: [] };
    },
    findHeld: () => held,
    hasAnswered: () => hasAnswered,
  };
}

function isFitting(delta: Delta, scope: ReplicaScope): boolean {
  const isKnown = delta.form === MANIFEST_FORM && delta.digest_form === DIGEST_FORM && delta.since === SNAPSHOT_SINCE;
  return isKnown && (delta.payloads || scope.expand === null);
}

/** The one that reaches furthest, without payloads if there is a choice; then the shortest. */
function chooseDelta(deltas: readonly Delta[], completeTo: string): Delta | null {
  const going = deltas.filter(({ from_as_of, as_of }) => from_as_of <= completeTo && completeTo < as_of);
  const isBetter = (one: Delta, other: Delta): boolean => {
    if (one.as_of !== other.as_of) return one.as_of > other.as_of;
    if (one.payloads !== other.payloads) return other.payloads;
    return one.from_as_of > other.from_as_of;
  };
  return going.reduce<Delta | null>((best, delta) => (best === null || isBetter(delta, best) ? delta : best), null);
}

/** The files of the registers whose places are behind the delta. */
function listFiles({ registers, as_of }: Delta, places: readonly FeedPlace[]): SnapshotFile[] {
  const isBehind = (code: string): boolean =>
    places.some((place) => (place.code === null || place.code === code) && isBefore(place, as_of));
  return registers
    .filter(({ jurisdiction_code: code }) => isBehind(code))
    .flatMap(({ files }) => files.filter(({ format }) => format === 'jsonl'));
}

function isBefore({ complete_to }: FeedPlace, asOf: string): boolean {
  return complete_to === null || complete_to < asOf;
}

/** The position at the end of a delta. A place beyond it stays; so does the cursor of a register without records. */
function moveTo(delta: Delta, from: ReplicaPosition, delivered: number, scope: ReplicaScope): ReplicaPosition {
  const places = splitPosition(from, scope.jurisdiction_code).map((place) => {
    if (!isBefore(place, delta.as_of)) return place;
    const register = delta.registers.find(({ jurisdiction_code: code }) => code === place.code);
    const cursor = place.code === null ? delta.cursor : (register?.cursor ?? place.cursor);
    return { code: place.code, cursor, complete_to: delta.as_of };
  });
  return joinPosition(places, delivered);
}

function buildStartError(label: string): ReplicaError {
  return new ReplicaError(
    `${label} has never caught up, and there is no snapshot from which it can start: a delta needs something to go on ` +
      'from; let it catch up through the feed first, without deltas',
  );
}

function buildGapError(label: string, completeTo: string, from: string): ReplicaError {
  return new ReplicaError(
    `${label} is complete up to ${completeTo}, and the earliest delta that the service keeps begins at ${from}: go on ` +
      'through the feed once, without deltas, or start from a snapshot in another place',
  );
}

function buildLineageError(label: string): ReplicaError {
  return new ReplicaError(
    `the service has gone back, and no delta says what ${label} has too much: go on through the feed once, without ` +
      'deltas, which compares every record',
  );
}
