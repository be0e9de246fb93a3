/**
 * Searches that the people of a customer keep under names: list, save, rename, delete. The whole team has them. Nothing
 * here costs a unit; every change is audited.
 */

import { html } from 'htm/preact';
import { buildKeyId } from '../../access/secret.ts';
import type { Queryable } from '../../database/driver/db.ts';
import {
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  renameSavedSearch,
  SAVED_MAX,
  SAVED_NAME_MAX,
  SAVED_SEARCH_CHARACTERS_MAX,
  type SavedSearch,
} from '../../store/accounts/saved-searches.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import { describeSaved, listFilters, renderFilterChips, savedPath } from '../explorer/search-words.ts';
import { noteActivity } from '../frame/audit-table.ts';
import { type MemberCall, orNotFound, type Page, type PortalRoute, typedIn } from '../frame/call.ts';
import { renderActions, renderHeading, renderLinkButton, renderPager, renderTrail } from '../frame/components.ts';
import { hiddenField, textField } from '../frame/field-kinds.ts';
import { renderSettled } from '../frame/fields.ts';
import { declareForm, NO_FIELDS, renderForm } from '../frame/forms.ts';
import { doAlone } from '../frame/once.ts';
import { buildFormPage, buildMemberRoutes } from '../frame/page-routes.ts';
import { cutPage, linkTo } from '../frame/paging.ts';
import { formatCount } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import { countMatches } from '../search/readings.ts';
import type { PortalServices } from '../services.ts';

const LISTED = 25;

export function listSavedSearchRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask, of } = buildMemberRoutes(services);
  const { change } = of({ at: '/searches/:id', find: findOwn, run: doAlone, isFoundFirst: true });
  return [
    show('/searches', showSaved),
    ...ask('/searches/new', SAVING, showSave, (call, { database }, { search, name }) => {
      const id = buildKeyId();
      return doAlone(call, database, async (tx) => {
        const done = await insertSavedSearch(tx, call.user.customer_id, { id, name, search });
        if (done !== 'saved') return { fault: done === 'full' ? FULL : TAKEN };
        await noteActivity(tx, call, 'search.save', { name });
        return { to: '/portal/searches?done=search_saved' };
      });
    }),
    show('/searches/:id', showChange),
    change('', RENAMING, showChange, async (tx, { id }, { call, values: { name } }) => {
      if (!(await renameSavedSearch(tx, call.user.customer_id, { id, name }))) return { fault: TAKEN };
      await noteActivity(tx, call, 'search.rename', { name });
      return '/portal/searches?done=search_renamed';
    }),
    submit('/searches/:id/delete', '/searches/:id', NO_FIELDS, {
      refused: showChange,
      answer: (call, { database }) =>
        doAlone(call, database, async (tx) => {
          const { customer_id } = call.user;
          const saved = await findSavedSearch(tx, customer_id, call.params.id ?? '');
          if (saved !== null && (await deleteSavedSearch(tx, customer_id, saved.id))) {
            await noteActivity(tx, call, 'search.delete', { name: saved.name });
          }
          return { to: '/portal/searches?done=search_deleted' };
        }),
    }),
  ];
}

async function findOwn({ user, params }: MemberCall, { database }: { database: Queryable }): Promise<SavedSearch> {
  return orNotFound(await findSavedSearch(database, user.customer_id, params.id ?? ''));
}

async function showSaved(call: MemberCall, services: PortalServices): Promise<Page> {
  const { database } = services;
  const { customer_id } = call.user;
  const after = call.query.get('after');
  const found = await listSavedSearches(database, customer_id, { after, limit: LISTED + 1 });
  const { rows: shown, further } = cutPage(found, LISTED, ({ name }) => linkTo('/portal/searches', { after: name }));
  // A link on another site must not keep the search busy.
  const matches = call.fromElsewhere ? [] : await countSaved(customer_id, shown, services);
  const searches = shown.map((saved, at) => ({ saved, matches: matches[at] ?? null }));
  const isFirst = after === null;
  const body = html`
    ${renderTrail({ label: 'Search trademarks', href: '/portal/explorer' })}
    ${renderHeading('Saved searches')}
    <p class="hint">
      Your whole team sees them. A watch reports what changes in a search; the daily digest that you can switch on in
      your <a href="/portal/account">account</a> counts the hits of every watch.
    </p>
    ${renderList(searches, isFirst)}
    ${searches.length === 0 && isFirst ? renderActions(renderLinkButton('Search trademarks', '/portal/explorer')) : null}
    ${renderPager([
      isFirst ? null : { label: 'From the first', href: '/portal/searches' },
      further === null ? null : { label: 'Next', href: further },
    ])}
  `;
  return { title: 'Saved searches', body, section: 'explorer' };
}

