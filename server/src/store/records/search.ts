/**
 * The records of a page that the index has found, as the bytes to deliver. It does not know how they were found. The
 * same statement shows whether the index was behind: it reads the last stamp, and which of the records have changed
 * since they were indexed. The texts that pages read are kept for other searches (docs/search.md).
 */
import type { Instant } from '@tmds/contract/record';
import { LRUCache } from 'lru-cache';
import { onNodesOf, recordOf } from '../../database/distributed/by-key.ts';
import { type Queryable, type StatementLimits, withLimits } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { LAST_STAMP } from '../../database/readers/publish-state.ts';
import { documentBytes, heldIn } from '../documents/read.ts';
import { type ExpandedKey, newestPortionStatement, streamExpanded } from './change-payloads.ts';

export interface SearchPage {
  /** The items as JSON, each for itself; or joined by commas as they come, without brackets. */
  readonly items: readonly Buffer[] | AsyncIterable<Buffer>;
  /** Null if no more records match. */
  readonly next_cursor: string | null;
  /** Null unless the plan asks for a count (rule I-18). */
  readonly matched: { readonly count: number; readonly capped: boolean } | null;
}

export interface ListedPage {
  /** The last stamp visible in the statement's snapshot. */
  readonly lastStamp: Instant;
  /** The newest stamp among the records that have changed since they were listed; null if none has. */
  readonly changedAt: Instant | null;
  /**
   * JSON. Without payloads: the records that have not changed. With payloads: every record as it is when read (rule
   * I-36), in portions joined by commas, none of which is read before this is called.
   */
  readonly openItems: () => Promise<readonly Buffer[] | AsyncIterable<Buffer>>;
}

export interface ListedOptions extends StatementLimits {
  readonly expandPayload: boolean;
  /** Default: none are kept. */
  readonly texts?: RecordTexts | undefined;
}

/** In the order of `records`. The deadline covers everything up to the first item sent. */
export async function findListed(
  db: Queryable,
  records: readonly ListedRecord[],
  { expandPayload, texts, ...limits }: ListedOptions,
): Promise<ListedPage> {
  return await (expandPayload ? findSizes(db, records, limits) : findTexts(db, records, texts, limits));
}

/** A page without payloads whose texts are all kept; otherwise null. The caller has to know whether it is current. */
export function listKept(records: readonly ListedRecord[], texts: RecordTexts): Pick<ListedPage, 'openItems'> | null {
  const found: Buffer[] = [];
  for (const record of records) {
    const text = texts.find(record);
    if (text === undefined) return null;
    found.push(text);
  }
  return { openItems: async () => found };
}

/** As the database knows it. */
interface StoredRecord {
  readonly last_stamp: Instant;
  /** Null in the only row of a page of which nothing was found. */
  readonly position: number | null;
  /** Null if it has not changed since. */
  readonly changed_at: Instant | null;
  /** Null if it has. */
  readonly text: string | null;
}

async function findTexts(
  db: Queryable,
  records: readonly ListedRecord[],
  texts: RecordTexts | undefined,
  limits: StatementLimits,
): Promise<ListedPage> {
  const found: (Buffer | undefined)[] = records.map((record) => texts?.find(record));
  const places = [...found.keys()].filter((place) => found[place] === undefined);
  const missing = places.map((place) => records[place]!);
  const rows = await db.query<StoredRecord>(missing.length === 0 ? NOTHING_MISSING : readStored(db, missing), limits);
  let changedAt: Instant | null = null;
  for (const { position, changed_at, text } of rows) {
    if (position !== null && text !== null) {
      const bytes = copyText(text);
      found[places[position - 1]!] = bytes;
      texts?.keep(missing[position - 1]!, bytes);
    }
    if (changed_at !== null && (changedAt === null || changed_at > changedAt)) changedAt = changed_at;
  }
  return {
    lastStamp: rows[0]!.last_stamp,
    changedAt,
    openItems: async () => found.filter((text) => text !== undefined),
  };
}

const NOTHING_MISSING = sql`
  select ${LAST_STAMP} as last_stamp, null::int as position, null::text as changed_at, null::text as text`;

