/**
 * Files of a snapshot, written as streams. The caller bounds their content by ending one and beginning the next. A file
 * is on disk when it has ended, with its size and digest counted from the very bytes that were written.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { createGzip, type Gzip } from 'node:zlib';

export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that grows. One write at a time. */
export class PlainFile {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<PlainFile> {
    return new PlainFile(await open(path, 'wx', 0o640));
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) at += (await this.#file.write(chunk, at)).bytesWritten;
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  async end(): Promise<WrittenFile> {
    await this.#file.sync();
    await this.#file.close();
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') };
  }

  /** Never rejects. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
  }
}

/** A file of lines that one of Node's own threads compresses while it is written. */
export class GzipFile {
  readonly #file: PlainFile;
  readonly #gzip: Gzip = createGzip();
  readonly #written: Promise<void>;

  private constructor(file: PlainFile) {
    this.#file = file;
    this.#written = this.#drain();
    // Awaited with each write and at the end.
    this.#written.catch(() => undefined);
  }

  static async create(path: string): Promise<GzipFile> {
    return new GzipFile(await PlainFile.create(path));
  }

  async #drain(): Promise<void> {
    for await (const chunk of this.#gzip) await this.#file.write(chunk as Buffer);
  }

  async write(chunk: Uint8Array): Promise<void> {
    const taken = new Promise<void>((resolve, reject) => {
      this.#gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    taken.catch(() => undefined);
    await Promise.race([taken, this.#written]);
  }

  async end(): Promise<WrittenFile> {
    this.#gzip.end();
    await this.#written;
    return await this.#file.end();
  }

  /** Never rejects. */
  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => undefined);
    await this.#file.abandon();
  }
}
