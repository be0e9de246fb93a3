/** How words and classes of the Korean answers map. The texts are Korean and are mapped untranslated. */
import type { MarkFeature } from '@tmds/contract/enums';
import { type ClassEntry, stated } from '../document.ts';
import type { Element } from '../element.ts';
import { parseNiceClass, readMeanings, type StatusMeaning, sortClasses } from '../meanings.ts';

/** `ended`: cancelled when the mark has been registered, abandoned when it has not. */
export const STATUSES = readMeanings<StatusMeaning>({
  Pending: '출원 | 공고',
  Registered: '등록',
  ended: '거절 | 포기 | 취하 | 무효',
  Cancelled: '소멸 | 실효',
});

/** The drawing kind of a mark, in the words of the office. */
export const FEATURES = readMeanings<MarkFeature>({
  Word: '문자 | 문자상표',
  Figurative: '도형 | 도형상표',
  // `도형복합`: a figure with letters.
  Combined: '도형복합',
  'Three-dimensional': '입체 | 입체상표',
  Sound: '소리 | 소리상표',
  Olfactory: '냄새 | 냄새상표',
  Hologram: '홀로그램 | 홀로그램상표',
  Motion: '동작 | 동작상표',
  Position: '위치 | 위치상표',
});

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
