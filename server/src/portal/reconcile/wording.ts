/**
 * The findings about a row of a docket in words, for pages and for files; and what the rule gives for the end of a term
 * that a docket has, the third voice next to the docket and the register. The comparison itself knows what registers
 * state and nothing else; the rule is read when a page shows its rows.
 */

import { readDate } from '@tmds/contract/docket/dates';
import { DATE_COLUMNS, DOCKET_FIELDS, type DocketField } from '@tmds/contract/docket/fields';
import type { DescribedFinding, Result } from '@tmds/contract/docket/output';
import type { Reading } from '@tmds/contract/docket/rows';
import type { DateText } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { computeDates, readFacts } from '../../dates/compute.ts';
import type { MarkState } from '../../store/accounts/dockets.ts';
import { type DatedRecord, readDateFacts } from '../../store/records/date-facts.ts';
import type { Level } from '../frame/components.ts';
import { formatDate } from '../frame/pieces.ts';
import type { Docket, ResultRow, Since } from './results.ts';

/** Results that need attention come first. */
export const RESULT_TITLES: Readonly<Record<Result, readonly [title: string, level: Level]>> = {
  different: ['Differences', 'warn'],
  not_found: ['Not found', 'bad'],
  ambiguous: ['Several candidates', 'warn'],
  invalid: ['Needs fixing', 'off'],
  found: ['Matches', 'good'],
};

export const STATE_TITLES: Readonly<Record<MarkState, readonly [title: string, level: Level]>> = {
  done: ['Done', 'good'],
  ignored: ['Ignored', 'off'],
};

export function describeResult(result: Result): string {
  return RESULT_TITLES[result][0];
}

export function writeStated(field: DocketField, value: string): string {
  return (DATE_COLUMNS as readonly DocketField[]).includes(field) ? formatDate(value) : value;
}

export function describeSince({ kind, was, at }: Since): string {
  if (kind === 'new') return 'New row';
  const day = at === null ? '' : ` on ${formatDate(at.slice(0, 10))}`;
  if (kind === 'updated') return `Record updated since the last comparison${day}`;
  return was === null ? `Changed since the last comparison${day}` : `${describeResult(was)}${day}, now different`;
}

export function sayDetails({ reason, differences, candidates, not_compared: notCompared }: DescribedFinding): string[] {
  return [
    ...(reason === null ? [] : [reason]),
    ...differences.map(({ field, yours, register }) => {
      const theirs = register === null ? 'states none' : `has “${writeStated(field, register)}”`;
      return `${DOCKET_FIELDS[field]}: you have “${yours}”, the register ${theirs}.`;
    }),
    ...candidates.map(({ uid, application_number: application, registration_number: registration }) =>
      [
        `Candidate ${uid}:`,
        application === null ? null : `application ${application}`,
        registration === null ? null : `registration ${registration}`,
      ]
        .filter((part) => part !== null)
        .join(' '),
    ),
    ...notCompared.map(({ field, reason: why }) => `${DOCKET_FIELDS[field]} is not compared: ${why}.`),
  ];
}

/** Why a comparison stopped, by the code of the refusal, and what to do. */
const STOPPED: Readonly<Record<string, string>> = {
  quota_exceeded: 'the units of the month are used up. Continue when there are units again.',
  rate_limited: 'the key makes too many calls elsewhere. Continue in a few minutes.',
  key_revoked: 'the key was revoked. Delete the docket and upload it again with another key.',
  product_not_allowed: 'the key may not look up records. Delete the docket and upload it again with another key.',
};

export function describeFailure(failure: string): string {
  return STOPPED[failure] ?? 'the service could not continue. Try again in a few minutes.';
}

const ENDS = ['next_renewal', 'expiry_date'] as const;
type EndField = (typeof ENDS)[number];

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
