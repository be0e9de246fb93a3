/** Which tables and columns go into which section of the document. */
import type { RecordEvent } from '../document.ts';
import type { TableName } from './tables.ts';

/** Tables in which one row describes a mark; removing such a row is a removal of the mark. */
export const MAIN_TABLES = [
  'jiken_c_t',
  't_basic_item_art',
  'mgt_info_t',
  'sec_art',
  'dsgn_gvrnmnt_main_mgt_app',
] as const satisfies readonly TableName[];

interface TextColumn {
  table: TableName;
  column: string;
  language?: string;
}

export const TEXTS: Readonly<Record<'transliterations' | 'descriptions' | 'disclaimers', readonly TextColumn[]>> = {
  transliterations: [
    { table: 't_dsgnt_art', column: 'dsgnt', language: 'ja' },
    { table: 'search_use_t_art_table', column: 'search_use_t' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 'emblem_transliterat_detail' },
  ],
  descriptions: [
    { table: 'jiken_c_t_shousaina_setumei', column: 'shohyonoshousaina_setumei', language: 'ja' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 'emblem_doc_detail' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 'emblem_doc_detail_japanese', language: 'ja' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 'opt_emblem_doc_detail' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 'opt_emblem_doc_detail_jp', language: 'ja' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 't_dtl_explntn' },
    { table: 'design_state_gvrnmnt_mstr_mk', column: 't_dtl_explntn_japanese', language: 'ja' },
    { table: 'intl_t_org_set_frst_indct', column: 't_dtl_explntn' },
  ],
  disclaimers: [{ table: 'design_state_gvrnmnt_mstr_mk', column: 'disclaimer' }],
};

interface GoodsColumns {
  table: TableName;
  classColumn: string;
  codeColumn?: string;
  texts: readonly { column: string; language?: string }[];
}

const MADRID_TEXTS = [
  { column: 'goods_service_name' },
  { column: 'goods_service_japanese_name', language: 'ja' },
] as const;

export const GOODS: readonly GoodsColumns[] = [
  { table: 'jiken_c_t_shohin_joho', classColumn: 'rui', texts: [{ column: 'shohinekimumeisho', language: 'ja' }] },
  {
    table: 'right_goods_name',
    classColumn: 'desig_goods_or_desig_wrk_class',
    texts: [{ column: 'desg_gds_name_desg_wrk_name', language: 'ja' }],
  },
  {
    table: 'sec_goods_name',
    classColumn: 'sec_desig_goods_desig_wrk_cls',
    texts: [{ column: 'sec_desig_gds_nm_desig_wrk_nm', language: 'ja' }],
  },
  { table: 't_knd_info_art_table', classColumn: 'knd', codeColumn: 'smlr_dsgn_group_cd', texts: [] },
  { table: 'goods_class_art', classColumn: 'desig_goods_or_desig_wrk_class', texts: [] },
  { table: 'dsgn_gvrnmnt_latest_gds_srvc', classColumn: 'madopro_class', texts: MADRID_TEXTS },
  { table: 'dsgn_gvrnmnt_dsgn_st_gds_srvc_reg', classColumn: 'madopro_class', texts: MADRID_TEXTS },
  { table: 'dsgn_gvrnmnt_dsgn_st_gds_srvc_app', classColumn: 'madopro_class', texts: MADRID_TEXTS },
  { table: 'intl_t_org_set_dsgn_gds_srvc', classColumn: 'madopro_class', texts: MADRID_TEXTS },
];

interface PublicationColumns {
  table: TableName;
  kind: string;
  date: string;
  identifier?: string;
  /** Whether the row states nothing but this publication. */
  whole?: true;
}

export const PUBLICATIONS: readonly PublicationColumns[] = [
  { table: 'jiken_c_t', kind: 'application', date: 'pcz_kokaikohohakko_bi' },
  { table: 'jiken_c_t', kind: 'registration', date: 'raz_kohohakko_bi' },
  {
    table: 'jiken_c_t_kohohako_joho',
    kind: 'gazette',
    date: 'jaz_kohohakko_bi',
    identifier: 'jaz_koho_sikibetu',
    whole: true,
  },
  { table: 'jiken_c_t_old', kind: 'examined application', date: 'kokoku_bi', identifier: 'kokoku_no', whole: true },
  {
    table: 'mgt_info_t',
    kind: 'examined application',
    date: 'app_exam_pub_year_month_day',
    identifier: 'app_exam_pub_num',
  },
  { table: 'sec_art', kind: 'examined application', date: 'sec_app_exam_pub_ymd', identifier: 'sec_app_exam_pub_num' },
  {
    table: 'dsgn_gvrnmnt_bul_info',
    kind: 'gazette',
    date: 'bul_pub_year_month_day',
    identifier: 'year_vol_num',
    whole: true,
  },
];

