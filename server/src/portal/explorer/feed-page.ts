/** The changes of a register: the latest first, or, from an instant on, the feed as a replica reads it. */
import type { ChangesPage, JurisdictionInfo } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { renderRecordTable } from './results.ts';

export interface Feed {
  readonly registers: readonly JurisdictionInfo[];
  /** Empty = all registers. */
  readonly chosen: string;
  /** Empty = the latest changes. */
  readonly since: string;
  readonly keyId: string;
  /** The address of this page, for the records to lead back to. */
  readonly from: string | null;
  /** Null before anything was asked for, and after a refusal. */
  readonly page: ChangesPage | null;
  readonly keyChoice: unknown;
}

export function renderFeed({ registers, chosen, since, keyId, from, page, keyChoice }: Feed): unknown {
  return html`
    <h1>Changes</h1>
    <form method="get" action="/portal/feed" class="row feed" data-slow="Reading…">
      <input type="hidden" name="show" value="1" />
      <span class="pair">
        <label for="register">Register</label>
        <select id="register" name="register">
          <option value="">All registers</option>
          ${registers.map(
            ({ jurisdiction_code: code, record_count }) => html`
              <option key=${code} value=${code} selected=${code === chosen}>
                ${`${code} (${formatCount(record_count)})`}</option>
            `,
          )}
        </select>
      </span>
      <span class="pair">
        <label for="since">Since</label>
        <input
          id="since"
          name="since"
          value=${since}
          placeholder="2026-11-01"
          autocomplete="off"
          aria-describedby="since-hint"
        />
      </span>
      ${keyChoice}
      <button type="submit">Show</button>
      <p class="hint" id="since-hint">
        Left empty: the latest changes. A date or an instant: the feed from there on, oldest first, up to the horizon.
      </p>
    </form>
    ${page === null ? null : renderPage(page, { chosen, since, keyId, from })}
  `;
}

function renderPage(
  page: ChangesPage,
  { chosen, since, keyId, from }: Pick<Feed, 'chosen' | 'since' | 'keyId' | 'from'>,
): unknown {
  if (page.items.length === 0) {
    return html`<p class="empty">Caught up: nothing changed since then that is older than the safety horizon.</p>`;
  }
  const plain = (_field: string, label: string): unknown => html`<th scope="col">${label}</th>`;
  const isFeed = since !== '';
  const next = new URLSearchParams({ register: chosen, since, cursor: page.next_cursor ?? '', key: keyId });
  return html`
    <p class="summary" role="status">
      ${page.items.length} ${isFeed ? 'changes, oldest first' : 'latest changes, newest first'}
    </p>
    ${renderRecordTable(page.items, { keyId, from }, plain)}
    ${
      isFeed && page.next_cursor !== null
        ? html`<p class="paging">
          <a class="button second" rel="next" href=${`/portal/feed?${next.toString()}`}>Next page</a></p>`
        : null
    }
  `;
}
