/**
 * The pages of the reference: one per error code and an overview, each rendered as Markdown and as HTML from the same
 * elements. The HTML loads nothing from other hosts and runs no script.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { API_VERSION } from '@tmds/contract/limits';
import type { ParameterDefinition } from '@tmds/contract/parameters';
import { DECLARED, type DeclaredName, methodOf } from '../../parse/query.ts';
import { buildExample, GUIDES } from './guide.ts';
import { HEADERS } from './headers.ts';
import { OPERATIONS } from './operations.ts';

export type PageElement =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export interface Page {
  readonly title: string;
  readonly elements: readonly PageElement[];
}

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** What one error code means and what to do about it. */
export function buildErrorPage(code: ErrorCode): Page {
  const { status, when, retry } = ERRORS[code];
  const { request, why, remedy } = GUIDES[code];
  const advice = retry === 'later' ? 'The same request may succeed later.' : 'Repeating the request does not help.';
  return {
    title: `${code} (${status})`,
    elements: [
      { kind: 'text', text: `${when[0]!.toUpperCase()}${when.slice(1)}. ${advice}` },
      { kind: 'heading', text: 'Example' },
      { kind: 'code', language: 'http', text: request },
      { kind: 'code', language: 'json', text: JSON.stringify(buildExample(code), null, 2) },
      { kind: 'heading', text: 'Why' },
      { kind: 'list', items: why },
      { kind: 'heading', text: 'What to do' },
      { kind: 'list', items: remedy },
    ],
  };
}

/** Every code on one page. */
export function buildErrorsPage(): Page {
  const rows = ERROR_CODES.map((code) => {
    const { status, when, retry } = ERRORS[code];
    return [String(status), `[${code}](/docs/errors/${code})`, when, retry === 'later' ? 'yes' : 'no'];
  });
  return {
    title: 'Errors',
    elements: [
      {
        kind: 'text',
        text:
          'Every answer that is not 2xx has an object `error` with `code` (for programs), `message` (for people) and ' +
          '`param` (if a parameter is at fault). Programs should act on the code, never on the message.',
      },
      { kind: 'table', head: ['status', 'code', 'condition', 'retry later'], rows },
    ],
  };
}

/** The whole API on one page, mainly for programs that read documentation. */
export function buildApiPage(): Page {
  return {
    title: `Record API ${API_VERSION}`,
    elements: [
      {
        kind: 'text',
        text:
          'Read-only access to structured trademark records, under `/records/v1/…` or `/v1/…`. Every path takes GET and ' +
          'answers JSON; a watch also takes PUT and DELETE. Send the key as `X-API-Key: <API_KEY>` or `Authorization: Bearer <API_KEY>`. ' +
          'Unknown, repeated and empty parameters are refused. Null is data: the register did not state the field. One ' +
          'served call costs one unit. Blanks at either end of a filter value do not count. Instants are ISO 8601 dates or ' +
          'date-times, with `T` or `t`. They may have a fraction of up to nine digits, which is cut to six, and `Z`, `z` ' +
          'or an offset such as `+01:00`; without one, the time is UTC.',
      },
      ...(Object.keys(DECLARED) as DeclaredName[]).flatMap(buildEndpointElements),
      { kind: 'heading', text: 'Response headers' },
      {
        kind: 'table',
        head: ['header', 'meaning'],
        rows: Object.entries(HEADERS).map(([name, { description }]) => [name, description]),
      },
      { kind: 'heading', text: 'Errors' },
      {
        kind: 'table',
        head: ['status', 'code', 'condition', 'what to do'],
        rows: ERROR_CODES.map((code) => [String(ERRORS[code].status), code, ERRORS[code].when, ERRORS[code].remedy]),
      },
    ],
  };
}

function buildEndpointElements(name: DeclaredName): PageElement[] {
  const { path, parameters } = DECLARED[name];
  const rows = Object.entries<ParameterDefinition>(parameters).map(([parameter, { description, example }]) => [
    parameter,
    description,
    example === '' ? '' : `\`${example}\``,
  ]);
  const heading: PageElement = { kind: 'heading', text: `${methodOf(name)} ${path}` };
  const body = OPERATIONS[name].body;
  if (body !== undefined) {
    const text = JSON.stringify(body.example, null, 2);
    const about = `${OPERATIONS[name].description} The body is JSON, such as:`;
    return [heading, { kind: 'text', text: about }, { kind: 'code', language: 'json', text }];
  }
  if (rows.length === 0) return [heading, { kind: 'text', text: 'No parameters.' }];
  return [heading, { kind: 'table', head: ['parameter', 'meaning', 'example'], rows }];
}

