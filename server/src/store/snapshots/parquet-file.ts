/**
 * Records as Parquet: a column for each field, under the field's name (docs/design/snapshots.md). Texts, codes and
 * closed sets are strings, dates are DATE, instants TIMESTAMP in microseconds of UTC, lists are LIST. The payload is a
 * string with the document's JSON, so that none of its digits are lost. Rows are kept until they make a row group,
 * which is bounded in rows and in bytes.
 */

import { CONTENT_FIELDS, type FieldType, type TrademarkDetail } from '@tmds/contract/record';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { DAY_MS } from '../../base/clock.ts';
import { PlainFile, type WrittenFile } from './part-files.ts';
import type { ReadRecord } from './read-records.ts';

const GROUP_ROWS_MAX = 10_000;
const GROUP_BYTES_MAX = 16 * 1024 ** 2;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];
type Value = string | number | bigint | readonly (string | number)[] | null | undefined;

interface Column {
  readonly name: keyof TrademarkDetail;
  readonly elements: readonly SchemaElement[];
  readonly read: (value: unknown) => Value;
}

const asIs = (value: unknown): Value => value as Value;
const MICROS = 1_000n;

function asDay(value: unknown): Value {
  return value === null ? null : Date.parse(`${value as string}T00:00:00Z`) / DAY_MS;
}

/** Microseconds since 1970 of `2026-11-21T09:00:00.123456Z`. */
function asMicros(value: unknown): Value {
  const text = value as string;
  return BigInt(Date.parse(`${text.slice(0, 23)}Z`)) * MICROS + BigInt(text.slice(23, 26));
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const DAY = { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } } as const;
const INSTANT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const;

function scalar(name: keyof TrademarkDetail, element: object, nullable: boolean, read = asIs): Column {
  const repetition = nullable ? 'OPTIONAL' : 'REQUIRED';
  return { name, elements: [{ name, repetition_type: repetition, ...element } as SchemaElement], read };
}

function list(name: keyof TrademarkDetail, element: object): Column {
  const elements = [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...element },
  ] as SchemaElement[];
  return { name, elements, read: asIs };
}

const BUILDERS: Readonly<Record<FieldType, (name: keyof TrademarkDetail, nullable: boolean) => Column>> = {
  text: (name, nullable) => scalar(name, TEXT, nullable),
  code: (name, nullable) => scalar(name, TEXT, nullable),
  enum: (name, nullable) => scalar(name, TEXT, nullable),
  date: (name, nullable) => scalar(name, DAY, nullable, asDay),
  integers: (name) => list(name, { type: 'INT32' }),
  texts: (name) => list(name, TEXT),
  codes: (name) => list(name, TEXT),
  names: (name) => list(name, TEXT),
};

/** Every field of a record in the order of the contract. */
const COLUMNS: readonly Column[] = [
  ...Object.entries(CONTENT_FIELDS).map(([name, { type, nullable }]) =>
    BUILDERS[type](name as keyof TrademarkDetail, nullable),
  ),
  scalar('record_update_date', DAY, true, asDay),
  scalar('first_seen_at', INSTANT, false, asMicros),
  scalar('updated_at', INSTANT, false, asMicros),
];
const PAYLOAD = scalar('payload', TEXT, true);

export class ParquetFile {
  readonly #file: PlainFile;
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  readonly #columns: readonly Column[];
  #values: Value[][];
  #groupBytes = 0;

  private constructor(file: PlainFile, payloads: boolean, createdBy: string) {
    this.#file = file;
    this.#columns = payloads ? [...COLUMNS, PAYLOAD] : COLUMNS;
    this.#values = this.#columns.map(() => []);
    const root = { name: 'record', num_children: this.#columns.length };
    const schema = [root, ...this.#columns.flatMap(({ elements }) => elements)];
    this.#parquet = new ParquetWriter({ writer: this.#bytes, schema, createdBy });
  }

  /** @param createdBy the program, as the file names it */
  static async create(path: string, payloads: boolean, createdBy: string): Promise<ParquetFile> {
    return new ParquetFile(await PlainFile.create(path), payloads, createdBy);
  }

  async add({ detail, document }: ReadRecord): Promise<void> {
    const record = JSON.parse(detail.toString()) as TrademarkDetail;
    for (const [position, { name, read }] of this.#columns.entries()) {
      this.#values[position]!.push(name === 'payload' ? (document?.toString() ?? '{}') : read(record[name]));
    }
    this.#groupBytes += detail.length + (document?.length ?? 0);
    if (this.#values[0]!.length >= GROUP_ROWS_MAX || this.#groupBytes >= GROUP_BYTES_MAX) await this.#endGroup();
  }

  async #endGroup(): Promise<void> {
    const rows = this.#values[0]!.length;
    if (rows > 0) {
      const columnData = this.#columns.map(({ name }, position) => ({ name, data: this.#values[position]! }));
      await this.#parquet.write({ columnData, rowGroupSize: rows });
    }
    this.#values = this.#columns.map(() => []);
    this.#groupBytes = 0;
    await this.#flush();
  }

  /** Moves the encoded bytes into the file; offsets continue. */
  async #flush(): Promise<void> {
    await this.#file.write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }

  async end(): Promise<WrittenFile> {
    await this.#endGroup();
    await this.#parquet.finish();
    await this.#flush();
    return await this.#file.end();
  }

  /** Never rejects. */
  async abandon(): Promise<void> {
    await this.#file.abandon();
  }
}
