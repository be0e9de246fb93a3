/**
 * Keeps an index up to date: reads everything published after the index's stamp in one database snapshot, makes
 * segments of it and passes them to the writer. The caller decides when.
 */

import { hash, randomUUID } from 'node:crypto';
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import { instantOf, microsOf } from '../base/clock.ts';
import type { Database } from '../database/driver/db.ts';
import { BEFORE_ALL, findPublishState } from '../database/readers/publish-state.ts';
import { type BuiltSegment, SegmentBuilder } from '../index/build.ts';
import type { IndexEntry } from '../index/entry.ts';
import { type RegisterSummary, summarizeRegisters } from '../index/facets.ts';
import { NEVER_INTERRUPTED, Scratch } from '../index/matchers.ts';
import type { View } from '../index/segment.ts';
import type { IndexWriter } from '../index/writer.ts';
import type { SeenPublish } from '../store/publish/lineage.ts';
import { holdPaceAt, PACE_AFTER_MS } from '../store/publish/pace.ts';
import {
  type PublishedRecord,
  type PublishedRecords,
  type PublishedRegister,
  type Reading,
  readPublishes,
} from '../store/publish/publishes.ts';

/** The database is not the one followed so far, or lacks publishes that it had. */
export class DatabaseReplaced extends Error {
  /** The publish that the database lacks, if that is the reason. */
  readonly lost: SeenPublish | null;

  constructor(message: string, lost: SeenPublish | null = null) {
    super(message);
    this.lost = lost;
  }
}

/** A register on which the index and the database disagree; null = it has no such register. */
export interface Difference {
  readonly jurisdiction_code: string;
  readonly index: { readonly records: number; readonly digest: string } | null;
  readonly database: { readonly records: number; readonly digest: string } | null;
}

export interface CaughtUp {
  readonly view: View;
  /** Records published since the last time. */
  readonly records: number;
  /** Null unless they were compared. */
  readonly differences: readonly Difference[] | null;
}

export class Follower {
  private database: Database;
  /** Null: `database` is not a standby. */
  private primary: Database | null = null;
  private readonly writer: IndexWriter;
  private databaseId: string | null = null;
  /** The last publish of records that the index includes; null if none is noted, undefined before the first reading. */
  private lastPublish: Instant | null | undefined;
  /** The lineage of the database when that publish was seen. */
  private lineage: string | null = null;
  /** Of the database, when it was last read. */
  pseudoMarksHeldAt: Instant | null = null;

  constructor(database: Database, writer: IndexWriter) {
    this.database = database;
    this.writer = writer;
  }

  /** Reads from another server of the same database. `primary`: it is a standby of this one, and may be behind. */
  readFrom(database: Database, primary: Database | null): void {
    this.database = database;
    this.primary = primary;
  }

  /** Whether something was published that the index does not include yet, or the database has gone back in time. */
  async isBehind(): Promise<boolean> {
    const { databaseId, lastStamp, pseudoMarksHeldAt } = await findPublishState(this.database);
    this.checkDatabase(databaseId);
    this.pseudoMarksHeldAt = pseudoMarksHeldAt;
    const ahead = microsOf(lastStamp) - this.writer.view.stamp;
    return ahead > 0 || (ahead < 0 && this.primary === null);
  }

  /**
   * Adds everything published by now to the index. `compare`: compare all registers by record count and digest.
   * `pacesLoads`: loads wait for it if it is behind.
   * @throws DatabaseReplaced
   */
  async catchUp({ compare = false, pacesLoads = false, onRecords = (_count: number) => {} } = {}): Promise<CaughtUp> {
    const { stamp } = this.writer.view;
    const after = stamp === 0 ? BEFORE_ALL : instantOf(stamp);
    const { primary } = this;
    let release = (): void => {};
    const read = async ({
      state,
      records,
      holdLoads,
      isReplaying,
      findPublish,
      listRegisters,
    }: Reading): Promise<CaughtUp> => {
      this.checkDatabase(state.databaseId);
      this.pseudoMarksHeldAt = state.pseudoMarksHeldAt;
      const behind = microsOf(state.lastStamp) - stamp;
      if (behind < 0 && primary !== null) return { view: this.writer.view, records: 0, differences: null };
      // If only the clock has gone back, everything that was published is still there.
      if (!(await this.isSameHistory(() => findPublish(after), behind))) {
        throw new DatabaseReplaced('the database lacks publishes that it had', this.seen);
      }
      if (pacesLoads && behind > PACE_AFTER_MS * 1000) {
        if (primary === null) await holdLoads();
        else release = holdPaceAt(primary);
      }
      let count = 0;
      const segments = await buildSegments(records, (more) => {
        count += more;
        onRecords(more);
      });
      const registers = compare ? await listRegisters() : null;
      if (primary !== null && !(await isReplaying())) throw new Error('the standby that is followed was promoted');
      this.lastPublish = await findPublish(state.lastStamp);
      this.lineage = state.lineage;
      const view = this.writer.apply(segments, microsOf(state.lastStamp));
      return { view, records: count, differences: registers === null ? null : findDifferences(view, registers) };
    };
    try {
      return await readPublishes(this.database, after, read);
    } finally {
      release();
    }
  }

