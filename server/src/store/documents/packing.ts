/**
 * A packed document: deflated, with a dictionary of text that is common in documents of its register, if there is one
 * (docs/design/payloads.md). The packed bytes name their dictionary, so they can be opened for as long as it is kept:
 * for ever. A register's dictionary is made from its first documents that are packed together. Its id is the digest of
 * its content, so a cached one stays valid.
 */
import { createHash, hash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { PAYLOAD_BYTES_MAX } from '@tmds/contract/limits';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

const deflate = promisify(deflateRaw);

/** The form of the packed bytes: their first byte. The id of the dictionary follows, then raw deflate. */
const FORM = 1;
const ID_BYTES = 8;
const HEAD_BYTES = 1 + ID_BYTES;
const NO_DICTIONARY = Buffer.alloc(ID_BYTES);

export interface Dictionary {
  /** The first 8 bytes of the SHA-256 of its content. */
  readonly id: Buffer;
  readonly content: Buffer;
}

/** Deflate looks back this far; one page less, so that a short document still reaches all of it. */
export const DICTIONARY_BYTES_MAX = 28 * 1024;
const PIECE_BYTES = 4 * 1024;
/** Below this, a dictionary would be little more than a copy of the documents that it serves. */
export const DICTIONARY_DOCUMENTS_MIN = 50;

export function identifyDictionary(content: Buffer): Dictionary {
  return { id: createHash('sha256').update(content).digest().subarray(0, ID_BYTES), content };
}

/**
 * Makes a dictionary from beginnings of documents of every common length, spread evenly. Null if there are too few. The
 * same documents give the same dictionary.
 */
export function composeDictionary(documents: readonly Buffer[]): Dictionary | null {
  if (documents.length < DICTIONARY_DOCUMENTS_MIN) return null;
  const byLength = [...documents].sort((one, other) => one.length - other.length);
  // The shortest add nothing, and the longest mostly contain what no other document does.
  const common = byLength.slice(Math.floor(byLength.length / 10), Math.ceil((byLength.length * 9) / 10));
  const pieces: Buffer[] = [];
  const piecesMax = Math.min(common.length, DICTIONARY_BYTES_MAX / 512);
  let bytes = 0;
  for (let position = 0; position < piecesMax && bytes < DICTIONARY_BYTES_MAX; position += 1) {
    const piece = common[Math.floor((spread(position) * common.length) % common.length)]!.subarray(0, PIECE_BYTES);
    pieces.push(piece.subarray(0, DICTIONARY_BYTES_MAX - bytes));
    bytes += pieces.at(-1)!.length;
  }
  return identifyDictionary(Buffer.concat(pieces));
}

/** Fractions of the golden ratio: any number of them lies evenly between 0 and 1. */
function spread(position: number): number {
  return (position * 0.618033988749895) % 1;
}

export function digestDocument(document: Buffer): Buffer {
  return hash('sha256', document, 'buffer');
}

/** Runs in parallel with the event loop. */
export async function packDocument(document: Buffer, dictionary: Dictionary | null): Promise<Buffer> {
  const options = dictionary === null ? {} : { dictionary: dictionary.content };
  const body = await deflate(document, options);
  return Buffer.concat([Buffer.from([FORM]), dictionary?.id ?? NO_DICTIONARY, body]);
}

/** The id of the required dictionary; null for none. Throws an Error if the bytes are no packed document. */
export function neededDictionary(packed: Buffer): Buffer | null {
  if (packed.length < HEAD_BYTES || packed[0] !== FORM) throw new Error('not a packed document');
  const id = packed.subarray(1, HEAD_BYTES);
  return id.equals(NO_DICTIONARY) ? null : id;
}

/** Throws an Error if the bytes are damaged, or unpack to more than a document may have. */
export function unpackDocument(packed: Buffer, dictionary: Dictionary | null): Buffer {
  const options = dictionary === null ? {} : { dictionary: dictionary.content };
  return inflateRawSync(packed.subarray(HEAD_BYTES), { ...options, maxOutputLength: PAYLOAD_BYTES_MAX });
}

/** Each has 28 KB. A register has one, unless several loads made theirs at the same time. */
const READ_MAX = 500;
const read = new LRUCache<string, Dictionary>({ max: READ_MAX });

/** By their ids in hexadecimal. Throws an Error if one of them is gone. */
export async function readDictionaries(
  db: Pick<Queryable, 'query'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Dictionary>> {
  const found = new Map<string, Dictionary>();
  for (const id of ids) {
    const known = read.get(id);
    if (known !== undefined) found.set(id, known);
  }
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const rows = await db.query<{ content: Buffer }>(sql`
    select content from payload_dictionary where encode(dictionary_id, 'hex') = any(${missing}::text[])`);
  for (const { content } of rows) {
    const dictionary = identifyDictionary(content);
    const id = dictionary.id.toString('hex');
    read.set(id, dictionary);
    found.set(id, dictionary);
  }
  const lost = missing.find((id) => !found.has(id));
  if (lost !== undefined) throw new Error(`the dictionary ${lost}, with which payloads were packed, is gone`);
  return found;
}

/** Reads the dictionaries of a register in advance, for a caller whose connection will be in use. */
export async function holdDictionaries(db: Pick<Queryable, 'query'>, register: string): Promise<void> {
  const rows = await db.query<{ id: string }>(sql`
    select encode(dictionary_id, 'hex') as id from payload_dictionary where jurisdiction_code = ${register}`);
  await readDictionaries(
    db,
    rows.map(({ id }) => id),
  );
}

/**
 * The newest dictionary of a register. If there is none, it makes one from these documents, provided they are enough. A
 * new dictionary is committed before it is used, so `db` must be outside any transaction.
 */
export async function takeDictionary(
  db: Pick<Queryable, 'query'>,
  register: string,
  documents: readonly Buffer[],
): Promise<Dictionary | null> {
  const [newest] = await db.query<{ content: Buffer }>(sql`
    select content from payload_dictionary where jurisdiction_code = ${register}
    order by made_at desc, dictionary_id limit 1`);
  if (newest !== undefined) return identifyDictionary(newest.content);
  const made = composeDictionary(documents);
  if (made === null) return null;
  await db.query(sql`
    insert into payload_dictionary (dictionary_id, jurisdiction_code, content, made_at)
    values (${made.id}, ${register}, ${made.content}, clock_timestamp())
    on conflict (dictionary_id) do nothing`);
  return made;
}
