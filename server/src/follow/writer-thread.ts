/**
 * The thread that writes the index: it opens a snapshot or builds the index from the database, follows every publish,
 * starts merges and snapshots on worker threads, and sends views to the search threads, which keep the last on failure.
 */
import { rm } from 'node:fs/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { instantOf, isoInstant, microsOf, systemClock } from '../base/clock.ts';
import type { Database } from '../database/driver/db.ts';
import { findPublishState } from '../database/readers/publish-state.ts';
import { describeView, loadView } from '../index/files.ts';
import { countLiving, EMPTY_VIEW, measureView, type View } from '../index/segment.ts';
import { chooseMerge, IndexWriter } from '../index/writer.ts';
import { renewLineage, type SeenPublish } from '../store/publish/lineage.ts';
import { listRanges } from '../store/publish/publishes.ts';
import { openSources, type Source } from './connect.ts';
import { BUILT_RECORDS_MAX, DatabaseReplaced, Follower } from './follower.ts';
import { checkMemory } from './memory.ts';
import { type IndexStatus, NOT_STARTED, type WriterData, type WriterOrder, type WriterReport } from './messages.ts';
import { PseudoMarks } from './pseudo-marks.ts';
import { SnapshotSaver } from './snapshot-saver.ts';
import { WorkPool } from './work-pool.ts';

const port = parentPort;
if (port === null) throw new Error('this file only runs as a worker thread');
const { folder, ...data } = workerData as WriterData;
let { url } = data;
let generation = 0;
const sources = await openSources(
  () => url,
  data.standbyUrl,
  () => generation,
);

/** Pause between polls for publishes; the statement is cheap. A search that needs a publish sooner wakes the writer. */
const POLL_MS = 20;
/** Pause after a failure, usually of the database; doubled with every further failure, up to the maximum. */
const RETRY_MS = 500;
const RETRY_MS_MAX = 8_000;
/** How long no standby is read from after the index could not be started, or differed. */
const AVOIDED_MS = 60_000;
/** Interval of comparisons with the database. One takes about 10 ms per million records, and publishes wait for it. */
const COMPARED_AFTER_MS = 10 * 60_000;
const STATUS_AFTER_MS = 1_000;
/** A build logs its progress after this share of the records, but not for fewer records than the minimum. */
const LOGGED_SHARE = 0.1;
const LOGGED_RECORDS_MIN = 100_000;
/** Two merges may run at once, but only one with this many records, so that small segments do not pile up. */
const LARGE_RECORDS = 1_000_000;

const adopted = new Int32Array(data.adopted);
const readers = new Map<number, { port: MessagePort; known: Set<string> }>();
const pool = new WorkPool();
const merging = new Set<string>();
let writer = new IndexWriter(oldestView);
const pseudoMarks = new PseudoMarks({
  database: () => sources.primary().database,
  writer: () => writer,
  merging,
  onTaken: (view) => {
    show(view);
    snapshots.noteDue();
  },
  log: (level, text, about) => isClosing || log(level, text, about),
});
const snapshots = new SnapshotSaver({
  folder,
  pool,
  clock: systemClock,
  writer: () => writer,
  log: (level, text, about) => isClosing || log(level, text, about),
});
let isMergingLarge = false;
let comparedMs = 0;
let isClosing = false;
let wake = (): void => {};
let status = NOT_STARTED;
let statusMs = 0;

function oldestView(): number {
  return Math.min(...[...readers.keys()].map((index) => Atomics.load(adopted, index)), Number.POSITIVE_INFINITY);
}

function report(message: WriterReport): void {
  port?.postMessage(message);
}

function log(level: 'info' | 'warn' | 'error', text: string, about: object = {}): void {
  report({ kind: 'log', level, text, about });
}

function setStatus(change: Partial<IndexStatus>, isUrgent = false): void {
  status = { ...status, ...change };
  const nowMs = systemClock.monotonicMs();
  if (!isUrgent && nowMs - statusMs < STATUS_AFTER_MS) return;
  statusMs = nowMs;
  report({ kind: 'status', status: { ...status, ...measureView(writer.view) } });
}

function showTo(reader: { port: MessagePort; known: Set<string> }, view: View): void {
  const fresh = view.parts.filter(({ segment }) => !reader.known.has(segment.parts.id));
  reader.known = new Set(view.parts.map(({ segment }) => segment.parts.id));
  reader.port.postMessage({
    number: view.number,
    stamp: view.stamp,
    parts: view.parts.map(({ segment, dead }) => ({ id: segment.parts.id, dead })),
    fresh: fresh.map(({ segment }) => segment.parts),
  });
}

