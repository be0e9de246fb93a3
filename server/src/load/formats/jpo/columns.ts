/**
 * How cells of the tables are read: columns that say nothing about a mark, with the reason, and what a blank cell is. A
 * column in none of these lists is mapped or kept.
 */
import type { GroupRow } from '../../kept/kept-rows.ts';
import { compactDate } from '../dates.ts';
import { type RowForm, Rows } from '../tables.ts';
import type { TableName } from './tables.ts';

/** They identify a row, or the right that it belongs to. The record states both by its numbers. */
const KEYS: ReadonlySet<string> = new Set([
  ...['yonpo_code', 'law_cd', 'ynpu_kbn', 'shutugan_no', 'app_num', 'reg_num', 'split_num', 'sub_data_num'],
  ...['jpo_rfr_num', 'jpo_rfr_num_split_sign_cd', 'intl_reg_num_split_sign_cd', 'intl_num_split_sign_cd'],
  ...[
    'history_num',
    'define_flg',
    'rec_num',
    'pe_num',
    'mu_num',
    'temp_principal_reg_id_flg',
    'indct_seq',
    'string_num',
  ],
  ...['folderbetusakusejnj_no', 'jaz_junjo_no', 'abz_junjo_no', 'dtz_rireki_no', 'gez_junjo_no', 'bmz_junjo_no'],
  ...['seq_num', 'search_use_t_seq', 'dsgnt_seq', 'rec_seq_num', 'final_rec_seq_num', 'repeat_num', 'krkes_bngu'],
  ...['pri_clim_id', 'bul_info_id', 'fundamental_num_id', 'intnl_atty_seq_id', 'appl_info_id'],
  ...[
    'appl_atty_input_seq_num',
    'crrcter_input_seq_num',
    'tyuni_sir_bngu',
    'bnkt_kgu_cd',
    'sytgn_bngu',
    'sytgn_bngu_kbn',
  ],
]);

/** They describe how the row was delivered, not its content. */
const TRANSPORT: ReadonlySet<string> = new Set(['add_del_id', 'processing_type', 'skbt_flg', 'stts', 'version_no']);

/** When a row was written. Dates of the record have separate columns. */
const WRITTEN_AT = /(?:_upd_ymd|^updt_year_month_day|^batch_updt_year_month_day|^kusn_ntz_bat|^data_crt_dt)$/;

/** Lengths of other columns (bytes in some tables, characters in others), and whether a text was cut. */
const LENGTHS = /(?:_len$|^lengthchoka_flag$|^image_data_len$)/;

/** Data of pictures, which the service does not hold. */
const PICTURES = /^image_data$/;

export function isIgnored(column: string): boolean {
  return KEYS.has(column) || TRANSPORT.has(column) || [WRITTEN_AT, LENGTHS].some((pattern) => pattern.test(column));
}

const BLANK = /^[0\s]*$/;

/** A cell says nothing if it is blank, or has zeros in place of a number, a date or a flag. */
const FORM: RowForm = {
  text(stated) {
    const text = stated.trim();
    return BLANK.test(text) ? null : text;
  },
  day: (text) => compactDate(text.slice(0, 8)),
  statedDay: compactDate,
  isIgnored,
};

export type MarkRows = Rows<TableName>;

export const openRows = (rows: readonly GroupRow[]): MarkRows => new Rows(rows, FORM);

/** Whether the column is not even kept with the row. */
export function isDropped(column: string): boolean {
  return PICTURES.test(column) || LENGTHS.test(column);
}
