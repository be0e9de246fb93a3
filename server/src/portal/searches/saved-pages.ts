/** The pages of saved searches: the list, the form that saves one, and the page that renames or deletes it. */

import { html } from 'htm/preact';
import { SAVED_MAX, SAVED_NAME_MAX, type SavedSearch } from '../../store/accounts/saved-searches.ts';
import { describeSaved, renderFilterChips, savedPath } from '../explorer/filter-chips.ts';
import { readSearch } from '../explorer/search-pairs.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderEmpty,
  renderHeading,
  renderLinkButton,
  renderPager,
  renderTrail,
} from '../frame/components.ts';
import { renderConfirm, renderField, renderSettled } from '../frame/fields.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, formFields } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';

export const FULL = `Your team has ${SAVED_MAX} saved searches, which is the most. Delete one that is no longer needed.`;
export const TAKEN = 'Another saved search of your team has this name.';

/** Length of a proposed name, in code points. */
const PROPOSED_MAX = 60;

/** As many filters as fit; of a single long one, its beginning. */
export function proposeName(search: string): string {
  const whole = describeSaved(search);
  const start = [...whole].slice(0, PROPOSED_MAX).join('');
  const end = whole === start ? -1 : start.lastIndexOf(', ');
  return end > 0 ? start.slice(0, end) : start;
}

interface ListedSearch {
  readonly saved: SavedSearch;
  /** Null if they were not counted in time. */
  readonly matches: number | null;
}

interface SavedList {
  readonly searches: readonly ListedSearch[];
  readonly isFirst: boolean;
  /** The name after which the next page begins; null on the last one. */
  readonly next: string | null;
}

export function renderSavedSearches({ searches, isFirst, next }: SavedList): Page {
  const body = html`
    ${renderTrail({ label: 'Search trademarks', href: '/portal/explorer' })}
    ${renderHeading('Saved searches')}
    <p class="hint">
      Your whole team sees them. A watch reports what changes in a search; the daily digest that you can switch on in
      your <a href="/portal/account">account</a> counts the hits of every watch.
    </p>
    ${searches.length === 0 ? renderNone(isFirst) : renderList(searches)}
    ${renderPager([
      isFirst ? null : { label: 'From the first', href: '/portal/searches' },
      next === null
        ? null
        : { label: 'Next', href: `/portal/searches?${new URLSearchParams({ after: next }).toString()}` },
    ])}
  `;
  return { title: 'Saved searches', body, section: 'explorer' };
}

function renderNone(isFirst: boolean): unknown {
  if (!isFirst) return renderEmpty('No further saved searches.');
  return html`
    ${renderEmpty('No saved searches yet. Search for something, then choose “Save this search…” above its results.')}
    ${renderActions(renderLinkButton('Search trademarks', '/portal/explorer'))}
  `;
}

function renderList(searches: readonly ListedSearch[]): unknown {
  return renderTable<ListedSearch>({
    label: 'Saved searches',
    rows: searches,
    keyOf: ({ saved }) => saved.id,
    columns: [
      {
        label: 'Name',
        isHeader: true,
        style: 'name',
        cell: ({ saved: { name, search } }) =>
          html`<a rel="nofollow" href=${savedPath(search, '')}><bdi>${name}</bdi></a>`,
      },
      { label: 'Search', style: 'words', cell: ({ saved }) => html`<bdi>${describeSaved(saved.search)}</bdi>` },
      {
        label: 'Matches now',
        style: 'number',
        cell: ({ matches }) =>
          matches === null ? html`<span class="silent">not counted</span>` : formatCount(matches),
      },
      {
        label: 'Actions',
        isUnlabelled: true,
        cell: ({ saved }) => html`
          <a rel="nofollow" href=${watchPath(saved)}>Watch…<span class="unseen"> ${saved.name}</span></a>${' · '}
          <a href=${`/portal/searches/${saved.id}`}>Change…<span class="unseen"> ${saved.name}</span></a>
        `,
      },
    ],
  });
}

/** The form of a new watch with this search and its name. */
function watchPath({ name, search }: SavedSearch): string {
  return `/portal/new-watch?${new URLSearchParams({ search, name }).toString()}`;
}

interface SaveForm {
  readonly search: string;
  readonly name: string;
  readonly fault: string | null;
}

export function renderSave(call: MemberCall, { search, name, fault }: SaveForm): Page {
  return buildFormPage(
    {
      title: 'Save this search',
      section: 'explorer',
      trail: renderTrail({ label: 'Saved searches', href: '/portal/searches' }),
      fault,
    },
    search === ''
      ? renderActions(renderLinkButton('Search trademarks', '/portal/explorer'))
      : html`
              <form method="post" action="/portal/searches/new" class="stack">
                ${formFields(call)}
                <input type="hidden" name="search" value=${search} />
                ${renderNameField(name)} ${renderSettled('Search', renderSearch(search))}
                ${renderActions(renderButton('Save'), renderLinkButton('Cancel', savedPath(search, ''), 'second'))}
              </form>
            `,
  );
}

function renderNameField(name: string): unknown {
  return renderField({
    id: 'name',
    label: 'Name',
    hint: 'Your whole team sees it.',
    attributes: { required: true, maxlength: SAVED_NAME_MAX, value: name, dir: 'auto' },
  });
}

function renderSearch(search: string): unknown {
  return renderFilterChips(readSearch(new URLSearchParams(search)).pairs, null);
}

export function renderChange(call: MemberCall, saved: SavedSearch, fault: string | null): Page {
  const { id, name, search } = saved;
  const path = `/portal/searches/${id}`;
  const typed = call.form.get('name') ?? call.query.get('name') ?? name;
  return buildFormPage(
    {
      title: name,
      heading: html`<bdi>${name}</bdi>`,
      section: 'explorer',
      trail: renderTrail({ label: 'Saved searches', href: '/portal/searches' }),
      fault,
    },
    html`${renderSettled('Search', renderSearch(search))}
      ${renderActions(
        renderLinkButton('Search now', savedPath(search, ''), 'second', { rel: 'nofollow' }),
        renderLinkButton('Watch…', watchPath(saved), 'second', { rel: 'nofollow' }),
      )}
      <form method="post" action=${path} class="stack">
        ${formFields(call)} ${renderNameField(typed)} ${renderActions(renderButton('Rename'))}
      </form>
      <h2>Delete</h2>
      <p>Watches that were made from it stay.</p>
      ${renderConfirm({ action: `${path}/delete`, tokens: formFields(call), label: 'Delete', back: '/portal/searches' })}`,
  );
}
