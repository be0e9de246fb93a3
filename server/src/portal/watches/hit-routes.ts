/**
 * One hit: its page, its picture, and what people do about it; several hits at once; and hits as a file. Each address
 * names the watch, which has to be the customer's, and a hit of that watch. Nothing here costs a unit. Invariant: no
 * more than a page of hits is held at a time, and a file that ends early says so in its last row.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { holdMember } from '../../store/accounts/portal.ts';
import { findVersionEvent } from '../../store/records/history.ts';
import { findVersion } from '../../store/records/versions.ts';
import {
  type HandledHit,
  type HandlingChange,
  listLikeness,
  nameHit,
  putHandling,
} from '../../store/watches/hit-handling.ts';
import { findHitEvent, findLatestHits, type HitFilter } from '../../store/watches/hits.ts';
import { findSeenThrough } from '../../store/watches/new-hits.ts';
import type { EventPosition } from '../../store/watches/version-events.ts';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { noteActivity } from '../frame/audit-table.ts';
import {
  type Download,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
} from '../frame/call.ts';
import type { Values } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { registerName } from '../frame/registers.ts';
import { describeChange, meaningOf } from '../history/change-view.ts';
import type { PortalServices } from '../services.ts';
import { buildPicture } from '../similar/entries-view.ts';
import { buildTableFile, columnsOf, dayCell, shareWith } from '../spreadsheet/excel.ts';
import {
  encodeHitsAsked,
  type Handlers,
  joinHits,
  parseHit,
  planHits,
  readHandlers,
  readHitsAsked,
  type ShownHit,
} from './hits.ts';
import { CHOSEN_HITS, EVENTS, HIT, hitPath, listWhy, numberOfHit, renderHit } from './hits-view.ts';
import { findOwn } from './typed-watch.ts';

const DOCUMENT_BYTES_MAX = 2 * 1024 * 1024;

export function listHitRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildMemberRoutes(services);
  return [
    show('/watches/:id/hits/*', (call) => showHit(call, services)),
    show('/watches/:id/pictures/*', sendPicture),
    show('/watches/:id/hits-file', sendFile),
    submit('/watches/:id/hits-handled', '/watches/:id', CHOSEN_HITS, { answer: handleChosen }),
    submit('/watches/:id/hit', '/watches/:id/hits/:hit', HIT, { refused: showHit, answer: handleHit }),
  ];
}

async function findHit(
  { database }: { readonly database: Queryable },
  watch: StoredWatch,
  name: string | undefined,
): Promise<HandledHit> {
  const position = parseHit(name ?? '');
  const event = position === null ? null : await findHitEvent(database, watch.watch_id, position);
  if (position === null || event === null) throw pageNotFound();
  return { ...position, event };
}

async function showHit(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const { database } = services;
  const { user_id: userId, customer_id: customerId } = call.user;
  const watch = await findOwn(call, services);
  const { event, ...position } = await findHit(services, watch, call.form.get('hit') ?? call.params['*']);
  const change = await findVersionEvent(database, versionOf(position));
  if (change === null) throw pageNotFound();
  const seenThrough = (await findSeenThrough(database, userId, watch.watch_id)) ?? '';
  const likeness = (await listLikeness(database, watch.watch_id, [position])).get(nameHit(position)) ?? null;
  const items = [{ event, ...change.event, likeness }];
  const [[hit], handlers, documents] = await Promise.all([
    joinHits(database, { watchId: watch.watch_id, items, seenThrough }),
    readHandlers(database, customerId),
    readDocuments(services, position, change.event.previous_version, change.event.changes),
  ]);
  return renderHit(call, { watch, hit: hit!, change, documents, handlers, fault });
}

const versionOf = ({ stamp, jurisdiction_code, uid }: EventPosition) => ({
  register: jurisdiction_code,
  uid,
  version: stamp,
});

/** Both documents, if the goods in them may differ. */
async function readDocuments(
  { database }: PortalServices,
  position: EventPosition,
  previous: string | null,
  changes: readonly { readonly field: string }[],
): Promise<{ before: unknown; after: unknown } | null> {
  if (previous === null || !changes.some(({ field }) => field === 'payload')) return null;
  const texts = await Promise.all(
    [previous, position.stamp].map((stamp) =>
      findVersion(database, { ...versionOf({ ...position, stamp }), expandPayload: true }),
    ),
  );
  if (texts.some((text) => text === null || text.length > DOCUMENT_BYTES_MAX)) return null;
  const [before, after] = texts.map((text) => (JSON.parse(text!.toString()) as TrademarkDetail).payload);
  return { before, after };
}

