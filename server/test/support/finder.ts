/** Asks the program itself, in this process, whether a record is found by what its page shows. */
import type { FilterName } from '@tmds/contract/parameters';
import type { ChangesPage, TrademarkDetail } from '@tmds/contract/record';
import { systemClock } from '../../src/base/clock.ts';
import { ApiError } from '../../src/base/errors.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { parseRegisterNumbers } from '../../src/parse/numbers.ts';
import { checkDeclared, splitQuery } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planNumbers } from '../../src/plan/numbers.ts';
import { planSearch, type SearchQuery } from '../../src/plan/search.ts';
import { listReadings } from '../../src/portal/search/readings.ts';
import { findNamedRecords } from '../../src/portal/search/routes.ts';
import { createTestDatabase } from './database.ts';
import { UNLIMITED } from './loads.ts';
import { openLocalIndex } from './local-index.ts';
import { startService, type TestContext } from './service.ts';
import {
  listFilterSpellings,
  listShownNames,
  listShownNumbers,
  listUsualSpellings,
  longestWord,
  type NameFilter,
  type NumberFilter,
  type Shown,
} from './shown.ts';

/** More than any search here matches. */
const MATCHES_MAX = 20_000;
const LIMIT_MS = 60_000;

/** A text by which a record is not found. */
export interface Miss {
  readonly register: string;
  readonly uid: string;
  readonly field: string;
  readonly value: string;
  /** The filter with the value it was asked for, or `numbers`, or `search bar`. */
  readonly asked: string;
}

export interface Finder {
  readonly db: Database;
  /** How many different searches have been made. */
  readonly searches: () => number;
  /** The records that have changed since the last call, with their documents. */
  listNew(): Promise<TrademarkDetail[]>;
  listMisses(record: TrademarkDetail): Promise<Miss[]>;
}

export async function openFinder(t: TestContext): Promise<Finder> {
  const database = await createTestDatabase(t, UNLIMITED);
  const index = openLocalIndex(database.db);
  const service = await startService(t, { database, index });
  const { key } = await service.issue();
  /** Many records share a name, and a spelling is often that of another number; emptied when records have changed. */
  const answers = new Map<string, Promise<ReadonlySet<string>>>();
  let searches = 0;
  let cursor = '';

  const find = (name: string, plan: () => SearchQuery): Promise<ReadonlySet<string>> => {
    const search = async (): Promise<ReadonlySet<string>> => {
      searches += 1;
      try {
        const query = { ...plan(), limit: MATCHES_MAX };
        const { records } = await index.search(query, { deadlineMs: systemClock.monotonicMs() + LIMIT_MS });
        return new Set(records.map(nameRecord));
      } catch (error) {
        // What is refused finds nothing.
        if (error instanceof ApiError && error.code === 'invalid_parameter') return new Set();
        throw error;
      }
    };
    const answer = answers.get(name) ?? search();
    answers.set(name, answer);
    return answer;
  };
  const ask = (register: string | null, pairs: readonly (readonly [name: string, value: string])[], isPage = false) => {
    const query = new URLSearchParams(pairs as [string, string][]).toString();
    return find(`${register} ${query} ${isPage}`, () =>
      planSearch(parseSearch(checkDeclared('search', splitQuery(query)), register, isPage ? 'page' : 'call')),
    );
  };
  const askNumbers = (register: string, value: string) => {
    const query = new URLSearchParams({ numbers: value }).toString();
    return find(`${register} ${query}`, () =>
      planNumbers(parseRegisterNumbers(checkDeclared('register_numbers', splitQuery(query)), register)),
    );
  };
  const isReadAs = async (text: string, name: string): Promise<boolean> => {
    for (const { pairs } of listReadings(text)) if ((await ask(null, pairs, true)).has(name)) return true;
    return false;
  };

  const listMisses = async (record: TrademarkDetail): Promise<Miss[]> => {
    const { jurisdiction_code: register, uid } = record;
    const name = nameRecord(record);
    const misses: Miss[] = [];
    const note = (shown: Pick<Shown<FilterName>, 'field' | 'value'>, asked: string, isFound: boolean): void => {
      if (!isFound) misses.push({ register, uid, field: shown.field, value: shown.value, asked });
    };
    const check = async (shown: Shown<FilterName>, filter: FilterName, value: string, scope: string | null) => {
      note(shown, `${filter}=${value}`, (await ask(scope, [[filter, value]])).has(name));
    };
    for (const shown of listShownNames(record)) await checkName(shown);
    for (const shown of listShownNumbers(record)) await checkNumber(shown);
    const { stated } = await findNamedRecords(database.db, `${register} ${uid}`, [register]);
    note({ field: 'uid', value: uid }, `search bar: ${register} ${uid}`, stated?.uid === uid);
    return misses;

    async function checkName(shown: Shown<NameFilter>): Promise<void> {
      const { value, filter } = shown;
      await check(shown, filter, value, null);
      await check(shown, filter, ` ${capitalize(value).normalize('NFD')} `, register);
      const beginning = [...value.normalize().trim()].slice(0, 5).join('');
      if ([...beginning.trim()].length >= 3) await check(shown, `${filter}_startswith`, beginning, register);
      const word = longestWord(value);
      if (word !== null) await check(shown, `${filter}_contains`, word, register);
      note(shown, `search bar: ${value}`, await isReadAs(value, name));
    }

    async function checkNumber(shown: Shown<NumberFilter>): Promise<void> {
      for (const spelling of listFilterSpellings(register, shown)) {
        await check(shown, shown.filter, spelling, null);
        await check(shown, shown.filter, spelling, register);
      }
      for (const spelling of listUsualSpellings(register, shown)) {
        note(shown, `search bar: ${spelling}`, await isReadAs(spelling, name));
        // A priority number belongs to another record.
        if (shown.filter !== 'priority_number') {
          note(shown, `numbers=${spelling}`, (await askNumbers(register, spelling)).has(name));
        }
      }
    }
  };

  return {
    db: database.db,
    searches: () => searches,
    listNew: async () => {
      answers.clear();
      await index.waitFor(0, { deadlineMs: systemClock.monotonicMs() + LIMIT_MS });
      const items: TrademarkDetail[] = [];
      for (;;) {
        const target = `/v1/changes?since=2000-01-01&expand=payload&limit=200${cursor}`;
        const { status, text } = await service.call(target, { key });
        if (status !== 200) throw new Error(text);
        const page = JSON.parse(text) as ChangesPage;
        items.push(...page.items);
        if (page.next_cursor === null) return items;
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      }
    },
    listMisses,
  };
}

function nameRecord({ jurisdiction_code: register, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>): string {
  return `${register} ${uid}`;
}

/** Letters that have a capital (rule I-12): the capitals of `ß` are other letters. */
function capitalize(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.toLowerCase() === letter ? capital : letter;
  });
}

export function describeMiss({ register, uid, field, value, asked }: Miss): string {
  return `${register} ${uid}: ${field} ${JSON.stringify(value)} is not found by ${asked}`;
}
