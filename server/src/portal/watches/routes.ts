/** The watches of a customer: list, preview, create, change, end, and the hits of each. Every change is audited. */

import type { DateText } from '@tmds/contract/record';
import { WATCH_ITEMS_TOTAL_MAX, WATCHES_MAX } from '@tmds/contract/watches';
import { buildKeyId } from '../../access/secret.ts';
import { isoInstant } from '../../base/clock.ts';
import { listCalendars } from '../../store/dates/calendars.ts';
import { listRegisters } from '../../store/records/registers.ts';
import { countRecentHits, listMissingRecords } from '../../store/watches/counts.ts';
import { nameHit } from '../../store/watches/hit-handling.ts';
import { findLatestHits } from '../../store/watches/hits.ts';
import { findSeenThrough, markWatchSeen } from '../../store/watches/new-hits.ts';
import {
  endWatchWithin,
  findSubject,
  listLatestWatches,
  putWatchWithin,
  type StoredWatch,
  type WatchDefinition,
  type WatchSubject,
} from '../../store/watches/watches.ts';
import { listFilters } from '../explorer/filter-chips.ts';
import { translateForm } from '../explorer/form-fields.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import { readFilings } from '../filings/filings-view.ts';
import { noteActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page, PortalAnswer, PortalRoute, Redirect } from '../frame/call.ts';
import type { Values } from '../frame/forms.ts';
import { doOnce, type Fault, StaleForm } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import type { PreviewShown } from './definition-view.ts';
import { listHitRoutes } from './hit-routes.ts';
import { encodeHitsAsked, joinHits, parseHit, planHits, readHandlers, readHitsAsked } from './hits.ts';
import { HITS_SHOWN } from './hits-view.ts';
import { defineTyped, findOwn, narrowSearch, readTyped, type TypedWatch, typeWatch } from './typed-watch.ts';
import { ENDING, NEW_WATCH, renderEnd, renderWatchForm, SEARCH_TYPED, WATCH } from './watch-forms.ts';
import { LATELY_DAYS, type ListedWatch, renderWatch, renderWatches } from './watch-pages.ts';
import { listWhyRoutes } from './why.ts';

/** Watches of one page. */
const WATCHES_SHOWN = 25;
const FILINGS_SHOWN = 25;
const DAY_MS = 86_400_000;
export function listWatchRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask } = buildMemberRoutes(services);
  return [
    show('/watches', showWatches),
    show('/new-watch', async (call) => readFilters(call, services) ?? (await previewForm(call, services, null))),
    submit('/new-watch', '/new-watch', WATCH, { answer: makeWatch }),
    show('/watches/:id', showWatch),
    show('/watches/:id/change', async (call) => previewForm(call, services, await findOwn(call, services))),
    submit('/watches/:id/change', '/watches/:id/change', WATCH, { answer: changeWatch }),
    ...ask('/watches/:id/end', ENDING, showEnd, endOwn),
    ...listHitRoutes(services),
    ...listWhyRoutes(services),
  ];
}

