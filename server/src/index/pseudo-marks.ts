/**
 * Pseudo marks that rows got without a publish, taken into the segments that hold them. A segment never changes: it is
 * replaced by one with the same records, which shares all other arrays.
 */
import { randomUUID } from 'node:crypto';
import type { Instant } from '@tmds/contract/record';
import { microsOf } from '../base/clock.ts';
import { splitForms } from '../record/row.ts';
import { nameSections, type Segment, type SegmentParts } from './segment.ts';
import { DictionaryBuilder } from './text-table.ts';

/** A record with its held forms, as the database holds it. */
export interface RecordForms {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
  readonly mark_variants: string;
}

/** The pseudo marks of the records of one segment; records come in the order of their keys. */
export class PseudoMarksOf {
  private readonly segment: Segment;
  private readonly found: { readonly ordinal: number; readonly forms: readonly string[] }[] = [];
  private place = 0;

  constructor(segment: Segment) {
    this.segment = segment;
  }

  /** Skips a record that the segment does not hold in this version. */
  add(record: RecordForms): void {
    const { segment } = this;
    const { jurisdiction_code, uid, updated_at, mark_variants } = record;
    this.place = segment.findKey(segment.byKey, this.place, segment.records, { jurisdiction_code, uid }, true);
    const ordinal = segment.byKey[this.place];
    if (ordinal === undefined || !segment.isRecord(ordinal, record)) return;
    if (segment.stampOf(ordinal) !== microsOf(updated_at)) return;
    this.found.push({ ordinal, forms: splitForms(mark_variants).pseudo_mark });
  }

  /** Null if the segment has none, and had none. */
  finish(): SegmentParts | null {
    const { parts, names } = this.segment;
    if (this.found.length === 0 && names.pseudo_mark.ordinals.length === 0) return null;
    const dictionary = new DictionaryBuilder();
    for (const { ordinal, forms } of this.found.sort((one, other) => one.ordinal - other.ordinal)) {
      for (const form of forms) if (form !== '') dictionary.add(form, ordinal);
    }
    const sections = { ...parts.sections, ...nameSections('pseudo_mark', dictionary.finish()) };
    return { ...parts, id: randomUUID(), sections };
  }
}
