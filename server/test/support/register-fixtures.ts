/**
 * One file of every shape that the XML formats read, each with one record that states as much as its shape can. What is
 * proved of every format is proved over this list: a new format takes its line here.
 */

import type { Format } from '../../src/load/formats/format.ts';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { euipoFormat, st66Format } from '../../src/load/formats/st66/adapter.ts';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { tipoFormat } from '../../src/load/formats/tipo/adapter.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import { FULL_DAILY } from './case-file.ts';
import { writeAnswer as writeKoreanAnswer, writeMark } from './korean-answers.ts';
import { EUROPEAN_RECORD, FRENCH_NOTICE, GERMAN_RECORD } from './st66-fixtures.ts';
import { FULL_CASE, FULL_ST66_CASE, writeAnswer as writeSwissAnswer, writeTransaction } from './st96.ts';
import { CANADIAN_BODY, SWISS, writeCanadian } from './st96-offices.ts';
import { APPLICATION, ENTRY, writeApplications, writeGazette } from './taiwanese-files.ts';

/** Something in a record that may change without a word, and why. */
interface Silence {
  /** Matches a path below the record and what was done, as in `Applicant/Name@languageCode removed`. */
  readonly where: RegExp;
  readonly why: string;
}

export interface RegisterFixture {
  /** What the file is, for the names of tests and rows of tables. */
  readonly title: string;
  readonly format: Format;
  readonly file: string;
  /** The element that holds the record. */
  readonly record: string;
  /** The digits in the record by which the office distinguishes it from others. */
  readonly number: string;
  readonly silences?: readonly Silence[];
}

const PLACE_IN_LIST: Silence = {
  where: /@(no|sequence|sequenceNumber) (removed|emptied|moved)$/,
  why: 'it counts the entries of a list, whose order is kept',
};
const ORDINARY_OPERATION: Silence = {
  where: /^@operationCode (removed|emptied|moved)$/,
  why: 'an insertion, an update and a mark without an operation state a mark alike',
};
const SAME_ELSEWHERE = 'another element says the same';
const TWO_PLACES = 'the standard has two places for it, which mean the same';

const KOREAN_MARK = { InternationalRegisterNumber: '984562', InternationalRegisterDate: '20090101' };

export const REGISTER_FIXTURES: readonly RegisterFixture[] = [
  {
    title: 'USPTO daily file',
    format: usptoApcFormat,
    file: FULL_DAILY,
    record: 'case-file',
    number: '97000001',
    silences: [{ where: /-code-total-no (removed|doubled|emptied)$/, why: 'it counts codes that follow' }],
  },
  {
    title: 'TSDR answer in ST.96',
    format: usptoTsdrFormat,
    file: writeTransaction(FULL_CASE),
    record: 'Trademark',
    number: '97000001',
    silences: [PLACE_IN_LIST, { where: /Applicant\/Version\/CommentText moved$/, why: TWO_PLACES }],
  },
  {
    title: 'TSDR answer in ST.66',
    format: usptoTsdrFormat,
    file: FULL_ST66_CASE,
    record: 'TradeMark',
    number: '97000001',
    silences: [{ where: /AdditionalMarkDetails\/ns2:RenewalDate moved$/, why: TWO_PLACES }],
  },
  {
    title: 'EUIPO file',
    format: euipoFormat,
    file: EUROPEAN_RECORD,
    record: 'TradeMark',
    number: '018000001',
    silences: [
      ORDINARY_OPERATION,
      { where: /\/DesignatedCountryCode moved$/, why: TWO_PLACES },
      {
        where: /^RegistrationOfficeCode (removed|emptied)$/,
        why: 'the office of an extension is WO, and the format knows its register',
      },
    ],
  },
  { title: 'German ST.66', format: st66Format, file: GERMAN_RECORD, record: 'TradeMark', number: '900001' },
  {
    title: 'French ST.66',
    format: st66Format,
    file: FRENCH_NOTICE,
    record: 'TradeMark',
    number: '5000001',
    silences: [ORDINARY_OPERATION],
  },
  {
    title: 'Canadian ST.96',
    format: st96Format,
    file: writeCanadian({ body: CANADIAN_BODY }),
    record: 'Trademark',
    number: '00000102697',
    silences: [
      PLACE_IN_LIST,
      { where: /@type (removed|emptied|moved)$/, why: 'it names a type of the schema' },
      { where: /@geographicRegionCategory (removed|emptied|moved)$/, why: 'it says what kind of region a name is' },
      { where: /Classification\/ClassificationKindCode (removed|emptied)$/, why: SAME_ELSEWHERE },
      { where: /(Contact|EntityName|Address)@languageCode (removed|emptied)$/, why: SAME_ELSEWHERE },
    ],
  },
  { title: 'Swiss ST.96', format: st96Format, file: writeSwissAnswer([SWISS]), record: 'Trademark', number: '01234' },
  {
    title: 'Korean answer',
    format: kiprisFormat,
    file: writeKoreanAnswer([writeMark(KOREAN_MARK)]),
    record: 'TradeMarkInfo',
    number: '0012345',
    silences: [
      { where: /^SerialNumber (removed|doubled|emptied)$/, why: 'it counts the marks of the answer' },
      { where: /^FulltextExistFlag (removed|doubled|emptied)$/, why: 'it describes the service, not the mark' },
    ],
  },
  {
    title: 'Taiwanese gazette',
    format: tipoFormat,
    file: writeGazette(ENTRY),
    record: 'RegContent',
    number: '110000001',
    silences: [PLACE_IN_LIST],
  },
  {
    title: 'Taiwanese applications',
    format: tipoFormat,
    file: writeApplications(APPLICATION),
    record: 'tmarkcontent',
    number: '100000009',
    silences: [PLACE_IN_LIST],
  },
];