/** An overview for programs that read documentation, in the form of https://llmstxt.org. */
export function renderLlmsText(): string {
  const errors = ERROR_CODES.map((code) => `- [${code}](/docs/errors/${code}.md): ${ERRORS[code].when}`);
  return [
    '# Trademark Data Service: Record API',
    '',
    '> Read-only HTTP API to structured trademark records of national and regional registers: search by filters,',
    '> look-up by identity, and a change feed that delivers every content change exactly once.',
    '',
    '## Reference',
    '',
    '- [Record API](/docs/api.md): endpoints, parameters, headers and errors on one page',
    '- [OpenAPI 3.1 description](/openapi.json): the same, for generators and validators',
    '- [Errors](/docs/errors.md): every error code',
    '',
    '## Errors',
    '',
    ...errors,
    '',
  ].join('\n');
}

export function renderMarkdown({ title, elements }: Page): string {
  return `# ${title}\n\n${elements.map(renderMarkdownElement).join('\n\n')}\n`;
}

function renderMarkdownElement(element: PageElement): string {
  switch (element.kind) {
    case 'heading':
      return `## ${element.text}`;
    case 'text':
      return element.text;
    case 'list':
      return element.items.map((item) => `- ${item}`).join('\n');
    case 'code':
      return `\`\`\`${element.language}\n${element.text}\n\`\`\``;
    case 'table':
      return [element.head, element.head.map(() => '---'), ...element.rows]
        .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
        .join('\n');
  }
}

export function renderHtml({ title, elements }: Page): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/docs/assets/pages.css"></head><body><main>`,
    '<nav><a href="/portal/api">API reference</a> · <a href="/docs/errors">Errors</a></nav>',
    `<h1>${escapeHtml(title)}</h1>${renderHtmlElements(title, elements)}</main></body></html>`,
  ].join('');
}

/** Areas that scroll sideways are reachable by keyboard, and named by the heading above them. */
function renderHtmlElements(title: string, elements: readonly PageElement[]): string {
  let heading = title;
  return elements
    .map((element) => {
      if (element.kind === 'heading') heading = element.text;
      return renderHtmlElement(element, heading);
    })
    .join('');
}

function renderHtmlElement(element: PageElement, heading: string): string {
  switch (element.kind) {
    case 'heading':
      return `<h2>${renderInline(element.text)}</h2>`;
    case 'text':
      return `<p>${renderInline(element.text)}</p>`;
    case 'list':
      return `<ul>${element.items.map((item) => `<li>${renderInline(item)}</li>`).join('')}</ul>`;
    case 'code':
      return `<pre ${scrolls(`${heading}, ${element.language}`)}><code>${escapeHtml(element.text)}</code></pre>`;
    case 'table': {
      const rows = element.rows.map((row) => renderRow('td', row)).join('');
      const table = `<table><thead>${renderRow('th', element.head)}</thead><tbody>${rows}</tbody></table>`;
      return `<div class="scroll" ${scrolls(heading)}>${table}</div>`;
    }
  }
}

function scrolls(label: string): string {
  return `tabindex="0" role="region" aria-label="${escapeHtml(label)}"`;
}

function renderRow(tag: 'td' | 'th', cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${tag}>${renderInline(cell)}</${tag}>`).join('')}</tr>`;
}

/** Renders code in backticks and links; everything else is plain text. */
function renderInline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^[\]]+)\]\((\/[\w./-]*)\)/g, '<a href="$2">$1</a>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The colours and fonts of the portal, next to which the pages are served. */
export const PAGES_CSS = `:root{color-scheme:light dark;background:light-dark(#fbfaf7,#15181b);color:light-dark(#1d2126,#e7e5df);
font:16px/1.5 system-ui,sans-serif}
body{margin:0}main{max-width:60rem;margin:0 auto;padding:1.5rem}a{color:light-dark(#20595f,#86c8cd)}
h1,h2{font-family:"Iowan Old Style",Palatino,Georgia,"Noto Serif","DejaVu Serif",serif}
h1,h2{line-height:1.2;overflow-wrap:anywhere}
h1{font-size:1.75rem}h2{margin-top:2.5rem;font-size:1.25rem}code{font-size:.875rem}
pre{overflow-x:auto;padding:.75rem 1rem;background:light-dark(#f2f0ea,#23282d);border-radius:5px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem}
th,td{padding:.5rem .75rem .5rem 0;text-align:left;vertical-align:baseline}
th,td{border-bottom:1px solid light-dark(#dedad1,#33393f)}
nav{margin-bottom:1rem;font-size:.875rem}
`;
