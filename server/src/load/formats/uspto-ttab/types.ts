/** The codes of the board, as far as their meaning is known. */
import type { EventPartyRole, MarkRole, RecordEvent } from '../payload.ts';

export interface ProceedingType {
  kind: RecordEvent['kind'];
  text: string | null;
  /** The role of the marks of each side in the proceeding. */
  plaintiff: MarkRole;
  defendant: MarkRole;
  /** The number of the proceeding is the serial number of the case it is about. */
  isNumberedByCase: boolean;
}

export const PROCEEDING_TYPES: Readonly<Record<string, ProceedingType>> = {
  OPP: {
    kind: 'opposition',
    text: 'Opposition',
    plaintiff: 'relied_upon',
    defendant: 'subject',
    isNumberedByCase: false,
  },
  CAN: {
    kind: 'cancellation',
    text: 'Cancellation',
    plaintiff: 'relied_upon',
    defendant: 'subject',
    isNumberedByCase: false,
  },
  EXA: {
    kind: 'appeal',
    text: 'Ex Parte Appeal',
    plaintiff: 'subject',
    defendant: 'subject',
    isNumberedByCase: true,
  },
  EXT: {
    kind: 'opposition',
    text: 'Extension of Time',
    plaintiff: 'relied_upon',
    defendant: 'subject',
    isNumberedByCase: true,
  },
  CNU: {
    kind: 'proceeding',
    text: 'Concurrent Use',
    plaintiff: 'named',
    defendant: 'named',
    isNumberedByCase: false,
  },
};

export const PARTY_ROLES: Readonly<Record<string, EventPartyRole & ('plaintiff' | 'defendant')>> = {
  P: 'plaintiff',
  D: 'defendant',
};
