/**
 * Makes a snapshot: the records of every register up to the horizon of the feed, as files, and a manifest with the
 * cursors from which the feed continues. Everything comes from one reading of the database, for which nothing waits
 * (docs/design/snapshots.md). Invariant: the files of a register add up to what its publishes have counted.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DIGEST_FORM } from '@tmds/contract/extras';
import {
  MANIFEST_FORM,
  SNAPSHOT_SINCE,
  type Snapshot,
  type SnapshotFile,
  type SnapshotFormat,
  type SnapshotRegister,
} from '@tmds/contract/snapshots';
import { type Clock, isoInstant } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { encodeFeedCursor, type StampedPosition } from '../../plan/changes.ts';
import { expandDetail } from '../documents/expanded.ts';
import { readSettled } from '../publish/announce.ts';
import type { PublishedRegister } from '../publish/publishes.ts';
import { explainSnapshot, openWorkspace, pruneSnapshots, type Workspace } from './folder.ts';
import { DOCUMENT_SCHEMA_DIGEST, partFileName, snapshotId } from './manifest.ts';
import { ParquetFile } from './parquet-file.ts';
import { GzipFile, type WrittenFile } from './part-files.ts';
import { claimSnapshot, findReadingState, type ReadingState, type ReadRecord, readRegister } from './read-records.ts';

export interface SnapshotOptions {
  /** Without a statement timeout. */
  readonly db: Database;
  /** Holds the snapshots, each in a separate folder; created if missing. */
  readonly folder: string;
  /** Null: every register that has records up to the horizon. */
  readonly registers: readonly string[] | null;
  readonly payloads: boolean;
  readonly formats: readonly SnapshotFormat[];
  readonly horizonSeconds: number;
  /** How many snapshots the folder keeps, this one included. */
  readonly keep: number;
  /** The version of this program. */
  readonly version: string;
  readonly clock: Clock;
  readonly onProgress?: (at: SnapshotProgress) => void;
  /** Awaited at each step, for tests that publish or die there. */
  readonly onStep?: (step: SnapshotStep) => Promise<void> | void;
  /** How much text a file holds before the next begins; default: `PART_BYTES`. */
  readonly partBytes?: number;
}

/** `register`: the files of another register are written; `written`: those of all, without a manifest yet. */
export type SnapshotStep = 'begun' | 'register' | 'written' | 'finished' | 'pruned';

export interface SnapshotProgress {
  readonly register: string;
  /** Records of all registers so far. */
  readonly records: number;
  readonly recordsTotal: number;
}

export interface SnapshotReport {
  readonly snapshot: Snapshot;
  readonly folder: string;
  /** Ids of older snapshots that were removed. */
  readonly pruned: readonly string[];
  readonly seconds: number;
}

