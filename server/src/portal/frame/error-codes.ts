/** The API's error codes for people: each links to its description and has a remedy. */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { html } from 'htm/preact';

export function renderCode(code: string): unknown {
  const text = html`<code>${code}</code>`;
  return code in ERRORS ? html`<a href=${`/docs/errors/${code}`}>${text}</a>` : text;
}

export function remedyOf(code: string): string {
  return code in ERRORS ? ERRORS[code as ErrorCode].remedy.replaceAll('`', '') : '';
}