/** A row for each, because the driver decodes many short texts faster than a long one. */
function readStored(db: Queryable, records: readonly ListedRecord[]): Statement {
  const stored = recordOf(sql`record.updated_at, record.detail`, onNodesOf(records, db.isDistributed));
  return sql`with found as materialized (
      select listed.position::int as position,
        case when stored.updated_at <> listed.updated_at then ${instantText(sql`stored.updated_at`)} end as changed_at,
        case when stored.updated_at = listed.updated_at then stored.detail end as text
      from ${listed(records)} cross join lateral ${stored} as stored
    )
    select ${LAST_STAMP} as last_stamp, found.position, found.changed_at, found.text
    from (values (1)) as page (number) left join found on true`;
}

/** A copy: a part of the driver's memory, or of a pool, would keep the whole of that alive. */
function copyText(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

async function findSizes(
  db: Queryable,
  records: readonly ListedRecord[],
  limits: StatementLimits,
): Promise<ListedPage> {
  const stored = recordOf(sql`record.updated_at, ${PAYLOAD_BYTES} as bytes`, onNodesOf(records, db.isDistributed));
  const [row] = await db.queryBytes<{ last_stamp: Buffer; changed_at: Buffer | null; sizes: Buffer | null }>(
    sql`with found as materialized (
      select listed.position, listed.updated_at as listed_at, stored.updated_at, stored.bytes
      from ${listed(records)} cross join lateral ${stored} as stored
    )
    select ${LAST_STAMP} as last_stamp, ${instantText(sql`max(updated_at) filter (where updated_at <> listed_at)`)} as changed_at,
      json_agg(bytes order by position) as sizes
    from found`,
    limits,
  );
  const { last_stamp, changed_at, sizes } = row!;
  return {
    lastStamp: last_stamp.toString(),
    changedAt: changed_at?.toString() ?? null,
    openItems: async () => {
      const read = sizes === null ? [] : (JSON.parse(sizes.toString()) as (number | null)[]);
      const reader = withLimits(db, { signal: limits.signal });
      return (await streamExpanded(reader, buildKeys(records, read), limits, newestPortionStatement)) ?? [];
    },
  };
}

const PAYLOAD_BYTES = sql`(select ${documentBytes(heldIn('payload'))} from payload
    where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid)`;

function buildKeys(records: readonly ListedRecord[], sizes: readonly (number | null)[]): ExpandedKey[] {
  return records.map(({ updated_at, jurisdiction_code, uid }, index) => ({
    updated_at,
    jurisdiction_code,
    uid,
    payload_bytes: sizes[index] ?? null,
  }));
}

function listed(records: readonly ListedRecord[]): Statement {
  return sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
      ${records.map(({ uid }) => uid)}::text[], ${records.map(({ updated_at }) => updated_at)}::timestamptz[])
      with ordinality as listed (jurisdiction_code, uid, updated_at, position)`;
}

/** A record as the index knows it. */
export interface ListedRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
}

/**
 * Some 50,000 records. Among a million records, random searches then find 52 % of their rows kept; 30 % with a quarter
 * of it, 60 % with three times as much (docs/search.md).
 */
const BYTES_MAX = 64 * 1024 * 1024;
/** The memory of a text in addition to its own bytes: its key, its buffer, its place. */
const BESIDE_BYTES = 400;

/**
 * Texts of records that recent pages had. A text belongs to a version, and never changes; the reader has to know
 * whether the version is still the current one.
 * Invariant: memory is bounded for any size of text.
 */
export class RecordTexts {
  private readonly held: LRUCache<string, { readonly updated_at: string; readonly text: Buffer }>;

  constructor(bytesMax: number = BYTES_MAX) {
    this.held = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ text }) => text.length + BESIDE_BYTES });
  }

  /** The text of exactly this version. */
  find(record: ListedRecord): Buffer | undefined {
    const held = this.held.get(keyOf(record));
    return held?.updated_at === record.updated_at ? held.text : undefined;
  }

  keep(record: ListedRecord, text: Buffer): void {
    this.held.set(keyOf(record), { updated_at: record.updated_at, text });
  }
}

function keyOf({ jurisdiction_code, uid }: ListedRecord): string {
  return `${jurisdiction_code}\0${uid}`;
}