/** About a sixth of it when compressed, which a replica holds in memory while it loads a file. */
const PART_BYTES = 64 * 1024 ** 2;

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
      const pruned = await pruneSnapshots(options.folder, options.keep);
      await options.onStep?.('pruned');
      return { snapshot, folder, pruned, seconds: (clock.monotonicMs() - startedMs) / 1000 };
    } catch (error) {
      await workspace.abandon();
      throw explainSnapshot(options.folder, error);
    }
  });
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
      await readRegister(tx, { register: code, horizon: state.horizon, payloads }, async (portions) => {
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

interface WrittenRegister extends SnapshotRegister {
  readonly last: StampedPosition;
}

interface Part {
  readonly name: string;
  readonly format: SnapshotFormat;
  records: number;
  /** Before compression. */
  textBytes: number;
  add(record: ReadRecord): Promise<void>;
  end(): Promise<WrittenFile>;
  abandon(): Promise<void>;
}

type PartOptions = Pick<SnapshotOptions, 'formats' | 'payloads' | 'version' | 'partBytes'>;

/** The files of one register, in each format. */
class RegisterWriter {
  readonly #folder: string;
  readonly #code: string;
  readonly #options: PartOptions;
  readonly #open = new Map<SnapshotFormat, Part>();
  readonly #files = new Map<SnapshotFormat, SnapshotFile[]>();
  #count = 0;
  #digest = 0n;
  #lastDetail: Buffer | null = null;

  constructor(folder: string, code: string, options: PartOptions) {
    this.#folder = folder;
    this.#code = code;
    this.#options = options;
  }

  async add(records: readonly ReadRecord[]): Promise<void> {
    for (const record of records) {
      this.#count += 1;
      this.#digest ^= hash('sha256', record.detail, 'buffer').readBigUInt64BE(0);
      this.#lastDetail = record.detail;
      for (const format of this.#options.formats) await this.#addTo(format, record);
    }
  }

  async #addTo(format: SnapshotFormat, record: ReadRecord): Promise<void> {
    const part = this.#open.get(format) ?? (await this.#begin(format));
    await part.add(record);
    part.records += 1;
    part.textBytes += record.detail.length + (record.document?.length ?? 0);
    if (part.textBytes >= (this.#options.partBytes ?? PART_BYTES)) await this.#end(part);
  }

  async #begin(format: SnapshotFormat): Promise<Part> {
    const name = partFileName(this.#code, format, (this.#files.get(format)?.length ?? 0) + 1);
    const path = join(this.#folder, name);
    const { payloads, version } = this.#options;
    const file =
      format === 'parquet'
        ? await ParquetFile.create(path, payloads, `tmds ${version}`)
        : await openLines(path, payloads);
    const part: Part = {
      ...{ name, format, records: 0, textBytes: 0 },
      add: (record) => file.add(record),
      end: () => file.end(),
      abandon: () => file.abandon(),
    };
    this.#open.set(format, part);
    return part;
  }

  async #end({ name, format, records, end }: Part): Promise<void> {
    const { bytes, sha256 } = await end();
    this.#open.delete(format);
    const files = this.#files.get(format) ?? [];
    files.push({ name, format, bytes, sha256, record_count: records });
    this.#files.set(format, files);
  }

  /** Throws OperatorError if the records are not those that the publishes have counted. */
  async end({ jurisdiction_code: code, record_count, digest }: PublishedRegister): Promise<WrittenRegister> {
    for (const part of [...this.#open.values()]) await this.#end(part);
    const found = this.#digest.toString(16).padStart(16, '0');
    if (this.#lastDetail === null || this.#count !== record_count || found !== digest) {
      throw new OperatorError(
        `the records of ${code} are not those that its publishes have counted: ${this.#count} with digest ${found}, ` +
          `not ${record_count} with ${digest}; run: tmds verify`,
      );
    }
    const { updated_at, uid } = JSON.parse(this.#lastDetail.toString()) as StampedPosition;
    const last = { updated_at, jurisdiction_code: code, uid };
    const cursor = encodeFeedCursor(SNAPSHOT_SINCE, code, last);
    const files = this.#options.formats.flatMap((format) => this.#files.get(format) ?? []);
    return { jurisdiction_code: code, record_count, digest, cursor, files, last };
  }

  /** Never rejects. */
  async abandon(): Promise<void> {
    for (const part of this.#open.values()) await part.abandon();
  }
}

const CHUNK_BYTES = 256 * 1024;
const LINE_END = Buffer.from('\n');

/** Lines as the feed delivers records: with `expand=payload`, or without. */
async function openLines(path: string, payloads: boolean): Promise<Pick<Part, 'add' | 'end' | 'abandon'>> {
  const file = await GzipFile.create(path);
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async (): Promise<void> => {
    if (heldBytes > 0) await file.write(Buffer.concat(held, heldBytes));
    held = [];
    heldBytes = 0;
  };
  return {
    add: async ({ detail, document }) => {
      const line = payloads ? [...expandDetail(detail, document), LINE_END] : [detail, LINE_END];
      held.push(...line);
      for (const { length } of line) heldBytes += length;
      if (heldBytes >= CHUNK_BYTES) await flush();
    },
    end: async () => {
      await flush();
      return await file.end();
    },
    abandon: () => file.abandon(),
  };
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
