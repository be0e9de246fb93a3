/** The kinds of call that are compared, and their measurement in alternation. */
import { OperatorError } from '../../server/src/base/errors.ts';
import { measureRate, type Rate } from '../access/callers.ts';
import { buildRequest, openConnection } from '../connection.ts';
import type { Service } from './checkout.ts';
import { type Figure, median } from './report.ts';

const CALLERS = 16;
const FEED_CALLERS = 8;
const CALLS = 150;
/** Of pages that take tens of milliseconds. */
const CALLS_LONG = 30;
/** Different records, and pages of the feed, that are asked for in turn. */
const RECORDS_DRAWN = 400;
const FEED_PAGES = 10;
const REQUEST_MS_MAX = 60_000;

export interface Services {
  readonly old: Service;
  readonly new: Service;
}

const SIDES = ['old', 'new'] as const;
type Side = (typeof SIDES)[number];

export interface CallKind {
  readonly name: string;
  readonly callers: number;
  readonly calls: number;
  /** The same for both, but for cursors. */
  readonly targets: Readonly<Record<Side, readonly string[]>>;
}

/** What a record of the feed states, as far as it is asked for. */
interface Drawn {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly application_number: string | null;
  readonly mark_name: string | null;
  readonly status: string | null;
}

interface Page {
  readonly items: readonly Drawn[];
  readonly next_cursor: string | null;
}

const headersOf = ({ key }: Service): string => `x-api-key: ${key}\r\n`;

async function readPage({ port, key }: Service, target: string): Promise<Page> {
  const signal = AbortSignal.timeout(REQUEST_MS_MAX);
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { 'x-api-key': key }, signal });
  if (answer.status !== 200) throw new Error(`${target}: ${answer.status} ${(await answer.text()).slice(0, 600)}`);
  return (await answer.json()) as Page;
}

/** The first pages of the feed of one version, whose cursors are its own. */
async function walkFeed(service: Service, limit: number): Promise<{ targets: string[]; items: Drawn[] }> {
  const targets: string[] = [];
  const items: Drawn[] = [];
  let cursor: string | null = null;
  do {
    const target: string = `/v1/changes?${new URLSearchParams({
      since: '1970-01-01',
      limit: String(limit),
      ...(cursor === null ? {} : { cursor }),
    })}`;
    const page = await readPage(service, target);
    // The last page of the feed is short, or empty.
    if (page.items.length < limit && targets.length > 0) break;
    targets.push(target);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && targets.length < FEED_PAGES);
  return { targets, items };
}

/** The values, the most frequent first. */
function rank(values: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([value]) => value);
}

const search = (parameters: Record<string, string>): string => `/v1/trademarks?${new URLSearchParams(parameters)}`;

function listSearches(items: readonly Drawn[]): Record<'look-up' | 'number' | 'name' | 'broad' | 'contains', string[]> {
  const step = Math.max(1, Math.floor(items.length / RECORDS_DRAWN));
  const drawn = items.filter((_, position) => position % step === 0).slice(0, RECORDS_DRAWN);
  const [status = 'Registered'] = rank(items.map((record) => record.status));
  const registers = rank(items.map((record) => record.jurisdiction_code))
    .slice(0, 3)
    .join(',');
  const parts = drawn.flatMap(
    ({ mark_name }) =>
      /[A-Za-z]{5,}/
        .exec(mark_name ?? '')?.[0]
        .slice(1, 5)
        .toLowerCase() ?? [],
  );
  return {
    'look-up': drawn.map(({ jurisdiction_code: code, uid }) => `/v1/${code}/trademarks/${encodeURIComponent(uid)}`),
    number: drawn.flatMap(({ application_number }) => (application_number ? [search({ application_number })] : [])),
    name: drawn.flatMap(({ mark_name }) => (mark_name ? [search({ mark_name })] : [])),
    broad: [45, 46, 47, 48, 49, 50].map((limit) => search({ status, limit: String(limit) })),
    contains: rank(parts).map((part) => search({ jurisdiction: registers, mark_name_contains: part })),
  };
}

