/**
 * Names that a table of results lacks because their office publishes them in separate files, which no load has brought
 * yet. One statement finds them for a page, and none runs unless a column of names is empty in a row.
 */

import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import { listPartiesByKey } from '../../store/records/current-records.ts';
import { formatCount } from '../frame/pieces.ts';
import { joinNames, placeName } from '../frame/registers.ts';

export interface WaitingNames {
  /** The columns that lack names, in words. */
  readonly sides: readonly string[];
  readonly count: number;
  /** The codes of the registers. */
  readonly registers: readonly string[];
}

/** The columns of names by their names in the address. A party that represents is numbered apart from an owner. */
const SIDES = [
  { column: 'owner', field: 'owner_names', kind: 'applicant', words: 'owners' },
  { column: 'representative', field: 'representative_names', kind: 'representative', words: 'representatives' },
] as const;

/** Null if no row of the page lacks a name for this reason. */
export async function findWaitingNames(
  db: Queryable,
  items: readonly TrademarkDetail[],
  columns: readonly string[],
): Promise<WaitingNames | null> {
  const sides = SIDES.filter(({ column }) => columns.includes(column));
  const silent = new Map(
    items
      .filter((record) => sides.some(({ field }) => record[field] === null))
      .map((record) => [nameOf(record), record]),
  );
  const waiting = (await listPartiesByKey(db, [...silent.values()])).flatMap((found) => {
    const record = silent.get(nameOf(found));
    const lacking = sides.filter(({ field, kind }) => record?.[field] === null && found.kinds.has(kind));
    return lacking.length === 0 ? [] : [{ register: found.jurisdiction_code, lacking }];
  });
  if (waiting.length === 0) return null;
  return {
    sides: sides.filter((side) => waiting.some(({ lacking }) => lacking.includes(side))).map(({ words }) => words),
    count: waiting.length,
    registers: [...new Set(waiting.map(({ register }) => register))].sort(),
  };
}

function nameOf({ jurisdiction_code, uid }: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid'>): string {
  return `${jurisdiction_code} ${uid}`;
}

export function renderWaitingNames(waiting: WaitingNames | null): unknown {
  if (waiting === null) return null;
  const { sides, count, registers } = waiting;
  const marks = count === 1 ? '1 of these trademarks' : `${formatCount(count)} of these trademarks`;
  const publish = registers.length === 1 ? 'publishes' : 'publish';
  return html`
    <p class="hint">
      Names of ${sides.join(' and ')} are missing for ${marks}: ${joinNames(registers, placeName)} ${publish} names in
      separate files, which we do not have yet.
    </p>
  `;
}
