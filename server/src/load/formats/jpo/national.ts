/** A national application or registration, from the rows of its group. */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { latestOf } from '../dates.ts';
import { listOrNull, NOT_STATED, stated } from '../document.ts';
import { type Cell, firstDay, nameCells, type Row } from '../tables.ts';
import type { RecordItem } from '../xml-records.ts';
import { buildRightDocument } from './document.ts';
import {
  buildUid,
  dispositionText,
  ENDED,
  findExplainedFeature,
  listViennaCodes,
  readClasses,
  readNames,
  statusOfApplication,
} from './fields.ts';
import { collectParties, listApplicationParties, namedParty } from './parties.ts';
import type { MarkRows } from './rows.ts';
import type { TableName } from './tables.ts';

export interface MarkIdentity {
  number: string;
  suffix: string;
  register: string;
}

/** Null when no row of the group describes a mark. */
export function deriveNational(rows: MarkRows, identity: MarkIdentity): RecordItem | null {
  const main: MainRows = {
    application: rows.describing('jiken_c_t'),
    basic: rows.describing('t_basic_item_art'),
    management: rows.describing('mgt_info_t'),
    defensive: rows.describing('sec_art'),
  };
  if (Object.values(main).every((row: Row) => row.isMissing)) return null;
  const registration = readRegistration(main, identity);
  const status = readStatus(main, registration);
  const names = readNames(rows, null);
  const parties = collectParties(
    [
      ...rows.list('right_person_art_t').map((row) =>
        namedParty(row, 'owner', {
          name: 'right_person_name',
          address: 'right_person_addr',
          code: 'right_person_appl_id',
        }),
      ),
      ...listApplicationParties(rows, '1'),
    ],
    [
      ...listApplicationParties(rows, '2'),
      ...rows.list('atty_art_t').map((row) => namedParty(row, 'attorney', { name: 'atty_name', code: 'atty_appl_id' })),
    ],
  );
  const international = rows.texts('t_basic_item_art', 'intl_reg_num');
  const dates = readDates(rows, main, status.status);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: identity.register,
    uid: identity.suffix === '' ? buildUid(identity.number) : `${buildUid(identity.number)}-${identity.suffix}`,
    office: 'JP',
    application_number: identity.number,
    registration_number: registration,
    mark_name: names.name,
    ...status,
    kind_of_mark: readKind(main),
    mark_feature: readFeature(rows, main),
    ...dates,
    nice_classes: readNiceClasses(rows, main, dates.application_date),
    vienna_codes: listOrNull(listViennaCodes(rows)),
    owner_names: parties.owner_names,
    representative_names: parties.representative_names,
    international_registration_numbers: listOrNull(international),
    priority_numbers: listOrNull(rows.texts('jiken_c_t_yusenken_joho', 'yusenkenshutugan_no')),
  };
  const payload = buildRightDocument(rows, {
    parties: parties.parties,
    texts: names.texts,
    words: {
      status_code: main.basic.text('final_dspst_cd') ?? main.application.text('saishushobun_shubetu'),
      status_text: content.tm5_status,
      kind_code: nameCells([[main.basic, 'app_typ_sec'], ...listDefensiveNumbers(main), ...listCollectiveCells(main)]),
      kind_text: null,
      feature_code: nameCells([...listStandardCells(main), ...listSpecialCells(main)]),
      feature_text: null,
    },
    scheme: findScheme(main, dates.application_date),
    international: stated({ number: international[0] }),
  });
  return {
    record: {
      ...content,
      mark_name_variants: names.variants,
      payload,
      source_version: null,
      is_removal: Object.values(main).every((row: Row) => row.removed),
    },
    issues: rows.issues,
  };
}

/** With the number of a divided or defensive right appended. */
function readRegistration(
  { application, basic, management, defensive }: MainRows,
  identity: MarkIdentity,
): string | null {
  const numbers: [string | null, ...(string | null)[]][] = [
    [defensive.text('reg_num'), defensive.text('sec_num')],
    [management.text('reg_num'), management.text('split_num')],
    identity.suffix === ''
      ? [application.text('raz_toroku_no'), application.text('bogo_no'), application.text('raz_bunkatu_no')]
      : [null],
    [basic.text('reg_num'), basic.text('sec_num'), basic.text('split_num')],
  ];
  const [number, ...places] = numbers.find(([first]) => first !== null) ?? [null];
  const place = places.find((each) => each !== null);
  return number === null || place === undefined ? number : `${number}-${place}`;
}

/** The rows that describe a mark as a whole. A row that the office has removed still describes the mark. */
interface MainRows {
  application: Row;
  basic: Row;
  management: Row;
  defensive: Row;
}

/** The day Japan began to use Nice classes. Earlier applications that were never reclassified have older classes. */
const NICE_SINCE = '1992-04-01';

