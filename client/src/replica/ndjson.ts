/**
 * A replica as a log: a folder with `records.ndjson`, one delivered record a line (the last line of an identity
 * counts), and `position.json`, which says how many bytes of the log are valid. Lines are on disk before the position
 * is replaced (by rename), and bytes beyond it are cut off before the next save, so a crash at any moment leaves whole
 * pages. Replacing the log by a shorter one takes two steps: the first announces the second in the position, so that
 * the next writer can complete it. A lock file allows one writer at a time.
 */
import { type FileHandle, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrademarkDetail } from '@tmds/contract/record';
import { type Clock, systemClock } from '../clock.ts';
import { keepPayloadTexts, payloadText, renderRecord } from '../payload-text.ts';
import { cutOff, sizeOf, syncFolder, writeDurably } from './files.ts';
import { explainFile, type LogLine, readLog, withLock } from './ndjson-log.ts';
import {
  buildForeignError,
  buildMovedError,
  type Compaction,
  checkScope,
  FORM,
  nameIdentity,
  type Repair,
  ReplicaError,
  type ReplicaScope,
  type ReplicaSink,
  type ReplicaSnapshot,
  readState,
  type StateRow,
  type StoredRecord,
} from './sink.ts';
import { START } from './states.ts';

interface PositionFile extends StateRow {
  /** The valid bytes of the log. */
  readonly bytes: number;
  /** While `records.ndjson.new` replaces the log: the bytes of the new log. */
  readonly replacedBy?: number;
}

/** A replica at one moment: a position and its log. */
interface Opened {
  readonly position: PositionFile;
  readonly log: FileHandle;
}

const LINE_END = Buffer.from('\n');

/** Attempts to read a log that is being replaced. */
const READ_ATTEMPTS = 5;

