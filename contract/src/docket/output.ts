/** The findings of a docket as files: the customer's own columns and ours beside them, or one JSON object a line. */
import { encodeRow } from '../csv.ts';
import type { Mapping } from './columns.ts';
import { COMPARISONS, type ComparedField } from './compare.ts';
import type { Finding, KnownThrough, Outcome } from './reconcile.ts';

export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What every output needs beside the findings. */
export interface OutputContext {
  readonly head: readonly string[];
  readonly mapping: Mapping;
  readonly knownThrough: KnownThrough;
  /** The address of a record. */
  readonly linkRecord: (register: string, uid: string) => string;
}

const OWN_COLUMNS = [
  'tmds_result',
  'tmds_reason',
  'tmds_register',
  'tmds_uid',
  'tmds_link',
  'tmds_candidates',
  'tmds_differences',
  'tmds_not_compared',
  'tmds_updated_at',
  'tmds_known_through',
] as const;

function listCompared(mapping: Mapping): ComparedField[] {
  return (Object.keys(COMPARISONS) as ComparedField[]).filter((field) => mapping[field] !== undefined);
}

/** The row that names the columns. */
export function encodeHead({ head, mapping }: OutputContext): string {
  return encodeRow([...head, ...OWN_COLUMNS, ...listCompared(mapping).map((field) => `tmds_${field}`)]);
}

/** `different` for a row that was found and differs. */
export type Result = Outcome | 'different';

export function resultOf({ outcome, differences }: Finding): Result {
  return outcome === 'found' && differences.length > 0 ? 'different' : outcome;
}

export function encodeFinding(finding: Finding, context: OutputContext, format: OutputFormat): string {
  return format === 'csv' ? encodeCsv(finding, context) : `${JSON.stringify(describeFinding(finding, context))}\n`;
}

function encodeCsv(finding: Finding, { head, mapping, knownThrough, linkRecord }: OutputContext): string {
  const { row, record, candidates } = finding;
  const register = row.register ?? '';
  return encodeRow([
    ...head.map((_name, column) => row.row.cells[column] ?? ''),
    resultOf(finding),
    finding.reason,
    row.register,
    record?.uid,
    record === null ? '' : linkRecord(register, record.uid),
    candidates.map(({ uid }) => uid),
    finding.differences.map(({ column, yours, registers }) => `${column}: ${yours} → ${registers ?? 'not stated'}`),
    finding.notCompared.map(({ column, reason }) => `${column}: ${reason}`),
    record?.updated_at,
    knownThrough.get(register),
    ...listCompared(mapping).map((field) => (record === null ? '' : COMPARISONS[field].registers(record))),
  ]);
}

/** A finding as plain data, with the evidence of each difference. */
export function describeFinding(
  finding: Finding,
  { knownThrough, linkRecord }: Omit<OutputContext, 'head' | 'mapping'>,
) {
  const { row, record, candidates, differences, notCompared } = finding;
  const { register } = row;
  return {
    line: row.row.line,
    result: resultOf(finding),
    reason: finding.reason,
    jurisdiction_code: register,
    numbers: row.numbers.map(({ text }) => text),
    uid: record?.uid ?? null,
    link: record === null || register === null ? null : linkRecord(register, record.uid),
    updated_at: record?.updated_at ?? null,
    known_through: register === null ? null : (knownThrough.get(register) ?? null),
    candidates: candidates.map(({ uid, application_number, registration_number }) => ({
      uid,
      application_number,
      registration_number,
    })),
    differences: differences.map(({ field, column, yours, registers }) => ({
      field,
      column,
      yours,
      register: registers,
    })),
    not_compared: notCompared.map(({ field, column, yours, reason }) => ({ field, column, yours, reason })),
  };
}
export type DescribedFinding = ReturnType<typeof describeFinding>;

/** Counts for a summary. */
export class Tally {
  readonly counts: Record<Result, number> = { found: 0, different: 0, not_found: 0, ambiguous: 0, invalid: 0 };
  /** By field. */
  readonly differences: Partial<Record<ComparedField, number>> = {};
  notCompared = 0;

  add(finding: Finding): void {
    this.counts[resultOf(finding)] += 1;
    for (const { field } of finding.differences) this.differences[field] = (this.differences[field] ?? 0) + 1;
    this.notCompared += finding.notCompared.length;
  }

  /** True if every row was found and nothing differs. */
  get isClean(): boolean {
    return this.counts.different + this.counts.not_found + this.counts.ambiguous + this.counts.invalid === 0;
  }
}