/** For all of them together; one that has begun has the time of a page's counts. */
const COUNTING_MS_MAX = 2000;

/** One after the other, so that a list does not take the turns of a whole team; null from when the time is up. */
async function countSaved(
  customerId: string,
  searches: readonly SavedSearch[],
  services: Pick<PortalServices, 'countFacets' | 'clock'>,
): Promise<(number | null)[]> {
  const endMs = services.clock.monotonicMs() + COUNTING_MS_MAX;
  const counts: (number | null)[] = [];
  for (const { search } of searches) {
    const isLate = services.clock.monotonicMs() >= endMs;
    const pairs = [...new URLSearchParams(search)];
    counts.push(isLate ? null : await countMatches(customerId, pairs, services));
  }
  return counts;
}

/** The filters of an address, in the form in which they are kept. */
function tidySearch(text: string): string {
  const { pairs } = readSearch(new URLSearchParams(text));
  return encodePairs(listFilters(pairs)).slice(1);
}

const NAME = textField({
  label: 'Name',
  hint: 'Your whole team sees it.',
  attributes: { required: true, maxlength: SAVED_NAME_MAX, dir: 'auto' },
  read: (text) => {
    const name = text.trim();
    if (name === '') return { fault: 'Give the search a name.' };
    return [...name].length > SAVED_NAME_MAX ? { fault: `A name has up to ${SAVED_NAME_MAX} characters.` } : name;
  },
});

const SAVING = declareForm({
  search: {
    ...hiddenField(),
    read: ([text = '']) => {
      const search = tidySearch(text);
      if (search === '') return { fault: 'Search for something first.' };
      const isLong = search.length > SAVED_SEARCH_CHARACTERS_MAX;
      return isLong ? { fault: 'This search is too long to be saved. Remove some of its values.' } : search;
    },
  },
  name: NAME,
});
const RENAMING = declareForm({ name: NAME });

const FULL = `Your team has ${SAVED_MAX} saved searches, which is the most. Delete one that is no longer needed.`;
const TAKEN = 'Another saved search of your team has this name.';

const PROPOSED_MAX = 60;

/** As many filters as fit; of a single long one, its beginning. */
function proposeName(search: string): string {
  const whole = describeSaved(search);
  const start = [...whole].slice(0, PROPOSED_MAX).join('');
  const end = whole === start ? -1 : start.lastIndexOf(', ');
  return end > 0 ? start.slice(0, end) : start;
}

interface ListedSearch {
  readonly saved: SavedSearch;
  readonly matches: number | null;
}

function renderList(searches: readonly ListedSearch[], isFirst: boolean): unknown {
  return renderListing<ListedSearch>({
    label: 'Saved searches',
    rows: searches,
    empty: isFirst
      ? 'No saved searches yet. Search for something, then choose “Save this search…” above its results.'
      : 'No further saved searches.',
    columns: [
      {
        label: 'Name',
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

async function showSave(call: MemberCall, _services: PortalServices, fault: string | null = null): Promise<Page> {
  const search = tidySearch(typedIn(call, 'search') ?? '');
  return buildFormPage(
    {
      title: 'Save this search',
      section: 'explorer',
      trail: renderTrail({ label: 'Saved searches', href: '/portal/searches' }),
      fault,
    },
    search === ''
      ? renderActions(renderLinkButton('Search trademarks', '/portal/explorer'))
      : renderForm(call, SAVING, {
          action: '/portal/searches/new',
          shown: { search: { value: search }, name: { value: proposeName(search) } },
          note: renderSettled('Search', renderSearch(search)),
          label: 'Save',
          back: savedPath(search, ''),
        }),
  );
}

function renderSearch(search: string): unknown {
  return renderFilterChips(readSearch(new URLSearchParams(search)).pairs, null);
}

async function showChange(call: MemberCall, services: PortalServices, fault?: string): Promise<Page> {
  const saved = await findOwn(call, services);
  const { id, name, search } = saved;
  const path = `/portal/searches/${id}`;
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
      ${renderForm(call, RENAMING, { action: path, shown: { name: { value: name } }, label: 'Rename' })}
      <h2>Delete</h2>
      <p>Watches that were made from it stay.</p>
      ${renderForm(call, NO_FIELDS, {
        action: `${path}/delete`,
        label: 'Delete',
        kind: 'danger',
        back: '/portal/searches',
      })}`,
  );
}
