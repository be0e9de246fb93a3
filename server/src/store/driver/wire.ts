/**
 * Rows as bytes. The driver decodes every value of every row to a string, which pages of rendered records would then
 * have to encode again. This client and query use the driver's extension points to cut rows out of what the socket
 * delivered, and decode only what is wanted as a value. Results of prepared statements are described once, not with
 * every execution. docs/decisions/0002 has the measurement.
 * It knows nothing of pools or failures. Invariant: bytes from the socket are never written to.
 */
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import pg from 'pg';
import { valueParser } from './values.ts';

/** The parts of the driver's connection that the two classes below rely on. */
interface DriverConnection extends EventEmitter {
  stream: { write(bytes: Buffer): void; destroy(): void };
  parsedStatements: Record<string, string>;
  /** Takes each message. Deleting an override brings back the prototype's. */
  _send?: (message: Buffer) => boolean;
  attachListeners(stream: EventEmitter): void;
  parse(message: { text: string; name: string }): void;
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
}

/** The names and parsers of a result's columns. */
interface Shape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

/** A client whose rows arrive as `RawRow`. */
export class RawClient extends pg.Client {
  /** Results of prepared statements, by statement name. */
  readonly shapes = new Map<string, Shape>();

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: DriverConnection };
    const attachToDriver = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      const others = new EventEmitter();
      attachToDriver(others);
      splitMessages(
        stream,
        (bytes) => others.emit('data', bytes),
        (row) => connection.emit('dataRow', row),
      );
      stream.on('end', () => others.emit('end'));
    };
  }

  /** Ends the connection at once, even while a statement runs. */
  destroySocket(): void {
    (this as unknown as { connection: DriverConnection }).connection.stream.destroy();
  }

  /**
   * Asks the server to stop what this client runs, over a separate connection as the protocol demands. Resolves when
   * the server has passed the request on; rejects if it cannot be reached in time.
   */
  requestCancel(timeoutMs: number): Promise<void> {
    const { processID, secretKey } = this as unknown as { processID: number | null; secretKey: number | null };
    if (processID === null || secretKey === null)
      return Promise.reject(new Error('the server gave no key for cancel requests'));
    const request = Buffer.alloc(16);
    for (const [place, value] of [16, CANCEL_CODE, processID, secretKey].entries()) {
      request.writeInt32BE(value, place * 4);
    }
    return new Promise((resolve, reject) => {
      const socket = new Socket();
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the server does not accept the cancel request')));
      socket
        .once('error', reject)
        .once('close', () => resolve())
        .resume();
      if (this.host.startsWith('/')) socket.connect(`${this.host}/.s.PGSQL.${this.port}`);
      else socket.connect(this.port, this.host);
      socket.write(request);
    });
  }
}

const CANCEL_CODE = 80_877_102;

const DATA_ROW = 68;
/** A message is one type byte, four bytes of length that count themselves, and its content. */
const HEADER_BYTES = 5;

/** Cuts the stream into whole messages: each row goes to `onRow`, runs of other messages to `onOthers`. */
function splitMessages(stream: EventEmitter, onOthers: (bytes: Buffer) => void, onRow: (row: RawRow) => void): void {
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEADER_BYTES;
  stream.on('data', (chunk: Buffer) => {
    parts.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < neededBytes) return;
    const buffer = parts.length === 1 ? chunk : Buffer.concat(parts, heldBytes);
    let at = 0;
    let othersFrom = 0;
    neededBytes = HEADER_BYTES;
    while (at + HEADER_BYTES <= buffer.length) {
      const messageBytes = 1 + buffer.readUInt32BE(at + 1);
      if (at + messageBytes > buffer.length) {
        neededBytes = messageBytes;
        break;
      }
      if (buffer[at] === DATA_ROW) {
        if (othersFrom < at) onOthers(buffer.subarray(othersFrom, at));
        onRow(new RawRow(buffer, at + HEADER_BYTES));
        othersFrom = at + messageBytes;
      }
      at += messageBytes;
    }
    if (othersFrom < at) onOthers(buffer.subarray(othersFrom, at));
    parts = at < buffer.length ? [buffer.subarray(at)] : [];
    heldBytes = buffer.length - at;
  });
}