export async function planCalls(services: Services): Promise<CallKind[]> {
  const short = { old: await walkFeed(services.old, 500), new: await walkFeed(services.new, 500) };
  const long = { old: await walkFeed(services.old, 5000), new: await walkFeed(services.new, 5000) };
  if (long.old.items.length !== long.new.items.length) {
    const counts = `${long.old.items.length} records in OLD and ${long.new.items.length} in NEW`;
    throw new OperatorError(`the first pages of the feeds have ${counts}`);
  }
  const searches = listSearches(long.new.items);
  const both = (targets: readonly string[]): CallKind['targets'] => ({ old: targets, new: targets });
  const usual = { callers: CALLERS, calls: CALLS };
  const kinds: CallKind[] = [
    { ...usual, name: 'look-up', targets: both(searches['look-up']) },
    { ...usual, name: 'exact number', targets: both(searches.number) },
    { ...usual, name: 'mark name', targets: both(searches.name) },
    { ...usual, name: '45 to 50 records of a common status', targets: both(searches.broad) },
    { ...usual, name: 'part of a mark name in three registers', targets: both(searches.contains) },
    { ...usual, name: 'health', targets: both(['/v1/health']) },
    {
      name: 'page of the feed of 500',
      callers: FEED_CALLERS,
      calls: CALLS,
      targets: { old: short.old.targets, new: short.new.targets },
    },
    {
      name: 'page of the feed of 5,000',
      callers: FEED_CALLERS,
      calls: CALLS_LONG,
      targets: { old: long.old.targets, new: long.new.targets },
    },
  ];
  const empty = kinds.find(({ targets }) => targets.new.length === 0);
  if (empty !== undefined) throw new OperatorError(`the file has no records for calls of the kind "${empty.name}"`);
  return kinds;
}

/** Neither is always the first. */
const orderOf = (turn: number): readonly Side[] => (turn % 2 === 0 ? SIDES : SIDES.toReversed());

/** Says which call of which version failed, and what its process wrote. */
async function naming<Result>(services: Services, side: Side, kind: CallKind, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    return await services[side].refuse(`${side.toUpperCase()}, ${kind.name}: ${(error as Error).message}`, error);
  }
}

function measureRound(services: Services, side: Side, kind: CallKind, seconds: number): Promise<Rate> {
  const { callers: connections, targets } = kind;
  const service = services[side];
  return naming(
    services,
    side,
    kind,
    measureRate(service.port, headersOf(service), targets[side], { connections, seconds }),
  );
}

/** Not counted. */
export async function warmUp(services: Services, kind: CallKind, seconds: number): Promise<void> {
  for (const side of SIDES) await measureRound(services, side, kind, seconds);
}

/** Medians of single calls. */
export async function measureOneCaller(services: Services, kind: CallKind): Promise<Figure> {
  const open = (side: Side) => naming(services, side, kind, openConnection(services[side].port));
  const connections = { old: await open('old'), new: await open('new') };
  const requests = (side: Side): Buffer[] =>
    kind.targets[side].map((target) => buildRequest(target, headersOf(services[side])));
  const prepared = { old: requests('old'), new: requests('new') };
  const millis: Record<Side, number[]> = { old: [], new: [] };
  try {
    for (let turn = 0; turn < kind.calls; turn += 1) {
      for (const side of orderOf(turn)) {
        const request = prepared[side][turn % prepared[side].length]!;
        millis[side].push(await naming(services, side, kind, connections[side].call(request)));
      }
    }
  } finally {
    for (const side of SIDES) connections[side].close();
  }
  const sideOf = (side: Side) => ({ value: median(millis[side]), p99Ms: null });
  return { kind: kind.name, callers: 1, unit: 'ms', old: sideOf('old'), new: sideOf('new') };
}

/** Medians of the rates and of the 99th percentiles of the rounds. */
export async function measureCallers(
  services: Services,
  kind: CallKind,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Figure> {
  const rates: Record<Side, Rate[]> = { old: [], new: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of orderOf(round)) rates[side].push(await measureRound(services, side, kind, seconds));
  }
  const sideOf = (side: Side) => ({
    value: median(rates[side].map(({ callsPerSecond }) => callsPerSecond)),
    p99Ms: median(rates[side].map(({ p99Ms }) => p99Ms)),
  });
  return { kind: kind.name, callers: kind.callers, unit: '/s', old: sideOf('old'), new: sideOf('new') };
}
