/**
 * Decides up to which instant a load makes its registers complete (rule I-37). The database knows how complete a
 * register is already, and never moves that back.
 */
import type { Instant } from '@tmds/contract/record';

/** The frontier of a load: the operator's, or else the latest that the files state. */
export interface Frontier {
  instant: Instant | null;
  note(instant: Instant): void;
}

export function openFrontier(stated: Instant | null): Frontier {
  return {
    instant: stated,
    note(instant) {
      if (stated === null && (this.instant === null || instant > this.instant)) this.instant = instant;
    },
  };
}
