/** The watches of a customer: list, preview, create, change, end, and the hits of each. Every change is audited. */

import type { DateText } from '@tmds/contract/record';
import { WATCH_ITEMS_TOTAL_MAX, WATCHES_MAX } from '@tmds/contract/watches';
import { buildKeyId } from '../../access/secret.ts';
import { isoInstant } from '../../base/clock.ts';
import { listRegisters } from '../../store/records/registers.ts';
import {
  endWatchWithin,
  findSubject,
  putWatchWithin,
  type StoredWatch,
  type WatchDefinition,
} from '../../store/watches/watches.ts';
import { translateForm } from '../explorer/form-fields.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import { listFilters } from '../explorer/search-words.ts';
import { noteActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page, PortalAnswer, PortalRoute, Redirect } from '../frame/call.ts';
import type { Values } from '../frame/forms.ts';
import { doOnce, type Fault, StaleForm } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { listHitRoutes } from './hit-routes.ts';
import { defineTyped, findOwn, narrowSearch, readTyped, type TypedWatch, typeWatch } from './typed-watch.ts';
import { askEnd, ENDING, NEW_WATCH, renderWatchForm, SEARCH_TYPED, WATCH } from './watch-forms.ts';
import { preparePreview, showWatch, showWatches } from './watch-pages.ts';
import { listWhyRoutes } from './why.ts';

export function listWatchRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, of } = buildMemberRoutes(services);
  return [
    show('/watches', showWatches),
    show('/new-watch', async (call) => readFilters(call, services) ?? (await previewForm(call, services, null))),
    submit('/new-watch', '/new-watch', WATCH, { answer: makeWatch }),
    show('/watches/:id', showWatch),
    show('/watches/:id/change', async (call) => previewForm(call, services, await findOwn(call, services))),
    submit('/watches/:id/change', '/watches/:id/change', WATCH, { answer: changeWatch }),
    ...of({ at: '/watches/:id', find: findOwn, run: doOnce, isFoundFirst: true }).ask('end', ENDING, askEnd, {
      work: async (tx, { id, name, ended_at }, { call }) => {
        if (ended_at === null) {
          await endWatchWithin(tx, call.user.customer_id, id);
          await noteActivity(tx, call, 'watch.end', { watch: id, name });
        }
        return `/portal/watches/${id}?done=watch_ended`;
      },
    }),
    ...listHitRoutes(services),
    ...listWhyRoutes(services),
  ];
}

async function typeKnown({ database }: PortalServices, watch: StoredWatch | null): Promise<TypedWatch | null> {
  return watch === null ? null : typeWatch(watch, await findSubject(database, watch));
}

const codeOf = ({ jurisdiction_code }: { readonly jurisdiction_code: string }): string => jurisdiction_code;

/** Filters that were filled in as fields lead to the form with the search that they are; null if there are none. */
function readFilters({ query }: MemberCall, { clock }: PortalServices): Redirect | null {
  if (!query.has(SEARCH_TYPED)) return null;
  const today = isoInstant(clock.nowMs()).slice(0, 10) as DateText;
  const { pairs } = readSearch(translateForm(query, today) ?? query);
  const search = encodePairs(listFilters(pairs).filter(([name]) => name !== SEARCH_TYPED)).slice(1);
  return { to: search === '' ? NEW_WATCH : `${NEW_WATCH}?${new URLSearchParams({ search }).toString()}` };
}

/** The form with its present matches, as far as something is filled in. */
async function previewForm(call: MemberCall, services: PortalServices, watch: StoredWatch | null): Promise<Page> {
  const typed = readTyped(call, await typeKnown(services, watch));
  const isBlank = typed.search === '' && typed.lines === '';
  const isOffered = typed.kind === 'similar' || (typed.kind === 'search' && isBlank);
  const registers = isOffered ? (await listRegisters(services.database)).map(codeOf) : [];
  if (isBlank && call.form.size === 0) {
    return renderWatchForm(call, { typed, watch, preview: null, fault: null, registers });
  }
  // The name is requested when the watch is created.
  const named = { ...typed, name: typed.name.trim() || 'preview' };
  const defined = defineTyped(named, services.watches);
  if ('fault' in defined) return renderFaulty(call, services, { typed, watch, fault: defined.fault });
  const { definition, repeats } = defined;
  const preview = await preparePreview(call, services, { subject: definition.subject, repeats, watchId: null });
  return renderWatchForm(call, { typed, watch, preview, fault: null, registers });
}

