/**
 * How a row holds its document, as SQL: as text, packed in the next columns, or packed in the store of objects. One
 * expression, `heldDocument`, carries each of them through a statement, so that no statement knows the places; for a
 * document that is not text, the row holds its digest and its length. Documents that statements read in this form are
 * opened here: unpacked, and fetched from the store of objects. Invariant: every packed document is compared with its
 * digest before anybody sees it.
 */
import { setImmediate } from 'node:timers/promises';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import type { Queryable } from '../../database/driver/db.ts';
import { identifier, type Statement, sql } from '../../database/driver/sql.ts';
import { runAtOnce } from '../../objects/at-once.ts';
import { OBJECTS_AT_ONCE, type ObjectStore, ObjectStoreAway } from '../../objects/object-store.ts';
import { digestDocument, neededDictionary, readDictionaries, unpackDocument } from './packing.ts';

/** The columns that go with the text. */
export const PACKED_COLUMNS = ['document_packed', 'document_digest', 'document_bytes'] as const;

/** For a row whose document is text again. */
export const PACKED_AS_NOTHING = sql`document_packed = null, document_digest = null, document_bytes = null`;

/** Where a row holds its document. */
export interface HeldColumns {
  /** The column of the text. */
  readonly text: Statement;
  readonly packed: Statement;
  readonly digest: Statement;
  readonly bytes: Statement;
}

/** Columns of a table or its alias. */
export function heldIn(table: string, text: 'document' | 'payload' = 'document'): HeldColumns {
  const of = (column: string): Statement => sql`${identifier(table)}.${identifier(column)}`;
  const [packed, digest, bytes] = PACKED_COLUMNS;
  return { text: of(text), packed: of(packed), digest: of(digest), bytes: of(bytes) };
}

/** No JSON begins with it. */
const HELD_MARK = '\u0001';

/**
 * The document as text that `readDocuments` opens, null for none. It is the document itself, or a mark followed by its
 * digest, its length, and the packed bytes unless they are an object.
 */
export function heldDocument({ text, packed, digest, bytes }: HeldColumns): Statement {
  return sql`coalesce(${text}, chr(1) || encode(${digest}, 'base64') || ':' || ${bytes} || ':'
    || coalesce(encode(${packed}, 'base64'), ''))`;
}

/** Its length in bytes; null for none. */
export function documentBytes({ text, bytes }: HeldColumns): Statement {
  return sql`coalesce(${bytes}, octet_length(${text}))`;
}

/** Whether there is one. */
export function hasDocument({ text, digest }: HeldColumns): Statement {
  return sql`(${text} is not null or ${digest} is not null)`;
}

/** Its SHA-256; null for none. */
export function documentDigest({ text, digest }: HeldColumns): Statement {
  return sql`coalesce(${digest}, sha256(convert_to(${text}, 'UTF8')))`;
}

/** Whether two rows hold different documents, or only one of them holds a document. */
export function documentsDiffer(one: HeldColumns, other: HeldColumns): Statement {
  return sql`case when ${one.digest} is null and ${other.digest} is null then ${one.text} is distinct from ${other.text}
    else ${documentDigest(one)} is distinct from ${documentDigest(other)} end`;
}

/** Bytes unpacked in one go, a few milliseconds of work, before other work gets a turn. */
const UNPACKED_BYTES_MAX = 256 * 1024;
/** Bytes that deflate and its header add to a document that cannot be compressed. */
const PACKED_BYTES_MAX = PAYLOAD_BYTES_MAX + 64 * 1024;

/** The name of the object of a document: its SHA-256. */
export function objectName(digest: Buffer): string {
  const text = digest.toString('hex');
  return `${OBJECT_PREFIX}${text.slice(0, 2)}/${text}`;
}

export const OBJECT_PREFIX = 'documents/';

/** A document that is not text in its row. */
export interface HeldElsewhere {
  readonly digest: Buffer;
  readonly bytes: number;
  /** Null: it is an object. */
  readonly packed: Buffer | null;
}

const MARK_BYTE = HELD_MARK.charCodeAt(0);
const COLON = 0x3a;

/** Null if the text is the document itself. */
function parseHeld(held: Buffer): HeldElsewhere | null {
  if (held[0] !== MARK_BYTE) return null;
  const digestEnd = held.indexOf(COLON);
  const bytesEnd = held.indexOf(COLON, digestEnd + 1);
  const packed = held.toString('latin1', bytesEnd + 1);
  return {
    digest: Buffer.from(held.toString('latin1', 1, digestEnd), 'base64'),
    bytes: Number(held.toString('latin1', digestEnd + 1, bytesEnd)),
    packed: packed === '' ? null : Buffer.from(packed, 'base64'),
  };
}

