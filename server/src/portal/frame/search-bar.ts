/** The search bar of the head of every page. */
import { html } from 'htm/preact';
import { renderButton } from './components.ts';

/** Keeps the key that the page is charged to. `text`: the text that led here. */
export function renderSearchBar({ text, keyId }: { text: string; keyId: string }): unknown {
  return html`
    <form method="get" action="/portal/search" role="search" class="bar" data-slow="Searching…">
      <label for="q" class="unseen">Search all registers by number, mark, owner, representative or record id</label>
      <input
        id="q"
        name="q"
        type="search"
        value=${text}
        placeholder="Search marks, owners or numbers in all registers"
        dir="auto"
        autocomplete="off"
        aria-keyshortcuts="/"
        required
      />
      ${keyId === '' ? null : html`<input type="hidden" name="key" value=${keyId} />`}
      ${renderButton('Search', 'second')}
    </form>
  `;
}
