/** Rows of the Japanese office about one invented mark: as an application, and once it is registered. */
import type { TableRows } from './tables.ts';

export const NUMBER = '2020001234';
export const ROOT = `app ${NUMBER}`;
const WHOLE = '0'.repeat(31);

export const CASE = { yonpo_code: '4', shutugan_no: NUMBER };
export const MARK = { add_del_id: '0', app_num: NUMBER };
export const RIGHT = { processing_type: '0', law_cd: '4', reg_num: '6500001', split_num: WHOLE, app_num: '0000000000' };

export const APPLICATION: TableRows = {
  jiken_c_t: [
    { ...CASE, masterkosin_nitiji: '20250625181512', shutugan_bi: '20200105', pcz_kokaikohohakko_bi: '20200120' },
  ],
  jiken_c_t_shohin_joho: [
    { ...CASE, rui: '25', shohinekimumeisho: '履物', abz_junjo_no: '2' },
    { ...CASE, rui: '03', shohinekimumeisho: '歯磨き', abz_junjo_no: '1' },
  ],
  jiken_c_t_yusenken_joho: [{ ...CASE, yusenkenshutugan_no: '88/123,456', yusenkenkuni_code: 'US', bmz_junjo_no: '1' }],
  indct_use_t_art: [{ ...MARK, indct_use_t: 'ＢＬＵＥ＼ブル－' }],
  t_dsgnt_art: [{ ...MARK, dsgnt_seq: '1', dsgnt: 'ブルー' }],
  t_vienna_class_grphc_term_art: [
    {
      ...MARK,
      grphc_term_large_class: '26',
      grphc_term_mid_class: '03',
      grphc_term_small_class: '23',
      grphc_term_complement_sub_cls: '05',
    },
  ],
};

export const REGISTRATION: TableRows = {
  mgt_info_t: [
    {
      ...RIGHT,
      app_num: NUMBER,
      mstr_updt_year_month_day: '20250701',
      conti_prd_expire_ymd: '20310401',
      next_pen_pymnt_tm_lmt_ymd: '20260401',
      set_reg_year_month_day: '20210401',
      right_ersr_id: '00',
      right_disppr_year_month_day: '00000000',
    },
  ],
  right_person_art_t: [{ ...RIGHT, right_person_name: '青山株式会社', right_person_addr: '東京都' }],
  atty_art_t: [{ ...RIGHT, atty_name: '甲　乙' }],
};
