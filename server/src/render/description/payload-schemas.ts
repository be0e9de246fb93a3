/** The schema of the document as schemas of the interface description. */
import { DOCUMENT_SCHEMA } from '@tmds/contract/document';

type Json = { readonly [name: string]: unknown };

export const DOCUMENT_NAME = DOCUMENT_SCHEMA.title;

/** The document and its parts as schemas of a description, which refers to them by another path. */
export function buildPayloadSchemas(): Json {
  const { $schema: _draft, title: _title, $defs: parts, ...document } = DOCUMENT_SCHEMA;
  return { [DOCUMENT_NAME]: relocate(document), ...(relocate(parts) as Json) };
}

function relocate(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(relocate);
  if (typeof schema === 'string') return schema.replace(/^#\/\$defs\//, '#/components/schemas/');
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, relocate(inner)]));
}