/** The picture of the record in its hit version, or its words drawn. */
async function sendPicture(call: MemberCall, services: PortalServices): Promise<Download> {
  const watch = await findOwn(call, services);
  const hit = await findHit(services, watch, call.params['*']);
  const text = await findVersion(services.database, { ...versionOf(hit), expandPayload: true });
  const record = text === null ? null : (JSON.parse(text.toString()) as TrademarkDetail);
  return buildPicture(record?.payload, record?.mark_name ?? null);
}

async function sendFile(call: MemberCall, services: PortalServices): Promise<Download> {
  const { database } = services;
  const { user_id: userId, customer_id: customerId } = call.user;
  const watch = await findOwn(call, services);
  if (call.fromElsewhere)
    throw new PageRefusal(
      403,
      'Open the watch first',
      'Another site led here. Download the file from the watch.',
      `/portal/watches/${watch.id}`,
    );
  const asked = readHitsAsked(call.query);
  const seenThrough = asked.since ?? (await findSeenThrough(database, userId, watch.watch_id)) ?? '';
  const order: FileOrder = {
    watchId: watch.watch_id,
    id: watch.id,
    reference: watch.reference,
    filter: planHits(asked, userId, seenThrough),
    seenThrough,
    handlers: await readHandlers(database, customerId),
    origin: call.origin,
  };
  const table = { name: 'Hits', columns: shareWith(COLUMNS, order), portions: listPortions(database, order) };
  const file = buildTableFile(call.query.get('format') ?? '', 'hits', table);
  if (file === null) throw pageNotFound();
  return file;
}

type Chosen = Values<typeof CHOSEN_HITS.fields>;

/** What each button does to a hit, and how the next page and the activity call it. */
const DEEDS: Readonly<Record<Chosen['do'], Deed>> = {
  done: { done: 'hits_done', noted: 'done', changeBy: () => ({ isDone: true }) },
  open: { done: 'hits_open', noted: 'open', changeBy: () => ({ isDone: false }) },
  mine: { done: 'hits_mine', noted: 'assigned', changeBy: (userId) => ({ assignedTo: userId }) },
};

interface Deed {
  readonly done: string;
  readonly noted: string;
  readonly changeBy: (userId: string) => HandlingChange;
}

async function handleChosen(
  call: MemberCall,
  services: PortalServices,
  { list, hit: names, do: deed }: Chosen,
): Promise<PortalAnswer> {
  const watch = await findOwn(call, services);
  const { user_id: userId, customer_id: customerId } = call.user;
  const asked = readHitsAsked(new URLSearchParams(list));
  const { done, noted, changeBy } = DEEDS[deed];
  const to = (name: string): string => `/portal/watches/${watch.id}${encodeHitsAsked(asked, { done: name })}#hits`;
  return doOnce(call, services.database, async (tx) => {
    if (names.length === 0) return { to: to('hits_none') };
    const change = changeBy(userId);
    if (change.assignedTo != null && !(await holdMember(tx, customerId, userId))) throw pageNotFound();
    const hits: HandledHit[] = [];
    for (const name of names) hits.push(await findHit({ database: tx }, watch, name));
    await putHandling(tx, watch.watch_id, hits, { change, userId });
    await noteActivity(tx, call, 'watch.hits', { watch: watch.id, hits: names.length, what: noted });
    return { to: to(done) };
  });
}

