/** Status, kind, feature, dates and classes of a national mark, from the rows that describe it. */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { findExplainedFeature, latestOf, listCells, readClasses } from './fields.ts';
import { dispositionText, ENDED, statusOfApplication } from './status.ts';
import { cell, dateCell, firstDate, isSet, listRows, type Row, type Rows, raiseIssue } from './values.ts';

/** The rows that describe a mark as a whole. A row that the office has removed still describes the mark. */
export interface MainRows {
  application: Row | undefined;
  basic: Row | undefined;
  management: Row | undefined;
  defensive: Row | undefined;
}

/** The day Japan began to use Nice classes. Earlier applications that were never reclassified have older classes. */
const NICE_SINCE = '1992-04-01';

export function readStatus(
  rows: Rows,
  { application, basic, management, defensive }: MainRows,
  registration: string | null,
): { status: Status; tm5_status: string | null } {
  const final = cell(basic, 'final_dspst_cd');
  const code = final ?? cell(application, 'saishushobun_shubetu');
  const tm5_status = dispositionText(code);
  const ended =
    cell(management, 'right_ersr_id') !== null ||
    cell(management, 'right_disppr_year_month_day') !== null ||
    isSet(defensive, 'sec_ersr_flg') ||
    (final === ENDED && cell(basic, 'final_dspst_dt') !== null);
  if (ended) return { status: 'Cancelled', tm5_status };
  if (registration !== null) return { status: 'Registered', tm5_status };
  const status = statusOfApplication(code);
  if (status === null) {
    const [row, column] = final === null ? [application, 'saishushobun_shubetu'] : [basic, 'final_dspst_cd'];
    if (row !== undefined) raiseIssue(rows, 'unmapped_status', row, column, code ?? '');
  }
  return { status: status ?? 'Unknown', tm5_status };
}

type Cell = readonly [row: Row | undefined, column: string];

const isStated = ([row, column]: Cell): boolean => cell(row, column) !== null;

/** The numbers of a defensive mark among those of its principal. */
const listDefensiveNumbers = ({ application, basic }: MainRows): Cell[] => [
  [basic, 'sec_num'],
  [application, 'bogo_no'],
];

const listCollectiveCells = ({ basic, management }: MainRows): Cell[] => [
  [basic, 'app_typ_group'],
  [basic, 'app_typ_area_group'],
  [management, 'group_t_flg'],
  [management, 'area_group_t_flg'],
];

/** The cells that state the kind of the mark. */
export function listKindCells(main: MainRows): Cell[] {
  return [[main.basic, 'app_typ_sec'], ...listDefensiveNumbers(main), ...listCollectiveCells(main)];
}

export function readKind(main: MainRows): KindOfMark | null {
  const isDefensive =
    main.defensive !== undefined || isSet(main.basic, 'app_typ_sec') || listDefensiveNumbers(main).some(isStated);
  if (isDefensive) return 'Defensive';
  return listCollectiveCells(main).some(([row, column]) => isSet(row, column)) ? 'Collective' : null;
}

const listStandardCells = ({ application, management }: MainRows): Cell[] => [
  [application, 'hyojunmoji_umu'],
  [management, 'standard_char_t_flg'],
];

const listSpecialCells = ({ application, management }: MainRows): Cell[] => [
  [application, 'rittaishohyo_umu'],
  [management, 'special_t_id'],
];

/** The cells that state what the mark consists of. */
export function listFeatureCells(main: MainRows): Cell[] {
  return [...listStandardCells(main), ...listSpecialCells(main)];
}

export function readFeature(rows: Rows, main: MainRows): MarkFeature | null {
  const isStandard =
    listStandardCells(main).some(([row, column]) => isSet(row, column)) ||
    listRows(rows, 'standard_char_t_art').length > 0;
  if (isStandard) return 'Word';
  const explained = findExplainedFeature(listCells(rows, 'jiken_c_t_shousaina_setumei', 'shohyonoshousaina_setumei'));
  if (explained !== null) return explained;
  for (const [row, column] of listSpecialCells(main)) {
    const code = cell(row, column);
    if (code !== null && row !== undefined) raiseIssue(rows, 'unmapped_feature', row, column, code);
  }
  return null;
}