  /** What this index has seen of the database; null before the first publish. */
  get seen(): SeenPublish | null {
    const { lastPublish = null, lineage } = this;
    return lastPublish === null || lineage === null ? null : { lineage, stamp: lastPublish };
  }

  private checkDatabase(databaseId: string): void {
    this.databaseId ??= databaseId;
    if (databaseId !== this.databaseId) throw new DatabaseReplaced('the database is not the same one as before');
  }

  /** Whether the database has had what this index includes, and nothing in between. */
  private async isSameHistory(findLast: () => Promise<Instant | null>, behind: number): Promise<boolean> {
    if (this.lastPublish === undefined || (this.lastPublish === null && behind < 0)) return behind >= 0;
    return (await findLast()) === this.lastPublish;
  }
}

function findDifferences(view: View, published: readonly PublishedRegister[]): Difference[] {
  const own = summarizeRegisters(view, { scratch: new Scratch(), interruption: NEVER_INTERRUPTED });
  const codes = new Set([...own, ...published].map(({ jurisdiction_code }) => jurisdiction_code));
  return [...codes].sort().flatMap((code) => {
    const index = read(own, code);
    const database = read(published, code);
    const isEqual = index?.records === database?.records && index?.digest === database?.digest;
    return isEqual ? [] : [{ jurisdiction_code: code, index, database }];
  });
}

function read(registers: readonly RegisterSummary[], code: string): { records: number; digest: string } | null {
  const found = registers.find(({ jurisdiction_code }) => jurisdiction_code === code);
  return found === undefined ? null : { records: found.record_count, digest: found.digest };
}

/**
 * Records per built segment. A segment under construction takes about a kilobyte per record, so this keeps a build
 * within a gigabyte per thread, and the number of segments low enough to search them before they are merged.
 */
export const BUILT_RECORDS_MAX = 1_000_000;

/** Takes records in the order of changes. Calls `onRecords` with the number of records since its last call. */
export async function buildSegments(
  records: PublishedRecords,
  onRecords: (count: number) => void = () => {},
): Promise<BuiltSegment[]> {
  const segments: BuiltSegment[] = [];
  let builder = new SegmentBuilder();
  const stampOf = rememberMicros();
  for await (const batch of records) {
    for (const record of batch) {
      if (builder.records === BUILT_RECORDS_MAX) {
        segments.push(builder.finish(randomUUID()));
        builder = new SegmentBuilder();
      }
      builder.add(readEntry(record, stampOf(record.updated_at)));
    }
    onRecords(batch.length);
  }
  if (builder.records > 0) segments.push(builder.finish(randomUUID()));
  return segments;
}

/** Converts each instant once: thousands of consecutive records have the same stamp. */
function rememberMicros(): (instant: Instant) => number {
  let last = { instant: '', micros: 0 };
  return (instant) => {
    if (instant !== last.instant) last = { instant, micros: microsOf(instant) };
    return last.micros;
  };
}

function readEntry({ detail, mark_variants }: PublishedRecord, stamp: number): IndexEntry {
  // A binary string, with one character per byte, is the cheapest output of `hash`.
  const digest = hash('sha256', detail, 'binary');
  return {
    stamp,
    detail: JSON.parse(detail) as TrademarkDetail,
    markVariants: mark_variants,
    digest: [readWord(digest, 0), readWord(digest, 4)],
  };
}

function readWord(bytes: string, at: number): number {
  const upper = (bytes.charCodeAt(at) << 24) | (bytes.charCodeAt(at + 1) << 16);
  return upper | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3);
}
