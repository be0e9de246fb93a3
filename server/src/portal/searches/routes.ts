/**
 * Searches that the people of a customer keep under names: list, save, rename, delete. The whole team has them. Nothing
 * here costs a unit; every change is audited.
 */

import { buildKeyId } from '../../access/secret.ts';
import type { Queryable } from '../../database/driver/db.ts';
import {
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  renameSavedSearch,
  SAVED_NAME_MAX,
  SAVED_SEARCH_CHARACTERS_MAX,
  type SavedSearch,
} from '../../store/accounts/saved-searches.ts';
import { listFilters } from '../explorer/filter-chips.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import { noteActivity } from '../frame/audit-table.ts';
import {
  type MemberCall,
  type Page,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  typedIn,
} from '../frame/call.ts';
import { doAlone } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { countMatches } from '../search/matches.ts';
import type { PortalServices } from '../services.ts';
import { FULL, proposeName, renderChange, renderSave, renderSavedSearches, TAKEN } from './saved-pages.ts';

const LISTED = 25;

export function listSavedSearchRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildMemberRoutes(services);
  const own = '/searches/:id';
  return [
    show('/searches', showSaved),
    show('/searches/new', async (call) => renderSave(call, { ...readTyped(call), fault: null })),
    change('/searches/new', '/searches/new', ['search', 'name'], save),
    show('/searches/:id', async (call) => renderChange(call, await findOwn(call, services), null)),
    change('/searches/:id', own, ['name'], rename),
    change('/searches/:id/delete', own, [], remove),
  ];
}

/** The saved search of the path. To a customer, somebody else's does not exist. */
async function findOwn({ user, params }: MemberCall, { database }: { database: Queryable }): Promise<SavedSearch> {
  const found = await findSavedSearch(database, user.customer_id, params.id ?? '');
  if (found === null) throw pageNotFound();
  return found;
}

async function showSaved(call: MemberCall, services: PortalServices): Promise<Page> {
  const { database } = services;
  const { customer_id } = call.user;
  const after = call.query.get('after');
  const found = await listSavedSearches(database, customer_id, { after, limit: LISTED + 1 });
  const shown = found.slice(0, LISTED);
  // A link on another site must not keep the search busy.
  const matches = call.fromElsewhere ? [] : await countSaved(customer_id, shown, services);
  return renderSavedSearches({
    searches: shown.map((saved, at) => ({ saved, matches: matches[at] ?? null })),
    isFirst: after === null,
    next: found.length > LISTED ? (shown.at(-1)?.name ?? null) : null,
  });
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

/** The filters that are typed, in the form in which they are kept. */
function readTyped(call: MemberCall): { readonly search: string; readonly name: string } {
  const { pairs } = readSearch(new URLSearchParams(typedIn(call, 'search') ?? ''));
  const search = encodePairs(listFilters(pairs)).slice(1);
  return { search, name: typedIn(call, 'name') ?? proposeName(search) };
}

/** Null if the name can be used. */
function findFault(name: string): string | null {
  if (name === '') return 'Give the search a name.';
  return [...name].length > SAVED_NAME_MAX ? `A name has up to ${SAVED_NAME_MAX} characters.` : null;
}

async function save(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { search, name: typed } = readTyped(call);
  const name = typed.trim();
  const fault =
    search === ''
      ? 'Search for something first.'
      : search.length > SAVED_SEARCH_CHARACTERS_MAX
        ? 'This search is too long to be saved. Remove some of its values.'
        : findFault(name);
  if (fault !== null) return renderSave(call, { search, name: typed, fault });
  const { customer_id } = call.user;
  const id = buildKeyId();
  const outcome = await doAlone(call, database, async (tx) => {
    const done = await insertSavedSearch(tx, customer_id, { id, name, search });
    if (done !== 'saved') return { fault: done === 'full' ? FULL : TAKEN };
    await noteActivity(tx, call, 'search.save', { name });
    return { to: `/portal/searches?done=search_saved` };
  });
  return 'fault' in outcome ? renderSave(call, { search, name: typed, fault: outcome.fault }) : outcome;
}

async function rename(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const saved = await findOwn(call, services);
  const name = (call.form.get('name') ?? '').trim();
  const fault = findFault(name);
  if (fault !== null) return renderChange(call, saved, fault);
  const { customer_id } = call.user;
  const outcome = await doAlone(call, services.database, async (tx) => {
    if (!(await renameSavedSearch(tx, customer_id, { id: saved.id, name }))) return { fault: TAKEN };
    await noteActivity(tx, call, 'search.rename', { name });
    return { to: `/portal/searches?done=search_renamed` };
  });
  return 'fault' in outcome ? renderChange(call, saved, outcome.fault) : outcome;
}

async function remove(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { customer_id } = call.user;
  return doAlone(call, services.database, async (tx) => {
    const saved = await findSavedSearch(tx, customer_id, call.params.id ?? '');
    if (saved !== null && (await deleteSavedSearch(tx, customer_id, saved.id))) {
      await noteActivity(tx, call, 'search.delete', { name: saved.name });
    }
    return { to: '/portal/searches?done=search_deleted' };
  });
}
