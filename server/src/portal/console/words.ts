/** Texts of the description on a page: text in backticks is code. */
import { html } from 'htm/preact';
import type { DescribedEndpoint } from '../../render/description/endpoints.ts';

export function renderWords(text: string): unknown {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

export function describeCost({ metered, codes }: DescribedEndpoint): string {
  if (!metered) return 'It is free and needs no key.';
  const served = codes.includes('not_found') ? 'served, also with “not found”' : 'served';
  return `It costs one unit when it is ${served}; a refused call costs nothing.`;
}