export const PRIORITIES: readonly { table: TableName; number?: string; country: string; date: string }[] = [
  {
    table: 'jiken_c_t_yusenken_joho',
    number: 'yusenkenshutugan_no',
    country: 'yusenkenkuni_code',
    date: 'yusenkenshucho_bi',
  },
  {
    table: 'design_state_gvrnmnt_mstr_pri',
    number: 'pri_app_num',
    country: 'pri_app_gvrn_cntrcntry_cd',
    date: 'pri_app_year_month_day',
  },
  { table: 'intl_t_org_set_frst_indct', country: 'pri_app_gvrn_cntrcntry_cd', date: 'pri_app_year_month_day' },
];

interface EventColumns {
  table: TableName;
  kind: RecordEvent['kind'];
  code?: string;
  /** The first stated one is the date of the event. */
  dates: readonly string[];
}

export const EVENTS: readonly EventColumns[] = [
  { table: 'jiken_c_t_sinsei_dv', kind: 'history', code: 'chukanshorui_code', dates: ['uketuke_bi', 'sasidasi_bi'] },
  { table: 'jiken_c_t_kian_dv', kind: 'history', code: 'chukanshorui_code', dates: ['hasso_bi', 'kian_bi'] },
  { table: 'jiken_c_t_chonai_dv', kind: 'history', code: 'chukanshorui_code', dates: ['chonaishoruisakusei_bi'] },
  { table: 'prog_info_div_t', kind: 'history', code: 'reg_intrmd_cd', dates: ['rcpt_pymnt_dsptch_ymd'] },
  { table: 'trnsfr_rcpt_info_t', kind: 'record', dates: [] },
  { table: 't_updt_art', kind: 'record', dates: ['t_updt_reg_year_month_day', 't_updt_app_ymd_app_ymd'] },
  { table: 'sec_updt_art', kind: 'record', dates: ['sec_updt_reg_year_month_day', 'sec_updt_app_year_month_day'] },
  {
    table: 'dsgn_gvrnmnt_intrmd_rec',
    kind: 'history',
    code: 'intrmd_cd',
    dates: ['intrmd_dfn_1_dt', 'intrmd_dfn_2_dt', 'intrmd_dfn_3_dt', 'intrmd_dfn_4_dt'],
  },
  {
    table: 'intl_t_org_prog_info',
    kind: 'history',
    code: 'intrmd_cd',
    dates: ['intrmd_dfn_1_dt', 'intrmd_dfn_2_dt', 'intrmd_dfn_3_dt', 'intrmd_dfn_4_dt', 'intrmd_dfn_5_dt'],
  },
  { table: 'dsgn_gvrnmnt_appl_info', kind: 'appeal', code: 'appl_typ', dates: ['appl_clim_year_month_day'] },
  { table: 'snpn_zkn', kind: 'appeal', code: 'snpn_sybt', dates: ['snpn_sikyu_dt', 'sisyu_sybn_kkti_dt'] },
  { table: 'madpro_snpn_zkn_kyu', kind: 'appeal', dates: [] },
  { table: 'snpn_tuzsy', kind: 'appeal', dates: [] },
  { table: 'ig_mustt', kind: 'opposition', dates: ['ig_mustt_dt', 'sisyu_sybn_kkti_dt'] },
];

/** Pictures are listed by name; their data is not stored. */
export const IMAGES: readonly { table: TableName; identifier?: string; format?: string; codes: readonly string[] }[] = [
  { table: 't_sample', identifier: 'doc_num', format: 'comp_frmlchk', codes: [] },
  {
    table: 't_vienna_class_grphc_term_art',
    codes: ['large_class', 'mid_class', 'small_class', 'complement_sub_cls'].map((place) => `grphc_term_${place}`),
  },
];

interface RelatedColumns {
  table: TableName;
  relationship: string;
  number?: string;
  registration?: string;
  date?: string;
  whole?: true;
}

export const RELATED: readonly RelatedColumns[] = [
  { table: 'jiken_c_t', relationship: 'original application', number: 'genshutugan_no', date: 'sokyu_bi' },
  {
    table: 'jiken_c_t',
    relationship: 'principal of a defensive mark',
    number: 'obz_shutugan_no',
    registration: 'obz_toroku_no',
  },
  { table: 'sec_art', relationship: 'principal of a defensive mark', registration: 'reg_num' },
  {
    table: 'duplicate_t_doni',
    relationship: 'duplicate registration',
    registration: 'duplicate_t_reg_split_num',
    whole: true,
  },
  { table: 'mrgn_t_rwrt_app_num', relationship: 'rewriting application', number: 'mrgn_t_rwrt_app_num', whole: true },
  {
    table: 'dsgn_gvrnmnt_sbstt_reg_num',
    relationship: 'replaced national registration',
    registration: 'substitute_intnl_reg_num',
    whole: true,
  },
  {
    table: 'dsgn_gvrnmnt_fundamental_num',
    relationship: 'basic mark',
    number: 'fundamental_app_num',
    registration: 'fundamental_reg_num',
    date: 'fundamental_app_year_month_day',
    whole: true,
  },
];