export function readDates(
  rows: Rows,
  { application, basic, management, defensive }: MainRows,
  status: Status,
): Pick<
  RecordContent,
  | 'application_date'
  | 'registration_date'
  | 'publication_date'
  | 'expiry_date'
  | 'renewal_date'
  | 'termination_date'
  | 'status_date'
  | 'external_update_date'
> {
  const date = (row: Row | undefined, column: string): string | null => dateCell(rows, row, column);
  const finalDate = date(basic, 'final_dspst_dt');
  const isEnded = cell(basic, 'final_dspst_cd') === ENDED;
  const renewals = [
    ...listRows(rows, 't_updt_art').map((row) => date(row, 't_updt_reg_year_month_day')),
    ...listRows(rows, 'sec_updt_art').map((row) => date(row, 'sec_updt_reg_year_month_day')),
  ];
  return {
    application_date: firstDate(
      rows,
      [application, 'shutugan_bi'],
      [defensive, 'sec_app_year_month_day'],
      [basic, 'app_dt'],
      [management, 'app_year_month_day'],
    ),
    registration_date: firstDate(
      rows,
      [defensive, 'sec_reg_year_month_day'],
      [application, 'toroku_bi'],
      [management, 'set_reg_year_month_day'],
      [basic, 'set_reg_dt'],
    ),
    publication_date: firstDate(
      rows,
      [application, 'pcz_kokaikohohakko_bi'],
      [defensive, 'sec_app_exam_pub_ymd'],
      [management, 'app_exam_pub_year_month_day'],
      [application, 'raz_kohohakko_bi'],
    ),
    expiry_date: firstDate(
      rows,
      [defensive, 'sec_conti_prd_expire_ymd'],
      [management, 'conti_prd_expire_ymd'],
      [basic, 'conti_prd_expire_dt'],
    ),
    renewal_date: latestOf(renewals),
    termination_date:
      date(management, 'right_disppr_year_month_day') ?? (isEnded && status === 'Cancelled' ? finalDate : null),
    status_date: finalDate ?? date(application, 'saishushobun_bi'),
    external_update_date: latestOf([
      date(application, 'masterkosin_nitiji'),
      date(basic, 'rec_latest_updt_dt'),
      date(management, 'mstr_updt_year_month_day'),
    ]),
  };
}

/** A mark of the time of the old classes has them still, unless its registration was rewritten. */
export function findScheme(
  { basic, management, defensive }: MainRows,
  applicationDate: string | null,
): 'nice' | 'national' {
  const rewritten = [
    cell(basic, 'rwrt_app_num'),
    cell(management, 't_rwrt_reg_year_month_day'),
    cell(defensive, 'sec_rwrt_reg_year_month_day'),
  ];
  const isOld = applicationDate !== null && applicationDate < NICE_SINCE;
  return isOld && rewritten.every((stated) => stated === null) ? 'national' : 'nice';
}

export function readNiceClasses(rows: Rows, main: MainRows, applicationDate: string | null): number[] | null {
  const classed = (table: Parameters<typeof listRows>[1], column: string): { row: Row; column: string }[] =>
    listRows(rows, table).map((row) => ({ row, column }));
  const cells = [
    ...classed('jiken_c_t_shohin_joho', 'rui'),
    ...classed('goods_class_art', 'desig_goods_or_desig_wrk_class'),
    ...classed('t_knd_info_art_table', 'knd'),
    ...classed('sec_art', 'sec_desig_goods_desig_wrk_cls'),
  ];
  if (findScheme(main, applicationDate) === 'national') return null;
  return readClasses(rows, cells);
}