function show(view: View): void {
  for (const reader of readers.values()) showTo(reader, view);
  report({ kind: 'shown', stamp: view.stamp });
  setStatus({ stamp: instantOf(view.stamp) });
}

function addReader(index: number, views: MessagePort): void {
  Atomics.store(adopted, index, 0);
  const reader = { port: views, known: new Set<string>() };
  readers.set(index, reader);
  if (status.state === 'ready') showTo(reader, writer.view);
}

/** Opens the index from its snapshot or builds it, up to date with the database. Only a build reads from a standby. */
async function start(): Promise<Follower> {
  const { database } = sources.primary();
  const { databaseId, lastStamp } = await findPublishState(database);
  const opened = await openSnapshot(database, databaseId, microsOf(lastStamp));
  const follower = opened ?? (await buildIndex(sources.chosen(), databaseId));
  comparedMs = systemClock.monotonicMs();
  return follower;
}

/** Null if there is no snapshot, or none that agrees with the database. */
async function openSnapshot(database: Database, databaseId: string, lastStamp: number): Promise<Follower | null> {
  const saved = snapshots.folderOf(databaseId);
  if (saved === null) return null;
  const loaded = await loadView(saved, databaseId, lastStamp);
  await renewIfLost(database, loaded.seen);
  if (loaded.view === null) {
    log('info', 'building the search index from the database', { snapshot: loaded.reason });
    return null;
  }
  writer = new IndexWriter(oldestView, loaded.view);
  pseudoMarks.heldAt = loaded.pseudoMarksHeldAt;
  const follower = new Follower(database, writer);
  const { records, differences } = await follower.catchUp({ compare: true });
  noteComparison(differences);
  if (differences !== null && differences.length > 0) {
    log('warn', 'the snapshot of the search index differs from the database and is discarded', { differences });
    await rm(saved, { recursive: true, force: true });
    return null;
  }
  log('info', 'the search index was opened from its snapshot', { records_since: records });
  snapshots.noteChanges(records);
  return follower;
}

async function buildIndex({ database, primary, url }: Source, databaseId: string): Promise<Follower> {
  writer = new IndexWriter(oldestView, { ...EMPTY_VIEW, number: writer.view.number + 1 });
  pseudoMarks.heldAt = (await findPublishState(database)).pseudoMarksHeldAt;
  const ranges = await listRanges(database, BUILT_RECORDS_MAX);
  const total = ranges.reduce((sum, { records }) => sum + records, 0);
  checkMemory(total);
  let done = 0;
  let logged = 0;
  const advance = (records: number): void => {
    done += records;
    setStatus({ progress: { done, total } });
    if (done - logged < Math.max(total * LOGGED_SHARE, LOGGED_RECORDS_MIN)) return;
    logged = done;
    log('info', 'building the search index', { done, total });
  };
  const built = await Promise.all(ranges.map((range) => pool.run({ kind: 'build', url, range }, advance)));
  const segments = built.flat().map((parts) => ({ parts, replacing: new Uint32Array(0) }));
  const last = ranges.at(-1);
  if (last !== undefined) writer.apply(segments, microsOf(last.through));
  const follower = new Follower(database, writer);
  follower.readFrom(database, primary);
  const { differences } = await follower.catchUp({ compare: true, onRecords: advance });
  noteComparison(differences);
  if (differences !== null && differences.length > 0) {
    log('error', 'the search index differs from the database right after it was built', { differences });
  }
  log('info', 'the search index was built', { records: measureView(writer.view).records, database: databaseId });
  snapshots.noteDue();
  return follower;
}

function noteComparison(differences: NonNullable<IndexStatus['compared']>['differences'] | null): void {
  if (differences === null) return;
  comparedMs = systemClock.monotonicMs();
  setStatus({ compared: { at: isoInstant(systemClock.nowMs()), differences } }, true);
}

async function follow(follower: Follower): Promise<void> {
  const isDue = systemClock.monotonicMs() - comparedMs > COMPARED_AFTER_MS;
  if (!isDue && !(await follower.isBehind())) return;
  const { view, records, differences } = await follower.catchUp({ compare: isDue, pacesLoads: true });
  snapshots.noteChanges(records);
  show(view);
  noteComparison(differences);
  if (differences !== null && differences.length > 0) {
    throw new DatabaseReplaced(`the search index differs from the database: ${JSON.stringify(differences)}`);
  }
}

