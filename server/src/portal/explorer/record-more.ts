/** The line below a list that was cut. */
import { html } from 'htm/preact';

export function renderMore(length: number, shown: number): unknown {
  return length <= shown ? null : html`<p class="hint">${length - shown} more in the raw record.</p>`;
}
