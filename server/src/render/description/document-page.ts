/** The document for readers: a page derived from its schema alone. */
import { DOCUMENT_PARTS, DOCUMENT_SECTIONS } from '@tmds/contract/document';
import type { Page, PageElement } from './pages.ts';

type Json = { readonly [name: string]: unknown };

/** Its sections, then each part with its members. */
export function buildDocumentPage(): Page {
  return {
    title: 'The normalized document',
    elements: [
      {
        kind: 'text',
        text:
          'What `expand=payload` adds to a record: everything its register states, in one form for all registers. ' +
          'Every document has every section; a section is null when the register states nothing of it. Inside a ' +
          'section a value that is not stated is left out, and lists are never empty. Texts stay as the office ' +
          'writes them. Later versions may add members. Records loaded as `ndjson` have the document that their lines state, ' +
          'and `{}` where they state none.',
      },
      {
        kind: 'text',
        text: 'For programs: [document.schema.json](document.schema.json), JSON Schema 2020-12; the interface description has the same.',
      },
      buildMembers(DOCUMENT_SECTIONS),
      ...Object.entries(DOCUMENT_PARTS).flatMap(([name, part]): PageElement[] => [
        { kind: 'heading', text: name },
        { kind: 'text', text: part.description },
        buildMembers(part.properties, part.required),
      ]),
    ],
  };
}

function buildMembers(members: Json, required: readonly string[] = []): PageElement {
  const rows = Object.entries(members).map(([name, schema]) => {
    const always = required.includes(name) ? ', always' : '';
    return [`\`${name}\`${always}`, nameType(schema as Json), describe(notNull(schema as Json))];
  });
  return { kind: 'table', head: ['member', 'is', 'meaning'], rows };
}

function describe({ $ref, description }: Json): string {
  if (typeof $ref !== 'string') return String(description);
  return DOCUMENT_PARTS[nameOf($ref) as keyof typeof DOCUMENT_PARTS].description;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** For a value that may be null, the other alternative. */
function notNull(schema: Json): Json {
  const [first] = (schema.anyOf ?? []) as readonly Json[];
  return first ?? schema;
}

function nameType(schema: Json): string {
  if (schema.anyOf !== undefined) return `${nameType(notNull(schema))} or null`;
  if (typeof schema.$ref === 'string') {
    const name = nameOf(schema.$ref);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'array') return `list of ${nameType(schema.items as Json)}`;
  return { string: 'text', boolean: 'true or false' }[String(schema.type)] ?? 'anything';
}
