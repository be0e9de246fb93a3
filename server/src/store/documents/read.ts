/**
 * Opens documents that statements read in the form of `heldDocument`: unpacks them, and fetches those in the store of
 * objects. Invariant: every packed document is compared with its digest before anybody sees it.
 */
import { setImmediate } from 'node:timers/promises';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import type { Queryable } from '../../database/driver/db.ts';
import { runAtOnce } from '../../objects/at-once.ts';
import { OBJECTS_AT_ONCE, type ObjectStore, ObjectStoreAway } from '../../objects/object-store.ts';
import { HELD_MARK } from './held.ts';
import { digestDocument, neededDictionary, readDictionaries, unpackDocument } from './packing.ts';

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
