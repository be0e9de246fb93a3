/** Pages that are built from the tables of the contract, as Markdown: the API on one page, one page per error code. */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { API_VERSION } from '@tmds/contract/limits';
import type { ParameterDefinition } from '@tmds/contract/parameters';
import { DECLARED, type DeclaredName, methodOf } from '../../parse/query.ts';
import { buildExample, GUIDES } from './guide.ts';
import { OPERATIONS } from './operations.ts';
import { HEADERS } from './parameters.ts';

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
          'Structured trademark records, under `/records/v1/…` or `/v1/…`. Every path takes GET; watches and webhooks also ' +
          'take PUT and DELETE. Answers are JSON, except files of snapshots and exports. Send the key as ' +
          '`X-API-Key: <API_KEY>` or `Authorization: Bearer <API_KEY>`. ' +
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
