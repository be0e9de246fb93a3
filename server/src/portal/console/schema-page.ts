/** The schema of an answer as a table of its members, from the interface description. */
import { html } from 'htm/preact';
import { buildSchemas, type Json } from '../../render/description/schemas.ts';
import { type Page, pageNotFound } from '../frame/call.ts';
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
    <p class="trail"><a href="/portal/api">API reference</a></p>
    <h1><code>${name}</code></h1>
    ${typeof schema.description === 'string' ? html`<p>${renderWords(schema.description)}</p>` : null}
    ${members.length === 0 ? html`<p>${renderType(schema)}</p>` : renderMembers(members)}
  `;
  return { title: name, body, section: 'api' };
}

function renderMembers(members: readonly Member[]): unknown {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Members">
      <table class="cards" role="table">
        <thead role="rowgroup">
          <tr role="row"><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>
        </thead>
        <tbody role="rowgroup">
          ${members.map(
            ({ path, schema, isOptional }) => html`
              <tr role="row" key=${path}>
                <td role="cell" data-label="Member"><code>${path}</code></td>
                <td role="cell" data-label="Type" class="words">
                  <span>${renderType(schema)}${isOptional ? html` <span class="silent">optional</span>` : null}</span>
                </td>
                <td role="cell" data-label="Meaning" class="words">
                  ${typeof schema.description === 'string' ? html`<span>${renderWords(schema.description)}</span>` : null}
                </td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The members of an object, with those of the objects inside of it that have no name of their own. */
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
