/** How words and classes of the Korean answers map. The texts are Korean and are mapped untranslated. */
import type { MarkFeature } from '@tmds/contract/enums';
import { type ClassEntry, stated } from '../document.ts';
import type { Element } from '../element.ts';
import { parseNiceClass, type StatusMeaning, sortClasses } from '../meanings.ts';

/** `ended`: cancelled when the mark has been registered, abandoned when it has not. */
export const STATUSES: Readonly<Record<string, StatusMeaning>> = {
  출원: 'Pending',
  공고: 'Pending',
  등록: 'Registered',
  거절: 'ended',
  포기: 'ended',
  취하: 'ended',
  무효: 'ended',
  소멸: 'Cancelled',
  실효: 'Cancelled',
};

/** The drawing kind of a mark, in the words of the office. */
export const FEATURES: Readonly<Record<string, MarkFeature>> = {
  문자: 'Word',
  문자상표: 'Word',
  도형: 'Figurative',
  도형상표: 'Figurative',
  // A figure with letters.
  도형복합: 'Combined',
  입체: 'Three-dimensional',
  입체상표: 'Three-dimensional',
  소리: 'Sound',
  소리상표: 'Sound',
  냄새: 'Olfactory',
  냄새상표: 'Olfactory',
  홀로그램: 'Hologram',
  홀로그램상표: 'Hologram',
  동작: 'Motion',
  동작상표: 'Motion',
  위치: 'Position',
  위치상표: 'Position',
};

/** The day the office began to use the Nice classification. */
const NICE_SINCE = '1998-03-01';
const NICE_SINCE_YEAR = NICE_SINCE.slice(0, 4);
const NATIONAL = /^\d{3}$/;

interface AnswerClasses {
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

/**
 * Decides to which classification the classes of an answer belong (rule I-51). The answers do not name it. The office's
 * own classes before the Nice classification are written with three digits (`018`), Nice classes with two.
 */
export function readClasses(root: Element, { path, codes, applicationDate, number }: StatedClasses): AnswerClasses {
  // `40-1989-0008545` and `4019890008545` were filed in 1989.
  const isOld =
    applicationDate === null ? number.replaceAll('-', '').slice(2, 6) < NICE_SINCE_YEAR : applicationDate < NICE_SINCE;
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
      root.raise('unmapped_class', path, code);
    } else {
      classes.push(niceClass);
      nice.push(code);
      if (hasNationalForm) root.raise('assumed_nice_class', path, code);
    }
  }
  return {
    niceClasses: sortClasses(classes),
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
