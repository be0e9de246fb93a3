/**
 * The document of a record: a page for readers, derived from its schema alone; its schema as schemas of the interface
 * description; and an invented document with every part, as the example of each part's schema.
 */
import { DOCUMENT_PARTS, DOCUMENT_SCHEMA, DOCUMENT_SECTIONS, type NormalizedDocument } from '@tmds/contract/document';
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

const names = [{ text: 'Lumora SA', kind: 'organization', language: 'fr' } as const];

export const DOCUMENT_EXAMPLE = {
  parties: [
    {
      role: 'owner',
      current: true,
      names,
      entity: { code: '03', text: 'Corporation' },
      nationality: { country: 'CH' },
      address: { lines: ['1 rue Haute'], city: 'Lausanne', postcode: '1003', country: 'CH' },
    },
  ],
  mark: { texts: [{ text: 'LUMORA' }], descriptions: [{ text: 'A lamp above the word', language: 'en' }] },
  goods_and_services: [
    { scheme: 'nice', edition: '12', class: '9', texts: [{ text: 'Computer software', language: 'en' }] },
  ],
  publications: [{ kind: 'Registration', identifier: '2026/07', date: '2026-02-03', page: '411' }],
  priorities: [{ number: '2023-104522', country: 'JP', date: '2023-09-21', claimed: true }],
  events: [
    {
      kind: 'record',
      number: '9001-0002',
      date: '2026-01-05',
      text: 'Assigns the entire interest',
      marks: [{ role: 'subject', number: '97123456', text: 'LUMORA' }],
      parties: [
        {
          role: 'assignee',
          names,
          execution_date: '2025-12-20',
          members: [{ name: 'Lumora Holding', entity: { text: 'Corporation' } }],
        },
      ],
    },
  ],
  images: [{ identifier: '97123456', format: 'JPEG', vienna_codes: ['26.03.01'] }],
  classification: {
    nice_version: '12-2026',
    classes: [{ international_codes: ['9'], national_codes: ['021'], first_use_date: '2024-03-01' }],
  },
  international: {
    registration: { number: '1234567', registration_date: '2024-05-02' },
    filings: [{ reference_number: 'A0012345', filing_date: '2024-04-02' }],
    designations: ['EM', 'JP'],
  },
  related_marks: [{ relationship: 'division', number: '97123457', country: 'US' }],
  statements: [{ code: 'DM', text: 'The mark consists of a lamp above the word.', language: 'en' }],
  source: { format: 'uspto-apc', status_code: '700', status_text: 'Registered' },
} satisfies NormalizedDocument;

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
