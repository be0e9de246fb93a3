/**
 * How a row holds its document, as SQL: as text, packed in the next columns, or packed in the store of objects. One
 * expression carries each of them through a statement to `read.ts`, which opens it, so that no statement knows the
 * places. For a document that is not text, the row holds its digest and its length.
 */
import { identifier, type Statement, sql } from '../../database/driver/sql.ts';

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
export const HELD_MARK = '\u0001';

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