/** The text that `heldDocument` would read from a row. */
export function carryHeld({ packed, digest, bytes }: HeldElsewhere): Buffer {
  return Buffer.from(`${HELD_MARK}${digest.toString('base64')}:${bytes}:${packed?.toString('base64') ?? ''}`);
}

/** The length of the document that a text carries. */
export function measureHeld(held: Buffer | null): number {
  return held === null ? 0 : (parseHeld(held)?.bytes ?? held.length);
}

/**
 * The documents, in the same order. All of them are in memory together, so callers read in portions. Throws
 * ObjectStoreAway (`unavailable`) if one cannot be read back exactly.
 */
export async function readDocuments(db: Queryable, held: readonly (Buffer | null)[]): Promise<(Buffer | null)[]> {
  const documents = [...held];
  const elsewhere = held.flatMap((text, position) => {
    const found = text === null ? null : parseHeld(text);
    return found === null ? [] : [{ ...found, position }];
  });
  if (elsewhere.length === 0) return documents;
  const packed = await bringPacked(db.objects, elsewhere);
  const ids = packed.map((bytes) => neededDictionary(bytes)?.toString('hex') ?? null);
  const dictionaries = await readDictionaries(db, [...new Set(ids.filter((id) => id !== null))]);
  let unpacked = 0;
  for (const [index, document] of elsewhere.entries()) {
    const id = ids[index]!;
    documents[document.position] = open(packed[index]!, document, id === null ? null : dictionaries.get(id)!);
    unpacked += document.bytes;
    if (unpacked < UNPACKED_BYTES_MAX) continue;
    unpacked = 0;
    await setImmediate();
  }
  return documents;
}

function open(
  packed: Buffer,
  { digest, bytes }: HeldElsewhere,
  dictionary: Parameters<typeof unpackDocument>[1],
): Buffer {
  const name = digest.toString('hex');
  let document: Buffer;
  try {
    document = unpackDocument(packed, dictionary);
  } catch (error) {
    throw new ObjectStoreAway(`the payload ${name} cannot be unpacked`, error);
  }
  if (document.length === bytes && digestDocument(document).equals(digest)) return document;
  throw new ObjectStoreAway(`the payload ${name} differs from what was written: its digest is another`);
}

/** The packed bytes of each, in their order. */
async function bringPacked(objects: ObjectStore | null, elsewhere: readonly HeldElsewhere[]): Promise<Buffer[]> {
  const packed = elsewhere.map((document) => document.packed);
  const missing = packed.flatMap((bytes, index) => (bytes === null ? [index] : []));
  await runAtOnce(missing, OBJECTS_AT_ONCE, async (index) => {
    const { digest } = elsewhere[index]!;
    packed[index] = await bringObject(objects, objectName(digest));
  });
  return packed as Buffer[];
}

async function bringObject(objects: ObjectStore | null, name: string): Promise<Buffer> {
  if (objects === null) {
    throw new ObjectStoreAway(
      'payloads are in a store of objects that this process has no settings for: set TMDS_S3_BUCKET',
    );
  }
  const bytes = await objects.get(name, PACKED_BYTES_MAX);
  if (bytes === null) throw new ObjectStoreAway(`the object ${name} is not in ${objects.place}`);
  try {
    neededDictionary(bytes);
  } catch (error) {
    throw new ObjectStoreAway(`the object ${name} in ${objects.place} differs from what was written`, error);
  }
  return bytes;
}

/** The same for texts as `db.query` reads them. */
export async function readTexts(db: Queryable, held: readonly (string | null)[]): Promise<(string | null)[]> {
  const elsewhere = held.flatMap((text, position) => (text?.startsWith(HELD_MARK) ? [position] : []));
  if (elsewhere.length === 0) return [...held];
  const documents = await readDocuments(
    db,
    elsewhere.map((position) => Buffer.from(held[position]!)),
  );
  const texts = [...held];
  for (const [index, position] of elsewhere.entries()) texts[position] = documents[index]!.toString();
  return texts;
}

const PAYLOAD_KEY = Buffer.from(',"payload":');
/** The document of a record whose source states none (rule I-42). */
const NO_DOCUMENT = Buffer.from('{}');
const BRACE = Buffer.from('}');

/**
 * A record with its document, as `expand=payload` delivers it: the parts of its JSON text. `document`: null or
 * undefined if none is held.
 */
export function expandDetail(detail: Buffer, document: Buffer | null | undefined): Buffer[] {
  return [detail.subarray(0, -1), PAYLOAD_KEY, document ?? NO_DOCUMENT, BRACE];
}
