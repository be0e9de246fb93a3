/**
 * The schema of an answer as a table of its members, from the interface description, in words: type, bounds, default.
 * Text in backticks is code.
 */
import { html } from 'htm/preact';
import type { DescribedEndpoint } from '../../render/description/endpoints.ts';
import type { Json } from '../../render/description/schema-parts.ts';
import { buildSchemas } from '../../render/description/schemas.ts';
import { type Page, pageNotFound } from '../frame/call.ts';
import { renderHeading, renderTrail } from '../frame/components.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';

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
        : renderTable({ label: 'Members', columns: COLUMNS, rows: members, narrow: 'lines' })
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

/** A text, or the name of another schema. */
type SchemaPart = string | { readonly schema: string };

const FORMATS: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'instant' };
const ENUM_SHOWN_MAX = 40;

export function describeSchema(schema: Json): readonly SchemaPart[] {
  const fallback = schema.default === undefined ? [] : [`; default ${String(schema.default)}`];
  return [...describeType(schema), ...fallback];
}

function describeType(schema: Json): readonly SchemaPart[] {
  const { $ref: reference, const: constant, enum: values } = schema;
  if (typeof reference === 'string') return [{ schema: reference.split('/').at(-1)! }];
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  if (choices !== undefined) {
    return choices.flatMap((choice, at) => (at === 0 ? describeSchema(choice) : [' or ', ...describeSchema(choice)]));
  }
  if (constant !== undefined) return [`always ${JSON.stringify(constant)}`];
  if (Array.isArray(values)) return [describeValues(values)];
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  if (types.length === 0) return ['any value'];
  return types.flatMap((type, at) => [...(at === 0 ? [] : [' or ']), ...describeOne(type, schema)]);
}

function describeValues(values: readonly unknown[]): string {
  const shown = values.slice(0, ENUM_SHOWN_MAX).map(String);
  return `one of ${shown.join(', ')}${values.length > shown.length ? ', …' : ''}`;
}

function describeOne(type: string, schema: Json): readonly SchemaPart[] {
  switch (type) {
    case 'array': {
      const items = describeSchema((schema.items ?? {}) as Json);
      const most = typeof schema.maxItems === 'number' ? [`, at most ${schema.maxItems}`] : [];
      return ['list: ', ...items, ...most];
    }
    case 'string':
      return [describeText(schema)];
    case 'integer':
    case 'number':
      return [describeNumber(type, schema)];
    case 'boolean':
      return ['true or false'];
    default:
      return [type];
  }
}

function describeText({ format, pattern, minLength }: Json): string {
  const word = FORMATS[String(format)] ?? 'text';
  if (typeof pattern === 'string') return `${word} of the form \`${pattern}\``;
  return typeof minLength === 'number' && minLength > 1 ? `${word}, at least ${minLength} characters` : word;
}

function describeNumber(type: string, { minimum, maximum }: Json): string {
  if (minimum === undefined) return type;
  const from = Number(minimum).toLocaleString('en-US');
  return maximum === undefined
    ? `${type}, ${from} or more`
    : `${type}, ${from} to ${Number(maximum).toLocaleString('en-US')}`;
}

export function renderWords(text: string): unknown {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

export function describeCost({ metered, codes }: DescribedEndpoint): string {
  if (!metered) return 'It is free and needs no key.';
  const served = codes.includes('not_found') ? 'served, also with “not found”' : 'served';
  return `It costs one unit when it is ${served}; a refused call costs nothing.`;
}