/** One row, still within the socket's bytes: the number of fields, then the length and the bytes of each. */
export class RawRow {
  readonly name = 'dataRow';
  private readonly buffer: Buffer;
  private readonly from: number;

  constructor(buffer: Buffer, from: number) {
    this.buffer = buffer;
    this.from = from;
  }

  /** What the driver's own queries (begin, commit, settings) read. */
  get fields(): (string | null)[] {
    return this.mapFields((buffer, from, to) => buffer.toString('utf8', from, to));
  }

  mapFields<Value>(read: (buffer: Buffer, from: number, to: number, index: number) => Value): (Value | null)[] {
    const { buffer } = this;
    const count = buffer.readUInt16BE(this.from);
    const values = new Array<Value | null>(count);
    let at = this.from + 2;
    for (let index = 0; index < count; index += 1) {
      const length = buffer.readInt32BE(at);
      at += 4;
      if (length < 0) values[index] = null;
      else {
        values[index] = read(buffer, at, at + length, index);
        at += length;
      }
    }
    return values;
  }
}

/** Whether columns arrive as JavaScript values or as bytes. */
export type RowReading = 'values' | 'bytes';

export interface RawQueryOptions {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The prepared statement's name; empty = not prepared. */
  readonly name: string;
  readonly as: RowReading;
}

type Rows = unknown[];

/** One statement on a `RawClient`, through the extended protocol in a single round trip. */
export class RawQuery {
  readonly name: string;
  readonly text: string;
  /** Called once. The driver may wrap it to apply its time limit. */
  callback: (error: Error | null, rows: Rows) => void = () => {};
  private readonly options: RawQueryOptions;
  private readonly shapes: Map<string, Shape>;
  private readonly rows: Rows = [];
  private shape: Shape | undefined;
  private fault: Error | undefined;

  constructor(client: RawClient, options: RawQueryOptions) {
    this.name = options.name;
    this.text = options.text;
    this.options = options;
    this.shapes = client.shapes;
    this.shape = options.name === '' ? undefined : client.shapes.get(options.name);
  }

  submit(connection: DriverConnection): Error | null {
    const { name, text } = this;
    // One write for the whole statement, where the driver would make one per message.
    const messages: Buffer[] = [];
    connection._send = (message) => messages.push(message) > 0;
    try {
      if (name === '' || connection.parsedStatements[name] === undefined) connection.parse({ text, name });
      connection.bind({ statement: name, values: this.options.values, valueMapper: encodeValue });
      if (this.shape === undefined) connection.describe({ type: 'P', name: '' });
      connection.execute({ portal: '', rows: 0 });
      connection.sync();
    } catch (error) {
      return error as Error;
    } finally {
      delete connection._send;
    }
    connection.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription(message: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.shape = {
      names: message.fields.map((field) => field.name),
      parsers: message.fields.map((field) => valueParser(field.dataTypeID)),
    };
    if (this.name !== '') this.shapes.set(this.name, this.shape);
  }

  handleDataRow(row: RawRow): void {
    if (this.fault !== undefined) return;
    try {
      this.rows.push(this.readRow(row));
    } catch (error) {
      this.fault = error as Error;
    }
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('not a copy');
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    this.callback(error, []);
  }

  handleReadyForQuery(): void {
    if (this.fault === undefined) this.callback(null, this.rows);
    else this.callback(this.fault, []);
  }

  private readRow(row: RawRow): Record<string, unknown> {
    const { names, parsers } = this.shape!;
    const values =
      this.options.as === 'bytes'
        ? row.mapFields(cutBytes)
        : row.mapFields((buffer, from, to, index) => parsers[index]!(buffer.toString('utf8', from, to)));
    const read: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) read[names[index]!] = values[index];
    return read;
  }
}

function cutBytes(buffer: Buffer, from: number, to: number): Buffer {
  return buffer.subarray(from, to);
}

/** A value as PostgreSQL reads it: text, raw bytes, or JSON for an object. */
function encodeValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return encodeArray(value);
  if (value instanceof Date) throw new TypeError('pass instants and dates as text');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function encodeArray(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
    if (Array.isArray(value)) return encodeArray(value);
    return `"${String(encodeValue(value)).replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
