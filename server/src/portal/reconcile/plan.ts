/** How a docket is to be read, as the address of its page states it, and the cost of the comparison. */
import { findMappingFault, guessMapping } from '@tmds/contract/docket/columns';
import { DAY_ORDERS, type DayOrder } from '@tmds/contract/docket/dates';
import { DATE_COLUMNS, DOCKET_FIELDS, type DocketField, type Mapping } from '@tmds/contract/docket/fields';
import { mapGently, planBatches } from '@tmds/contract/docket/reconcile';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import { judgeDayOrders, listUndecided } from '@tmds/contract/docket/survey';
import { findPart } from '../../store/accounts/dockets.ts';
import type { Queryable } from '../../store/driver/db.ts';
import { type Docket, type KeptSurvey, unpackRows } from './stored-docket.ts';

const FIELDS = Object.keys(DOCKET_FIELDS) as DocketField[];

export interface DocketPlan {
  readonly mapping: Mapping;
  /** The register of rows that name none. */
  readonly register: string | null;
  readonly dates: DayOrder | null;
  /** Why nothing can be compared yet; null if it can. */
  readonly fault: string | null;
}

/** The name of the field that chooses a column's meaning. */
export const holdName = (column: number): string => `holds-${column}`;

/** `fields`: those of the address or of the form. Without a choice in them, the guessed meanings count. */
export function readPlan(survey: KeptSurvey, fields: URLSearchParams, served: readonly string[]): DocketPlan {
  const isChosen = [...fields.keys()].some((name) => name.startsWith('holds-'));
  const mapping = isChosen ? readMapping(survey, fields) : guess(survey);
  const named = fields.get('register') ?? '';
  const register = served.includes(named) ? named : null;
  const dates = DAY_ORDERS.find((order) => order === fields.get('dates')) ?? null;
  return { mapping, register, dates, fault: findFault(survey, fields, { mapping, register, dates }) };
}

function guess({ head, sample }: KeptSurvey): Mapping {
  return guessMapping(
    head,
    sample.map(({ cells }) => cells),
  );
}

function readMapping({ head }: KeptSurvey, fields: URLSearchParams): Mapping {
  const mapping: Partial<Record<DocketField, number>> = {};
  for (let column = head.length - 1; column >= 0; column -= 1) {
    const field = FIELDS.find((each) => each === fields.get(holdName(column)));
    if (field !== undefined) mapping[field] = column;
  }
  return mapping;
}

function findFault(
  { head, sample, dates: evidence }: KeptSurvey,
  fields: URLSearchParams,
  { mapping, register, dates }: Omit<DocketPlan, 'fault'>,
): string | null {
  const chosen = head.map((_name, column) => fields.get(holdName(column)) ?? '').filter((field) => field !== '');
  const twice = chosen.find((field, at) => chosen.indexOf(field) !== at) as DocketField | undefined;
  if (twice !== undefined) return `Two columns contain the same: ${DOCKET_FIELDS[twice] ?? twice}. Choose one of them.`;
  const rows = sample.map(({ cells }) => cells);
  const fault = findMappingFault(mapping, register, rows);
  if (fault !== null || dates !== null) return fault;
  const columns = DATE_COLUMNS.flatMap((field) => (mapping[field] === undefined ? [] : [mapping[field]]));
  const [undecided] = listUndecided(evidence, columns);
  if (undecided === undefined) return null;
  return `It is not clear whether the day or the month comes first in “${head[undecided]}”. Choose one.`;
}

export function buildReading({ head, dates: evidence }: KeptSurvey, { mapping, register, dates }: DocketPlan): Reading {
  return { head, mapping, register, dayOrders: judgeDayOrders(evidence, dates) };
}

/** The calls that a comparison takes, as long as no call finds more than 500 records. */
export async function countCalls(
  database: Queryable,
  { docket_id: docketId, parts, parts_done: done }: Docket,
  reading: Reading,
  served: readonly string[],
): Promise<number> {
  const known = new Set(served);
  let calls = 0;
  for (let number = done; number < parts; number += 1) {
    const part = await findPart(database, docketId, number);
    if (part === null) break;
    const rows = await mapGently(
      await unpackRows(part.cells),
      (row) => row.cells,
      (row) => readRow(row, reading, known),
    );
    calls += planBatches(rows).length;
  }
  return calls;
}
