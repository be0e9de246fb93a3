/**
 * One statement through the extended protocol, as the driver takes it from cursors and copies: an object with `submit`
 * and a method for each answer. The driver's own query writes every message separately and has the result described
 * with every execution; this one writes once, and has a prepared statement described once on each connection. Look-ups
 * become a tenth faster by it (docs/design/postgresql.md). It knows no limits and no failures.
 * Invariant: a name is parsed on a connection at most once, even if the first execution fails.
 */
import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { Statement } from './sql.ts';
import { encodeValue, READERS, type RowReading } from './values.ts';

/** What a prepared statement returns. */
export interface Shape {
  readonly names: readonly string[];
  readonly oids: readonly number[];
}

/** What statements of one connection share. */
export interface PreparedShapes {
  /** By name, as soon as the server has parsed it; without columns until the server has described it. */
  readonly shapes: Map<string, Shape>;
  /** Called when the server has parsed the statement that runs. */
  onParsed: (() => void) | null;
}

const NO_COLUMNS: Shape = { names: [], oids: [] };

type Settle = (error: Error | null, rows: unknown[]) => void;

export class RowQuery implements pg.Submittable {
  /** Empty if it is not prepared. */
  readonly name: string;
  readonly text: string;
  private readonly values: readonly unknown[];
  private readonly as: RowReading;
  private readonly prepared: PreparedShapes;
  private readonly settle: Settle;
  private readonly rows: unknown[] = [];
  private columns: readonly string[] = [];
  private parsers: readonly ((text: string) => unknown)[] = [];

  constructor({ text, values }: Statement, name: string, as: RowReading, prepared: PreparedShapes, settle: Settle) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.as = as;
    this.prepared = prepared;
    this.settle = settle;
  }

  /** An error that it returns is passed to `handleError` by the driver. */
  submit({ stream }: pg.Connection): Error | null {
    const { name, text, prepared } = this;
    const known = name === '' ? undefined : prepared.shapes.get(name);
    try {
      const bound = serialize.bind({ statement: name, values: this.values as unknown[], valueMapper: encodeValue });
      const messages = [bound, serialize.execute(), serialize.sync()];
      if (known === undefined) {
        messages.unshift(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
        prepared.onParsed = () => this.note(NO_COLUMNS);
      } else this.take(known);
      stream.write(Buffer.concat(messages));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.note({ names: fields.map(({ name }) => name), oids: fields.map(({ dataTypeID }) => dataTypeID) });
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { columns, parsers } = this;
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const text = fields[index]!;
      row[columns[index]!] = text === null ? null : parsers[index]!(text);
    }
    this.rows.push(row);
  }

  handleReadyForQuery(): void {
    this.settle(null, this.rows);
  }

  handleError(error: Error): void {
    this.prepared.onParsed = null;
    this.settle(error, []);
  }

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('this statement copies nothing');
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyData(): void {}

  private note(shape: Shape): void {
    this.prepared.onParsed = null;
    if (this.name !== '') this.prepared.shapes.set(this.name, shape);
    this.take(shape);
  }

  private take({ names, oids }: Shape): void {
    this.columns = names;
    this.parsers = oids.map(READERS[this.as]);
  }
}
