/** A designation of Japan in an international registration, from the rows of its group. */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { listOrNull } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { type Party, stated } from '../payload.ts';
import type { RecordItem } from '../xml-records.ts';
import { buildRightDocument } from './document.ts';
import {
  buildUid,
  earliestOf,
  findExplainedFeature,
  listCells,
  parseViennaList,
  readClasses,
  readNames,
  readViennaCodes,
} from './fields.ts';
import type { MarkIdentity } from './national.ts';
import { collectParties, namedParty } from './parties.ts';
import { DESIGNATION_ENDED, statusOfDesignation } from './status.ts';
import type { TableName } from './tables.ts';
import {
  cell,
  dateCell,
  findDescribing,
  firstDate,
  isSet,
  listRows,
  nameCells,
  type Row,
  type Rows,
  raiseIssue,
} from './values.ts';

/** The rows in force: the defined ones of the latest version. */
function listCurrent(rows: Rows, table: TableName): readonly Row[] {
  const defined = listRows(rows, table).filter(({ cells }) => cells.define_flg !== '0');
  const latest =
    defined
      .map(({ cells }) => cells.history_num ?? '')
      .sort()
      .at(-1) ?? '';
  return defined.filter(({ cells }) => (cells.history_num ?? '') === latest);
}

/** Null when no row describes the designation. */
export function deriveDesignation(rows: Rows, { number, suffix, register }: MarkIdentity): RecordItem | null {
  const main = findDescribing(rows, 'dsgn_gvrnmnt_main_mgt_app');
  if (main === undefined) return null;
  const mark = listCurrent(rows, 'design_state_gvrnmnt_mstr_mk')[0];
  const registered = listCurrent(rows, 'intl_t_org_org_reg_mgt_info')[0];
  const names = readNames(
    rows,
    listCells(rows, 'search_use_t_art_table', 'search_use_t')[0] ?? cell(mark, 'emblem_transliterat_detail'),
  );
  const parties = collectParties(listHolders(rows), listRepresentatives(rows));
  const international = cell(main, 'intl_reg_num');
  const split = cell(main, 'intl_num_split_sign_cd') ?? '';
  const date = (row: Row | undefined, column: string): string | null => dateCell(rows, row, column);
  const status = readStatus(rows, main, registered);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: suffix === '' ? buildUid(number) : `${buildUid(number)}-${suffix}`,
    office: 'WO',
    application_number: number,
    mark_name: names.name,
    status,
    tm5_status: readStatusText(main),
    kind_of_mark: readKind(rows, mark),
    mark_feature: readFeature(rows, mark),
    application_date: firstDate(rows, [main, 'aft_desig_year_month_day'], [main, 'intl_reg_year_month_day']),
    registration_date: date(registered, 'set_reg_year_month_day'),
    publication_date: earliestOf(
      listRows(rows, 'dsgn_gvrnmnt_bul_info').map((row) => date(row, 'bul_pub_year_month_day')),
    ),
    termination_date:
      date(registered, 'right_disppr_year_month_day') ??
      (status === 'Cancelled' ? date(main, 'reg_final_dspst_year_month_day') : null),
    status_date: firstDate(rows, [main, 'reg_final_dspst_year_month_day'], [main, 'exam_final_dspst_ymd']),
    external_update_date: date(main, 'updt_year_month_day'),
    nice_classes: readClasses(rows, listClassCells(rows)),
    vienna_codes: listOrNull([
      ...(readViennaCodes(rows) ?? []),
      ...(mark === undefined ? [] : parseViennaList(rows, mark, 'vienna_class')),
    ]),
    owner_names: parties.owner_names,
    representative_names: parties.representative_names,
    international_registration_numbers: international === null ? null : [`${international}${split}`],
    priority_numbers: listOrNull(
      listCurrent(rows, 'design_state_gvrnmnt_mstr_pri')
        .map((row) => cell(row, 'pri_app_num'))
        .filter((text) => text !== null),
    ),
    designated_countries: readDesignations(rows, main),
  };
  const payload = buildRightDocument(rows, {
    parties: parties.parties,
    texts: names.texts,
    words: {
      status_code: cell(main, 'reg_final_dspst_cd') ?? cell(main, 'exam_final_dspst_cd'),
      status_text: content.tm5_status,
      kind_code: nameCells(...listKindCells(rows, mark)),
      kind_text: null,
      feature_code: nameCells(...FEATURE_COLUMNS.map((column) => [mark, column] as const)),
      feature_text: null,
    },
    scheme: 'nice',
    international: stated({
      number: content.international_registration_numbers?.[0],
      registration_date: date(main, 'intl_reg_year_month_day'),
    }),
  });
  return {
    record: {
      ...content,
      mark_name_variants: names.variants,
      payload,
      source_version: null,
      is_removal: main.removed,
    },
    issues: rows.issues,
  };
}

