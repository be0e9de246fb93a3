/** One request for every shape that a search plan can have. */
import { encodeCursor } from '../../src/parse/cursor.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch, type SearchPlan } from '../../src/plan/search.ts';

export interface Shape {
  readonly register?: string;
  readonly texts: SearchValues;
  /** Goes on after this record. */
  readonly after?: { value: string | null; jurisdiction_code: string; uid: string };
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  'one-register': { register: 'us', texts: {} },
  'one-register-next-page': {
    register: 'us',
    texts: {},
    after: { value: '2026-01-02T03:04:05.678901Z', jurisdiction_code: 'US', uid: 'US1' },
  },
  'change-times-in-change-order': {
    texts: { updated_since: '2026-01-01', updated_before: '2026-02-01', order: 'asc' },
  },
  'change-times-in-another-order': { texts: { updated_since: '2026-01-01', sort: 'application_date' } },
  'date-range-in-its-own-order': {
    texts: { application_date_from: '2024-01-01', application_date_to: '2024-12-31', sort: 'application_date' },
  },
  'short-date-range': { texts: { publication_date_from: '2024-02-28', publication_date_to: '2024-03-01' } },
  'open-date-range-beside-a-class': { texts: { application_date_to: '1987-12-31', nice_class: '9' } },
  'broad-date-range-beside-a-class': { texts: { application_date_from: '2001-01-01', nice_class: '9' } },
  'status-that-is-old': { texts: { status: 'pending', status_date_to: '2005-12-31', sort: 'application_date' } },
  'many-facets': {
    texts: {
      jurisdiction: 'us,em',
      status: 'pending,registered',
      kind_of_mark: 'collective',
      nice_class_all: '9,42',
      vienna_code: '26.03,1.1.2',
      owner_country: 'jp',
      sort: 'registration_date',
    },
  },
  'exact-number': { texts: { application_number: 'ab-1' } },
  'exact-name-and-status': { texts: { owner_name: 'Acme  Inc.', status: 'pending' } },
  'part-of-a-name': { register: 'us', texts: { mark_name_contains: '100%_\\', count: 'capped' } },
  'part-of-several-words': {
    texts: { jurisdiction: 'de,fr', mark_name_contains: ' Blue & Water', count: 'capped' },
  },
  'part-that-is-an-initial': { register: 'us', texts: { mark_name_contains: 'H&M' } },
  'start-of-a-name-ascending': {
    texts: { jurisdiction: 'us', representative_name_startswith: '商标注', order: 'asc' },
  },
  'payloads-after-the-dated-records': {
    texts: { status: 'pending', sort: 'application_date', expand: 'payload' },
    after: { value: null, jurisdiction_code: 'US', uid: 'US1' },
  },
  'dates-from-a-position': {
    texts: { status: 'pending', sort: 'application_date' },
    after: { value: '2020-02-29', jurisdiction_code: 'US', uid: 'US1' },
  },
  'nothing-can-match': { texts: { vienna_code: '999.1', nice_class: '9' } },
};

export function buildPlan({
  register = null,
  texts,
  after,
}: Omit<Shape, 'register'> & { register?: string | null }): SearchPlan {
  const first = parseSearch(texts, register);
  const cursor = after === undefined ? undefined : encodeCursor(first.binding, after);
  return planSearch(parseSearch(cursor === undefined ? texts : { ...texts, cursor }, register));
}
