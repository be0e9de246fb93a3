/** A designation of Japan in an international registration, from the rows of its group. */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { earliestOf } from '../dates.ts';
import { listOrNull, NOT_STATED, type Party, stated } from '../document.ts';
import { type Cell, firstDay, nameCells, type Row } from '../tables.ts';
import type { RecordItem } from '../xml-records.ts';
import { buildRightDocument } from './document.ts';
import {
  buildUid,
  DESIGNATION_ENDED,
  findExplainedFeature,
  listViennaCodes,
  parseViennaList,
  readClasses,
  readNames,
  statusOfDesignation,
} from './fields.ts';
import type { MarkIdentity } from './national.ts';
import { collectParties, namedParty } from './parties.ts';
import type { MarkRows } from './rows.ts';
import type { TableName } from './tables.ts';

/** The rows in force: the defined ones of the latest version. */
function listCurrent(rows: MarkRows, table: TableName): readonly Row[] {
  const defined = rows.list(table).filter(({ cells }) => cells.define_flg !== '0');
  const latest =
    defined
      .map(({ cells }) => cells.history_num ?? '')
      .sort()
      .at(-1) ?? '';
  return defined.filter(({ cells }) => (cells.history_num ?? '') === latest);
}

/** Null when no row describes the designation. */
export function deriveDesignation(rows: MarkRows, { number, suffix, register }: MarkIdentity): RecordItem | null {
  const main = rows.describing('dsgn_gvrnmnt_main_mgt_app');
  if (main.isMissing) return null;
  const mark = rows.first(listCurrent(rows, 'design_state_gvrnmnt_mstr_mk'));
  const registered = rows.first(listCurrent(rows, 'intl_t_org_org_reg_mgt_info'));
  const names = readNames(
    rows,
    rows.texts('search_use_t_art_table', 'search_use_t')[0] ?? mark.text('emblem_transliterat_detail'),
  );
  const parties = collectParties(listHolders(rows), listRepresentatives(rows));
  const international = main.text('intl_reg_num');
  const split = main.text('intl_num_split_sign_cd') ?? '';
  const status = readStatus(main, registered);
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
    mark_feature: readFeature(mark),
    application_date: firstDay([main, 'aft_desig_year_month_day'], [main, 'intl_reg_year_month_day']),
    registration_date: registered.day('set_reg_year_month_day'),
    publication_date: earliestOf(rows.list('dsgn_gvrnmnt_bul_info').map((row) => row.day('bul_pub_year_month_day'))),
    termination_date:
      registered.day('right_disppr_year_month_day') ??
      (status === 'Cancelled' ? main.day('reg_final_dspst_year_month_day') : null),
    status_date: firstDay([main, 'reg_final_dspst_year_month_day'], [main, 'exam_final_dspst_ymd']),
    external_update_date: main.day('updt_year_month_day'),
    nice_classes: readClasses(listClassCells(rows)),
    vienna_codes: listOrNull([...listViennaCodes(rows), ...parseViennaList(mark, 'vienna_class')]),
    owner_names: parties.owner_names,
    representative_names: parties.representative_names,
    international_registration_numbers: international === null ? null : [`${international}${split}`],
    priority_numbers: listOrNull(
      listCurrent(rows, 'design_state_gvrnmnt_mstr_pri').flatMap((row) => row.text('pri_app_num') ?? []),
    ),
    designated_countries: readDesignations(main),
  };
  const payload = buildRightDocument(rows, {
    parties: parties.parties,
    texts: names.texts,
    words: {
      status_code: main.text('reg_final_dspst_cd') ?? main.text('exam_final_dspst_cd'),
      status_text: content.tm5_status,
      kind_code: nameCells(listKindCells(rows, mark)),
      kind_text: null,
      feature_code: nameCells(FEATURE_COLUMNS.map((column) => [mark, column])),
      feature_text: null,
    },
    scheme: 'nice',
    international: stated({
      number: content.international_registration_numbers?.[0],
      registration_date: main.day('intl_reg_year_month_day'),
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

function readStatus(main: Row, registered: Row): Status {
  // Here a code of zeros means that nothing is final.
  const register = main.cells.reg_final_dspst_cd ?? null;
  const ended =
    register === DESIGNATION_ENDED ||
    registered.text('right_ersr_id') !== null ||
    registered.text('right_disppr_year_month_day') !== null;
  if (ended) return 'Cancelled';
  if (registered.text('set_reg_year_month_day') !== null) return 'Registered';
  const examination = main.text('exam_final_dspst_cd');
  const status = statusOfDesignation(examination, register);
  if (status === null) main.raise('unmapped_status', 'exam_final_dspst_cd', examination ?? '');
  return status ?? 'Unknown';
}

/** The codes of the examination and of the register. */
function readStatusText(main: Row): string | null {
  const codes = ['exam_final_dspst_cd', 'reg_final_dspst_cd'].flatMap((column) => main.text(column) ?? []);
  return codes.length === 0 ? null : codes.join(' ');
}

/** One flag covers collective, certification and guarantee marks, so it does not say which of them it is. */
function readKind(rows: MarkRows, mark: Row): KindOfMark | null {
  return listKindCells(rows, mark).some(([row, column]) => row.isSet(column)) ? 'Other' : null;
}

function listKindCells(rows: MarkRows, mark: Row): Cell[] {
  return [mark, ...listCurrent(rows, 'intl_t_org_set_frst_indct')].map((row) => [row, 'group_cert_warranty_flg']);
}

const FEATURE_COLUMNS = ['standard_char_declarat_flg', 'three_dmns_emblem_flg', 'sound_t_flg', 'special_t_typ'];

function readFeature(mark: Row): MarkFeature | null {
  if (mark.isSet('standard_char_declarat_flg')) return 'Word';
  if (mark.isSet('three_dmns_emblem_flg')) return 'Three-dimensional';
  if (mark.isSet('sound_t_flg')) return 'Sound';
  const explained = mark.cells.t_dtl_explntn_japanese;
  const feature = findExplainedFeature(explained === undefined ? [] : [explained]);
  const code = mark.text('special_t_typ');
  if (feature === null && code !== null) mark.raise('unmapped_feature', 'special_t_typ', code);
  return feature;
}

const HOLDER = '01';
const REPRESENTATIVE = '03';

/** After registration the holders of the register come first, then the holders of the application. */
function listHolders(rows: MarkRows): Party[] {
  return [
    ...listCurrent(rows, 'intl_t_org_set_crr_nm_addr').map((row) =>
      namedParty(row, 'owner', { name: 'crrcter_name', address: 'crrcter_addr' }),
    ),
    ...listNamed(rows, HOLDER),
  ];
}

function listRepresentatives(rows: MarkRows): Party[] {
  return [
    ...listNamed(rows, REPRESENTATIVE),
    ...listCurrent(rows, 'dsgn_gvrnmnt_intnl_atty').map((row) =>
      namedParty(row, 'attorney', { name: 'intnl_atty_title', address: 'intnl_atty_addr', code: 'appl_id' }),
    ),
  ];
}

function listNamed(rows: MarkRows, kind: string): Party[] {
  return (['dsgn_gvrnmnt_name_addr_reg', 'dsgn_gvrnmnt_name_addr_app'] as const).flatMap((table) =>
    listCurrent(rows, table)
      .filter(({ cells }) => cells.appl_atty_class_cd === kind)
      .map((row) => {
        row.ignore('appl_atty_class_cd');
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
function listClassCells(rows: MarkRows): Cell[] {
  const table = CLASS_TABLES.find((name) => listCurrent(rows, name).length > 0);
  if (table !== undefined) return listCurrent(rows, table).map((row) => [row, 'madopro_class']);
  return rows.list('t_knd_info_art_table').map((row) => [row, 'knd']);
}

/** `ATBXCH`: country codes of two letters each. */
function readDesignations(main: Row): string[] | null {
  const text = main.text('design_state_cd');
  if (text === null) return null;
  if (/^(?:[A-Z]{2})+$/.test(text)) return listOrNull(text.match(/../g) ?? []);
  main.raise('unmapped_country', 'design_state_cd', text);
  return null;
}
