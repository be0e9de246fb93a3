/** The delivered text of a record's content: rendered once, stored, and the base of its digest. */
import type { RecordContent } from '@tmds/contract/record';
import type { NormalizedRecord } from './document.ts';

/** What a normalized record holds beside its content; a member that is undefined is left out of JSON. */
const BESIDE_CONTENT = {
  mark_name_variants: undefined,
  payload: undefined,
  source_version: undefined,
  normalized: undefined,
} satisfies Record<Exclude<keyof NormalizedRecord, keyof RecordContent>, undefined>;

/** A JSON object without its closing brace, to which a publish appends the stamps. Fields in the table's order. */
export function renderContent(record: NormalizedRecord): string {
  return JSON.stringify({ ...record, ...BESIDE_CONTENT }).slice(0, -1);
}
