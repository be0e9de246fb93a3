/** Real records of every format, each field compared with the words of its source that were read by hand. */
import { test } from 'node:test';
import { euipoFormat } from '../../src/load/formats/euipo/adapter.ts';
import type { Format } from '../../src/load/formats/format.ts';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { tipoFormat } from '../../src/load/formats/tipo/adapter.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import { type CheckedMark, checkMark } from '../support/checked.ts';
import { CHECKED_KOREAN, CHECKED_TAIWANESE } from '../support/checked-asia.ts';
import { CHECKED_EU } from '../support/checked-eu.ts';
import { CHECKED_ST66 } from '../support/checked-st66.ts';
import { CHECKED_ANSWERS, CHECKED_CASES } from '../support/checked-us.ts';
import { skipWithout } from '../support/formats.ts';

/** At least three of each; the Japanese are in `load-jpo-real.test.ts`, because they are joined in the database. */
const CHECKED: readonly (readonly [Format, readonly CheckedMark[]])[] = [
  [usptoApcFormat, CHECKED_CASES],
  [usptoTsdrFormat, CHECKED_ANSWERS],
  // No record of Canada is held, and only masked ones of Switzerland (`st96-offices.test.ts`).
  [st96Format, CHECKED_ANSWERS.filter(({ file }) => file.endsWith('-ST96.xml'))],
  [euipoFormat, CHECKED_EU],
  [st66Format, CHECKED_ST66],
  [kiprisFormat, CHECKED_KOREAN],
  [tipoFormat, CHECKED_TAIWANESE],
];

for (const [format, marks] of CHECKED) {
  for (const mark of marks) {
    const what = [mark.file, mark.member ?? mark.number].filter((part) => part !== undefined).join(' ');
    test(`${format.name} says of ${what} what its source says, and nothing else [2.2]`, {
      skip: skipWithout(mark.file),
    }, async () => {
      await checkMark(format, mark);
    });
  }
}
