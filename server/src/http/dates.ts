/** The endpoints of dates: of one record, of the records that a search matches, and the rules. */
import { setImmediate } from 'node:timers/promises';
import { DATES_RECORDS_MAX, type DueItem } from '@tmds/contract/dates';
import { SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
import { utcDay } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import { withLimits } from '../database/driver/db.ts';
import { computeDates, type DateAnswer, type Parent, readFacts } from '../dates/compute.ts';
import { RULES } from '../dates/rules/all.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { encodeCursor } from '../parse/cursor.ts';
import { type DueRequest, parseDue } from '../parse/dates.ts';
import { parseRegister } from '../parse/values.ts';
import { planParents } from '../plan/numbers.ts';
import { listRegisters, planSearch } from '../plan/search.ts';
import { describeDate, renderDuePage, renderRecordDates, renderRules } from '../render/dates.ts';
import { missingRecord } from '../store/records/registers.ts';
import type { Call } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';
import { findPage, readItems } from './search.ts';

/** Records whose dates are computed before others have their turn: a few milliseconds. */
const AT_ONCE = 100;

export const recordDatesEndpoint = defineEndpoint({
  name: 'record_dates',
  parse: ({ path }) => ({ register: parseRegister(path.register), uid: path.uid }),
  covers: ({ register }) => [register],
  read: async ({ register, uid }, services, call) => {
    const text = await services.records.find(register, uid, false, call);
    if (text === null) throw await missingRecord(withLimits(services.database, { signal: call.signal }), register);
    const record = JSON.parse(text.toString()) as TrademarkDetail;
    const [parent = null] = await findParents([record], services, call.limitSearch(services), call);
    const facts = readFacts(record, parent);
    const today = utcDay(services.clock.nowMs());
    return {
      jurisdiction_code: record.jurisdiction_code,
      uid: record.uid,
      route: facts.route,
      as_of: today,
      dates: computeDates(facts, today).map(describeDate),
    };
  },
  render: renderRecordDates,
});

export const dueDatesEndpoint = defineEndpoint({
  name: 'due_dates',
  parse: ({ values }) => parseDue(values),
  plan: (request) => ({ request, search: planMatches(request) }),
  covers: ({ search }) => listRegisters(search.conditions),
  read: async ({ request, search }, services, call) => {
    // One time limit for all that the answer needs.
    const limits = call.limitSearch(services);
    const records = request.from > request.to ? [] : await findMatches(search, services, limits, call);
    const parents = await findParents(records, services, limits, call);
    const items = await listDue(records, parents, request);
    const start = items.findIndex((item) => isAfter(item, request.after));
    const left = start < 0 ? [] : items.slice(start);
    const page = left.slice(0, request.limit);
    const last = left.length > page.length ? page.at(-1) : undefined;
    const next_cursor = last === undefined ? null : encodeCursor(request.binding, { ...last, value: last.due_on });
    return { items: page, next_cursor };
  },
  render: renderDuePage,
});

export const dateRulesEndpoint = defineEndpoint({
  name: 'date_rules',
  parse: () => undefined,
  read: async () => RULES,
  render: renderRules,
});

type SearchPlan = ReturnType<typeof planSearch>;

function planMatches({ search }: DueRequest): SearchPlan {
  return { ...planSearch(search), limit: SEARCH_PAGE_MAX, countMax: DATES_RECORDS_MAX + 1 };
}

/** All records that match, page by page. @throws ApiError `query_too_broad` if there are too many. */
async function findMatches(
  plan: SearchPlan,
  services: Services,
  limits: SearchLimits,
  call: Call,
): Promise<TrademarkDetail[]> {
  const records: TrademarkDetail[] = [];
  let { after } = plan;
  for (;;) {
    const page = await findPage({ ...plan, after }, services, limits, call.timing);
    if ((page.matched?.count ?? 0) > DATES_RECORDS_MAX) throw tooMany();
    const found = readItems(page);
    records.push(...found);
    const last = found.at(-1);
    if (found.length < plan.limit || last === undefined) return records;
    after = { value: last.updated_at, jurisdiction_code: last.jurisdiction_code, uid: last.uid };
  }
}

function tooMany(): Error {
  return apiError(
    'query_too_broad',
    `The filters match more than ${DATES_RECORDS_MAX} records, which is more than dates are computed for at once; ` +
      'add a filter, such as owner_name, status or a shorter range of registration_date.',
  );
}

async function listDue(
  records: readonly TrademarkDetail[],
  parents: readonly (Parent | null)[],
  request: DueRequest,
): Promise<DueItem[]> {
  const items: DueItem[] = [];
  for (const [at, record] of records.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const facts = readFacts(record, parents[at] ?? null);
    const answers = computeDates(facts, request.from).filter(({ event }) => request.events.includes(event));
    items.push(...groupByDay(record, answers, request));
  }
  return items.sort((one, other) => (isAfter(other, { ...one, value: one.due_on }) ? -1 : 1));
}

/** What is due on the same day stands together. */
function groupByDay(record: TrademarkDetail, answers: readonly DateAnswer[], { from, to }: DueRequest): DueItem[] {
  const days = new Map<string, DateAnswer[]>();
  for (const answer of answers) {
    const day = answer.stated ?? answer.computed?.dueOn;
    if (day === undefined || day < from || day > to) continue;
    days.set(day, [...(days.get(day) ?? []), answer]);
  }
  const { jurisdiction_code, uid, mark_name, status } = record;
  return [...days].map(([due_on, dates]) => ({
    ...{ due_on, jurisdiction_code, uid, mark_name, status },
    dates: dates.map(describeDate),
  }));
}

/** In the order of a list: by day, register and uid. */
function isAfter(item: DueItem, key: DueRequest['after']): boolean {
  if (key === null) return true;
  const order = [
    [item.due_on, key.value ?? ''],
    [item.jurisdiction_code, key.jurisdiction_code],
    [item.uid, key.uid],
  ] as const;
  const different = order.find(([one, other]) => one !== other);
  return different !== undefined && different[0] > different[1];
}

/** For each record the international registration that it is part of; null if the service does not hold it. */
async function findParents(
  records: readonly TrademarkDetail[],
  services: Services,
  limits: SearchLimits,
  call: Call,
): Promise<(Parent | null)[]> {
  const parents = new Map<string, Parent>();
  for (const plan of planParents(records)) {
    for (const parent of readItems(await findPage(plan, services, limits, call.timing))) {
      const facts = { registered: parent.registration_date, expires: parent.expiry_date };
      for (const number of parent.international_registration_numbers ?? []) parents.set(number, facts);
    }
  }
  return records.map((record) => {
    const own = record.jurisdiction_code === 'WO' ? [] : (record.international_registration_numbers ?? []);
    return own.map((number) => parents.get(number)).find((parent) => parent !== undefined) ?? null;
  });
}