/** @param folder created by the first save */
export async function openNdjsonSink(folder: string, clock: Clock = systemClock): Promise<ReplicaSink> {
  const label = `ndjson:${folder}`;
  const logPath = join(folder, 'records.ndjson');
  const freshPath = `${logPath}.new`;
  const positionPath = join(folder, 'position.json');
  let scope: ReplicaScope | null = null;

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw explainFile(label, error);
    }
  }

  /** Reads the position without changing anything; null when there is no replica. */
  async function look(): Promise<PositionFile | null> {
    const found = await readPosition(label, positionPath);
    if (found === null) {
      if ((await sizeOf(logPath)) !== null) throw buildForeignError(label, 'holds records.ndjson without a position');
      return null;
    }
    const size = (await sizeOf(logPath)) ?? 0;
    if (size < (found.replacedBy ?? found.bytes)) {
      throw new ReplicaError(`${logPath} is shorter than its position says; start again in another folder`);
    }
    return found;
  }

  async function writePosition(next: PositionFile): Promise<void> {
    const fresh = `${positionPath}.new`;
    await writeDurably(fresh, (file) => file.writeFile(`${JSON.stringify(next)}\n`));
    await rename(fresh, positionPath);
    await syncFolder(folder);
  }

  /** Completes an interrupted replacement of the log, and returns the resulting position. Needs the lock. */
  async function settle(found: PositionFile): Promise<PositionFile> {
    const { replacedBy, ...rest } = found;
    if (replacedBy === undefined) return found;
    if ((await sizeOf(freshPath)) !== null) await rename(freshPath, logPath);
    const settled = { ...rest, bytes: replacedBy };
    await writePosition(settled);
    return settled;
  }

  /** Runs a change under the lock. When the first change fails, removes what it created. */
  async function writing<Result>(work: (position: PositionFile) => Promise<Result>): Promise<Result> {
    return await guarded(async () => {
      const made = (await mkdir(folder, { recursive: true })) !== undefined;
      const fresh = (await readPosition(label, positionPath)) === null;
      try {
        return await withLock(join(folder, 'writer.lock'), clock.nowMs(), async () => {
          const found = await look();
          if (found !== null) return await work(await settle(found));
          if (scope === null) throw new ReplicaError(`${label} is not open`);
          const start = { form: FORM, ...pickScope(scope), ...START, bytes: 0 };
          await writePosition(start);
          return await work(start);
        });
      } catch (error) {
        if (fresh && !(error instanceof ReplicaError)) {
          for (const path of [logPath, positionPath, `${positionPath}.new`]) await rm(path, { force: true });
          if (made) await rmdir(folder).catch(() => undefined);
        }
        throw error;
      }
    });
  }

  /** The position and log of one moment. If a writer replaces the log in between, both are read again. */
  async function openBoth(): Promise<Opened | null> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
      const position = await look();
      if (position === null) return null;
      const log = await open(logPath, position.bytes === 0 ? 'a+' : 'r');
      const again = await readPosition(label, positionPath);
      if (again?.replacedBy === position.replacedBy && (again?.bytes ?? -1) >= position.bytes) {
        const { size } = await log.stat();
        const replaced = position.replacedBy !== undefined && (await sizeOf(freshPath)) === null;
        const bytes = replaced ? (position.replacedBy ?? 0) : position.bytes;
        if (size >= bytes) return { position: { ...position, bytes }, log };
      }
      await log.close();
    }
    throw new ReplicaError(`${label} is being replaced by another process`, { retryable: true });
  }

  async function* list(opened: Opened, code?: string): AsyncGenerator<StoredRecord, void, void> {
    const latest = await readLatest(opened);
    for await (const { record, start } of lines(opened)) {
      if (code !== undefined && record.jurisdiction_code !== code) continue;
      if (latest.get(nameIdentity(record))?.start === start) yield record as StoredRecord;
    }
  }

  const lines = ({ log, position }: Opened): AsyncGenerator<LogLine, void, void> =>
    readLog(log, logPath, position.bytes);

  /** The latest line of each identity. Keeps every identity in memory, about 150 bytes each. */
  async function readLatest(opened: Opened): Promise<Map<string, { start: number; length: number }>> {
    const latest = new Map<string, { start: number; length: number }>();
    for await (const { record, start, bytes } of lines(opened)) {
      latest.set(nameIdentity(record), { start, length: bytes.length });
    }
    return latest;
  }

  async function withBoth<Result>(work: (opened: Opened | null) => Promise<Result>): Promise<Result> {
    return await guarded(async () => {
      const opened = await openBoth();
      try {
        return await work(opened);
      } finally {
        await opened?.log.close();
      }
    });
  }

  /** Rewrites the log with the latest line of each record; records in `changed` are replaced, or removed by null. */
  async function rewrite(
    position: PositionFile,
    changed: ReadonlyMap<string, TrademarkDetail | null>,
  ): Promise<Compaction> {
    const log = await open(logPath, 'a+');
    let bytes = 0;
    try {
      const opened: Opened = { position, log };
      const latest = await readLatest(opened);
      await writeDurably(freshPath, async (file) => {
        for await (const { record, start, bytes: line } of lines(opened)) {
          const identity = nameIdentity(record);
          if (changed.has(identity) || latest.get(identity)?.start !== start) continue;
          bytes += (await file.write(Buffer.concat([line, LINE_END]))).bytesWritten;
        }
        for (const record of changed.values()) {
          if (record !== null) bytes += (await file.write(`${renderRecord(record)}\n`)).bytesWritten;
        }
      });
    } catch (error) {
      await rm(freshPath, { force: true });
      throw error;
    } finally {
      await log.close();
    }
    await writePosition({ ...position, replacedBy: bytes });
    await settle({ ...position, replacedBy: bytes });
    return { bytesBefore: position.bytes, bytesAfter: bytes };
  }

  return {
    label,
    async find() {
      const found = await guarded(look);
      return found === null ? null : readState(label, found);
    },
    async open(asked) {
      scope = asked;
      return await guarded(async () => {
        const found = await look();
        if (found === null) return START;
        const { scope: kept, position } = readState(label, found);
        checkScope(label, kept, asked);
        if (found.replacedBy !== undefined || (await sizeOf(logPath)) !== found.bytes) {
          await writing(async ({ bytes }) => await cutOff(logPath, bytes));
        }
        return position;
      });
    },
    async save(items, from, to) {
      await writing(async (position) => {
        const size = (await sizeOf(logPath)) ?? 0;
        if (position.cursor !== from.cursor || position.delivered !== from.delivered || size !== position.bytes) {
          throw buildMovedError(label);
        }
        const text = Buffer.from(items.map((item) => `${renderRecord(item)}\n`).join(''));
        const log = await open(logPath, 'a');
        try {
          await log.appendFile(text);
          await log.datasync();
        } finally {
          await log.close();
        }
        await writePosition({ ...position, ...to, bytes: position.bytes + text.length });
      });
    },
    async countRecords() {
      return await withBoth(async (opened) => (opened === null ? 0 : (await readLatest(opened)).size));
    },
    async *listRecords() {
      const opened = await guarded(openBoth);
      try {
        if (opened !== null) yield* list(opened);
      } finally {
        await opened?.log.close();
      }
    },
    async read(work) {
      return await withBoth(async (opened) => {
        let latest: ReturnType<typeof readLatest> | null = null;
        const snapshot: ReplicaSnapshot = {
          stored: opened === null ? null : readState(label, opened.position),
          async *listRecords(code) {
            if (opened !== null) yield* list(opened, code);
          },
          async findPayloads(identities) {
            const found = new Map<string, string | null>();
            if (opened === null) return found;
            latest ??= readLatest(opened);
            for (const name of identities.map(nameIdentity)) {
              const line = (await latest).get(name);
              if (line === undefined) continue;
              const text = Buffer.alloc(line.length);
              await opened.log.read(text, 0, line.length, line.start);
              found.set(name, readPayloadText(text.toString('utf8')));
            }
            return found;
          },
        };
        return await work(snapshot);
      });
    },
    async repair(repairs) {
      return await writing(async (position) => {
        await cutOff(logPath, position.bytes);
        const changed = await chooseRepairs(repairs, await open(logPath, 'a+'), logPath, position.bytes);
        if (changed.size > 0) await rewrite(position, changed);
        return changed.size;
      });
    },
    async noteVerification(outcome) {
      await writing(async (position) => await writePosition({ ...position, verification: JSON.stringify(outcome) }));
    },
    async compact() {
      if ((await guarded(look)) === null) throw new ReplicaError(`${label} holds no replica`);
      return await writing(async (position) => {
        await cutOff(logPath, position.bytes);
        return await rewrite(position, new Map());
      });
    },
    async close() {},
  };
}