function readStatus(rows: Rows, main: Row, registered: Row | undefined): Status {
  // Here a code of zeros means that nothing is final.
  const register = main.cells.reg_final_dspst_cd ?? null;
  const ended =
    register === DESIGNATION_ENDED ||
    cell(registered, 'right_ersr_id') !== null ||
    cell(registered, 'right_disppr_year_month_day') !== null;
  if (ended) return 'Cancelled';
  if (cell(registered, 'set_reg_year_month_day') !== null) return 'Registered';
  const examination = cell(main, 'exam_final_dspst_cd');
  const status = statusOfDesignation(examination, register);
  if (status === null) raiseIssue(rows, 'unmapped_status', main, 'exam_final_dspst_cd', examination ?? '');
  return status ?? 'Unknown';
}

/** The codes of the examination and of the register. */
function readStatusText(main: Row): string | null {
  const codes = [cell(main, 'exam_final_dspst_cd'), cell(main, 'reg_final_dspst_cd')].filter((code) => code !== null);
  return codes.length === 0 ? null : codes.join(' ');
}

/** One flag covers collective, certification and guarantee marks, so it does not say which of them it is. */
function readKind(rows: Rows, mark: Row | undefined): KindOfMark | null {
  return listKindCells(rows, mark).some(([row, column]) => isSet(row, column)) ? 'Other' : null;
}

function listKindCells(rows: Rows, mark: Row | undefined): (readonly [Row | undefined, string])[] {
  return [mark, ...listCurrent(rows, 'intl_t_org_set_frst_indct')].map((row) => [row, 'group_cert_warranty_flg']);
}

const FEATURE_COLUMNS = ['standard_char_declarat_flg', 'three_dmns_emblem_flg', 'sound_t_flg', 'special_t_typ'];

function readFeature(rows: Rows, mark: Row | undefined): MarkFeature | null {
  if (isSet(mark, 'standard_char_declarat_flg')) return 'Word';
  if (isSet(mark, 'three_dmns_emblem_flg')) return 'Three-dimensional';
  if (isSet(mark, 'sound_t_flg')) return 'Sound';
  const explained = mark?.cells.t_dtl_explntn_japanese;
  const feature = findExplainedFeature(explained === undefined ? [] : [explained]);
  const code = cell(mark, 'special_t_typ');
  if (feature === null && code !== null && mark !== undefined)
    raiseIssue(rows, 'unmapped_feature', mark, 'special_t_typ', code);
  return feature;
}

const HOLDER = '01';
const REPRESENTATIVE = '03';

/** After registration the holders of the register come first, then the holders of the application. */
function listHolders(rows: Rows): Party[] {
  return [
    ...listCurrent(rows, 'intl_t_org_set_crr_nm_addr').map((row) =>
      namedParty(row, 'owner', { name: 'crrcter_name', address: 'crrcter_addr' }),
    ),
    ...listNamed(rows, HOLDER),
  ];
}

function listRepresentatives(rows: Rows): Party[] {
  return [
    ...listNamed(rows, REPRESENTATIVE),
    ...listCurrent(rows, 'dsgn_gvrnmnt_intnl_atty').map((row) =>
      namedParty(row, 'attorney', { name: 'intnl_atty_title', address: 'intnl_atty_addr', code: 'appl_id' }),
    ),
  ];
}

function listNamed(rows: Rows, kind: string): Party[] {
  return (['dsgn_gvrnmnt_name_addr_reg', 'dsgn_gvrnmnt_name_addr_app'] as const).flatMap((table) =>
    listCurrent(rows, table)
      .filter(({ cells }) => cells.appl_atty_class_cd === kind)
      .map((row) => {
        row.read.add('appl_atty_class_cd');
        const isHolder = kind === HOLDER;
        const role = isHolder ? (table === 'dsgn_gvrnmnt_name_addr_reg' ? 'owner' : 'applicant') : 'representative';
        return namedParty(row, role, { name: 'appl_atty_title', address: 'appl_atty_addr' });
      }),
  );
}

const CLASS_TABLES = [
  'dsgn_gvrnmnt_latest_gds_srvc',
  'intl_t_org_set_dsgn_gds_srvc',
  'dsgn_gvrnmnt_dsgn_st_gds_srvc_reg',
  'dsgn_gvrnmnt_dsgn_st_gds_srvc_app',
] as const satisfies readonly TableName[];

/** Only the latest statement of goods counts; an older one may hold classes that were removed since. */
function listClassCells(rows: Rows): { row: Row; column: string }[] {
  const table = CLASS_TABLES.find((name) => listCurrent(rows, name).length > 0);
  const goods = table === undefined ? [] : listCurrent(rows, table).map((row) => ({ row, column: 'madopro_class' }));
  return goods.length > 0 ? goods : listRows(rows, 't_knd_info_art_table').map((row) => ({ row, column: 'knd' }));
}

/** `ATBXCH`: country codes of two letters each. */
function readDesignations(rows: Rows, main: Row): string[] | null {
  const text = cell(main, 'design_state_cd');
  if (text === null) return null;
  if (/^(?:[A-Z]{2})+$/.test(text)) return listOrNull(text.match(/../g) ?? []);
  raiseIssue(rows, 'unmapped_country', main, 'design_state_cd', text);
  return null;
}
