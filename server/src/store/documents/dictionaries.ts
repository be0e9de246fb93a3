/**
 * The dictionaries that documents are packed with. A register's dictionary is made from its first documents that are
 * packed together. It is kept for ever, because everything packed with it needs it. Its id is the digest of its
 * content, so a cached one stays valid.
 */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { composeDictionary, type Dictionary, identifyDictionary } from './packing.ts';

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
