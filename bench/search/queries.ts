/**
 * The 48 kinds of query of the search benchmark, as a declared table. Every call draws new values from the data, so
 * that no answer is repeated, and all services get the same draws.
 */
import { type Pool, pick, type Texts } from './pool.ts';

export interface QueryKind {
  readonly name: string;
  readonly group: string;
  /** `next` draws from 0 to 1; equal seeds give equal draws. */
  readonly draw: (pool: Pool, next: () => number) => Texts;
  /** Pages to read before the measured one. */
  readonly pagesBefore?: number;
}

const CLASSES_COMMON = ['9', '35', '25', '5', '30'];
const fixed = (texts: Texts) => (): Texts => ({ ...texts });

/** Three to six characters from the middle of a name, without its outer blanks. */
function partOf(name: string, next: () => number, length: number): string {
  const characters = [...name.normalize('NFC').trim()];
  const start = Math.floor(next() * Math.max(1, characters.length - length));
  return characters
    .slice(start, start + length)
    .join('')
    .trim()
    .padEnd(3, characters[0] ?? 'a');
}

export const QUERY_KINDS: readonly QueryKind[] = [
  {
    group: 'exact',
    name: 'application number',
    draw: (pool, next) => ({ application_number: pick(pool.applicationNumbers, next) }),
  },
  {
    group: 'exact',
    name: 'registration number',
    draw: (pool, next) => ({ registration_number: pick(pool.registrationNumbers, next) }),
  },
  {
    group: 'exact',
    name: 'international registration',
    draw: (pool, next) => ({ international_registration_number: pick(pool.internationalNumbers, next) }),
  },
  {
    group: 'exact',
    name: 'priority number',
    draw: (pool, next) => ({ priority_number: pick(pool.priorityNumbers, next) }),
  },
  { group: 'exact', name: 'mark name', draw: (pool, next) => ({ mark_name: pick(pool.markNames, next).name }) },
  { group: 'exact', name: 'owner name', draw: (pool, next) => ({ owner_name: pick(pool.ownerNames, next).name }) },
  {
    group: 'exact',
    name: 'owner name, status, by date',
    draw: (pool, next) => ({
      owner_name: pick(pool.ownerNames, next).name,
      status: 'Registered',
      sort: 'application_date',
    }),
  },
  {
    group: 'exact',
    name: 'representative name, newest',
    draw: (pool, next) => ({ representative_name: pick(pool.representatives, next).name }),
  },
  {
    group: 'exact',
    name: 'number that no record has',
    draw: (_pool, next) => ({ application_number: `none-${next()}` }),
  },
  {
    group: 'name part',
    name: 'mark starts with',
    draw: (pool, next) => {
      const { register, name } = pick(pool.markNames, next);
      return { jurisdiction: register, mark_name_startswith: [...name].slice(0, 5).join('').padEnd(3, 'a') };
    },
  },
  {
    group: 'name part',
    name: 'owner starts with, 3 registers',
    draw: (pool, next) => {
      const { register, name } = pick(pool.ownerNames, next);
      return {
        jurisdiction: `${register},US,CN`,
        owner_name_startswith: [...name].slice(0, 6).join('').padEnd(3, 'a'),
      };
    },
  },
  {
    group: 'name part',
    name: 'mark contains, rare',
    draw: (pool, next) => {
      const { register, name } = pick(pool.markNames, next);
      return { jurisdiction: register, mark_name_contains: partOf(name, next, 7) };
    },
  },
  {
    group: 'name part',
    name: 'mark contains, 3 characters',
    draw: (pool, next) => {
      const { register, name } = pick(pool.markNames, next);
      return { jurisdiction: register, mark_name_contains: partOf(name, next, 3) };
    },
  },
  {
    group: 'name part',
    name: 'mark contains, common, largest register',
    draw: (_pool, next) => ({ jurisdiction: 'CN', mark_name_contains: pick(['ing', 'ter', 'ang', 'sta'], next) }),
  },
  {
    group: 'name part',
    name: 'mark contains, CJK',
    draw: (pool, next) => {
      const { register, name } = pick(pool.cjkNames, next);
      return { jurisdiction: register, mark_name_contains: partOf(name, next, 3) };
    },
  },
  {
    group: 'name part',
    name: 'owner contains, common word',
    draw: (_pool, next) => ({
      jurisdiction: pick(['US', 'EM', 'GB'], next),
      owner_name_contains: pick(['ltd', 'inc', 'group', 'holding'], next),
    }),
  },
  {
    group: 'name part',
    name: 'owner contains, class, status',
    draw: (pool, next) => {
      const { register, name } = pick(pool.ownerNames, next);
      return {
        jurisdiction: register,
        owner_name_contains: partOf(name, next, 6),
        nice_class: '9,35',
        status: 'Registered',
      };
    },
  },
  {
    group: 'name part',
    name: 'representative contains, 10 registers',
    draw: (pool, next) => ({
      jurisdiction: pool.registers.slice(0, 10).join(),
      representative_name_contains: partOf(pick(pool.representatives, next).name, next, 5),
    }),
  },
  { group: 'facet', name: 'status, newest change', draw: fixed({ status: 'Registered' }) },
  { group: 'facet', name: 'status, by application date', draw: fixed({ status: 'Pending', sort: 'application_date' }) },
  {
    group: 'facet',
    name: 'status, oldest registration first',
    draw: fixed({ status: 'Cancelled', sort: 'registration_date', order: 'asc' }),
  },
  { group: 'facet', name: 'class, newest change', draw: (_pool, next) => ({ nice_class: pick(CLASSES_COMMON, next) }) },
  {
    group: 'facet',
    name: 'class, by application date',
    draw: (_pool, next) => ({ nice_class: pick(CLASSES_COMMON, next), sort: 'application_date' }),
  },
  {
    group: 'facet',
    name: 'rare kind of mark',
    draw: (_pool, next) => ({ kind_of_mark: pick(['Guarantee', 'Certificate', 'Defensive'], next) }),
  },
  {
    group: 'facet',
    name: 'rare feature, by registration date',
    draw: (_pool, next) => ({
      mark_feature: pick(['Hologram', 'Olfactory', 'Sound', 'Motion'], next),
      sort: 'registration_date',
    }),
  },
  {
    group: 'facet',
    name: 'owner country',
    draw: (_pool, next) => ({ owner_country: pick(['JP', 'SE', 'AT', 'US'], next) }),
  },
  {
    group: 'facet',
    name: 'one register, by application date',
    draw: (pool, next) => ({ jurisdiction: pick(pool.registers, next), sort: 'application_date' }),
  },
  {
    group: 'facet',
    name: 'office WO in national registers',
    draw: (pool, next) => ({ office: 'WO', jurisdiction: pick(pool.registers, next) }),
  },
  {
    group: 'facet',
    name: 'Vienna division and class',
    draw: (_pool, next) => ({ vienna_code: pick(['26.03', '5.5', '3.1', '27.5'], next), nice_class: '9' }),
  },
  {
    group: 'combination',
    name: 'four facets, very selective',
    draw: (_pool, next) => ({
      jurisdiction: pick(['AT', 'CH', 'SE', 'PL'], next),
      status: 'Pending',
      nice_class: '9',
      owner_country: 'JP',
      sort: 'application_date',
    }),
  },
  {
    group: 'combination',
    name: 'three classes at once',
    draw: (_pool, next) => ({ nice_class_all: pick(['9,35,42', '3,5,44', '29,30,43'], next) }),
  },
  {
    group: 'combination',
    name: 'class, country, status, by date',
    draw: (_pool, next) => ({
      nice_class: pick(CLASSES_COMMON, next),
      owner_country: pick(['DE', 'FR', 'IT'], next),
      status: 'Registered',
      sort: 'application_date',
    }),
  },
  {
    group: 'combination',
    name: 'any-of lists over four filters',
    draw: fixed({
      jurisdiction: 'DE,FR,GB,IT',
      status: 'Pending,Registered',
      nice_class: '9,35,42',
      mark_feature: 'Word,Combined',
    }),
  },
  {
    group: 'combination',
    name: 'designations and office',
    draw: (_pool, next) => ({ office: 'WO', designated_country: pick(['JP', 'CH', 'NO'], next), nice_class: '9' }),
  },
  {
    group: 'combination',
    name: 'register, kind, three classes',
    draw: (pool, next) => ({
      jurisdiction: pick(pool.registers, next),
      kind_of_mark: 'Collective',
      nice_class: '29,30,31',
    }),
  },
  {
    group: 'date',
    name: 'applied in one year, newest change',
    draw: (_pool, next) => {
      const year = 2000 + Math.floor(next() * 20);
      return { application_date_from: `${year}-01-01`, application_date_to: `${year}-12-31` };
    },
  },
  {
    group: 'date',
    name: 'published on one day',
    draw: (_pool, next) => ({
      publication_date: `20${10 + Math.floor(next() * 10)}-0${1 + Math.floor(next() * 9)}-15`,
    }),
  },
  {
    group: 'date',
    name: 'opposition ends within a week',
    draw: (_pool, next) => {
      const month = 1 + Math.floor(next() * 9);
      return { opposition_period_end_from: `2026-0${month}-01`, opposition_period_end_to: `2026-0${month}-07` };
    },
  },
  {
    group: 'date',
    name: 'expires this quarter, class, status',
    draw: fixed({
      expiry_date_from: '2026-10-01',
      expiry_date_to: '2026-12-31',
      nice_class: '35',
      status: 'Registered',
      sort: 'registration_date',
    }),
  },
  {
    group: 'date',
    name: 'change interval, class',
    draw: fixed({ updated_since: '2026-10-01T00:00:10Z', updated_before: '2026-10-01T00:01:00Z', nice_class: '25' }),
  },
  {
    group: 'date',
    name: 'date range in its own order, country',
    draw: (_pool, next) => ({
      application_date_from: `20${10 + Math.floor(next() * 10)}-01-01`,
      owner_country: 'KR',
      sort: 'application_date',
      order: 'asc',
    }),
  },
  {
    group: 'bad case',
    name: 'class, filed before 1988, newest change',
    draw: (_pool, next) => ({ nice_class: pick(CLASSES_COMMON, next), application_date_to: '1987-12-31' }),
  },
  {
    group: 'bad case',
    name: 'rare kind, three classes, by application date',
    draw: (_pool, next) => ({
      kind_of_mark: pick(['Guarantee', 'Certificate'], next),
      nice_class_all: pick(['9,35,42', '29,30,31'], next),
      sort: 'application_date',
    }),
  },
  {
    group: 'bad case',
    name: 'few matches at the far end of the order',
    draw: (_pool, next) => ({
      status: 'Registered',
      application_date_to: '1965-12-31',
      nice_class: pick(CLASSES_COMMON, next),
      sort: 'application_date',
    }),
  },
  {
    group: 'bad case',
    name: 'old expiries among the pending',
    draw: fixed({ status: 'Pending', status_date_to: '2005-12-31', sort: 'application_date' }),
  },
  {
    group: 'page',
    name: 'deep cursor, class by date',
    draw: (_pool, next) => ({ nice_class: pick(CLASSES_COMMON, next), sort: 'application_date' }),
    pagesBefore: 20,
  },
  {
    group: 'count',
    name: 'capped count, common',
    draw: (_pool, next) => ({ nice_class: pick(CLASSES_COMMON, next), status: 'Registered', count: 'capped' }),
  },
  {
    group: 'count',
    name: 'capped count, 2 to 3 in a hundred',
    draw: (_pool, next) => ({
      nice_class: pick(['9', '35'], next),
      owner_country: 'JP',
      status: 'Registered',
      count: 'capped',
    }),
  },
];
