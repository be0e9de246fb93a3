/** Real marks of Japan, read by hand: rows of the tables, and what the record must say because of them. */

/** What a record rests on: in a table a row with these words in these columns. */
export type Quoted = readonly [table: string, words: Readonly<Record<string, string>>];

export const CHECKED_JAPANESE: readonly {
  uid: string;
  rows: readonly Quoted[];
  record: Readonly<Record<string, unknown>>;
}[] = [
  {
    uid: 'JP502010000001189',
    rows: [
      [
        'jiken_c_t',
        {
          shutugan_no: '2010001189',
          masterkosin_nitiji: '20250625100714',
          // The gazette of the registration comes later.
          raz_kohohakko_bi: '20100907',
          shutugan_bi: '20100112',
          saishushobun_shubetu: 'A01',
          saishushobun_bi: '20100806',
          raz_toroku_no: '5343495',
          toroku_bi: '20100806',
          pcz_kokaikohohakko_bi: '20100204',
          hyojunmoji_umu: '1',
        },
      ],
    ],
    record: {
      application_number: '2010001189',
      registration_number: '5343495',
      office: 'JP',
      status: 'Registered',
      tm5_status: 'A01 登録査定書',
      mark_feature: 'Word',
      application_date: '2010-01-12',
      registration_date: '2010-08-06',
      publication_date: '2010-02-04',
      status_date: '2010-08-06',
      external_update_date: '2025-06-25',
    },
  },
  {
    uid: 'JP501953000010847',
    rows: [
      ['indct_use_t_art', { app_num: '1953010847', indct_use_t: 'ＤＯＲＭＩＤＩＮ＼どるみじん＼ドルミジン' }],
      [
        't_basic_item_art',
        {
          app_num: '1953010847',
          reg_num: '0446761',
          app_dt: '19530424',
          final_dspst_cd: 'R02',
          final_dspst_dt: '20240625',
          set_reg_dt: '19540625',
          conti_prd_expire_dt: '20240625',
          rec_latest_updt_dt: '20250625',
        },
      ],
    ],
    record: {
      office: 'JP',
      application_number: '1953010847',
      registration_number: '0446761',
      mark_name: 'ＤＯＲＭＩＤＩＮ どるみじん ドルミジン',
      status: 'Cancelled',
      tm5_status: 'R02',
      status_date: '2024-06-25',
      external_update_date: '2025-06-25',
      application_date: '1953-04-24',
      registration_date: '1954-06-25',
      termination_date: '2024-06-25',
      expiry_date: '2024-06-25',
    },
  },
  {
    uid: 'JP501935000003003',
    rows: [
      [
        'mgt_info_t',
        {
          reg_num: '0267448',
          app_num: '1935003003',
          app_year_month_day: '19350213',
          app_exam_pub_year_month_day: '19350509',
          mstr_updt_year_month_day: '20250625',
          set_reg_year_month_day: '19350812',
          conti_prd_expire_ymd: '20350812',
          right_ersr_id: '00',
          t_rwrt_reg_year_month_day: '20070221',
        },
      ],
      ['goods_class_art', { reg_num: '0267448', mu_num: '001', desig_goods_or_desig_wrk_class: '05' }],
    ],
    record: {
      office: 'JP',
      application_number: '1935003003',
      registration_number: '0267448',
      status: 'Registered',
      publication_date: '1935-05-09',
      external_update_date: '2025-06-25',
      application_date: '1935-02-13',
      registration_date: '1935-08-12',
      expiry_date: '2035-08-12',
      nice_classes: [3, 5],
    },
  },
  {
    uid: 'JP501982000079581',
    rows: [
      [
        'sec_art',
        {
          reg_num: '0323669',
          sec_app_num: '1982079581',
          sec_num: '002',
          sec_conti_prd_expire_ymd: '20250529',
          sec_reg_year_month_day: '19850529',
          sec_app_year_month_day: '19820909',
          sec_app_exam_pub_ymd: '19840814',
          sec_desig_goods_desig_wrk_cls: '30',
        },
      ],
      ['sec_updt_art', { sec_updt_sec_num: '002', sec_updt_reg_year_month_day: '19951129' }],
    ],
    record: {
      office: 'JP',
      application_number: '1982079581',
      status: 'Registered',
      application_date: '1982-09-09',
      publication_date: '1984-08-14',
      registration_number: '0323669-002',
      kind_of_mark: 'Defensive',
      registration_date: '1985-05-29',
      expiry_date: '2025-05-29',
      renewal_date: '1995-11-29',
      nice_classes: [30],
    },
  },
  {
    uid: 'JP502000000351636',
    rows: [
      [
        'dsgn_gvrnmnt_main_mgt_app',
        {
          jpo_rfr_num: '2000351636',
          intl_reg_num: '0741774',
          intl_reg_year_month_day: '20000811',
          exam_final_dspst_cd: 'A1',
          reg_final_dspst_cd: '00',
          exam_final_dspst_ymd: '20010525',
          updt_year_month_day: '20250625',
          design_state_cd: 'ATBXCHDEESGBITJPMAMCPT',
        },
      ],
      ['design_state_gvrnmnt_mstr_pri', { jpo_rfr_num: '2000351636', pri_app_num: '00 3010902' }],
      ['dsgn_gvrnmnt_bul_info', { jpo_rfr_num: '2000351636', bul_pub_year_month_day: '20001214' }],
    ],
    record: {
      office: 'WO',
      application_number: '2000351636',
      status: 'Registered',
      tm5_status: 'A1',
      status_date: '2001-05-25',
      external_update_date: '2025-06-25',
      application_date: '2000-08-11',
      publication_date: '2000-12-14',
      international_registration_numbers: ['741774'],
      priority_numbers: ['00 3010902'],
      designated_countries: ['AT', 'BX', 'CH', 'DE', 'ES', 'GB', 'IT', 'JP', 'MA', 'MC', 'PT'],
    },
  },
  {
    uid: 'JP502024000116252',
    rows: [
      [
        'mgt_info_t',
        {
          reg_num: '6938975',
          app_num: '2024116252',
          app_year_month_day: '20241030',
          set_reg_year_month_day: '20250617',
          // The right runs to 2035; its second instalment is due in 2030.
          conti_prd_expire_ymd: '20350617',
          next_pen_pymnt_tm_lmt_ymd: '20300617',
          standard_char_t_flg: '1',
          mstr_updt_year_month_day: '20250625',
        },
      ],
    ],
    record: {
      office: 'JP',
      application_number: '2024116252',
      registration_number: '6938975',
      status: 'Registered',
      mark_feature: 'Word',
      application_date: '2024-10-30',
      registration_date: '2025-06-17',
      expiry_date: '2035-06-17',
      external_update_date: '2025-06-25',
    },
  },
  {
    uid: 'JP502003000058238',
    rows: [
      [
        'jiken_c_t',
        {
          shutugan_no: '2003058238',
          shutugan_bi: '20030711',
          saishushobun_shubetu: 'A02',
          saishushobun_bi: '20041026',
          raz_toroku_no: '',
          pcz_kokaikohohakko_bi: '20030807',
          hyojunmoji_umu: '1',
          masterkosin_nitiji: '20250625181512',
        },
      ],
      // The names of applicants and agents are in a separate delivery.
      ['jiken_c_t_shutugannindairinin', { shutugan_no: '2003058238', shutugannindairinin_code: '395009488' }],
    ],
    record: {
      office: 'JP',
      application_number: '2003058238',
      status: 'Abandoned',
      tm5_status: 'A02 拒絶査定',
      mark_feature: 'Word',
      application_date: '2003-07-11',
      publication_date: '2003-08-07',
      status_date: '2004-10-26',
      external_update_date: '2025-06-25',
    },
  },
  {
    uid: 'JP502005000351850',
    rows: [
      [
        'dsgn_gvrnmnt_main_mgt_app',
        {
          jpo_rfr_num: '2005351850',
          intl_reg_num: '0844516',
          intl_reg_year_month_day: '20041203',
          exam_final_dspst_cd: 'A1',
          exam_final_dspst_ymd: '20060113',
          reg_final_dspst_cd: 'R2',
          reg_final_dspst_year_month_day: '20241204',
          design_state_cd: 'JP',
          updt_year_month_day: '20250625',
        },
      ],
      ['design_state_gvrnmnt_mstr_pri', { jpo_rfr_num: '2005351850', pri_app_num: '78/475.229' }],
      ['dsgn_gvrnmnt_bul_info', { jpo_rfr_num: '2005351850', bul_pub_year_month_day: '20050602' }],
    ],
    record: {
      office: 'WO',
      application_number: '2005351850',
      status: 'Cancelled',
      tm5_status: 'A1 R2',
      application_date: '2004-12-03',
      publication_date: '2005-06-02',
      termination_date: '2024-12-04',
      status_date: '2024-12-04',
      external_update_date: '2025-06-25',
      international_registration_numbers: ['844516'],
      priority_numbers: ['78/475.229'],
      designated_countries: ['JP'],
    },
  },
];
