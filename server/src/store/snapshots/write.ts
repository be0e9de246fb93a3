/**
 * Makes a snapshot: the records of every register up to the horizon of the feed, as files, and a manifest with the
 * cursors from which the feed continues. Everything comes from one reading of the database, for which nothing waits
 * (docs/design/snapshots.md). The deltas that are due are made in the same reading.
 */
import { DIGEST_FORM } from '@tmds/contract/extras';
import { type Delta, MANIFEST_FORM, SNAPSHOT_SINCE, type Snapshot } from '@tmds/contract/snapshots';
import { type Clock, DAY_MS, isoInstant } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { encodeFeedCursor, type StampedPosition } from '../../plan/changes.ts';
import { readSettled } from '../publish/announce.ts';
import type { PublishedRegister } from '../publish/publishes.ts';
import { type IsDue, planDeltas, writeDelta } from './deltas.ts';
import { explainSnapshot, listStoredOf, openWorkspace, pruneDeltas, pruneSnapshots, type Workspace } from './folder.ts';
import { DOCUMENT_SCHEMA_DIGEST, snapshotId } from './manifest.ts';
import { claimSnapshot, findReadingState, type ReadingState, readRegister } from './read-records.ts';
import { type PartOptions, RegisterWriter, type WrittenRegister } from './register-writer.ts';

export interface SnapshotOptions extends PartOptions {
  /** Without a statement timeout. */
  readonly db: Database;
  /** Holds the snapshots, each in a separate folder; created if missing. */
  readonly folder: string;
  /** Null: every register that has records up to the horizon. */
  readonly registers: readonly string[] | null;
  readonly horizonSeconds: number;
  /** How many snapshots the folder keeps, this one included. */
  readonly keep: number;
  /** How many days a delta is kept; 0: none are made. */
  readonly deltaDays: number;
  /** Which deltas are due; default: those of a calendar. */
  readonly isDue?: IsDue;
  readonly clock: Clock;
  readonly onProgress?: (at: SnapshotProgress) => void;
  /** Awaited at each step, for tests that publish or die there. */
  readonly onStep?: (step: SnapshotStep) => Promise<void> | void;
}

/**
 * `register`: the files of another register are written; `written`: those of all, without a manifest yet; `delta`:
 * another delta is complete.
 */
export type SnapshotStep = 'begun' | 'register' | 'written' | 'finished' | 'delta' | 'pruned';

export interface SnapshotProgress {
  readonly register: string;
  /** Records of all registers so far. */
  readonly records: number;
  readonly recordsTotal: number;
}

export interface SnapshotReport {
  readonly snapshot: Snapshot;
  readonly folder: string;
  /** Made in the same reading, so that each ends where the snapshot does. */
  readonly deltas: readonly Delta[];
  /** Ids of older snapshots and deltas that were removed. */
  readonly pruned: readonly string[];
  readonly seconds: number;
}

/** Throws OperatorError, and then leaves nothing that looks like a snapshot. */
export async function writeSnapshot(options: SnapshotOptions): Promise<SnapshotReport> {
  const { db, clock } = options;
  const startedMs = clock.monotonicMs();
  return await readSettled(db, async (tx) => {
    await claimSnapshot(tx);
    const state = await findReadingState(tx, options.horizonSeconds);
    const registers = chooseRegisters(state, options.registers);
    const madeAt = isoInstant(clock.nowMs());
    const workspace = await openWorkspace(options.folder, snapshotId(madeAt));
    try {
      await options.onStep?.('begun');
      const written = await writeRegisters(tx, workspace, { ...options, state, registers });
      await options.onStep?.('written');
      const snapshot = describe(state, written, madeAt, options.payloads);
      const folder = await workspace.finish({ ...snapshot, database_id: state.databaseId, lineage: state.lineage });
      await options.onStep?.('finished');
      const deltas = await writeDueDeltas(tx, snapshot, state, options);
      const pruned = [
        ...(await pruneSnapshots(options.folder, options.keep)),
        ...(await pruneDeltas(options.folder, clock.nowMs() - options.deltaDays * DAY_MS)),
      ];
      await options.onStep?.('pruned');
      return { snapshot, folder, deltas, pruned, seconds: (clock.monotonicMs() - startedMs) / 1000 };
    } catch (error) {
      await workspace.abandon();
      throw explainSnapshot(options.folder, error);
    }
  });
}

/** A snapshot of some registers has no deltas: a copy of others could not follow by them. */
async function writeDueDeltas(
  tx: Transaction,
  snapshot: Snapshot,
  state: ReadingState,
  options: SnapshotOptions,
): Promise<Delta[]> {
  if (options.deltaDays === 0 || snapshot.cursor === null) return [];
  const known = await listStoredOf(options.folder, state);
  const deltas: Delta[] = [];
  for (const plan of planDeltas(snapshot, known, options.isDue)) {
    deltas.push(await writeDelta(tx, plan, { ...options, snapshot, state }));
    await options.onStep?.('delta');
  }
  return deltas;
}

function chooseRegisters(
  { registers, horizon }: ReadingState,
  asked: readonly string[] | null,
): readonly PublishedRegister[] {
  const missing = (asked ?? []).filter((code) => !registers.some((each) => each.jurisdiction_code === code));
  if (missing.length > 0 || registers.length === 0) {
    const what = missing.length > 0 ? missing.join(', ') : 'any register';
    throw new OperatorError(
      `there are no records of ${what} up to ${horizon}, the horizon of the feed; after a first load, wait for it`,
    );
  }
  return asked === null ? registers : registers.filter(({ jurisdiction_code: code }) => asked.includes(code));
}

async function writeRegisters(
  tx: Transaction,
  workspace: Workspace,
  options: Omit<SnapshotOptions, 'registers'> & {
    readonly state: ReadingState;
    readonly registers: readonly PublishedRegister[];
  },
): Promise<WrittenRegister[]> {
  const { registers, state, payloads, onProgress } = options;
  const recordsTotal = registers.reduce((sum, { record_count }) => sum + record_count, 0);
  const written: WrittenRegister[] = [];
  let records = 0;
  for (const register of registers) {
    const { jurisdiction_code: code } = register;
    const writer = new RegisterWriter(workspace.path, code, options);
    try {
      await readRegister(tx, { register: code, after: null, horizon: state.horizon, payloads }, async (portions) => {
        for await (const portion of portions) {
          await writer.add(portion);
          records += portion.length;
          onProgress?.({ register: code, records, recordsTotal });
        }
      });
      written.push(await writer.end(register));
      await options.onStep?.('register');
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }
  return written;
}

function describe(
  state: ReadingState,
  written: readonly WrittenRegister[],
  madeAt: string,
  payloads: boolean,
): Snapshot {
  const isWhole = written.length === state.registers.length;
  const [latest] = written.map(({ last }) => last).sort((one, other) => comparePositions(other, one));
  return {
    id: snapshotId(madeAt),
    form: MANIFEST_FORM,
    made_at: madeAt,
    as_of: state.horizon,
    digest_form: DIGEST_FORM,
    payloads,
    document_schema: DOCUMENT_SCHEMA_DIGEST,
    since: SNAPSHOT_SINCE,
    cursor: isWhole ? encodeFeedCursor(SNAPSHOT_SINCE, null, latest!) : null,
    registers: written.map(({ last: _last, ...register }) => register),
  };
}

/** Positions of different registers: the uid never decides. */
function comparePositions(one: StampedPosition, other: StampedPosition): number {
  const [left, right] = [one, other].map((each) => `${each.updated_at}${each.jurisdiction_code}`);
  return left! < right! ? -1 : 1;
}
