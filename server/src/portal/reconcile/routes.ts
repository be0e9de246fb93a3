/**
 * Dockets: uploaded, read, compared with the registers, shown, watched and deleted. Only people of the customer see
 * them.
 */
import { randomBytes } from 'node:crypto';
import { WATCH_ITEMS_MAX, WATCH_NAME_MAX } from '@tmds/contract/watches';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { dayAfter } from '../../due/watched-dates.ts';
import { type Actor, holdCustomer, insertAudit } from '../../store/accounts/customers.ts';
import {
  countOfDocket,
  countRemembered,
  forgetDockets,
  MEMORY_ROWS_MAX,
  openMemory,
} from '../../store/accounts/docket-memory.ts';
import {
  deleteDocket,
  findDocket,
  findPart,
  listDockets,
  replaceRows,
  startDocket,
} from '../../store/accounts/dockets.ts';
import { findCustomerKey } from '../../store/accounts/portal-keys.ts';
import { listCalendars } from '../../store/dates/calendars.ts';
import { listRegisters } from '../../store/records/registers.ts';
import { putWatchWithin } from '../../store/watches/watches.ts';
import { chooseKey, renderNoKey } from '../explorer/ask.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { noteActivity } from '../frame/audit-table.ts';
import {
  actorOf,
  type Download,
  type MemberCall,
  orNotFound,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type Redirect,
} from '../frame/call.ts';
import { NO_FIELDS, type Values } from '../frame/forms.ts';
import { doOnce, StaleForm } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { pathOfRecord } from '../history/places.ts';
import type { PortalServices } from '../services.ts';
import { type Comparisons, LEASE_SECONDS } from './comparisons.ts';
import { FILE_FORMATS, FILE_TYPES, receiveDocket, writeResults } from './files.ts';
import { REMEMBERED_SHOWN, renderDockets, renderMemoryPage, UPLOAD } from './list-page.ts';
import { buildReading, countCalls, type DocketPlan, readPlan, renderPlan, START } from './plan.ts';
import { GONE_MAX, MARKS, parseBack, parseShow, renderDelete, renderResults } from './result-page.ts';
import {
  type Docket,
  findResults,
  findRows,
  listBelow,
  listFound,
  openDocket,
  packRows,
  parsePlace,
  spellOwners,
  unpackRows,
} from './results.ts';
import { markRows, noteRow, ROW, renderRow } from './row-page.ts';
import { findComputed } from './wording.ts';

export function listReconcileRoutes(
  services: PortalServices,
  answers: Answers,
  comparisons: Comparisons,
): PortalRoute[] {
  const { show, submit } = buildMemberRoutes(services);
  const one = '/reconcile/:id';
  const row = `${one}/rows/:row`;
  const list = (call: MemberCall, _services: PortalServices, fault: string | null = null) =>
    showDockets(call, services, answers, fault);
  return [
    show('/reconcile', (call) => list(call, services)),
    submit('/reconcile', '/reconcile', UPLOAD, {
      refused: list,
      answer: (call, _services, { sheet }) => receiveDocket(call, services, sheet),
    }),
    show('/reconcile/memory', async (call, { database }) =>
      renderMemoryPage(call, (await countRemembered(database, call.user.customer_id, 1)) > 0),
    ),
    submit('/reconcile/memory', '/reconcile/memory', NO_FIELDS, {
      answer: (call, { database }) =>
        doOnce(call, database, async (tx) => {
          await forgetDockets(tx, call.user.customer_id);
          await noteActivity(tx, call, 'docket.forget', {});
          return { to: '/portal/reconcile?done=dockets_forgotten' };
        }),
    }),
    show(one, (call) => showDocket(call, services, answers)),
    submit(`${one}/start`, one, START, {
      answer: (call, _services, values) => start(call, services, comparisons, values),
    }),
    submit(`${one}/continue`, one, NO_FIELDS, { answer: (call) => goOn(call, services, comparisons) }),
    submit(`${one}/watch`, one, NO_FIELDS, { answer: watchFound }),
    submit(`${one}/marks`, one, MARKS, {
      answer: async (call, { database }, { back, row: names, do: state }) => {
        const docket = await findOwn(call, services);
        return markRows(call, database, docket, { names, state, to: parseBack(docket, back) });
      },
    }),
    show(row, (call) => showRow(call, services)),
    submit(row, row, ROW, {
      refused: showRow,
      answer: async (call, { database }, { back, state, note }) => {
        const docket = await findOwn(call, services);
        return noteRow(call, database, docket, { state, note, to: parseBack(docket, back) });
      },
    }),
    show(`${one}/file`, sendFile),
    show(`${one}/delete`, async (call) => renderDelete(call, await findOwn(call, services))),
    submit(`${one}/delete`, one, NO_FIELDS, { answer: remove }),
  ];
}

