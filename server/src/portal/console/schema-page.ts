/** The schema of an answer as a table of its members, from the interface description. */
import { html } from 'htm/preact';
import type { Json } from '../../render/description/schema-parts.ts';
import { buildSchemas } from '../../render/description/schemas.ts';
import { type Page, pageNotFound } from '../frame/call.ts';
import { renderHeading, renderTrail } from '../frame/components.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { describeSchema } from './schema-words.ts';
import { renderWords } from './words.ts';

const SCHEMAS = buildSchemas() as Readonly<Record<string, Json>>;

export function listSchemas(): readonly string[] {
  return Object.keys(SCHEMAS);
}

interface Member {
  /** Within the schema, such as `items[].uid`. */
  readonly path: string;
  readonly schema: Json;
  readonly isOptional: boolean;
}

export function renderSchemaPage(name: string): Page {
  const schema = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name]! : null;
  if (schema === null) throw pageNotFound();
  const members = listMembers(schema, '');
  const body = html`
    ${renderTrail({ label: 'API reference', href: '/portal/api' })}
    ${renderHeading(html`<code>${name}</code>`)}
    <p>${renderDescription(schema)}</p>
    ${
      members.length === 0
        ? html`<p>${renderType(schema)}</p>`
        : renderTable({ label: 'Members', columns: COLUMNS, rows: members, keyOf: ({ path }) => path, narrow: 'lines' })
    }
  `;
  return { title: name, body, section: 'api' };
}

const COLUMNS: readonly TableColumn<Member>[] = [
  { label: 'Member', isHeader: true, style: 'name', cell: ({ path }) => html`<code>${path}</code>` },
  {
    label: 'Type',
    style: 'words',
    cell: ({ schema, isOptional }) =>
      html`<span class="silent">${renderType(schema)}${isOptional ? ', optional' : null}</span>`,
  },
  { label: 'Meaning', style: 'words', cell: ({ schema }) => renderDescription(schema) },
];

function renderDescription({ description }: Json): unknown {
  return typeof description === 'string' ? renderWords(description) : null;
}

/** The members of an object, with those of unnamed inner objects. */
function listMembers(schema: Json, path: string): readonly Member[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Json>>;
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([name, inner]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const items = inner.items as Json | undefined;
    return [
      { path: place, schema: inner, isOptional: !required.includes(name) },
      ...listMembers(inner, place),
      ...(items === undefined ? [] : listMembers(items, `${place}[]`)),
    ];
  });
}

/** The type in words, in which the names of other schemas are links. */
function renderType(schema: Json): unknown {
  return describeSchema(schema).map((part) =>
    typeof part === 'string' ? renderWords(part) : renderSchemaLink(part.schema),
  );
}

export function renderSchemaLink(name: string): unknown {
  return html`<a href=${`/portal/api/schemas/${name}`}><code>${name}</code></a>`;
}
