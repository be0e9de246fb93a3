/**
 * How rows of the tables join, and how their cells are read. Every row belongs to a part: the rows of one application
 * (`app`), registration (`reg`, with its split number), defensive registration (`sec`), international registration
 * (`irn`), party or trial. It may link to another part. Applications are the roots: a mark is an application with the
 * parts it is joined to.
 */
import type { GroupRow } from '../../kept/kept.ts';
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

export const ROOT_PART = 'app ';
export const CHAINED_PART = 'party ';

type Cells = Readonly<Record<string, string>>;

interface Join {
  /** Null when the row does not state its part; then it belongs nowhere. */
  part(cells: Cells): string | null;
  link?(cells: Cells): string | null;
}

const stated = (text: string | undefined): string | null =>
  text === undefined || /^[0\s]*$/.test(text) ? null : text.trim();

const application = (column: string) => (cells: Cells) => named('app', cells[column]);

function named(kind: string, text: string | undefined): string | null {
  const number = stated(text);
  return number === null ? null : `${kind} ${number}`;
}

export function registrationPart(number: string | undefined, split: string | undefined): string | null {
  const part = named('reg', number);
  const suffix = stated(split);
  return part === null || suffix === null ? part : `${part}/${suffix}`;
}

const registration = (cells: Cells): string | null => registrationPart(cells.reg_num, cells.split_num);

function defensive(number: string | undefined, place: string | undefined): string | null {
  const part = named('sec', number);
  const suffix = stated(place);
  return part === null || suffix === null ? null : `${part}/${suffix}`;
}

function international(
  number: string | undefined,
  split: string | undefined,
  designated: string | undefined,
): string | null {
  const part = named('irn', number);
  return part === null ? null : `${part}${split?.trim() ?? ''}/${stated(designated) ?? ''}`;
}

const ofRegister: Join = { part: registration, link: application('app_num') };
const ofMark: Join = { part: application('app_num') };
const ofMadrid: Join = { part: application('jpo_rfr_num') };
const ofApplication: Join = { part: application('shutugan_no') };
const ofInternational = (cells: Cells): string | null =>
  international(cells.intl_reg_num, cells.intl_reg_num_split_sign_cd, cells.aft_desig_year_month_day);
const ofTrial = (cells: Cells): string | null => named('trial', cells.snpn_bngu);

/** Tables that join differently from the rest of their group. */
const OWN_JOINS: Partial<Record<TableName, Join>> = {
  jiken_c_t: {
    part: application('shutugan_no'),
    link: (cells) =>
      defensive(cells.raz_toroku_no, cells.bogo_no) ?? registrationPart(cells.raz_toroku_no, cells.raz_bunkatu_no),
  },
  jiken_c_t_shutugannindairinin: {
    part: application('shutugan_no'),
    link: (cells) => named('party', cells.shutugannindairinin_code),
  },
  t_basic_item_art: {
    part: application('app_num'),
    link: (cells) => defensive(cells.reg_num, cells.sec_num) ?? registration(cells),
  },
  sec_art: {
    part: (cells) => named('app', cells.sec_app_num) ?? defensive(cells.reg_num, cells.sec_num),
    link: (cells) => defensive(cells.reg_num, cells.sec_num),
  },
  sec_goods_name: {
    part: (cells) => defensive(cells.reg_num, cells.sec_num),
    link: application('sec_app_num'),
  },
  sec_updt_art: { part: (cells) => defensive(cells.reg_num, cells.sec_updt_sec_num) },
  dsgn_gvrnmnt_main_mgt_app: {
    part: application('jpo_rfr_num'),
    link: (cells) => international(cells.intl_reg_num, cells.intl_num_split_sign_cd, cells.aft_desig_year_month_day),
  },
  intl_t_org_org_reg_mgt_info: { part: ofInternational, link: application('jpo_rfr_num') },
  appl_reg_info: {
    part: (cells) => named('party', cells.appl_cd),
    link: (cells) => named('party', cells.integ_appl_cd),
  },
  under_integ_appl_info_mgt: {
    part: (cells) => named('party', cells.under_integ_appl_cd),
    link: (cells) => named('party', cells.appl_cd),
  },
  snpn_zkn: {
    part: (cells) =>
      (cells.sytgn_bngu_kbn === '1' ? named('app', cells.sytgn_bngu) : null) ??
      registrationPart(cells.turk_bngu, cells.bnkt_bngu),
    link: ofTrial,
  },
  madpro_snpn_zkn_kyu: { part: application('tyuni_sir_bngu'), link: ofTrial },
  snpn_tuzsy: { part: ofTrial },
  ig_mustt: { part: ofTrial },
};

export function joinOf(table: TableName): Join {
  const own = OWN_JOINS[table];
  if (own !== undefined) return own;
  if (table.startsWith('jiken_c_t')) return ofApplication;
  if (table.startsWith('dsgn_gvrnmnt_') || table.startsWith('design_state_gvrnmnt_')) return ofMadrid;
  if (table.startsWith('intl_t_org_')) return { part: ofInternational };
  return MARK_TABLES.has(table) ? ofMark : ofRegister;
}

const MARK_TABLES: ReadonlySet<TableName> = new Set<TableName>([
  'indct_use_t_art',
  'standard_char_t_art',
  't_dsgnt_art',
  'search_use_t_art_table',
  't_knd_info_art_table',
  't_vienna_class_grphc_term_art',
  't_add_info',
  't_sample',
]);

/** The kind of right a row is about; 4 is a trademark. */
export const RIGHT_COLUMNS = ['yonpo_code', 'law_cd', 'ynpu_kbn'] as const;
export const TRADEMARK = '4';
/** Tables with rows of all kinds of rights; rows of other rights are skipped. */
export const MIXED_TABLES: ReadonlySet<string> = new Set(['snpn_zkn', 'snpn_tuzsy', 'ig_mustt', 'appl_reg_info']);
