/** Summarizes the records of each register in an index, for comparison with the database. */
import { AS_BITS, SegmentMatches } from './match.ts';
import type { SearchTools } from './matchers.ts';
import { CHUNK_SIZE, listBits } from './postings.ts';
import type { View } from './view.ts';

export interface RegisterSummary {
  readonly jurisdiction_code: string;
  readonly record_count: number;
  /** The exclusive or of the records' digests, as 16 hexadecimal digits. */
  readonly digest: string;
}

/** Sorted by code; registers without records are left out. */
export function summarizeRegisters(view: View, tools: SearchTools): RegisterSummary[] {
  const codes = new Set(view.parts.flatMap(({ segment }) => segment.parts.terms.jurisdiction));
  return [...codes].sort().flatMap((code) => {
    const summary = summarizeRegister(view, code, tools);
    return summary.record_count === 0 ? [] : [summary];
  });
}

function summarizeRegister(view: View, code: string, tools: SearchTools): RegisterSummary {
  const { scratch } = tools;
  let [count, upper, lower] = [0, 0, 0];
  for (const part of view.parts) {
    const matches = SegmentMatches.open(part, [{ kind: 'terms', field: 'jurisdiction', values: [code] }], tools);
    if (matches === null) continue;
    const { digests } = part.segment;
    for (let chunk = matches.chunks.from; chunk < matches.chunks.to; chunk += 1) {
      const found = matches.evaluate(chunk, scratch.bits, 0);
      const size = found === AS_BITS ? listBits(scratch.bits, 0, scratch.list) : found;
      count += size;
      for (let at = 0; at < size; at += 1) {
        const ordinal = chunk * CHUNK_SIZE + scratch.list[at]!;
        upper ^= digests[ordinal * 2]!;
        lower ^= digests[ordinal * 2 + 1]!;
      }
    }
  }
  const digest = [upper, lower].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return { jurisdiction_code: code, record_count: count, digest };
}
