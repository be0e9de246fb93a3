/**
 * The files of one register in a snapshot or a delta, in each format. Invariant: they hold as many records, with the
 * same digest, as the publishes have counted.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import {
  SNAPSHOT_SINCE,
  type SnapshotFile,
  type SnapshotFormat,
  type SnapshotRegister,
} from '@tmds/contract/snapshots';
import { OperatorError } from '../../base/errors.ts';
import { encodeFeedCursor, type StampedPosition } from '../../plan/changes.ts';
import { expandDetail } from '../documents/read.ts';
import type { PublishedRegister } from '../publish/publishes.ts';
import { partFileName } from './manifest.ts';
import { ParquetFile } from './parquet-file.ts';
import { GzipFile, type WrittenFile } from './part-files.ts';
import type { ReadRecord } from './read-records.ts';

/** About a sixth of it when compressed, which a replica holds in memory while it loads a file. */
const PART_BYTES = 64 * 1024 ** 2;

export interface PartOptions {
  readonly payloads: boolean;
  readonly formats: readonly SnapshotFormat[];
  /** The version of this program. */
  readonly version: string;
  /** How much text a file holds before the next begins; default: `PART_BYTES`. */
  readonly partBytes?: number;
}

export interface WrittenRegister extends SnapshotRegister {
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

export class RegisterWriter {
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