/** The form with the intended change; a search that is too broad for a watch comes with a way to narrow it. */
async function renderFaulty(
  call: MemberCall,
  { findCallLimit, database }: PortalServices,
  { typed, watch, fault }: { typed: TypedWatch; watch: StoredWatch | null; fault: string },
): Promise<Page> {
  const limit = typed.kind === 'search' ? findCallLimit(typed.search) : null;
  if (limit === null) {
    const registers = typed.kind === 'similar' ? (await listRegisters(database)).map(codeOf) : [];
    return renderWatchForm(call, { typed, watch, preview: null, fault, registers });
  }
  const bySize = (await listRegisters(database)).sort((one, other) => other.record_count - one.record_count);
  const codes = bySize.map(codeOf);
  const { message, way } = narrowSearch(limit, typed.search, codes);
  return renderWatchForm(call, { typed, watch, preview: null, fault: message, way });
}

type Sent = Pick<Values<typeof WATCH.fields>, 'do'>;

async function makeWatch(call: MemberCall, services: PortalServices, sent: Sent): Promise<PortalAnswer> {
  return sent.do === 'preview' ? previewForm(call, services, null) : saveWatch(call, services, null);
}

async function changeWatch(call: MemberCall, services: PortalServices, sent: Sent): Promise<PortalAnswer> {
  const watch = await findOwn(call, services);
  return sent.do === 'preview' ? previewForm(call, services, watch) : saveWatch(call, services, watch);
}

const DONE = { created: 'watch_made', changed: 'watch_changed', unchanged: 'watch_unchanged' } as const;

async function saveWatch(call: MemberCall, services: PortalServices, watch: StoredWatch | null): Promise<PortalAnswer> {
  const typed = readTyped(call, await typeKnown(services, watch));
  const defined = defineTyped(typed, services.watches);
  if ('fault' in defined) return renderFaulty(call, services, { typed, watch, fault: defined.fault });
  const { definition } = defined;
  const { customer_id } = call.user;
  const id = watch?.id ?? buildKeyId();
  const outcome = await doOnce(call, services.database, async (tx) => {
    const { outcome: done } = await putWatchWithin(tx, customer_id, id, definition);
    if (done === 'full') return { fault: FULL };
    if (done !== 'unchanged') {
      const action = watch === null ? 'watch.make' : 'watch.change';
      const change = describeForAudit(id, definition);
      await noteActivity(tx, call, action, change);
    }
    return { to: `/portal/watches/${id}?done=${DONE[done]}` };
  }).catch(keepTyped);
  return 'fault' in outcome ? renderFaulty(call, services, { typed, watch, fault: outcome.fault }) : outcome;
}

/** A list is too long for the address in which other forms keep what was typed, so the form is shown again. */
function keepTyped(error: unknown): Fault {
  if (!(error instanceof StaleForm)) throw error;
  const why = error.why === 'old' ? 'The form was too old' : 'This form was sent before with other content';
  return { fault: `${why}, so nothing was changed. What you typed is below: send it again.` };
}

const FULL =
  `A customer has at most ${formatCount(WATCHES_MAX)} active watches, which list ` +
  `${formatCount(WATCH_ITEMS_TOTAL_MAX)} records and owners in all. Stop one that is no longer needed.`;

function describeForAudit(id: string, { name, subject }: WatchDefinition): Record<string, unknown> {
  switch (subject.kind) {
    case 'search':
    case 'similar':
      return { watch: id, name, search: subject.search };
    case 'records':
      return { watch: id, name, records: subject.records.length };
    case 'owners':
      return { watch: id, name, owners: subject.owners.length };
  }
}
