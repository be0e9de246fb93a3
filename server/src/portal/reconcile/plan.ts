/** How a docket is to be read, as the address of its page states it, and the cost of the comparison. */
import type { CsvRow } from '@tmds/contract/csv';
import { findMappingFault, guessMapping } from '@tmds/contract/docket/columns';
import { DAY_ORDERS, type DayOrder } from '@tmds/contract/docket/dates';
import { DATE_COLUMNS, DOCKET_FIELDS, type DocketField, type Mapping } from '@tmds/contract/docket/fields';
import { nameColumns } from '@tmds/contract/docket/head-row';
import { mapGently, planBatches } from '@tmds/contract/docket/reconcile';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import { judgeDayOrders, listUndecided } from '@tmds/contract/docket/survey';
import type { Queryable } from '../../database/driver/db.ts';
import { findPart } from '../../store/accounts/dockets.ts';
import { type Docket, type KeptSurvey, listBelow, unpackRows } from './stored-docket.ts';

/** How much of the name of a column a page shows. */
const HEAD_CHARACTERS_MAX = 200;

const FIELDS = Object.keys(DOCKET_FIELDS) as DocketField[];

export interface DocketPlan {
  /** The line of the row that names the columns; 0 if none does. */
  readonly headLine: number;
  readonly head: readonly string[];
  /** The first rows below it, and how many there are in all. */
  readonly sample: readonly CsvRow[];
  readonly rows: number;
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
export function readPlan(
  { survey, rows }: Pick<Docket, 'survey' | 'rows'>,
  fields: URLSearchParams,
  served: readonly string[],
): DocketPlan {
  const view = chooseHead(survey, rows, fields.get('head'));
  // Columns that were chosen below another head say nothing about these.
  const isChosen = [...fields.keys()].some((name) => name.startsWith('holds-'));
  const isSameHead = (fields.get('head-shown') ?? String(view.headLine)) === String(view.headLine);
  const mapping = isChosen && isSameHead ? readMapping(view.head, fields) : guess(view);
  const named = fields.get('register') ?? '';
  const register = served.includes(named) ? named : null;
  const dates = DAY_ORDERS.find((order) => order === fields.get('dates')) ?? null;
  const plan = { ...view, mapping, register, dates };
  return { ...plan, fault: findFault(survey, fields, plan) };
}

type HeadView = Pick<DocketPlan, 'headLine' | 'head' | 'sample' | 'rows'>;

/** Lines that may be the head: those of the first rows. */
export function listHeadRows({ above, sample }: KeptSurvey): readonly CsvRow[] {
  return [...above, ...sample];
}

/** The docket below the chosen head; below the one that was found if the text names no line. */
function chooseHead(survey: KeptSurvey, rows: number, chosen: string | null): HeadView {
  const top = listHeadRows(survey);
  const line = /^\d{1,7}$/.test(chosen ?? '') ? Number(chosen) : survey.headLine;
  const headLine = line === 0 || top.some((row) => row.line === line) ? line : survey.headLine;
  if (headLine === survey.headLine) return { headLine, head: survey.head, sample: survey.sample, rows };
  const head = nameColumns(top, headLine).map((name) => name.slice(0, HEAD_CHARACTERS_MAX));
  const sample = top.filter((row) => row.line > headLine);
  const lower = survey.sample.filter((row) => row.line <= headLine).length;
  const higher = survey.above.filter((row) => row.line > headLine).length;
  return { headLine, head, sample, rows: rows + higher - lower };
}

function guess({ head, sample }: Pick<HeadView, 'head' | 'sample'>): Mapping {
  return guessMapping(
    head,
    sample.map(({ cells }) => cells),
  );
}

function readMapping(head: readonly string[], fields: URLSearchParams): Mapping {
  const mapping: Partial<Record<DocketField, number>> = {};
  for (let column = head.length - 1; column >= 0; column -= 1) {
    const field = FIELDS.find((each) => each === fields.get(holdName(column)));
    if (field !== undefined) mapping[field] = column;
  }
  return mapping;
}

function findFault(
  survey: KeptSurvey,
  fields: URLSearchParams,
  { head, sample, rows: left, mapping, register, dates }: Omit<DocketPlan, 'fault'>,
): string | null {
  if (survey.headLine === 0 && !fields.has('head')) {
    return 'No row with the names of the columns was found. Choose the row that has them, or say what each column contains.';
  }
  if (left < 1) return 'No row is left below these names of columns. Choose a row further up.';
  const chosen = head.map((_name, column) => fields.get(holdName(column)) ?? '').filter((field) => field !== '');
  const twice = chosen.find((field, at) => chosen.indexOf(field) !== at) as DocketField | undefined;
  if (twice !== undefined) return `Two columns contain the same: ${DOCKET_FIELDS[twice] ?? twice}. Choose one of them.`;
  const rows = sample.map(({ cells }) => cells);
  const fault = findMappingFault(mapping, register, rows);
  if (fault !== null || dates !== null) return fault;
  const columns = DATE_COLUMNS.flatMap((field) => (mapping[field] === undefined ? [] : [mapping[field]]));
  const [undecided] = listUndecided(survey.dates, columns);
  if (undecided === undefined) return null;
  return `It is not clear whether the day or the month comes first in “${head[undecided]}”. Choose one.`;
}

export function buildReading({ dates: evidence }: KeptSurvey, plan: DocketPlan): Reading {
  const { head, mapping, register, dates } = plan;
  return { head, mapping, register, dayOrders: judgeDayOrders(evidence, dates) };
}

/** The calls that a comparison takes, as long as no call finds more than 500 records. */
export async function countCalls(
  database: Queryable,
  { docket_id: docketId, parts, parts_done: done, survey }: Docket,
  { headLine, reading }: { readonly headLine: number; readonly reading: Reading },
  served: readonly string[],
): Promise<number> {
  const known = new Set(served);
  let calls = 0;
  for (let number = done; number < parts; number += 1) {
    const part = await findPart(database, docketId, number);
    if (part === null) break;
    const stored = await unpackRows(part.cells);
    const rows = await mapGently(
      number === 0 && headLine !== survey.headLine ? listBelow(stored, survey, headLine) : stored,
      (row) => row.cells,
      (row) => readRow(row, reading, known),
    );
    calls += planBatches(rows).length;
  }
  return calls;
}
