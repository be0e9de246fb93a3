/**
 * An export of a search: which rows a file has, and its cost. A file holds a bounded part of the search; the cursor in
 * an address says where its part begins.
 */

import { SEARCH_PAGE_EXPANDED_MAX, SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import { needsPayload, readColumns } from './record-table.ts';
import { encodePairs, readRowsBefore, readSearch, type SearchPairs } from './search-pairs.ts';

/** Rows of one file. Each page of the API costs one unit. */
export const FILE_ROWS_MAX = 20 * SEARCH_PAGE_MAX;

export interface ExportPlan {
  readonly pairs: SearchPairs;
  /** Null: from the first match. */
  readonly cursor: string | null;
  /** Matches before the part; null when unknown. */
  readonly before: number | null;
  /** With whole records, so that names are spelled as in the source; a page of the API then has fewer. */
  readonly isSpelled: boolean;
  /** The columns that the table was given; null: everything. */
  readonly columns: readonly string[] | null;
}

/** In the address: names as in the source. */
const SPELLED = 'spelled';

/** Parameters that shape a page and not the search. */
const PAGE_CONTROLS = ['limit', 'count', 'cursor', 'expand', 'format', SPELLED];

export function readExport(query: URLSearchParams): ExportPlan {
  const { pairs } = readSearch(query);
  const kept = pairs.filter(([name]) => !PAGE_CONTROLS.includes(name));
  const columns = query.has('columns') ? readColumns(query.get('columns')) : null;
  const isSpelled = query.get(SPELLED) === '1' || needsPayload(columns ?? []);
  return { pairs: kept, cursor: query.get('cursor') || null, before: readRowsBefore(query), isSpelled, columns };
}

export function pageRowsOf({ isSpelled }: Pick<ExportPlan, 'isSpelled'>): number {
  return isSpelled ? SEARCH_PAGE_EXPANDED_MAX : SEARCH_PAGE_MAX;
}

/** The call of the API for the page of the search that begins at a cursor. */
export function pageTarget({ pairs, isSpelled }: ExportPlan, cursor: string | null): string {
  const controls: SearchPairs = [
    ['limit', String(pageRowsOf({ isSpelled }))],
    ...(isSpelled ? [['expand', 'payload'] as const] : []),
    ...(cursor === null ? [] : [['cursor', cursor] as const]),
  ];
  return `/v1/trademarks${encodePairs([...pairs, ...controls])}`;
}

export function exportPath(
  { pairs, isSpelled, columns }: ExportPlan,
  keyId: string,
  at: { cursor: string; row: number | null } | null,
): string {
  const row: SearchPairs = at === null || at.row === null ? [] : [['row', String(at.row)]];
  const place: SearchPairs = at === null ? [] : [['cursor', at.cursor], ...row];
  const spelled: SearchPairs = isSpelled ? [[SPELLED, '1']] : [];
  const shown: SearchPairs = columns === null ? [] : [['columns', columns.join('.')]];
  return `/portal/explorer/export${encodePairs([...pairs, ...place, ...spelled, ...shown, ['key', keyId]])}`;
}

export interface ExportCost {
  readonly rows: number;
  readonly units: number;
  readonly unitsLeft: number;
}

/** Null when the number of matches or the place in them is unknown. A search without a match still costs its call. */
export function planCost({ before, isSpelled }: ExportPlan, total: number | null): ExportCost | null {
  if (total === null || before === null) return null;
  const left = Math.max(0, total - before);
  const rows = Math.min(left, FILE_ROWS_MAX);
  const unitsFor = (count: number): number => Math.max(1, Math.ceil(count / pageRowsOf({ isSpelled })));
  return { rows, units: unitsFor(rows), unitsLeft: unitsFor(left) };
}
