/**
 * Defines the order of a search, and merges results from several sources in that order. Sources are the segments of an
 * index, or indexes of different registers.
 */

/** 1 for ascending, -1 for descending. */
export type Sign = 1 | -1;

/** Negative if `one` comes before `other`, 0 if equal. Null, for no value, comes last in both directions (I-16). */
export function compareValues<Value extends number | string>(
  one: Value | null,
  other: Value | null,
  sign: Sign,
): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -sign : sign;
}

/** The first `needed` of all runs, each of which is in the order of `compare`; no two elements compare as equal. */
export function takeFirst<Element>(
  runs: readonly (readonly Element[])[],
  compare: (one: Element, other: Element) => number,
  needed: number,
): Element[] {
  const taken: Element[] = [];
  const open = runs.filter(({ length }) => length > 0).map((run) => ({ run, at: 0 }));
  while (taken.length < needed && open.length > 0) {
    let first = open[0]!;
    for (const each of open) if (compare(each.run[each.at]!, first.run[first.at]!) < 0) first = each;
    taken.push(first.run[first.at]!);
    first.at += 1;
    if (first.at === first.run.length) open.splice(open.indexOf(first), 1);
  }
  return taken;
}