/** The repairs whose record is still the one that was compared. */
async function chooseRepairs(
  repairs: readonly Repair[],
  log: FileHandle,
  path: string,
  bytes: number,
): Promise<Map<string, TrademarkDetail | null>> {
  const asked = new Map(repairs.map((repair) => [nameIdentity(repair), repair]));
  const held = new Map<string, string>();
  try {
    for await (const { record } of readLog(log, path, bytes)) {
      const name = nameIdentity(record);
      if (asked.has(name)) held.set(name, record.updated_at);
    }
  } finally {
    await log.close();
  }
  const current = repairs.filter((repair) => (held.get(nameIdentity(repair)) ?? null) === repair.seen);
  return new Map(current.map((repair) => [nameIdentity(repair), repair.record]));
}

function readPayloadText(line: string): string | null {
  const record = JSON.parse(line) as TrademarkDetail;
  keepPayloadTexts(record, line);
  return payloadText(record);
}

function pickScope({ since, jurisdiction_code, expand, search }: ReplicaScope): ReplicaScope {
  return { since, jurisdiction_code, expand, search };
}

async function readPosition(label: string, path: string): Promise<PositionFile | null> {
  if ((await sizeOf(path)) === null) return null;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as PositionFile;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw buildForeignError(label, 'holds a position.json that does not belong to a replica');
  }
}
