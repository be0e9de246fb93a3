/** The findings of a docket as files: the customer's own columns followed by ours, or one JSON object a line. */
import { encodeRow } from '../csv.ts';
import { COMPARISONS, type ComparedField } from './compare.ts';
import type { Mapping } from './fields.ts';
import type { DocketRecord } from './match.ts';
import type { Finding, KnownThrough } from './reconcile.ts';
import { cellOf } from './rows.ts';

export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What every output needs in addition to the findings. */
export interface OutputContext {
  readonly head: readonly string[];
  readonly mapping: Mapping;
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

/** `different` for a row that was found and differs. */
export const RESULTS = ['found', 'different', 'not_found', 'ambiguous', 'invalid'] as const;
export type Result = (typeof RESULTS)[number];

export function resultOf({ outcome, differences }: Pick<Finding, 'outcome' | 'differences'>): Result {
  return outcome === 'found' && differences.length > 0 ? 'different' : outcome;
}

/** Length of a reference or a mark that is repeated, in UTF-16 units. */
const REPEATED_MAX = 500;

function cut(cell: string): string | null {
  return cell === '' ? null : cell.slice(0, REPEATED_MAX).toWellFormed();
}

/** A finding as plain data, with the evidence of its differences. */
export function describeFinding(finding: Finding, mapping: Mapping, knownThrough: KnownThrough) {
  const { row, record, candidates, differences, notCompared } = finding;
  const { register } = row;
  const stated = (held: DocketRecord) =>
    Object.fromEntries(listCompared(mapping).map((field) => [field, COMPARISONS[field].registers(held)]));
  return {
    line: row.row.line,
    /** The customer's own name of the row, and the mark: as the row has it, or else as the register does. */
    reference: cut(cellOf(row.row, mapping.reference)),
    mark: cut(cellOf(row.row, mapping.mark_name)) ?? record?.mark_name ?? null,
    result: resultOf(finding),
    reason: finding.reason,
    jurisdiction_code: register,
    numbers: row.numbers.map(({ text }) => text),
    uid: record?.uid ?? null,
    /** When the content of the record last changed, and up to when the register is complete. */
    updated_at: record?.updated_at ?? null,
    known_through: register === null ? null : (knownThrough.get(register) ?? null),
    /** What the register states of the compared fields; null unless one record was found. */
    registers: record === null ? null : (stated(record) as Partial<Record<ComparedField, string | null>>),
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

/** The row that names the columns of CSV; nothing for NDJSON. */
export function encodeHead({ head, mapping }: OutputContext, format: OutputFormat): string {
  if (format === 'ndjson') return '';
  return encodeRow([...head, ...OWN_COLUMNS, ...listCompared(mapping).map((field) => `tmds_${field}`)]);
}

/** `cells`: the row as the customer has it. */
export function encodeFinding(
  finding: DescribedFinding,
  cells: readonly string[],
  { head, mapping, linkRecord }: OutputContext,
  format: OutputFormat,
): string {
  const { jurisdiction_code: register, uid } = finding;
  const link = register === null || uid === null ? null : linkRecord(register, uid);
  if (format === 'ndjson') return `${JSON.stringify({ ...finding, link })}\n`;
  return encodeRow([
    ...head.map((_name, column) => cells[column] ?? ''),
    finding.result,
    finding.reason,
    register,
    uid,
    link,
    finding.candidates.map((candidate) => candidate.uid),
    finding.differences.map((each) => `${each.column}: ${each.yours} → ${each.register ?? 'not stated'}`),
    finding.not_compared.map(({ column, reason }) => `${column}: ${reason}`),
    finding.updated_at,
    finding.known_through,
    ...listCompared(mapping).map((field) => finding.registers?.[field]),
  ]);
}

/** Counts for a summary. */
export class Tally {
  readonly counts: Record<Result, number> = { found: 0, different: 0, not_found: 0, ambiguous: 0, invalid: 0 };
  /** By field. */
  readonly differences: Partial<Record<ComparedField, number>> = {};
  notCompared = 0;

  add({ result, differences, not_compared: notCompared }: DescribedFinding): void {
    this.counts[result] += 1;
    for (const { field } of differences) this.differences[field] = (this.differences[field] ?? 0) + 1;
    this.notCompared += notCompared.length;
  }

  /** True if every row was found and nothing differs. */
  get isClean(): boolean {
    return RESULTS.every((result) => result === 'found' || this.counts[result] === 0);
  }
}
