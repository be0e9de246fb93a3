/** Texts of the description on a page: what stands in backticks is code. */
import { html } from 'htm/preact';

export function renderWords(text: string): unknown {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** What is taken out of a count of units, in the words of the metering. */
export function describeCost(isMetered: boolean): string {
  return isMetered
    ? 'One unit when it is served, also when there is no such record; a refused call costs nothing.'
    : 'Free, and needs no key.';
}