function readStatus(
  { application, basic, management, defensive }: MainRows,
  registration: string | null,
): { status: Status; tm5_status: string | null } {
  const final = basic.text('final_dspst_cd');
  const code = final ?? application.text('saishushobun_shubetu');
  const tm5_status = dispositionText(code);
  const ended =
    management.text('right_ersr_id') !== null ||
    management.text('right_disppr_year_month_day') !== null ||
    defensive.isSet('sec_ersr_flg') ||
    (final === ENDED && basic.text('final_dspst_dt') !== null);
  if (ended) return { status: 'Cancelled', tm5_status };
  if (registration !== null) return { status: 'Registered', tm5_status };
  const status = statusOfApplication(code);
  if (status === null) {
    const [row, column] = final === null ? [application, 'saishushobun_shubetu'] : [basic, 'final_dspst_cd'];
    if (!row.isMissing) row.raise('unmapped_status', column, code ?? '');
  }
  return { status: status ?? 'Unknown', tm5_status };
}

const isStated = ([row, column]: Cell): boolean => row.text(column) !== null;
const isOne = ([row, column]: Cell): boolean => row.isSet(column);

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

function readKind(main: MainRows): KindOfMark | null {
  const isDefensive =
    !main.defensive.isMissing || main.basic.isSet('app_typ_sec') || listDefensiveNumbers(main).some(isStated);
  if (isDefensive) return 'Defensive';
  return listCollectiveCells(main).some(isOne) ? 'Collective' : null;
}

const listStandardCells = ({ application, management }: MainRows): Cell[] => [
  [application, 'hyojunmoji_umu'],
  [management, 'standard_char_t_flg'],
];

const listSpecialCells = ({ application, management }: MainRows): Cell[] => [
  [application, 'rittaishohyo_umu'],
  [management, 'special_t_id'],
];

function readFeature(rows: MarkRows, main: MainRows): MarkFeature | null {
  const isStandard = listStandardCells(main).some(isOne) || rows.list('standard_char_t_art').length > 0;
  if (isStandard) return 'Word';
  const explained = findExplainedFeature(rows.texts('jiken_c_t_shousaina_setumei', 'shohyonoshousaina_setumei'));
  if (explained !== null) return explained;
  for (const [row, column] of listSpecialCells(main)) {
    const code = row.text(column);
    if (code !== null) row.raise('unmapped_feature', column, code);
  }
  return null;
}

function readDates(
  rows: MarkRows,
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
  const finalDate = basic.day('final_dspst_dt');
  const isEnded = basic.text('final_dspst_cd') === ENDED;
  const renewals = [
    ...rows.list('t_updt_art').map((row) => row.day('t_updt_reg_year_month_day')),
    ...rows.list('sec_updt_art').map((row) => row.day('sec_updt_reg_year_month_day')),
  ];
  return {
    application_date: firstDay(
      [application, 'shutugan_bi'],
      [defensive, 'sec_app_year_month_day'],
      [basic, 'app_dt'],
      [management, 'app_year_month_day'],
    ),
    registration_date: firstDay(
      [defensive, 'sec_reg_year_month_day'],
      [application, 'toroku_bi'],
      [management, 'set_reg_year_month_day'],
      [basic, 'set_reg_dt'],
    ),
    publication_date: firstDay(
      [application, 'pcz_kokaikohohakko_bi'],
      [defensive, 'sec_app_exam_pub_ymd'],
      [management, 'app_exam_pub_year_month_day'],
      [application, 'raz_kohohakko_bi'],
    ),
    expiry_date: firstDay(
      [defensive, 'sec_conti_prd_expire_ymd'],
      [management, 'conti_prd_expire_ymd'],
      [basic, 'conti_prd_expire_dt'],
    ),
    renewal_date: latestOf(renewals),
    termination_date:
      management.day('right_disppr_year_month_day') ?? (isEnded && status === 'Cancelled' ? finalDate : null),
    status_date: finalDate ?? application.day('saishushobun_bi'),
    external_update_date: latestOf([
      application.day('masterkosin_nitiji'),
      basic.day('rec_latest_updt_dt'),
      management.day('mstr_updt_year_month_day'),
    ]),
  };
}

/** A mark of the time of the old classes has them still, unless its registration was rewritten. */
function findScheme({ basic, management, defensive }: MainRows, applicationDate: string | null): 'nice' | 'national' {
  const rewritten = [
    basic.text('rwrt_app_num'),
    management.text('t_rwrt_reg_year_month_day'),
    defensive.text('sec_rwrt_reg_year_month_day'),
  ];
  const isOld = applicationDate !== null && applicationDate < NICE_SINCE;
  return isOld && rewritten.every((stated) => stated === null) ? 'national' : 'nice';
}

function readNiceClasses(rows: MarkRows, main: MainRows, applicationDate: string | null): number[] | null {
  const classed = (table: TableName, column: string): Cell[] => rows.list(table).map((row) => [row, column]);
  const cells = [
    ...classed('jiken_c_t_shohin_joho', 'rui'),
    ...classed('goods_class_art', 'desig_goods_or_desig_wrk_class'),
    ...classed('t_knd_info_art_table', 'knd'),
    ...classed('sec_art', 'sec_desig_goods_desig_wrk_cls'),
  ];
  if (findScheme(main, applicationDate) === 'national') return null;
  return readClasses(cells);
}
