/**
 * The tables of a weekly set with their columns, as in the office's column specification; a star marks key columns. A
 * table or column that is not listed here raises an issue.
 */

import { parseTables } from '../tables.ts';

/** Columns that several tables begin or end with. */
const MADRID = 'add_del_id jpo_rfr_num* jpo_rfr_num_split_sign_cd*';
const ORIGINAL =
  'add_del_id intl_reg_num* intl_reg_num_updt_cnt_sign_cd* intl_reg_num_split_sign_cd* aft_desig_year_month_day*';
const RIGHT = 'processing_type law_cd* reg_num* split_num*';
const APPLIED = 'add_del_id app_num* split_num* sub_data_num*';
const DEFINED = 'define_flg* updt_year_month_day batch_updt_year_month_day';

const COLUMNS = {
  appl_reg_info: `
    data_id_cd appl_cd* appl_name appl_cana_name appl_postcode appl_addr wes_join_name wes_join_addr integ_appl_cd
    dbl_reg_integ_mgt_srl_num`,
  atty_art_t: `${RIGHT} app_num* rec_num* pe_num* atty_art_upd_ymd atty_appl_id atty_typ atty_name_len atty_name`,
  design_state_gvrnmnt_mstr_mk: `
    ${MADRID} history_num* standard_char_declarat_flg color_clim_detail color_clim_detail_japanese
    emblem_transliterat_detail three_dmns_emblem_flg sound_t_flg group_cert_warranty_flg emblem_doc_detail
    emblem_doc_detail_japanese vienna_class exam_art_03_prgrph_02_flg exam_color_proviso_apply_flg
    exam_art_09_prgrph_01_flg acclrtd_exam_class define_flg* updt_year_month_day batch_updt_year_month_day
    special_t_typ t_dtl_explntn t_dtl_explntn_japanese dtl_explntn_doc_submt_dt color_chk_box disclaimer
    opt_emblem_doc_detail opt_emblem_doc_detail_jp`,
  design_state_gvrnmnt_mstr_pri: `
    ${MADRID} history_num* pri_clim_id* pri_finding_flg pri_app_gvrn_cntrcntry_cd pri_app_num pri_app_year_month_day
    ${DEFINED}`,
  dsgn_gvrnmnt_bul_info: `${MADRID} bul_info_id* bul_pub_year_month_day year_vol_num total_vol_num ${DEFINED}`,
  dsgn_gvrnmnt_dsgn_st_gds_srvc_app: `
    ${MADRID} history_num* seq_num* madopro_class goods_service_name goods_service_japanese_name force_occur_dt
    ${DEFINED}`,
  dsgn_gvrnmnt_fundamental_num: `
    ${MADRID} history_num* fundamental_num_id* fundamental_app_num fundamental_app_year_month_day fundamental_reg_num
    fundamental_reg_year_month_day ${DEFINED}`,
  dsgn_gvrnmnt_intnl_atty: `
    ${MADRID} history_num* intnl_atty_seq_id* atty_typ_flg atty_qualify_flg appl_id intnl_atty_title intnl_atty_addr
    ${DEFINED}`,
  dsgn_gvrnmnt_intrmd_rec: `
    ${MADRID} history_num* intrmd_cd intrmd_dfn_1_dt intrmd_dfn_2_dt intrmd_dfn_3_dt intrmd_dfn_4_dt art_cd
    examiner_cd ${DEFINED}`,
  dsgn_gvrnmnt_latest_gds_srvc: `${MADRID} madopro_class* goods_service_name force_occur_dt ${DEFINED}`,
  dsgn_gvrnmnt_main_mgt_app: `
    ${MADRID} intl_reg_num_updt_cnt_sign_cd intl_reg_num intl_num_split_sign_cd formal_ntc_year_month_day
    intl_reg_year_month_day aft_desig_year_month_day exam_final_dspst_cd exam_final_dspst_ymd reg_final_dspst_cd
    reg_final_dspst_year_month_day home_cntry_gvrnmnt_cd chan_dstnt_app_num design_state_cd examiner_cd ${DEFINED}`,
  dsgn_gvrnmnt_main_mgt_reg: `
    ${MADRID} intl_reg_year_month_day exam_final_dspst_ymd reg_final_dspst_cd reg_final_dspst_year_month_day
    ${DEFINED}`,
  dsgn_gvrnmnt_name_addr_app: `
    ${MADRID} history_num* appl_atty_input_seq_num* appl_atty_class_cd* appl_atty_title appl_atty_addr ${DEFINED}`,
  dsgn_gvrnmnt_name_addr_reg: `
    ${MADRID} history_num* appl_atty_input_seq_num* appl_atty_class_cd* appl_atty_title appl_atty_addr ${DEFINED}`,
  dsgn_gvrnmnt_sbstt_reg_num: `
    ${MADRID} substitute_pattern* substitute_intnl_reg_num* substitute_intnl_reg_split_num* ${DEFINED}`,
  duplicate_t_doni: `${RIGHT} app_num* dpl_t_doni_upd_ymd mu_num* duplicate_t_reg_split_num`,
  goods_class_art: `${RIGHT} app_num* goods_cls_art_upd_ymd mu_num* desig_goods_or_desig_wrk_class`,
  indct_use_t_art: `${APPLIED} indct_use_t`,
  intl_t_org_org_reg_mgt_info: `
    ${ORIGINAL} intl_reg_year_month_day jpo_rfr_num jpo_rfr_num_split_sign_cd set_reg_year_month_day right_ersr_id
    right_disppr_year_month_day close_reg_year_month_day inspct_prhbt_flg ${DEFINED}`,
  intl_t_org_prog_info: `
    ${ORIGINAL} intrmd_cd* string_num* intrmd_dfn_1_dt intrmd_dfn_2_dt intrmd_dfn_3_dt intrmd_dfn_4_dt intrmd_dfn_5_dt
    crrspnd_mk define_flg* stts* updt_year_month_day batch_updt_year_month_day`,
  intl_t_org_set_crr_nm_addr: `
    ${ORIGINAL} temp_principal_reg_id_flg* indct_seq* crrcter_input_seq_num* crrcter_name crrcter_addr ${DEFINED}`,
  intl_t_org_set_dsgn_gds_srvc: `
    ${ORIGINAL} temp_principal_reg_id_flg* indct_seq* seq_num* madopro_class goods_service_name intl_reg_rec_dt
    ${DEFINED}`,
  intl_t_org_set_frst_indct: `
    ${ORIGINAL} temp_principal_reg_id_flg* indct_seq* finl_dcsn_year_month_day trial_dcsn_year_month_day
    pri_app_gvrn_cntrcntry_cd pri_app_year_month_day pri_clim_cnt special_t_typ_flg group_cert_warranty_flg
    define_flg* updt_year_month_day batch_updt_year_month_day t_dtl_explntn`,
  jiken_c_t: `
    masterkosin_nitiji yonpo_code* shutugan_no* shutugan_bi shutugan_shubetu1 shutugan_shubetu2 shutugan_shubetu3
    shutugan_shubetu4 shutugan_shubetu5 seiri_no saishushobun_shubetu saishushobun_bi raz_toroku_no raz_bunkatu_no
    bogo_no toroku_bi raz_sotugo_su raz_nenkantugo_su raz_kohohakko_bi tantokan_code pcz_kokaikohohakko_bi kubun_su
    torokusateijikubun_su hyojunmoji_umu rittaishohyo_umu hyoshosikisai_umu shohyoho3jo2ko_flag shohyoho5jo4ko_flag
    genshutugan_shubetu genshutuganyonpo_code genshutugan_no sokyu_bi obz_shutugan_no obz_toroku_no obz_bunkatu_no
    kosintoroku_no pez_bunkatu_no pez_bogo_no kakikaetoroku_no ktz_bunkatu_no ktz_bogo_no krz_kojoryozokuihan_flag
    sokisinsa_mark tekiyohoki_kubun sinsa_shubetu sosho_code satei_shubetu igiken_su igiyuko_su`,
  jiken_c_t_chonai_dv: `
    yonpo_code* shutugan_no* folderbetusakusejnj_no* sakusei_bi chukanshorui_code taio_mark chonaishoruisakusei_bi
    gyohuku_no shusso_no shorui_no shorui_shubetu teiseitaishoshorui_no version_no`,
  jiken_c_t_kian_dv: `
    yonpo_code* shutugan_no* folderbetusakusejnj_no* sakusei_bi chukanshorui_code taio_mark kian_bi hasso_bi
    aaz_igi_no shorui_no kyozeturiyujobun_code taioshorui_no shorui_shubetu version_no`,
  jiken_c_t_kohohako_joho: `
    yonpo_code* shutugan_no* jaz_sotugo_su jaz_nenkantugo_su jaz_bumonbetutugo_su jaz_bumonbetunenkantugo_su
    jaz_kohohakko_bi jaz_seigo_sikibetu jaz_koho_sikibetu jaz_junjo_no*`,
  jiken_c_t_shohin_joho: 'yonpo_code* shutugan_no* rui lengthchoka_flag shohinekimumeisho abz_junjo_no*',
  jiken_c_t_shousaina_setumei: `
    yonpo_code* shutugan_no* dtz_rireki_no* dtz_sakusei_bi lengthchoka_flag shohyonoshousaina_setumei`,
  jiken_c_t_shutugannindairinin: `
    yonpo_code* shutugan_no* shutugannindairinin_sikbt shutugannindairinin_code gez_henko_no gez_kohokan_kubun
    gez_kokken_code daihyoshutugannin_sikibetu jokishutugannin_nanmei dairininhoka_nanmei dairinin_shubetu
    dairininsikaku_shubetu shutugannindairinin_jusho shutugannindairinin_simei gez_junjo_no*`,
  jiken_c_t_sinsei_dv: `
    yonpo_code* shutugan_no* folderbetusakusejnj_no* sakusei_bi chukanshorui_code taio_mark sasidasi_bi uketuke_bi
    aaz_igi_no shorui_no hosikikan_mark sireikan_flag taioshorui_no shorui_shubetu version_no eturankinsi_flag`,
  jiken_c_t_yusenken_joho: `
    yonpo_code* shutugan_no* yusenkenshutugan_no yusenkenshucho_bi yusenkenkuni_code bmz_junjo_no*`,
  mgt_info_t: `
    ${RIGHT} mstr_updt_year_month_day tscript_inspct_prhbt_flg conti_prd_expire_ymd next_pen_pymnt_tm_lmt_ymd
    last_pymnt_yearly share_rate pblc_prvt_trnsfr_reg_ymd right_ersr_id right_disppr_year_month_day
    close_orgnl_reg_trnsfr_rec_flg close_reg_year_month_day gvrnmnt_relation_id_flg pen_suppl_flg apply_law
    group_t_flg special_t_id standard_char_t_flg area_group_t_flg trust_reg_flg app_num* recvry_num app_year_month_day
    app_exam_pub_num app_exam_pub_year_month_day finl_dcsn_year_month_day trial_dcsn_year_month_day
    set_reg_year_month_day t_rwrt_app_num t_rwrt_app_year_month_day t_rwrt_finl_dcsn_ymd t_rwrt_trial_dcsn_ymd
    t_rwrt_reg_year_month_day invent_title_etc_len pri_cntry_name_cd pri_clim_year_month_day pri_clim_cnt`,
  prog_info_div_t: `
    ${RIGHT} app_num* rec_num* pe_num* prog_info_upd_ymd reg_intrmd_cd crrspnd_mk rcpt_pymnt_dsptch_ymd
    prog_info_div_app_num rcpt_num_common_use`,
  right_goods_name: `
    ${RIGHT} app_num* desig_goods_or_desig_wrk_class* mstr_updt_year_month_day desg_gds_desg_wrk_name_len
    desg_gds_name_desg_wrk_name rec_num*`,
  right_person_art_t: `
    ${RIGHT} app_num* rec_num* pe_num* right_psn_art_upd_ymd right_person_appl_id right_person_addr_len
    right_person_addr right_person_name_len right_person_name`,
  search_use_t_art_table: `${APPLIED} search_use_t_seq* search_use_t`,
  sec_art: `
    ${RIGHT} app_num* pe_num* sec_art_upd_ymd sec_app_num sec_num sec_temp_reg_flg sec_conti_prd_expire_ymd
    sec_ersr_flg sec_apply_law sec_recovery_num sec_app_year_month_day sec_app_exam_pub_num sec_app_exam_pub_ymd
    sec_finl_dcsn_year_month_day sec_trial_dcsn_year_month_day sec_reg_year_month_day sec_rwrt_app_num
    sec_rwrt_app_year_month_day sec_rwrt_finl_dcsn_ymd sec_rwrt_trial_dcsn_ymd sec_rwrt_reg_year_month_day mu_num*
    sec_desig_goods_desig_wrk_cls`,
  sec_goods_name: `
    ${RIGHT} sec_num* sec_app_num* sec_desig_goods_desig_wrk_cls* mstr_updt_year_month_day
    sec_desig_gds_desig_wrk_nm_len sec_desig_gds_nm_desig_wrk_nm`,
  sec_updt_art: `
    ${RIGHT} app_num* pe_num* sec_updt_art_upd_ymd sec_updt_app_num sec_updt_sec_num sec_updt_temp_reg_flg
    sec_updt_title_chan_flg sec_updt_recovery_num sec_updt_app_year_month_day sec_updt_finl_dcsn_ymd
    sec_updt_trial_dcsn_ymd sec_updt_reg_year_month_day mu_num*`,
  snpn_zkn: `
    skbt_flg snpn_bngu* sytgn_bngu ynpu_kbn turk_bngu bnkt_bngu riz_bngu bug_bngu snkyu_sybt snpn_sybt snpn_sikyu_dt
    sytgn_bngu_kbn snpn_zkn_sisyu_sybn_cd sisyu_sybn_kkti_dt kusn_ntz_bat`,
  standard_char_t_art: `${APPLIED} standard_char_t`,
  t_add_info: `
    ${APPLIED} right_request grphc_id color_harftone gdmral_flg duplicate_reg_flg special_exception_clim_flg
    consent_coe_reg_id`,
  t_basic_item_art: `
    add_del_id mgt_num* rec_status_id app_num reg_num split_num sec_num app_typ_sec app_typ_split
    app_typ_complement_rjct app_typ_chan app_typ_priorty app_typ_group app_typ_area_group app_dt
    prior_app_right_occr_dt rjct_finl_dcsn_dsptch_dt final_dspst_cd final_dspst_dt rwrt_app_num old_law ver_num
    intl_reg_num intl_reg_split_num intl_reg_dt rec_latest_updt_dt conti_prd_expire_dt instllmnt_expr_dt_aft_des_dt
    installments_id set_reg_dt`,
  t_dsgnt_art: `${APPLIED} dsgnt_seq* dsgnt`,
  t_first_indct_div: `
    ${RIGHT} history_num* mstr_updt_year_month_day cancel_and_disposal_id intl_reg_num intl_reg_year_month_day
    aft_desig_year_month_day`,
  t_knd_info_art_table: `${APPLIED} knd* smlr_dsgn_group_cd`,
  t_updt_art: `
    ${RIGHT} app_num* pe_num* t_updt_art_upd_ymd t_updt_app_num t_updt_temp_reg_flg t_updt_title_chan_flg
    t_updt_recovery_num t_updt_app_ymd_app_ymd t_updt_finl_dcsn_ymd t_updt_trial_dcsn_ymd t_updt_reg_year_month_day
    mu_num*`,
  t_vienna_class_grphc_term_art: `
    ${APPLIED} grphc_term_large_class* grphc_term_mid_class* grphc_term_small_class* grphc_term_complement_sub_cls*`,
  trnsfr_rcpt_info_t: `${RIGHT} app_num* mrgn_info_upd_ymd mu_num* trnsfr_rcpt_info`,
  under_integ_appl_info_mgt: 'appl_cd* repeat_num* under_integ_appl_cd',
  t_sample: `
    cntry_cd doc_typ doc_num* app_num page_num* rec_seq_num* year_issu_cd* data_crt_dt all_page_cnt final_rec_seq_num
    fullsize_length fullsize_width comp_frmlchk resolution linecnt_length linecnt_width image_data_len image_data`,
  snpn_tuzsy: `
    skbt_flg snpn_bngu* tuzsy_sybt* krkes_bngu* ig_tuzsy_bngu snk_snsi_bngu snsinn_cd dirnn_sybt kusn_ntz_bat`,
  ig_mustt: 'skbt_flg snpn_bngu mustt_bngu ig_mustt_dt ig_mustt_sisyu_sybn_cd sisyu_sybn_kkti_dt kusn_ntz_bat',
  madpro_snpn_zkn_kyu: `
    skbt_flg snpn_bngu* tyuni_sir_bngu bnkt_kgu_cd kksi_trk_bg_ks_ks_kg_cd kksi_turk_bngu kusn_ntz_bat`,
  mrgn_t_rwrt_app_num: `${RIGHT} app_num* mrgn_info_upd_ymd mu_num* mrgn_t_rwrt_app_num`,
  jiken_c_t_old: `
    yonpo_code* shutugan_no* kokoku_no kokoku_bi paz_sotugo_su paz_nenkantugo_su oaz_sotugo_su oaz_nenkantugo_su
    oaz_bumonbetutugo_su oaz_bumonbetunenkantugo_su oaz_kohohakko_bi oaz_seigo_sikibetu`,
  dsgn_gvrnmnt_dsgn_st_gds_srvc_reg: `${MADRID} history_num* seq_num* madopro_class goods_service_name ${DEFINED}`,
  dsgn_gvrnmnt_appl_info: `
    ${MADRID} appl_info_id* appl_typ appl_num appl_clim_year_month_day appl_final_dspst trial_dcsn_year_month_day
    trial_dcsn_define_ymd ${DEFINED}`,
} as const;

export type TableName = keyof typeof COLUMNS;

export const TABLES = parseTables(COLUMNS);

export function isTableName(name: string): name is TableName {
  return TABLES.has(name);
}
