/**
 * The frame of a document: head of the portal, text, list of documents. No script, and nothing from elsewhere. And what
 * scanners and crawlers ask for: whom to inform of a weakness (RFC 9116), and which paths are worth reading.
 */
import { DAY_MS } from '../../base/clock.ts';
import { GROUPS } from './catalogue.ts';
import { escapeHtml, renderMarkdownHtml } from './markdown.ts';

/** `address`: of the page, such as `/docs/history`. */
export function renderDocumentPage(markdown: string, address: string): string {
  const { title, html } = renderMarkdownHtml(markdown);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)} · Trademark data</title><link rel="icon" href="/portal/assets/icon.svg" type="image/svg+xml">`,
    '<link rel="stylesheet" href="/portal/assets/portal.css"><link rel="stylesheet" href="/docs/assets/pages.css">',
    `<link rel="alternate" type="text/markdown" href="${escapeHtml(address)}.md"></head><body>`,
    '<a class="skip" href="#content">Skip to the content</a>',
    '<header class="top"><a class="brand" href="/portal">Trademark data</a><nav aria-label="Portal"><ul>',
    '<li><a href="/portal/api">API</a></li><li><a href="/docs" aria-current="true">Documents</a></li></ul></nav></header>',
    `<main id="content" tabindex="-1"><div class="document"><article>${html}</article>${renderContents(address)}</div></main>`,
    `<footer><p><a href="${escapeHtml(address)}.md">This page as Markdown</a> · <a href="/llms.txt">For language models</a> · `,
    '<a href="/openapi.json">OpenAPI</a></p></footer></body></html>',
  ].join('');
}

function renderContents(address: string): string {
  const groups = GROUPS.map(([title, pages]) => {
    const items = Object.entries(pages).map(([name, page]) => {
      const current = address === `/docs/${name}` ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${name}"${current}>${escapeHtml(page.title)}</a></li>`;
    });
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
  });
  return `<nav class="contents" aria-label="Documents">${groups.join('')}</nav>`;
}

function listPages(pages: (typeof GROUPS)[number][1]): string[] {
  return Object.entries(pages).map(([name, page]) => `- [${page.title}](/docs/${name}.md): ${page.summary}`);
}

/** The page at `/docs`. */
export function buildContentsMarkdown(): string {
  const groups = GROUPS.flatMap(([title, pages]) => [`## ${title}`, listPages(pages).join('\n')]);
  const intro =
    'Calls can be tried in the [reference](/portal/api). Programs read the [interface description](/openapi.json), ' +
    'OpenAPI 3.1; Postman and Bruno import the [collection](/docs/collection.json). Every page is Markdown too, under its address with `.md`.';
  return ['# Documents', intro, ...groups].join('\n\n').concat('\n');
}

/** An overview for programs that read documentation, in the form of https://llmstxt.org. */
export function renderLlmsText(): string {
  const groups = GROUPS.flatMap(([title, pages]) => [`## ${title}`, '', ...listPages(pages), '']);
  return [
    '# Trademark Data Service: Record API',
    '',
    '> HTTP API to structured trademark records of national and regional registers: search by filters, look-up by',
    '> identity, a change feed that delivers every content change exactly once, history, and watches.',
    '',
    ...groups,
    '## For programs',
    '',
    '- [OpenAPI 3.1 description](/openapi.json): endpoints, parameters and schemas, for generators and validators',
    '- [Tools for language models](/docs/agents.md): the Model Context Protocol at `/mcp`, with the same keys',
    '- [Collection for Postman and Bruno](/docs/collection.json): every endpoint as a request to try',
    '- [Schema of the document](/docs/document.schema.json): JSON Schema 2020-12 of `payload`',
    '',
  ].join('\n');
}

/** What the stylesheet of the portal lacks: the list at the side, and tables and code as wide as the text. */
export const PAGES_CSS = `.document{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--space-5) var(--space-6)}
article{min-width:0;max-width:60rem}article>:first-child,.contents>:first-child{margin-top:0}
article pre{margin-bottom:var(--space-4);max-height:none}article .scroll{margin-bottom:var(--space-4)}
article :is(h1,h2,h3){overflow-wrap:anywhere}article li{max-width:var(--measure)}
blockquote{margin:0 0 var(--space-4);padding-left:var(--space-4);border-left:3px solid var(--line-strong)}
.contents{font-size:var(--text-small)}.contents h2{margin:var(--space-4) 0 var(--space-1);font-size:var(--text)}
.contents ul{margin:0;padding:0;list-style:none}.contents li{padding:var(--space-0) 0}
.contents [aria-current]{color:var(--ink);font-weight:600}
@media(min-width:60rem){.document{grid-template-columns:minmax(0,60rem) 15rem}}
`;

/** What scanners and crawlers ask for: whom to inform of a weakness (RFC 9116), and which paths are worth reading. */
const VALID_DAYS = 180;

interface SecurityContact {
  /** `mailto:…` or `https://…`. */
  readonly contact: string;
  /** Where the service is reached; null = not known. */
  readonly publicUrl: string | null;
}

/** Valid for half a year from the day of the call. */
export function renderSecurityText({ contact, publicUrl }: SecurityContact, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString().replace('.000Z', 'Z');
  const canonical = publicUrl === null ? [] : [`Canonical: ${publicUrl}/.well-known/security.txt`];
  return [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', ...canonical, ''].join('\n');
}

export const ROBOTS_TEXT = [
  'User-agent: *',
  'Allow: /docs',
  'Allow: /llms.txt',
  'Allow: /openapi.json',
  'Disallow: /',
  '',
].join('\n');
