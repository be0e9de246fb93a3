/** The request of a page as a URL, for curl and as client code, each with its own quoting. The key never appears. */
import { html } from 'htm/preact';
import { renderCopyable } from '../frame/components.ts';
import { formOf, type SearchPairs } from './search-pairs.ts';

export interface RequestShown {
  /** Everything before `/v1`: scheme, authority and the product's prefix. */
  readonly baseUrl: string;
  /** `/v1/…` with its query. */
  readonly target: string;
  /** The client code that makes the request. */
  readonly code: string;
}

export function renderRequest({ baseUrl, target, code }: RequestShown): unknown {
  const url = `${baseUrl}${target}`;
  const program = [
    "import { TrademarkClient } from '@tmds/client';",
    '',
    `const client = new TrademarkClient({ baseUrl: ${quote(baseUrl)} }); // key: TMDS_API_KEY`,
    code,
  ].join('\n');
  return html`
    <details class="request">
      <summary>The same request for a program</summary>
      ${renderCopyable('URL', url, 'request-url')}
      ${renderCopyable('curl', `curl -H "X-API-Key: $TMDS_API_KEY" ${quoteShell(url)}`, 'request-curl')}
      ${renderCopyable('Client', program, 'request-client')}
    </details>
  `;
}

export function buildSearchCode(pairs: SearchPairs): string {
  const entries = pairs.map(
    ([name, value]) => `  ${/^\w+$/.test(name) ? name : quote(name)}: ${literalOf(name, value)},`,
  );
  return ['const page = await client.search({', ...entries, '});'].join('\n');
}

function literalOf(name: string, value: string): string {
  const form = formOf(name);
  switch (form?.form) {
    case 'enums':
    case 'codes':
    case 'vienna_codes':
      return `[${value
        .split(',')
        .map((element) => quote(element.trim()))
        .join(', ')}]`;
    case 'nice_classes':
      return `[${value.split(',').map(numberOrText).join(', ')}]`;
    case 'integer':
      return numberOrText(value);
    default:
      return quote(value);
  }
}

function numberOrText(text: string): string {
  return /^\d{1,9}$/.test(text.trim()) ? String(Number(text)) : quote(text);
}

/** A JavaScript string in single quotes. */
export function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
