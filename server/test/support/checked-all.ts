/** The real records that were read by hand, by format; at least three of each that real files hold. */
import type { CheckedMark } from './checked.ts';
import { CHECKED_KOREAN, CHECKED_TAIWANESE } from './checked-asia.ts';
import { CHECKED_EU } from './checked-eu.ts';
import { CHECKED_ST66 } from './checked-st66.ts';
import { CHECKED_ANSWERS, CHECKED_CASES } from './checked-us.ts';

/** The Brazilian and the Japanese are in `checked-brazil.ts` and `checked-japan.ts`: their records are made of parts. */
export const CHECKED: Readonly<Record<string, readonly CheckedMark[]>> = {
  'uspto-apc': CHECKED_CASES,
  'uspto-tsdr': CHECKED_ANSWERS,
  // The one record of Canada is a rebuilt one, and those of Switzerland are masked (`st96-offices.test.ts`).
  st96: CHECKED_ANSWERS.filter(({ file }) => file.endsWith('-ST96.xml')),
  euipo: CHECKED_EU,
  st66: CHECKED_ST66,
  kipris: CHECKED_KOREAN,
  tipo: CHECKED_TAIWANESE,
};
