/** Instants as whole microseconds since 1970, which a double represents exactly until the year 2255. */
import type { Instant } from '@tmds/contract/record';

/** Takes an instant in the wire format (rule I-31). */
export function microsOf(instant: Instant): number {
  const wholeSeconds = Date.parse(`${instant.slice(0, 19)}Z`);
  return wholeSeconds * 1000 + Number(instant.slice(20, 26));
}

export function instantOf(micros: number): Instant {
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const seconds = new Date((micros - rest) / 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(rest).padStart(6, '0')}Z`;
}
