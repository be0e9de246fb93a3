/**
 * Counts what the records of a file hold: how many state each field and each section of the payload, the range of their
 * dates, and the largest record. Memory is bounded whatever the file holds.
 */
import { CONTENT_FIELDS, type ContentField } from '@tmds/contract/record';
import type { NormalizedRecord } from '../../record/document.ts';
import type { PreparedRecord } from '../rows/encode.ts';

interface FieldTally {
  records: number;
  /** Percentage of records, to one decimal; 0 only if no record states it. */
  percent: number;
  /** The earliest and the latest date; only of date fields. */
  earliest?: string | null;
  latest?: string | null;
}

interface LargestRecord {
  jurisdiction_code: string;
  uid: string;
  position: string;
  characters: number;
}

export interface Tally {
  records: number;
  /** How many of these state only a part of their record. */
  partial: number;
  /** Records by register. */
  registers: Record<string, number>;
  fields: Record<string, FieldTally>;
  /** The members of the payload; beyond 100 different ones, the others are counted together under `…`. */
  payload_sections: Record<string, FieldTally>;
  largest_record: LargestRecord | null;
}

export interface TallyCounter {
  add(prepared: PreparedRecord): void;
  read(): number;
  list(): Tally;
}

type Field = ContentField | 'mark_name_variants' | 'payload';

const FIELDS: readonly Field[] = [...(Object.keys(CONTENT_FIELDS) as ContentField[]), 'mark_name_variants', 'payload'];
const DATE_FIELDS: ReadonlySet<string> = new Set(
  Object.entries(CONTENT_FIELDS).flatMap(([field, { type }]) => (type === 'date' ? [field] : [])),
);
const SECTIONS_MAX = 100;
const REGISTERS_MAX = 100;
const OTHERS = '…';

export function openTally(): TallyCounter {
  const filled = new Map<string, number>();
  const sections = new Map<string, number>();
  const registers = new Map<string, number>();
  const dates = new Map<string, { earliest: string; latest: string }>();
  let records = 0;
  let partial = 0;
  let largest: LargestRecord | null = null;

  const countFields = (record: NormalizedRecord): void => {
    for (const field of FIELDS) {
      const value = record[field];
      if (value === null) continue;
      count(filled, field);
      if (!DATE_FIELDS.has(field)) continue;
      const date = value as string;
      const known = dates.get(field);
      if (known === undefined) dates.set(field, { earliest: date, latest: date });
      else if (date < known.earliest) known.earliest = date;
      else if (date > known.latest) known.latest = date;
    }
  };
  return {
    add({ record, position, length }) {
      const { jurisdiction_code, uid } = record;
      records += 1;
      if (record.is_partial) partial += 1;
      count(registers, jurisdiction_code, REGISTERS_MAX);
      countFields(record);
      for (const [name, value] of Object.entries(record.payload ?? {})) {
        if (isStated(value)) count(sections, name, SECTIONS_MAX);
      }
      if (largest === null || length > largest.characters) {
        largest = { jurisdiction_code, uid, position, characters: length };
      }
    },
    read: () => records,
    list: () => ({
      records,
      partial,
      registers: Object.fromEntries(registers),
      fields: Object.fromEntries(
        FIELDS.map((field) => {
          const share = shareOf(filled.get(field) ?? 0, records);
          if (!DATE_FIELDS.has(field)) return [field, share];
          const { earliest = null, latest = null } = dates.get(field) ?? {};
          return [field, { ...share, earliest, latest }];
        }),
      ),
      payload_sections: Object.fromEntries([...sections].map(([name, stated]) => [name, shareOf(stated, records)])),
      largest_record: largest,
    }),
  };
}

function count(counts: Map<string, number>, name: string, distinctMax = Number.POSITIVE_INFINITY): void {
  const key = counts.has(name) || counts.size < distinctMax ? name : OTHERS;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Never rounded to nothing, nor to all. */
function shareOf(stated: number, records: number): FieldTally {
  if (stated === 0 || stated === records) return { records: stated, percent: stated === 0 ? 0 : 100 };
  return { records: stated, percent: Math.min(99.9, Math.max(0.1, Math.round((stated / records) * 1000) / 10)) };
}

/** In a payload null, an empty list and an empty object state nothing. */
function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);
}
