/** Finds a text with too many combining marks in a row (rule I-45), anywhere in a value. */
import { hasTooManyMarks } from '@tmds/contract/text';

/** Whether a text or a name of a member, at any depth, holds too many. */
export function holdsTooManyMarks(value: unknown): boolean {
  // Most values are a text or none.
  if (typeof value === 'string') return hasTooManyMarks(value);
  if (typeof value !== 'object' || value === null) return false;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (hasTooManyMarks(next)) return true;
    } else if (Array.isArray(next)) for (const entry of next) open.push(entry);
    else if (typeof next === 'object' && next !== null) {
      for (const [name, member] of Object.entries(next)) {
        if (hasTooManyMarks(name)) return true;
        open.push(member);
      }
    }
  }
  return false;
}