/** Starts a merge and a snapshot if they are due, without waiting for them. */
function tend(databaseId: string, follower: Follower): void {
  void pseudoMarks.take(follower.pseudoMarksHeldAt);
  void mergeNext();
  void snapshots.saveIfDue(databaseId, follower.seen, pseudoMarks.heldAt);
}

/** Replicas have to know that the database has gone back (rule I-47). */
async function renewIfLost(primary: Database, seen: SeenPublish | null): Promise<void> {
  if (seen === null || !(await renewLineage(primary, seen))) return;
  log('warn', 'the database has gone back: its feeds have another lineage now', { lost: seen.stamp });
}

async function mergeNext(): Promise<void> {
  if (pool.isFull) return;
  const inputs = chooseMerge(writer.view, merging);
  if (inputs === null) return;
  const isLarge = inputs.reduce((sum, part) => sum + countLiving(part), 0) >= LARGE_RECORDS;
  if (isLarge && isMergingLarge) return;
  const ids = inputs.map(({ segment }) => segment.parts.id);
  for (const id of ids) merging.add(id);
  isMergingLarge ||= isLarge;
  const own = writer;
  const release = own.hold();
  try {
    const [parts] = await pool.run({ kind: 'merge', view: describeView(inputs, own.view.stamp) });
    // The index may have been restarted in the meantime, with another writer.
    if (own === writer) show(own.replace(inputs, parts!));
  } catch (error) {
    if (!isClosing) log('warn', 'a merge of the search index failed and will be retried', { err: String(error) });
    await systemClock.sleep(RETRY_MS);
  } finally {
    release();
    for (const id of ids) merging.delete(id);
    if (isLarge) isMergingLarge = false;
  }
}

/** Waits `ms` milliseconds, or until an order arrives. */
async function pause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopTimer = systemClock.callAfter(ms, resolve);
    wake = () => {
      stopTimer();
      resolve();
    };
  });
}

async function run(): Promise<void> {
  let retryMs = RETRY_MS;
  let lastFault = '';
  let lost: SeenPublish | null = null;
  while (!isClosing) {
    try {
      setStatus({ state: 'starting', fault: null }, true);
      await renewIfLost(sources.primary().database, lost);
      lost = null;
      const { databaseId } = await findPublishState(sources.primary().database);
      const follower = await start();
      setStatus({ state: 'ready', progress: null, fault: null }, true);
      show(writer.view);
      retryMs = RETRY_MS;
      await followOn(follower, databaseId);
    } catch (error) {
      const fault = (error as Error).message;
      if (fault !== lastFault) log('warn', 'the search index is restarting', { reason: fault });
      lastFault = fault;
      // The index holds records that the database does not: it must not answer any more searches.
      if (error instanceof DatabaseReplaced) report({ kind: 'withdrawn' });
      lost = error instanceof DatabaseReplaced ? error.lost : lost;
      setStatus({ state: 'failed', fault }, true);
      sources.avoidStandby(AVOIDED_MS);
      await pause(retryMs);
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2);
    }
  }
  await sources.close();
  await pool.close();
}

/** Returns when the process stops; throws when the index has to be restarted. */
async function followOn(follower: Follower, databaseId: string): Promise<void> {
  while (!isClosing) {
    const { database, primary } = sources.chosen();
    follower.readFrom(database, primary);
    try {
      await follow(follower);
      if (status.fault !== null) setStatus({ fault: null }, true);
      tend(databaseId, follower);
      await pause(POLL_MS);
    } catch (error) {
      if (error instanceof DatabaseReplaced) throw error;
      if (primary !== null) {
        sources.avoidStandby(RETRY_MS);
        continue;
      }
      setStatus({ fault: (error as Error).message }, status.fault === null);
      await pause(RETRY_MS);
    }
  }
}

port.on('message', (order: WriterOrder) => {
  if (order.kind === 'reader') addReader(order.index, order.port);
  if (order.kind === 'moved') url = order.url;
  if (order.kind === 'reconnect') generation += 1;
  if (order.kind === 'follow') sources.follow(order.standbyUrl);
  if (order.kind === 'close') isClosing = true;
  wake();
});
run().then(
  () => report({ kind: 'closed' }),
  (error: Error) => {
    log('error', 'the search index stopped', { err: error.message });
    report({ kind: 'closed' });
  },
);
