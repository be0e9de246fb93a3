/**
 * The data of the first page of a person: what is new since they looked, what is due, and where they were. Each part is
 * there only if the role of the person opens it (null: not). Everything costs no unit.
 */
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import type { Clock } from '../../base/clock.ts';
import { type DatesReader, type DatesAhead as Due, dayAfter } from '../../due/watched-dates.ts';
import { listDockets } from '../../store/accounts/dockets.ts';
import { listRecentSearches, type RecentSearch } from '../../store/accounts/saved-searches.ts';
import { listCurrentRecords } from '../../store/records/current-records.ts';
import { listRegisterRhythms, type RegisterRhythm } from '../../store/records/registers.ts';
import { findNews, listNewHits, type NewHit, type News } from '../../store/watches/new-hits.ts';
import { readFilings, type ShownFiling } from '../filings/filings-view.ts';
import type { MemberCall } from '../frame/call.ts';
import { mayOpen } from '../frame/roles.ts';
import { type Docket, openDocket } from '../reconcile/results.ts';
import type { PortalServices } from '../services.ts';
import { type Concern, listConcerns, readConcerned } from '../usage/usage-page.ts';

const WATCHES_SHOWN = 8;
const HITS_SHOWN = 8;
const SEARCHES_SHOWN = 8;
const DOCKETS_SHOWN = 5;
const FILINGS_SHOWN = 8;

export interface NewHitShown extends NewHit {
  readonly record: TrademarkDetail | null;
  readonly watch: { readonly id: string; readonly name: string };
}

export interface HitsNews extends News {
  readonly hits: readonly NewHitShown[];
}

export interface Home {
  readonly news: HitsNews | null;
  readonly dates: DatesAhead | null;
  readonly filings: readonly ShownFiling[] | null;
  readonly searches: readonly RecentSearch[] | null;
  readonly dockets: readonly Docket[] | null;
  readonly registers: readonly RegisterRhythm[];
  readonly concerns: readonly Concern[];
}

export async function readHome(
  { user, person }: Pick<MemberCall, 'user' | 'person'>,
  services: PortalServices,
  readDates: DatesReader,
): Promise<Home> {
  const { database } = services;
  const { customer_id: customerId, user_id: userId } = user;
  const may = (area: Parameters<typeof mayOpen>[1]): boolean => mayOpen(person, area);
  const [news, dates, filings, searches, dockets, registers, concerned] = await Promise.all([
    may('watches') ? readNews(services, userId) : null,
    may('watches') ? readDatesAhead(readDates, services.clock, customerId) : null,
    may('watches') ? readFilings(database, customerId, 'all', FILINGS_SHOWN) : null,
    may('search') ? listRecentSearches(database, userId, SEARCHES_SHOWN) : null,
    may('dockets') ? listDockets(database, customerId) : null,
    listRegisterRhythms(database),
    may('keys') ? readConcerned(services, customerId) : null,
  ]);
  return {
    news,
    dates,
    filings,
    searches,
    dockets: dockets?.slice(0, DOCKETS_SHOWN).map(openDocket) ?? null,
    registers,
    concerns: concerned === null ? [] : listConcerns(concerned),
  };
}

async function readNews({ database }: PortalServices, userId: string): Promise<HitsNews> {
  const news = await findNews(database, userId, WATCHES_SHOWN);
  const hits = await listNewHits(database, news.watches, HITS_SHOWN);
  const records = await listCurrentRecords(database, hits);
  const nameOf = ({ jurisdiction_code, uid }: Pick<NewHit, 'jurisdiction_code' | 'uid'>): string =>
    `${jurisdiction_code} ${uid}`;
  const byName = new Map(records.map((record) => [nameOf(record), record]));
  const watches = new Map(news.watches.map((watch) => [watch.watch_id, watch]));
  const shown = hits.map((hit) => ({
    ...hit,
    record: byName.get(nameOf(hit)) ?? null,
    watch: watches.get(hit.watch_id)!,
  }));
  return { ...news, hits: shown };
}

/** Days ahead, in two groups. */
export const NEAR_DAYS = 30;
export const FAR_DAYS = 90;

export interface DatesAhead extends Due {
  readonly near: DateText;
}

async function readDatesAhead(readDates: DatesReader, clock: Clock, customerId: string): Promise<DatesAhead> {
  const span = { from: dayAfter(clock, 0), to: dayAfter(clock, FAR_DAYS) };
  return { ...(await readDates(customerId, span)), near: dayAfter(clock, NEAR_DAYS) };
}
