/**
 * What the rule gives for the end of a term that a docket has: the third voice next to the docket and the register. The
 * comparison itself knows what registers state and nothing else; this is read when a page shows its rows.
 */
import { readDate } from '@tmds/contract/docket/dates';
import type { DescribedFinding } from '@tmds/contract/docket/output';
import type { Reading } from '@tmds/contract/docket/rows';
import type { DateText } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { computeDates } from '../../dates/compute.ts';
import { readFacts } from '../../dates/facts.ts';
import { type DatedRecord, readDateFacts } from '../../store/records/date-facts.ts';
import { formatDate } from '../frame/pieces.ts';
import type { ResultRow } from './results.ts';
import type { Docket } from './stored-docket.ts';

/** Fields that name the end of a term. */
const ENDS = ['next_renewal', 'expiry_date'] as const;
type EndField = (typeof ENDS)[number];

/** A sentence about a cell of a row. */
export type Computed = ReadonlyMap<EndField, string>;

const nameOf = (code: string | null, uid: string | null): string => `${code} ${uid}`;

/** By the finding; rows without such a date or without a rule are left out. */
export async function findComputed(
  database: Queryable,
  { reading }: Docket,
  rows: readonly ResultRow[],
  today: DateText,
): Promise<ReadonlyMap<DescribedFinding, Computed>> {
  const dated = rows.map(({ finding }) => finding).filter((finding) => listAsked(finding).length > 0);
  const records = dated.map(({ jurisdiction_code, uid }) => ({ jurisdiction_code: jurisdiction_code!, uid: uid! }));
  if (reading === null || records.length === 0) return new Map();
  const known = new Map<string, DatedRecord>();
  for await (const facts of readDateFacts(database, records)) {
    for (const record of facts) known.set(nameOf(record.jurisdiction_code, record.uid), record);
  }
  return new Map(
    dated.flatMap((finding) => {
      const record = known.get(nameOf(finding.jurisdiction_code, finding.uid));
      const said = record === undefined ? null : sayComputed(finding, reading, record, today);
      return said === null ? [] : [[finding, said] as const];
    }),
  );
}

interface Asked {
  readonly field: EndField;
  readonly yours: string;
  /** Null if the register states none. */
  readonly register: string | null;
}

/** Cells that differ, and cells that the register does not answer. */
function listAsked({ uid, differences, not_compared: notCompared, registers }: DescribedFinding): Asked[] {
  if (uid === null) return [];
  const silent = notCompared.filter(({ field }) => registers?.[field] === null);
  const asked = [...differences, ...silent.map(({ field, yours }) => ({ field, yours, register: null }))];
  return asked.flatMap(({ field, yours, register }) => (isEnd(field) ? [{ field, yours, register }] : []));
}

const isEnd = (field: string): field is EndField => (ENDS as readonly string[]).includes(field);

function sayComputed(
  finding: DescribedFinding,
  { mapping, dayOrders }: Pick<Reading, 'mapping' | 'dayOrders'>,
  record: DatedRecord,
  today: DateText,
): Computed | null {
  const renewal = computeDates(readFacts(record), today).find(({ event }) => event === 'renewal');
  const computed = renewal?.computed ?? null;
  if (computed === null) return null;
  const { endsOn, dueOn } = computed;
  const isSame = (date: string | null): boolean => date !== null && [endsOn, dueOn].includes(date);
  return new Map(
    listAsked(finding).map(({ field, yours, register }) => {
      const position = mapping[field];
      const read = readDate(yours, (position === undefined ? null : dayOrders[position]) ?? null);
      const gives = `The rule gives ${formatDate(endsOn)}`;
      if (isSame(read)) return [field, `${gives}, as your docket.`];
      if (isSame(register)) return [field, `${gives}, as the register.`];
      return [field, register === null ? `${gives}; your docket has another date.` : `${gives}, as neither.`];
    }),
  );
}