async function findOwn({ user, params }: MemberCall, { database }: PortalServices): Promise<Docket> {
  return openDocket(orNotFound(await findDocket(database, user.customer_id, params.id ?? '')));
}

/** The registers with a record, by code, with the instant up to which each is known. */
async function listKnown({ database }: PortalServices): Promise<Record<string, string | null>> {
  const registers = await listRegisters(database);
  return Object.fromEntries(registers.map((each) => [each.jurisdiction_code, each.data_current_through]));
}

async function showDockets(
  call: MemberCall,
  services: PortalServices,
  answers: Answers,
  fault: string | null,
): Promise<Page> {
  const { keys } = await chooseKey(call, services, answers);
  if (keys.length === 0) return renderNoKey(call, services, { title: 'Dockets', section: 'reconcile' });
  const dockets = await listDockets(services.database, call.user.customer_id);
  const remembered = await countRemembered(services.database, call.user.customer_id, REMEMBERED_SHOWN + 1);
  return renderDockets(call, dockets.map(openDocket), { remembered, fault });
}

async function showDocket(call: MemberCall, services: PortalServices, answers: Answers): Promise<Page> {
  const { database } = services;
  const docket = await findOwn(call, services);
  if (docket.reading !== null) {
    const show = parseShow(call.query.get('show'));
    const from = parsePlace(call.query.get('at'));
    const page = await findResults(database, docket.docket_id, show, from);
    const { previous_id: previous } = docket;
    const gone = previous === null ? 0 : await countOfDocket(database, docket.customer_id, previous, GONE_MAX + 1);
    const rows = await spellOwners(database, page.rows);
    const computed = await findComputed(database, docket, rows, dayAfter(services.clock, 0));
    const calendars = await listCalendars(database, docket.customer_id, { docket_id: docket.docket_id });
    return renderResults(call, docket, { show, from, page: { ...page, rows }, gone, computed, calendars });
  }
  const choice = await chooseKey(call, services, answers);
  const served = Object.keys(await listKnown(services));
  const plan = readPlan(docket, call.query, served);
  const isChecked = call.query.has('checked') && plan.fault === null;
  const reading = { headLine: plan.headLine, reading: buildReading(docket.survey, plan) };
  const calls = isChecked ? await countCalls(database, docket, reading, served) : null;
  return renderPlan(call, { docket, plan, calls, choice, served });
}

async function start(
  call: MemberCall,
  services: PortalServices,
  comparisons: Comparisons,
  { key, remember }: Values<typeof START.fields>,
): Promise<PortalAnswer> {
  const docket = await findOwn(call, services);
  const known = await listKnown(services);
  const plan = readPlan(docket, call.form, Object.keys(known));
  if (plan.fault !== null) return { to: `/portal/reconcile/${docket.docket_id}` };
  return compare(call, services, comparisons, docket, key, { plan, known, remember });
}

async function goOn(call: MemberCall, services: PortalServices, comparisons: Comparisons): Promise<PortalAnswer> {
  const docket = await findOwn(call, services);
  if (docket.reading === null) return { to: `/portal/reconcile/${docket.docket_id}` };
  return compare(call, services, comparisons, docket, docket.key_id ?? '', null);
}

/** What is decided when a comparison starts, and not when it continues. */
interface FirstStart {
  readonly plan: DocketPlan;
  readonly known: Record<string, string | null>;
  readonly remember: boolean;
}

async function compare(
  call: MemberCall,
  { database }: PortalServices,
  comparisons: Comparisons,
  docket: Docket,
  keyId: string,
  first: FirstStart | null,
): Promise<Redirect> {
  const key = await findCustomerKey(database, call.user.customer_id, keyId);
  if (key === null || key.revoked_at !== null) {
    const message = 'The key chosen to pay is revoked or not yours. Delete the docket and send it again.';
    throw new PageRefusal(409, 'The key cannot be used', message, `/portal/reconcile/${docket.docket_id}`);
  }
  // The compared part was read in another way, so a docket is read in one way only.
  const reading = docket.reading ?? (first === null ? null : buildReading(docket.survey, first.plan));
  const known = docket.known_through ?? first?.known ?? {};
  let started = false;
  let remembers = docket.remembers;
  const outcome = await doOnce(call, database, async (tx) => {
    remembers = await decideMemory(tx, call, docket, first?.remember === true);
    const begun = { isFirst: docket.reading === null, reading, key_id: key.id, known_through: known, remembers };
    started = await startDocket(tx, docket.docket_id, begun, LEASE_SECONDS);
    if (started && first !== null && docket.reading === null) await moveHead(tx, docket, first.plan);
    return { to: `/portal/reconcile/${docket.docket_id}` };
  });
  if (started) comparisons.start({ ...docket, reading, known_through: known, remembers }, key.id);
  return outcome;
}

