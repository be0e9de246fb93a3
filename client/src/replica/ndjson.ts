/**
 * A replica as a log: folder with `records.ndjson`, one delivered record a line, the latest line of an identity being
 * its record, and `position.json`, which counts how many bytes of the log belong to it. Lines are on disk before the
 * position is replaced (by rename), and bytes beyond the position are cut off at the next open: a crash at any moment
 * leaves the log at a whole page.
 */
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TrademarkDetail } from '@tmds/contract/record';
import {
  buildMovedError,
  checkScope,
  FORM,
  ReplicaError,
  type ReplicaScope,
  type ReplicaSink,
  readState,
  type StateRow,
  type StoredRecord,
} from './sink.ts';
import { START } from './states.ts';

interface PositionFile extends StateRow {
  /** Bytes of the log that belong to the replica. */
  readonly bytes: number;
}

/** @param folder made when missing */
export async function openNdjsonSink(folder: string): Promise<ReplicaSink> {
  const label = `ndjson:${folder}`;
  const logPath = join(folder, 'records.ndjson');
  const positionPath = join(folder, 'position.json');
  await mkdir(folder, { recursive: true });
  let log: FileHandle | null = null;
  let stored: PositionFile | null = null;

  async function writePosition(next: PositionFile): Promise<void> {
    const fresh = `${positionPath}.new`;
    const file = await open(fresh, 'w');
    try {
      await file.writeFile(`${JSON.stringify(next)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, positionPath);
    await syncFolder(folder);
    stored = next;
  }

  return {
    label,
    async find() {
      const found = await readPosition(positionPath);
      return found === null ? null : readState(label, found);
    },
    async open(scope) {
      await log?.close();
      log = await open(logPath, 'a+');
      const found = await readPosition(positionPath);
      if (found === null) {
        if ((await log.stat()).size > 0)
          throw new ReplicaError(`${logPath} exists without a position; use another folder`);
        await writePosition({ form: FORM, ...pickScope(scope), ...START, bytes: 0 });
        return START;
      }
      const { scope: kept, position } = readState(label, found);
      checkScope(label, kept, scope);
      if ((await log.stat()).size < found.bytes) {
        throw new ReplicaError(`${logPath} is shorter than its position says; start again in another folder`);
      }
      await log.truncate(found.bytes);
      stored = found;
      return position;
    },
    async save(items, from, to) {
      if (log === null || stored === null) throw new ReplicaError(`${label} is not open`);
      const current = await readPosition(positionPath);
      const { size } = await log.stat();
      if (current?.cursor !== from.cursor || current.delivered !== from.delivered || size !== stored.bytes) {
        throw buildMovedError(label);
      }
      const text = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
      if (text.length > 0) {
        await log.appendFile(text);
        await log.datasync();
      }
      await writePosition({ ...stored, ...to, bytes: stored.bytes + text.length });
    },
    async countRecords() {
      return (await readLatest(logPath)).size;
    },
    async *listRecords() {
      const latest = await readLatest(logPath);
      let line = 0;
      for await (const text of readLines(logPath)) {
        const record = JSON.parse(text) as TrademarkDetail;
        if (latest.get(nameIdentity(record)) === line) yield record as StoredRecord;
        line += 1;
      }
    },
    async close() {
      await log?.close();
      log = null;
    },
  };
}

/** Identity → number of its latest line. Holds every identity in memory: about 100 bytes each. */
async function readLatest(logPath: string): Promise<Map<string, number>> {
  const latest = new Map<string, number>();
  let line = 0;
  for await (const text of readLines(logPath)) {
    latest.set(nameIdentity(JSON.parse(text) as TrademarkDetail), line);
    line += 1;
  }
  return latest;
}

async function* readLines(logPath: string): AsyncGenerator<string> {
  const file = await open(logPath, 'r');
  try {
    yield* createInterface({ input: file.createReadStream({ autoClose: false }), crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    await file.close();
  }
}

function nameIdentity(record: TrademarkDetail): string {
  return `${record.jurisdiction_code}\n${record.uid}`;
}

function pickScope({ since, jurisdiction_code, expand }: ReplicaScope): ReplicaScope {
  return { since, jurisdiction_code, expand };
}

async function readPosition(path: string): Promise<PositionFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return JSON.parse(text) as PositionFile;
}

/** Makes a rename durable; Windows cannot open a folder and needs no such step. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