const INSTANT = String.raw`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z`;
const MADE = new RegExp(`^(${INSTANT})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);

async function showWatches(call: MemberCall, services: PortalServices): Promise<Page> {
  const { database, clock, watches: desk } = services;
  const { customer_id } = call.user;
  const live = call.query.get('show') !== 'ended';
  const [, created_at = '', watch_id = ''] = MADE.exec(call.query.get('before') ?? '') ?? [];
  const before = created_at === '' ? null : { created_at, watch_id };
  const found = await listLatestWatches(database, customer_id, { live, before, limit: WATCHES_SHOWN + 1 });
  const shown = found.slice(0, WATCHES_SHOWN);
  const [hits, matches] = await Promise.all([
    countRecentHits(
      database,
      shown.map((watch) => watch.watch_id),
      isoInstant(clock.nowMs() - LATELY_DAYS * DAY_MS),
    ),
    live && !call.fromElsewhere
      ? desk.countMatches(
          customer_id,
          shown.map((watch) => () => findSubject(database, watch)),
        )
      : [],
  ]);
  const last = found.length > WATCHES_SHOWN ? shown.at(-1) : undefined;
  const older = last === undefined ? null : `?${live ? '' : 'show=ended&'}before=${last.created_at}_${last.watch_id}`;
  return renderWatches(call, {
    live,
    watches: shown.map(
      (watch, at): ListedWatch => ({ watch, matches: matches[at] ?? null, hits: hits.get(watch.watch_id) ?? 0 }),
    ),
    older: older === null ? null : `/portal/watches${older}`,
  });
}

async function showWatch(call: MemberCall, services: PortalServices): Promise<Page> {
  const { database } = services;
  const { user_id: userId, customer_id: customerId } = call.user;
  const watch = await findOwn(call, services);
  const subject = await findSubject(database, watch);
  const before = parseHit(call.query.get('before') ?? '');
  const asked = readHitsAsked(call.query);
  const seenThrough = asked.since ?? (await findSeenThrough(database, userId, watch.watch_id)) ?? '';
  const filter = planHits(asked, userId, seenThrough);
  const hits = await findLatestHits(database, watch.watch_id, { before, limit: HITS_SHOWN, filter });
  // Whoever opens the page has seen the newest hits, and with them that there are older ones.
  const isWhole = asked.kind === null && (asked.state === null || asked.state === 'new');
  if (before === null && isWhole && !call.fromElsewhere) {
    await markWatchSeen(database, { userId, watchId: watch.watch_id, through: hits.completeThrough });
  }
  const [preview, shown, handlers, calendars, filings, registers] = await Promise.all([
    preparePreview(call, services, { subject, repeats: 0, watchId: watch.watch_id }),
    joinHits(database, { watchId: watch.watch_id, items: hits.items, seenThrough }),
    readHandlers(database, customerId),
    listCalendars(database, customerId, { watch_id: watch.watch_id }),
    readFilings(database, customerId, { watch_id: watch.watch_id }, FILINGS_SHOWN),
    listRegisters(database),
  ]);
  // What was new when the reader came is still marked on the pages that this one leads to.
  const kept = { ...asked, since: seenThrough };
  const { olderThan, completeThrough } = hits;
  const more = olderThan === null ? null : encodeHitsAsked(kept, { before: nameHit(olderThan) });
  const older = more === null ? null : `/portal/watches/${watch.id}${more}#hits`;
  const read = {
    preview,
    hits: shown,
    completeThrough,
    handlers,
    calendars,
    filings,
    registers: registers.map(codeOf),
  };
  return renderWatch(call, { watch, subject, ...read, asked: kept, older });
}

interface Previewed {
  readonly subject: WatchSubject;
  readonly repeats: number;
  /** Null for a new watch. */
  readonly watchId: string | null;
}

async function preparePreview(
  call: MemberCall,
  { database, watches }: PortalServices,
  { subject, repeats, watchId }: Previewed,
): Promise<PreviewShown> {
  const [counts, missing] = await Promise.all([
    // A link on another site must not keep the search busy.
    call.fromElsewhere ? null : watches.preview(call.user.customer_id, subject, watchId),
    subject.kind === 'records' ? listMissingRecords(database, subject.records) : [],
  ]);
  return { counts, missing, repeats };
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

async function showEnd(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderEnd(call, await findOwn(call, services), fault);
}

async function endOwn(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  await findOwn(call, services);
  const { customer_id } = call.user;
  return doOnce(call, services.database, async (tx) => {
    const known = await findOwn(call, { database: tx });
    if (known.ended_at === null) {
      await endWatchWithin(tx, customer_id, known.id);
      await noteActivity(tx, call, 'watch.end', { watch: known.id, name: known.name });
    }
    return { to: `/portal/watches/${known.id}?done=watch_ended` };
  });
}