/** As the person chose when the comparison began, unless too much is remembered already. */
async function decideMemory(
  tx: Transaction,
  { user }: MemberCall,
  docket: Docket,
  isWanted: boolean,
): Promise<boolean> {
  if (docket.reading !== null) return docket.remembers;
  if (!isWanted) return false;
  if ((await countRemembered(tx, user.customer_id, MEMORY_ROWS_MAX)) >= MEMORY_ROWS_MAX) return false;
  await openMemory(tx, user.customer_id, randomBytes(MEMORY_SECRET_BYTES));
  return true;
}

const MEMORY_SECRET_BYTES = 32;

/** Brings the rows of the first part below the head that the person chose. */
async function moveHead(
  tx: Transaction,
  { docket_id: docketId, survey, rows }: Docket,
  plan: DocketPlan,
): Promise<void> {
  if (plan.headLine === survey.headLine) return;
  const part = await findPart(tx, docketId, 0);
  if (part === null) return;
  const below = listBelow(await unpackRows(part.cells), survey, plan.headLine);
  await replaceRows(tx, docketId, { number: 0, rows: below.length, cells: await packRows(below) }, plan.rows - rows);
}

async function showRow(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const docket = await findOwn(call, services);
  const { database } = services;
  const [found] = await spellOwners(database, await findRows(database, docket.docket_id, [call.params.row ?? '']));
  const row = orNotFound(found);
  const back = parseBack(docket, call.form.get('back') ?? call.query.get('back'));
  const computed = await findComputed(services.database, docket, [row], dayAfter(services.clock, 0));
  return renderRow(call, docket, { row, computed: computed.get(row.finding) ?? null, back, fault });
}

async function watchFound(call: MemberCall, services: PortalServices): Promise<Redirect> {
  if (!call.isFormFresh) throw new StaleForm('old');
  const docket = await findOwn(call, services);
  const path = `/portal/reconcile/${docket.docket_id}`;
  if (docket.parts_done < docket.parts) return { to: path };
  const maker = { customerId: call.user.customer_id, actor: actorOf(call) };
  if ((await watchDocket(services.database, maker, docket)) === 'full') {
    const message = 'There are as many watches, or as many records in them, as a customer may have. Stop one first.';
    throw new PageRefusal(409, 'No room for a watch', message, path);
  }
  return { to: `${path}?done=docket_watched` };
}

async function sendFile(call: MemberCall, services: PortalServices): Promise<Download | Redirect> {
  const docket = await findOwn(call, services);
  const format = FILE_FORMATS.find((name) => name === call.query.get('format'));
  if (format === undefined || docket.parts_done < docket.parts) return { to: `/portal/reconcile/${docket.docket_id}` };
  const linkRecord = (register: string, uid: string): string => call.origin + pathOfRecord(register, uid);
  const show = parseShow(call.query.get('show'));
  return {
    download: `reconciled.${format}`,
    type: FILE_TYPES[format],
    chunks: writeResults(services.database, docket, format, { show, linkRecord }),
  };
}

async function remove(call: MemberCall, services: PortalServices): Promise<Redirect> {
  const docket = await findOwn(call, services);
  await deleteDocket(services.database, call.user.customer_id, docket.docket_id);
  return { to: '/portal/reconcile?done=docket_deleted' };
}

/** Room for the number of a watch behind the name of the file, in code points. */
const NUMBER_LENGTH = 12;

/** The watches that a docket makes; more than one if its records are too many for one. */
function countWatches(records: number): number {
  return Math.ceil(records / WATCH_ITEMS_MAX);
}

/** `full`: the customer has as many watches, or as many listed records, as it may. The docket has been compared. */
async function watchDocket(
  database: Database,
  { customerId, actor }: { customerId: string; actor: Actor },
  docket: Docket,
): Promise<'made' | 'full'> {
  const records = await listFound(database, docket);
  const watches = countWatches(records.length);
  const name = [...docket.name].slice(0, WATCH_NAME_MAX - NUMBER_LENGTH).join('');
  for (let at = 0; at < watches; at += 1) {
    const listed = records.slice(at * WATCH_ITEMS_MAX, (at + 1) * WATCH_ITEMS_MAX);
    const id = `docket-${docket.docket_id}-${at + 1}`;
    const watchName = watches === 1 ? name : `${name} (${at + 1} of ${watches})`;
    const outcome = await database.transaction(async (tx) => {
      orNotFound(await holdCustomer(tx, customerId));
      const definition = { name: watchName, subject: { kind: 'records', records: listed } } as const;
      const { outcome: done } = await putWatchWithin(tx, customerId, id, definition);
      if (done === 'created' || done === 'changed') {
        const action = done === 'created' ? 'watch.make' : 'watch.change';
        const change = { watch: id, name: watchName, records: listed.length };
        await insertAudit(tx, { actor, action, customer_id: customerId, key_id: null, change });
      }
      return done;
    });
    if (outcome === 'full') return 'full';
  }
  return 'made';
}
