/**
 * The order of a history. Offices deliver the same events in another order each time, and the order of events is
 * content (rule I-34), so one order is imposed: newest first, on one day the highest number first.
 */
import type { RecordEvent } from './payload.ts';

export function newestFirst(events: readonly RecordEvent[]): RecordEvent[] {
  return [...events].sort(compareEvents);
}

/** No two different events compare equal, so the order of the source never shows. */
function compareEvents(a: RecordEvent, b: RecordEvent): number {
  if (a.date !== b.date) return (a.date ?? '') < (b.date ?? '') ? 1 : -1;
  const difference = toNumber(b) - toNumber(a);
  if (difference !== 0) return difference;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : Number(one > other);
}

function toNumber({ number }: RecordEvent): number {
  return number !== undefined && /^\d{1,15}$/.test(number) ? Number(number) : 0;
}
