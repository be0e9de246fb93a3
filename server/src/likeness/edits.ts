/** Letters that are added, dropped, changed, or exchanged with their neighbour, up to a bound. */

export const EDITS_MAX = 2;

/**
 * How many edits lead from one row of codes to the other; more than `EDITS_MAX` if it takes more. Each letter is edited
 * at most once (optimal string alignment).
 */
export function countEdits(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (Math.abs(one.length - other.length) > EDITS_MAX) return EDITS_MAX + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = new Array<number>(other.length + 1).fill(EDITS_MAX + 1);
    current[0] = row;
    let least = row;
    const from = Math.max(1, row - EDITS_MAX);
    const to = Math.min(other.length, row + EDITS_MAX);
    for (let column = from; column <= to; column += 1) {
      let edits = Math.min(last[column]!, current[column - 1]!) + 1;
      edits = Math.min(edits, last[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        edits = Math.min(edits, before[column - 2]! + 1);
      }
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > EDITS_MAX) return EDITS_MAX + 1;
    before = last;
    last = current;
  }
  return Math.min(last[other.length]!, EDITS_MAX + 1);
}
