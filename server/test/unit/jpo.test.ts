import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { foldWidth, joinLines } from '../../src/load/formats/jpo/fields.ts';
import type { Issue, NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { documentOf, statedOf } from '../support/formats.ts';
import { APPLICATION, CASE, MARK, NUMBER, REGISTRATION, RIGHT, ROOT } from '../support/japanese-rows.ts';
import { readSet, type TableRows, writeSet } from '../support/tables.ts';

interface SetRead {
  records: NormalizedRecord[];
  reasons: string[];
  issues: Issue[];
}

async function readFiles(files: Readonly<Record<string, string>>, root = ROOT): Promise<SetRead> {
  const { items, issues } = await readSet(files, root);
  return {
    records: items.flatMap((item) => (item.kind === 'record' ? [normalizeRecord(item.record)] : [])),
    reasons: items.flatMap((item) => (item.kind === 'reject' ? [item.reason] : [])),
    issues,
  };
}

/** The only record of a set that raises nothing. */
async function readMark(tables: TableRows, root = ROOT): Promise<NormalizedRecord> {
  const { records, reasons, issues } = await readFiles(writeSet(tables), root);
  assert.deepEqual([reasons, issues], [[], []]);
  assert.equal(records.length, 1);
  return records[0] as NormalizedRecord;
}

test('reads an application from its rows in all tables [2.1, 2.2]', async () => {
  const record = await readMark(APPLICATION);
  assert.deepEqual(statedOf(record), {
    jurisdiction_code: 'JP',
    uid: 'JP502020000001234',
    office: 'JP',
    application_number: NUMBER,
    mark_name: 'ＢＬＵＥ ブル－',
    mark_name_variants: ['BLUE ブルー', 'ブルー'],
    status: 'Pending',
    application_date: '2020-01-05',
    publication_date: '2020-01-20',
    external_update_date: '2025-06-25',
    nice_classes: [3, 25],
    vienna_codes: ['26.03.23'],
    priority_numbers: ['88/123,456'],
    is_partial: false,
    is_removal: false,
    normalized: true,
  });
  assert.deepEqual(documentOf(record).images, [{ vienna_codes: ['26.03.23.05'] }]);
});

test('reads a registration, which expires when the register says and not when its fee is due [2.2]', async () => {
  const record = await readMark({ ...APPLICATION, ...REGISTRATION });
  assert.deepEqual(
    [record.status, record.registration_number, record.registration_date, record.expiry_date],
    ['Registered', '6500001', '2021-04-01', '2031-04-01'],
  );
  assert.deepEqual(
    [record.owner_names, record.representative_names, record.external_update_date],
    [['青山株式会社'], ['甲 乙'], '2025-07-01'],
  );
  const { source } = documentOf(record) as unknown as { source: { tables: Record<string, unknown> } };
  assert.deepEqual(source.tables.mgt_info_t, [{ next_pen_pymnt_tm_lmt_ymd: '20260401' }]);
});

test('finds the status by what ended, then by a registration, then by the disposition [3, I-32]', async () => {
  const status = async (
    changes: Readonly<Record<string, string>>,
    register: Readonly<Record<string, string>> | null,
  ) => {
    const tables: TableRows = {
      jiken_c_t: [{ ...CASE, ...changes }],
      ...(register === null ? {} : { mgt_info_t: [{ ...RIGHT, app_num: NUMBER, ...register }] }),
    };
    const { records, issues } = await readFiles(writeSet(tables));
    return [records[0]?.status, records[0]?.tm5_status, ...issues.map(({ code, path }) => `${code} ${path}`)];
  };
  const disposed = (code: string): Readonly<Record<string, string>> => ({ saishushobun_shubetu: code });
  assert.deepEqual(await status({}, null), ['Pending', null]);
  assert.deepEqual(await status(disposed('A01'), null), ['Pending', 'A01 登録査定書']);
  assert.deepEqual(await status(disposed('A02'), null), ['Abandoned', 'A02 拒絶査定']);
  assert.deepEqual(await status(disposed('A045'), null), ['Abandoned', 'A045 出願却下処分書']);
  assert.deepEqual(await status(disposed('Z99'), null), [
    'Unknown',
    'Z99',
    'unmapped_status jiken_c_t.saishushobun_shubetu',
  ]);
  assert.deepEqual(await status(disposed('A01'), {}), ['Registered', 'A01 登録査定書']);
  assert.deepEqual(await status({}, { right_ersr_id: 'C1' }), ['Cancelled', null]);
  assert.deepEqual(await status({}, { right_disppr_year_month_day: '20240101' }), ['Cancelled', null]);
  const ended = await readMark({
    t_basic_item_art: [
      { ...MARK, mgt_num: '1', reg_num: '0446766', final_dspst_cd: 'R02', final_dspst_dt: '20240625' },
    ],
  });
  assert.deepEqual([ended.status, ended.termination_date, ended.tm5_status], ['Cancelled', '2024-06-25', 'R02']);
});

test('leaves out classes of older laws unless the right was rewritten [4.3, I-51]', async () => {
  const old = (rewritten: string): TableRows => ({
    t_basic_item_art: [{ ...MARK, mgt_num: '1', app_dt: '19520131', old_law: '03', rwrt_app_num: rewritten }],
    t_knd_info_art_table: [{ ...MARK, knd: '30' }],
  });
  const kept = await readMark(old('0000000000'));
  assert.deepEqual(
    [kept.nice_classes, documentOf(kept).classification],
    [null, { classes: [{ national_codes: ['03'] }] }],
  );
  assert.deepEqual((await readMark(old('2004528104'))).nice_classes, [30]);
});

test('recognizes kinds and features by flags and by the words of the explanation [4.3]', async () => {
  const kind = async (flags: Readonly<Record<string, string>>): Promise<unknown> =>
    (await readMark({ t_basic_item_art: [{ ...MARK, mgt_num: '1', ...flags }] })).kind_of_mark;
  assert.deepEqual(
    [await kind({}), await kind({ app_typ_group: '1' }), await kind({ app_typ_area_group: '1' })],
    [null, 'Collective', 'Collective'],
  );
  assert.deepEqual([await kind({ app_typ_sec: '1' }), await kind({ sec_num: '001' })], ['Defensive', 'Defensive']);
  const feature = async (text: string, code = ''): Promise<unknown> => {
    const { records, issues } = await readFiles(
      writeSet({
        jiken_c_t: [{ ...CASE, rittaishohyo_umu: code }],
        jiken_c_t_shousaina_setumei: [{ ...CASE, dtz_rireki_no: '1', shohyonoshousaina_setumei: text }],
      }),
    );
    return [records[0]?.mark_feature, ...issues.map(({ code: issue }) => issue)];
  };
  assert.deepEqual(await feature('本商標は、位置商標であり', '5'), ['Position']);
  assert.deepEqual(await feature('これは動き商標である', '4'), ['Motion']);
  assert.deepEqual(await feature('', '7'), [null, 'unmapped_feature']);
  const standard = await readMark({ jiken_c_t: [{ ...CASE, hyojunmoji_umu: '1' }] });
  assert.equal(standard.mark_feature, 'Word');
});

test('reads a defensive registration as a separate record [2.1]', async () => {
  const record = await readMark({
    sec_art: [
      {
        ...RIGHT,
        reg_num: '0323669',
        app_num: '1939012504',
        sec_app_num: NUMBER,
        sec_num: '002',
        sec_reg_year_month_day: '20210401',
        sec_conti_prd_expire_ymd: '20310401',
        sec_desig_goods_desig_wrk_cls: '30',
      },
    ],
    sec_goods_name: [
      {
        ...RIGHT,
        reg_num: '0323669',
        sec_num: '002',
        sec_desig_goods_desig_wrk_cls: '30',
        sec_desig_gds_nm_desig_wrk_nm: '菓子',
      },
    ],
  });
  assert.deepEqual(
    [record.uid, record.registration_number, record.kind_of_mark, record.status, record.expiry_date],
    ['JP502020000001234', '0323669-002', 'Defensive', 'Registered', '2031-04-01'],
  );
});

test('gives a divided right a separate record next to the one of its application [2.1]', async () => {
  const divided = { ...RIGHT, split_num: '1'.padEnd(31, '0') };
  const { records } = await readFiles(
    writeSet({
      jiken_c_t: [{ ...CASE, shutugan_bi: '20200105', raz_toroku_no: '6500001' }],
      mgt_info_t: [
        { ...RIGHT, app_num: NUMBER },
        { ...divided, app_num: NUMBER, right_ersr_id: 'C1' },
      ],
      right_person_art_t: [
        { ...RIGHT, right_person_name: '甲社' },
        { ...divided, right_person_name: '乙社' },
      ],
    }),
  );
  const split = divided.split_num;
  assert.deepEqual(
    records.map(({ uid, registration_number, status, owner_names }) => [uid, registration_number, status, owner_names]),
    [
      ['JP502020000001234', '6500001', 'Registered', ['甲社']],
      [`JP502020000001234-${split}`, `6500001-${split}`, 'Cancelled', ['乙社']],
    ],
  );
});

const DESIGNATION = '2005351191';
const MADRID = { add_del_id: '0', jpo_rfr_num: DESIGNATION, define_flg: '1' };
const DESIGNATED: TableRows = {
  dsgn_gvrnmnt_main_mgt_app: [
    {
      ...MADRID,
      intl_reg_num: '0637349',
      intl_num_split_sign_cd: 'A',
      intl_reg_year_month_day: '19950621',
      aft_desig_year_month_day: '20031211',
      exam_final_dspst_cd: 'A1',
      exam_final_dspst_ymd: '20051222',
      reg_final_dspst_cd: '00',
      design_state_cd: 'JPBXCH',
    },
  ],
  design_state_gvrnmnt_mstr_mk: [
    { ...MADRID, history_num: '0000', emblem_transliterat_detail: 'OLD' },
    {
      ...MADRID,
      history_num: '0001',
      emblem_transliterat_detail: 'LAN SE',
      vienna_class: '2705  ;2803  ;',
      standard_char_declarat_flg: '1',
    },
    { ...MADRID, history_num: '0002', define_flg: '0', emblem_transliterat_detail: 'DRAFT' },
  ],
  dsgn_gvrnmnt_name_addr_app: [
    {
      ...MADRID,
      history_num: '0000',
      appl_atty_input_seq_num: '1',
      appl_atty_class_cd: '01',
      appl_atty_title: 'L&amp;Oslash;JE &amp; Co.',
    },
    {
      ...MADRID,
      history_num: '0000',
      appl_atty_input_seq_num: '1',
      appl_atty_class_cd: '03',
      appl_atty_title: 'AGENT SRL',
    },
  ],
};

test('reads a designation by Madrid as a mark of the international office, in its latest defined version [2.1, I-33]', async () => {
  const record = await readMark(DESIGNATED, `app ${DESIGNATION}`);
  assert.deepEqual(statedOf(record), {
    jurisdiction_code: 'JP',
    uid: 'JP502005000351191',
    office: 'WO',
    application_number: DESIGNATION,
    mark_name: 'LAN SE',
    status: 'Registered',
    tm5_status: 'A1',
    mark_feature: 'Word',
    application_date: '2003-12-11',
    status_date: '2005-12-22',
    vienna_codes: ['27.05', '28.03'],
    owner_names: ['løje & co.'],
    representative_names: ['agent srl'],
    international_registration_numbers: ['637349A'],
    designated_countries: ['JP', 'BX', 'CH'],
    is_partial: false,
    is_removal: false,
    normalized: true,
  });
});

test('says when a designation ended or was refused [3]', async () => {
  const status = async (changes: Readonly<Record<string, string>>): Promise<unknown> => {
    const row = { ...DESIGNATED.dsgn_gvrnmnt_main_mgt_app?.[0], ...changes };
    const { status: found, termination_date } = await readMark(
      { dsgn_gvrnmnt_main_mgt_app: [row] },
      `app ${DESIGNATION}`,
    );
    return [found, termination_date];
  };
  assert.deepEqual(await status({ reg_final_dspst_cd: 'R2', reg_final_dspst_year_month_day: '20241204' }), [
    'Cancelled',
    '2024-12-04',
  ]);
  assert.deepEqual(await status({ exam_final_dspst_cd: 'A2' }), ['Abandoned', null]);
  assert.deepEqual(await status({ exam_final_dspst_cd: '' }), ['Pending', null]);
  assert.deepEqual(await status({ reg_final_dspst_cd: '' }), ['Pending', null]);
});

test('folds letters of full width and old long vowels for the search, and nothing else [I-12]', () => {
  assert.equal(foldWidth('スイ－トピ－'), 'スイートピー');
  assert.equal(foldWidth('ＡＣＥ＼エ－ス'), 'ACE エース');
  assert.equal(foldWidth('Ａ－１'), 'A-1');
  assert.equal(joinLines('ＡＣＥ＼エ－ス'), 'ＡＣＥ エ－ス');
});

test('rejects lines that are not rows or are of another right, and reads the rest [I-37]', async () => {
  const [name = '', text = ''] = Object.entries(writeSet({ jiken_c_t: [CASE, { ...CASE, yonpo_code: '3' }] }))[0] ?? [];
  const { records, reasons } = await readFiles({ [name]: `${text}too\tshort\n` });
  assert.deepEqual(
    [records.length, reasons],
    [1, ['the row is of another right: yonpo_code is 3, not 4', 'the row has 2 columns, the table 49']],
  );
});

test('refuses what is not a table of the set, and reports tables and columns that it does not know [I-37]', async () => {
  const refused = (files: Readonly<Record<string, string>>, message: RegExp): Promise<void> =>
    assert.rejects(readFiles(files), (error) => error instanceof OperatorError && message.test(error.message));
  await refused(
    { 'upd_jiken_c_t.tsv': 'a\tb\n1\t2\n' },
    /not the table jiken_c_t: it has no column yonpo_code, shutugan_no/,
  );
  await refused({ 'upd_jiken_c_t.tsv': '' }, /is empty/);
  await refused({ 'notes.txt': 'x' }, /is not a table of a weekly set/);
  const set = writeSet(APPLICATION);
  const renamed = {
    ...set,
    'upd_jiken_c_t.tsv': set['upd_jiken_c_t.tsv']?.replace('shutugan_bi', 'shutugan_day') ?? '',
  };
  const { records, issues } = await readFiles({ ...renamed, 'upd_new_table.tsv': 'a\n1\n' });
  assert.deepEqual(
    [records[0]?.application_date, issues.map(({ code, path }) => `${code} ${path}`)],
    [
      null,
      ['unknown_element jiken_c_t.shutugan_day', 'missing_column jiken_c_t.shutugan_bi', 'unknown_table new_table'],
    ],
  );
});