async function handleHit(
  call: MemberCall,
  services: PortalServices,
  { hit: name, state, person, note }: Values<typeof HIT.fields>,
): Promise<PortalAnswer | Fault> {
  const { database } = services;
  const { user_id: userId, customer_id } = call.user;
  const watch = await findOwn(call, services);
  const hit = await findHit(services, watch, name);
  const { assignable } = await readHandlers(database, customer_id);
  return doOnce(call, database, async (tx) => {
    const mayHandle = assignable.some(({ user_id }) => user_id === person);
    if (person !== '' && !(mayHandle && (await holdMember(tx, customer_id, person)))) {
      return { fault: 'Choose a member or an administrator of your team.' };
    }
    const isDone = state === 'done';
    const change = { isDone, assignedTo: person === '' ? null : person, note };
    await putHandling(tx, watch.watch_id, [hit], { change, userId });
    await noteActivity(tx, call, 'watch.hits', { watch: watch.id, hits: 1, what: isDone ? 'done' : 'open' });
    return { to: `${hitPath(watch.id, nameHit(hit))}?done=hit_saved` };
  });
}

const ROWS_MAX = 10_000;
const PAGE_ROWS = 250;
/** Pages that are read, since a filter may leave pages empty. */
const PAGES_MAX = 200;

interface FileOrder {
  readonly watchId: string;
  readonly id: string;
  /** The customer's own, of the watch; null: none. */
  readonly reference: string | null;
  readonly filter: HitFilter;
  readonly seenThrough: string;
  readonly handlers: Handlers;
  readonly origin: string;
}

const column = columnsOf<ShownHit, FileOrder>();

const COLUMNS = [
  column('Mark', 28, ({ record }) => record?.mark_name ?? null),
  column('Register', 18, ({ item }) => registerName(item.jurisdiction_code)),
  column('Number', 18, numberOfHit),
  column('Owner', 28, ({ record }) => (record?.owner_names ?? []).join('; ')),
  column('Classes', 12, ({ record }) => (record?.nice_classes ?? []).join('; ')),
  column('Status now', 14, ({ record }) => record?.status ?? null),
  column('What', 16, ({ item }) => EVENTS[item.event][1]),
  column('What changed', 60, ({ item }) => item.changes.map(describeChange).join('\n')),
  column('Why', 24, ({ item }) => meaningOf(item.cause)),
  column('Alike', 40, ({ item }) => (item.likeness === null ? null : listWhy(item.likeness).join('\n'))),
  column('When', 14, ({ item: { version } }) => dayCell(version)),
  column('State', 8, ({ state }) => state),
  column('Person', 18, ({ handling }, { handlers }) =>
    handling?.assigned_to == null ? null : handlers.nameOf(handling.assigned_to),
  ),
  column('Done by', 18, ({ handling }, { handlers }) =>
    handling?.done_by == null ? null : handlers.nameOf(handling.done_by),
  ),
  column('Your reference', 18, (_hit, { reference }) => reference),
  column('Note', 40, ({ handling }) => handling?.note ?? null),
  column('Link', 14, ({ name }, { origin, id }) => ({ text: 'Open hit', href: `${origin}${hitPath(id, name)}` })),
];

async function* listPortions(db: Queryable, order: FileOrder): AsyncGenerator<readonly ShownHit[] | string> {
  let before: EventPosition | null = null;
  let rows = 0;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const limit = Math.min(PAGE_ROWS, ROWS_MAX - rows);
    const found = await findLatestHits(db, order.watchId, { before, limit, filter: order.filter });
    const hits = await joinHits(db, { ...order, items: found.items });
    yield hits;
    rows += hits.length;
    if (found.olderThan === null) return;
    before = found.olderThan;
    if (rows >= ROWS_MAX) break;
  }
  const continueAt =
    before === null ? '' : `${order.origin}/portal/watches/${order.id}?before=${encodeURIComponent(nameHit(before))}`;
  yield `There are older hits. Continue at ${continueAt}`;
}
