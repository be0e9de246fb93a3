/**
 * Decides to which classification the classes of a Korean answer belong (rule I-51). The answers do not name it. The
 * office's own classes before the Nice classification are written with three digits (`018`), Nice classes with two.
 */
import { listOrNull, parseNiceClass } from '../codes.ts';
import type { ClassEntry } from '../payload.ts';
import { stated } from '../payload.ts';
import { type Reading, raiseIssue } from '../reading.ts';

/** The day the office began to use the Nice classification. */
const NICE_SINCE = '1998-03-01';
const NICE_SINCE_YEAR = NICE_SINCE.slice(0, 4);
const NATIONAL = /^\d{3}$/;

export interface AnswerClasses {
  niceClasses: number[] | null;
  /** Null when the answer states no class. */
  entry: ClassEntry | null;
}

interface StatedClasses {
  path: string;
  codes: readonly string[];
  applicationDate: string | null;
  /** The application number; its year stands in for a date that the answer leaves out. */
  number: string;
}

export function readClasses(reading: Reading, { path, codes, applicationDate, number }: StatedClasses): AnswerClasses {
  const isOld = applicationDate === null ? yearOf(number) < NICE_SINCE_YEAR : applicationDate < NICE_SINCE;
  const classes: number[] = [];
  const nice: string[] = [];
  const national: string[] = [];
  const unknown: string[] = [];
  for (const code of codes) {
    const hasNationalForm = NATIONAL.test(code);
    const niceClass = isOld ? null : parseNiceClass(code);
    if (isOld && hasNationalForm) national.push(code);
    else if (niceClass === null) {
      unknown.push(code);
      raiseIssue(reading, 'unmapped_class', path, code);
    } else {
      classes.push(niceClass);
      nice.push(code);
      if (hasNationalForm) raiseIssue(reading, 'assumed_nice_class', path, code);
    }
  }
  return {
    niceClasses: listOrNull(classes.sort((a, b) => a - b)),
    entry:
      codes.length === 0
        ? null
        : stated<ClassEntry>({
            international_codes: nice,
            national_codes: national,
            details: stated({ codes_of_unknown_scheme: unknown }),
          }),
  };
}

/** `40-1989-0008545` and `4019890008545` were filed in 1989. */
function yearOf(number: string): string {
  return number.replaceAll('-', '').slice(2, 6);
}
