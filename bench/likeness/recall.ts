/** How many earlier marks a ranked search finds within the first names of its list. */
import type { Baseline } from './baselines.ts';
import { type Contested, isTuned } from './pairs.ts';

const WITHIN = [10, 50, 200] as const;

interface Found {
  pairs: number;
  /** Marks with any of their earlier marks, and with all of them. */
  any: number;
  all: number;
}

export interface Recall {
  readonly title: string;
  /** By the bound of `WITHIN`: of all marks, of those that were tuned on, of the others. */
  readonly all: readonly Found[];
  readonly tuned: readonly Found[];
  readonly untuned: readonly Found[];
  /** Names in the list of a mark, at the median. */
  readonly length: number;
}

export function measureRecall({ title, find }: Baseline, contested: readonly Contested[]): Recall {
  const empty = (): Found[] => WITHIN.map(() => ({ pairs: 0, any: 0, all: 0 }));
  const recall = { all: empty(), tuned: empty(), untuned: empty() };
  const lengths: number[] = [];
  for (const mark of contested) {
    // The mark itself is in the list of a register that holds it; it is a hit only if an earlier mark has its text.
    const list = find(mark.mark).filter((name) => name !== mark.mark || mark.earlier.includes(name));
    lengths.push(list.length);
    for (const [index, within] of WITHIN.entries()) {
      const first = new Set(list.slice(0, within));
      const found = mark.earlier.filter((name) => first.has(name)).length;
      for (const half of [recall.all, isTuned(mark) ? recall.tuned : recall.untuned]) {
        half[index]!.pairs += found;
        if (found > 0) half[index]!.any += 1;
        if (found === mark.earlier.length) half[index]!.all += 1;
      }
    }
  }
  return { title, ...recall, length: lengths.sort((one, other) => one - other)[Math.floor(lengths.length / 2)]! };
}

export function renderTable(rows: readonly Recall[]): string {
  const show = (found: readonly Found[]): string =>
    found.map(({ pairs, any, all }) => `${pairs} (${any}, ${all})`).join(' / ');
  return [
    '| | list | all: 10 / 50 / 200 | tuned half | other half |',
    '|---|---:|---|---|---|',
    ...rows.map(
      ({ title, length, all, tuned, untuned }) =>
        `| ${title} | ${length} | ${show(all)} | ${show(tuned)} | ${show(untuned)} |`,
    ),
  ].join('\n');
}
