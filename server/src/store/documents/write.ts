/**
 * Puts documents where they are to be held, before rows name them: packed ones are returned for their columns, and
 * objects are in their store when this resolves. A failed publish leaves objects that no row names;
 * `upkeep/sweep-objects.ts` removes them.
 */

import { OperatorError } from '../../base/errors.ts';
import type { PayloadPlace } from '../../base/payload-places.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { runAtOnce } from '../../objects/at-once.ts';
import { OBJECTS_AT_ONCE, type ObjectStore } from '../../objects/object-store.ts';
import { type Dictionary, digestDocument, packDocument, takeDictionary } from './packing.ts';
import { type HeldElsewhere, objectName } from './read.ts';

export interface DocumentToWrite {
  readonly register: string;
  readonly text: Buffer;
}

export type WrittenDocument = HeldElsewhere;

/** Any place except text. */
export type PackedPlace = Exclude<PayloadPlace, 'database'>;

const PACKED_AT_ONCE = 4;

/** `db` is outside any transaction: a new dictionary stays, even if the documents that it packed are rolled back. */
export type WritingDatabase = Pick<Queryable, 'query' | 'objects'>;

/**
 * In the same order. Throws ObjectStoreAway, and OperatorError if this process has no settings for a store of objects.
 */
export async function writeDocuments(
  db: WritingDatabase,
  place: PackedPlace,
  documents: readonly DocumentToWrite[],
): Promise<WrittenDocument[]> {
  const objects = place === 's3' ? requireObjects(db) : null;
  const dictionaries = await takeDictionaries(db, documents);
  const written: WrittenDocument[] = new Array(documents.length);
  await runAtOnce(documents, objects === null ? PACKED_AT_ONCE : OBJECTS_AT_ONCE, async (document, position) => {
    const { register, text } = document;
    const digest = digestDocument(text);
    const packed = await packDocument(text, dictionaries.get(register) ?? null);
    if (objects !== null) await objects.put(objectName(digest), packed);
    written[position] = { packed: objects === null ? packed : null, digest, bytes: text.length };
  });
  return written;
}

export function requireObjects({ objects }: Pick<Queryable, 'objects'>): ObjectStore {
  if (objects === null)
    throw new OperatorError('there is no store of objects: set TMDS_S3_BUCKET and what goes with it');
  return objects;
}

async function takeDictionaries(
  db: WritingDatabase,
  documents: readonly DocumentToWrite[],
): Promise<ReadonlyMap<string, Dictionary | null>> {
  const texts = new Map<string, Buffer[]>();
  for (const { register, text } of documents) {
    const others = texts.get(register);
    if (others === undefined) texts.set(register, [text]);
    else others.push(text);
  }
  const dictionaries = new Map<string, Dictionary | null>();
  for (const [register, some] of texts) dictionaries.set(register, await takeDictionary(db, register, some));
  return dictionaries;
}
