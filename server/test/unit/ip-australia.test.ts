/** Marks of the Australian register, joined from the six tables of a set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import {
  AUSTRALIAN_MARK,
  type AustralianTables,
  NUMBER,
  readAustralianSet,
  row,
  writeAustralianSet,
} from '../support/australian-rows.ts';
import { documentOf, statedOf } from '../support/formats.ts';
import { listTableMutations } from '../support/table-mutations.ts';

interface SetRead {
  records: NormalizedRecord[];
  reasons: string[];
  /** As `code path value`. */
  issues: string[];
  periods: string[];
}

async function readFiles(files: Readonly<Record<string, string>>): Promise<SetRead> {
  const { items, issues, periods } = await readAustralianSet(files);
  return {
    records: items.flatMap((item) => (item.kind === 'record' ? [normalizeRecord(item.record)] : [])),
    reasons: items.flatMap((item) => (item.kind === 'reject' ? [item.reason] : [])),
    issues: issues.map(({ code, path, value }) => `${code} ${path} ${value}`.trim()),
    periods,
  };
}

/** The only record of the set, and its issues, with other rows in some tables. */
async function readMark(tables: AustralianTables = {}): Promise<{ record: NormalizedRecord; issues: string[] }> {
  const { records, reasons, issues } = await readFiles(writeAustralianSet({ ...AUSTRALIAN_MARK, ...tables }));
  assert.deepEqual([records.length, reasons], [1, []]);
  return { record: records[0] as NormalizedRecord, issues };
}

const application = (changes: Readonly<Record<string, string>>): AustralianTables => ({
  application: [{ ...AUSTRALIAN_MARK.application[0], ...changes }],
});
const descriptions = (...types: readonly string[]): AustralianTables => ({
  application_description: types.map((description_type) => row({ description_type })),
});

test('reads a mark from its rows in all tables [2.1, 2.2]', async () => {
  const { record, issues } = await readMark();
  assert.deepEqual(issues, []);
  assert.deepEqual(statedOf(record), {
    jurisdiction_code: 'AU',
    uid: 'AU500000002345678',
    office: 'AU',
    application_number: NUMBER,
    mark_name: 'QUILLFERN "BLUE"',
    status: 'Registered',
    tm5_status: 'registered',
    kind_of_mark: 'Trademark',
    mark_feature: 'Combined',
    application_date: '2022-03-04',
    registration_date: '2022-11-12',
    termination_date: '2032-03-04',
    nice_classes: [9],
    owner_names: ['quillfern holdings pty ltd', 'ada quill'],
    owner_countries: ['AU', 'NZ'],
    representative_names: ['fern & penn'],
    priority_numbers: ['88/765,432'],
    is_partial: false,
    is_removal: false,
    normalized: true,
  });
});

test('keeps what the tables state beyond the record in its document [2.2]', async () => {
  const { record } = await readMark();
  const { parties, mark, goods_and_services, publications, priorities, events, classification, related_marks, source } =
    documentOf(record);
  assert.deepEqual(parties, [
    {
      role: 'owner',
      office_role: 'owner',
      current: true,
      identifier: '71',
      names: [{ text: 'Quillfern Holdings Pty Ltd', kind: 'organization' }],
      address: { region: 'NSW', postcode: '2000', country: 'AU' },
      details: { effective_from_date: '2023-01-01', abn: '12345678901.0', is_founding: 'FALSE' },
    },
    {
      role: 'applicant',
      office_role: 'applicant',
      current: false,
      identifier: '70',
      names: [{ text: 'Ada Quill', kind: 'person' }],
      address: { country: 'NZ' },
      details: { effective_from_date: '2022-03-04', effective_to_date: '2023-01-01', is_founding: 'TRUE' },
    },
    {
      role: 'representative',
      office_role: 'agent',
      current: true,
      identifier: '72',
      names: [{ text: 'Fern & Penn', kind: 'organization' }],
      address: { country: 'AU' },
      details: { effective_from_date: '2022-03-04' },
    },
  ]);
  assert.deepEqual(mark, {
    texts: [{ text: 'QUILLFERN "BLUE"' }],
    descriptions: [{ text: 'FERN,QUILL' }],
    details: { trade_mark_word: ['QUILLFERN'] },
  });
  assert.deepEqual(goods_and_services, [
    {
      scheme: 'nice',
      edition: '11',
      class: '9',
      details: {
        classification_importance: 'primary',
        classification_inventiveness: 'unknown',
        classification_source: 'human',
        classifying_country_code: 'AU',
        classification_date: '2022-03-04',
        classification_area: '9',
        coarse_classification_area: 'goods',
      },
    },
  ]);
  assert.deepEqual(classification, {
    classes: [
      {
        international_codes: ['35'],
        status_date: '2022-06-07',
        details: { is_current: 'FALSE', classification_system: 'nice', classification_date: '2022-03-05' },
      },
    ],
  });
  assert.deepEqual(publications, [
    {
      kind: 'published_ipr_accepted',
      section: 'publish_accepted',
      date: '2022-07-08',
      details: { event_declared_date: '2022-07-09' },
    },
  ]);
  assert.deepEqual(priorities, [
    { number: '88/765,432', country: 'US', date: '2021-10-06', details: { link_type: 'convention' } },
  ]);
  assert.deepEqual(events, [
    {
      kind: 'history',
      code: 'registered',
      type: 'registered',
      date: '2022-11-12',
      details: { event_declared_date: '2022-11-14' },
    },
    {
      kind: 'history',
      code: 'lapsed',
      type: 'lapsed',
      date: '2022-10-01',
      removed: true,
      details: { event_declared_date: '2022-10-02' },
    },
    {
      kind: 'opposition',
      type: 'opposition',
      date: '2022-09-01',
      parties: [
        {
          role: 'other',
          office_role: 'opponent',
          current: false,
          identifier: '73',
          names: [{ text: 'Thornbush Ltd', kind: 'organization' }],
          address: { country: 'GB' },
        },
      ],
    },
  ]);
  assert.deepEqual(related_marks, [
    { relationship: 'divisional_parent', number: '2345000', country: 'AU', date: '2022-02-01' },
  ]);
  assert.deepEqual(source, {
    format: 'ip-australia',
    status_text: 'registered',
    kind_text: 'trade_mark',
    feature_text: 'trade_mark_figurative, trade_mark_word',
    application: {
      earliest_filed_date: '2021-10-05',
      priority_date: '2021-10-06',
      gained_enforceable_status_date: '2022-11-13',
      enforceable_from_date: '2022-03-05',
    },
  });
});

test('maps the words of the office for statuses; what ended was abandoned or cancelled by its registration [3, I-32]', async () => {
  const status = async (word: string, registered = ''): Promise<string[]> => {
    const { record, issues } = await readMark(
      application({ status: word, gained_registration_status_date: registered }),
    );
    return [record.status, ...issues];
  };
  for (const word of ['filed', 'published', 'accepted']) assert.deepEqual(await status(word), ['Pending'], word);
  for (const word of ['registered', 'protected']) assert.deepEqual(await status(word), ['Registered'], word);
  for (const word of ['removed', 'ceased', 'cancelled', 'expired']) {
    assert.deepEqual(await status(word), ['Cancelled'], word);
  }
  const ended = 'not_filed lapsed withdrawn refused ex_parte_refused inter_partes_refused linked revoked voided';
  for (const word of ended.split(' ')) {
    assert.deepEqual([await status(word), await status(word, '2022-11-12')], [['Abandoned'], ['Cancelled']], word);
  }
  for (const word of ['unknown', 'granted', 'toString']) {
    assert.deepEqual(await status(word), ['Unknown', `unmapped_status application.status ${word}`]);
  }
  assert.deepEqual(await status(''), ['Unknown', 'unmapped_status application.status']);
});

test('maps kinds by the sub-type, and says which it does not know [4.3]', async () => {
  const kind = async (ip_right_sub_type: string): Promise<unknown[]> => {
    const { record, issues } = await readMark(application({ ip_right_sub_type }));
    return [record.kind_of_mark, ...issues];
  };
  assert.deepEqual(await kind('certification_trade_mark'), ['Certificate']);
  assert.deepEqual(await kind('trade_mark_collective'), ['Collective']);
  assert.deepEqual(await kind('trade_mark_collective_certification'), ['Collective']);
  assert.deepEqual(await kind('defensive'), ['Defensive']);
  assert.deepEqual(await kind('innovation'), [null, 'unmapped_kind application.ip_right_sub_type innovation']);
  assert.deepEqual(await kind(''), [null]);
});

test('maps the types of a mark, alone and together [4.3]', async () => {
  const feature = async (...types: readonly string[]): Promise<unknown[]> => {
    const { record, issues } = await readMark(descriptions(...types.map((type) => `trade_mark_${type}`)));
    return [record.mark_feature, ...issues];
  };
  assert.deepEqual(await feature('word'), ['Word']);
  assert.deepEqual(await feature('fancy'), ['Stylized characters']);
  assert.deepEqual(await feature('fancy', 'word'), ['Stylized characters']);
  assert.deepEqual(await feature('fancy', 'figurative'), ['Combined']);
  assert.deepEqual(await feature('shape', 'word', 'figurative'), ['Three-dimensional']);
  assert.deepEqual(await feature('colour'), ['Colour']);
  assert.deepEqual(await feature('sound'), ['Sound']);
  assert.deepEqual(await feature('scent'), ['Olfactory']);
  assert.deepEqual(await feature('movement'), ['Motion']);
  assert.deepEqual(await feature('other'), ['Other']);
  assert.deepEqual(await feature('colour', 'figurative'), [
    'Other',
    'unmapped_feature application_description.description_type trade_mark_colour, trade_mark_figurative',
  ]);
  assert.deepEqual(await feature('taste'), [
    null,
    'unknown_element application_description.description_type trade_mark_taste',
  ]);
});

test('takes the words of the mark as its name, the others of a series as variants, and never what an image shows [2.2, I-12]', async () => {
  const { record } = await readMark({
    application_description: [
      row({ description_type: 'trade_mark_word_mark_phrase', description_value: 'QUILLFERN RED' }),
      row({ description_type: 'trade_mark_word_mark_phrase', description_value: 'QUILLFERN BLUE' }),
    ],
  });
  assert.deepEqual([record.mark_name, record.mark_name_variants], ['QUILLFERN BLUE', ['QUILLFERN RED']]);
  const { record: image } = await readMark({
    application_description: [row({ description_type: 'trade_mark_image_words', description_value: 'FERN' })],
  });
  assert.deepEqual([image.mark_name, image.mark_name_variants], [null, null]);
});

test('reads Nice classes in force; a scheme that is not named is an issue [4.3, I-51]', async () => {
  const classes = async (...rows: readonly Readonly<Record<string, string>>[]): Promise<unknown[]> => {
    const { record, issues } = await readMark({
      application_classification: rows.map((cells) => row({ is_current: 'TRUE', ...cells })),
    });
    return [record.nice_classes, ...issues];
  };
  const path = 'application_classification';
  assert.deepEqual(
    await classes(
      { classification_system: 'Nice', classification: '35' },
      { classification_system: 'nice', classification: '09' },
      { classification_system: 'nice', classification: '1', is_current: 'FALSE' },
    ),
    [[9, 35]],
  );
  assert.deepEqual(await classes({ classification: '9' }), [[9], `unmapped_class ${path}.classification_system`]);
  assert.deepEqual(await classes({ classification_system: 'nice', classification: '99' }), [
    null,
    `unmapped_class ${path}.classification 99`,
  ]);
  assert.deepEqual(await classes({ classification_system: 'locarno', classification: '9' }), [
    null,
    `unmapped_class ${path}.classification 9`,
  ]);
});

test('reads a designation by Madrid as a mark of the international office [2.1, I-33]', async () => {
  const link = (linked_application_number: string): AustralianTables => ({
    application_links: [
      row({ link_type: 'madrid_import', linked_application_number, linked_application_country: 'WO' }),
    ],
  });
  const { record, issues } = await readMark(link('0984562a'));
  assert.deepEqual(
    [record.office, record.international_registration_numbers, documentOf(record).international, issues],
    ['WO', ['984562A'], { registration: { number: '0984562a' } }, []],
  );
  const { record: unreadable, issues: found } = await readMark(link('A/2020/5'));
  assert.deepEqual(
    [unreadable.office, unreadable.international_registration_numbers, found],
    ['WO', null, ['unfindable_value application_links.linked_application_number A/2020/5']],
  );
  const { record: basis } = await readMark({
    application_links: [row({ link_type: 'madrid_export', linked_application_number: '1234567' })],
  });
  assert.deepEqual([basis.office, basis.international_registration_numbers], ['AU', null]);
});

test('reports values that it cannot read, and reads the rest [I-37]', async () => {
  const party = AUSTRALIAN_MARK.party_activity[0];
  const { record, issues } = await readMark({
    ...application({ application_date: '2022-02-30', deemed_retired_date: '2032-03-04 00:00:00.000' }),
    party_activity: [
      { ...party, party_role: 'squire', country_code: 'AUS', is_current: 'perhaps' },
      { ...party, party_role_category: 'witness', party_name: 'A Witness' },
    ],
  });
  assert.deepEqual(issues.toSorted(), [
    'impossible_date application.application_date 2022-02-30',
    'unmapped_country party_activity.country_code AUS',
    'unmapped_indicator party_activity.is_current perhaps',
    'unmapped_party_type party_activity.party_role squire',
    'unmapped_party_type party_activity.party_role_category witness',
  ]);
  assert.deepEqual(
    [record.application_date, record.termination_date, record.owner_names, record.owner_countries],
    [null, '2032-03-04', ['quillfern holdings pty ltd'], null],
  );
  assert.deepEqual(documentOf(record).events?.at(-1)?.kind, 'proceeding');
});

test('skips rows of other rights, and rejects lines that are not rows [I-37]', async () => {
  const { records, reasons, issues } = await readFiles(
    writeAustralianSet({
      ...AUSTRALIAN_MARK,
      application: [
        ...AUSTRALIAN_MARK.application,
        row({ ip_right_type: 'patent', status: 'granted' }),
        row({ ip_right_type: 'secret', status: 'filed' }),
        row({ application_number: '23 45', status: 'filed' }),
        row({ application_number: '', status: 'filed' }),
      ],
    }),
  );
  assert.equal(records.length, 1);
  assert.deepEqual(reasons, [
    'the row does not say that it is of a trade mark: ip_right_type is "secret"',
    'an application number has up to 13 digits and letters, not "23 45"',
    'an application number has up to 13 digits and letters, not ""',
  ]);
  assert.deepEqual(issues, ['unmapped_indicator application.ip_right_type secret']);
  const cut = await readFiles({ 'application.csv': 'ip_right_type,application_number,status\ntrade_mark,1\n' });
  assert.deepEqual(cut.reasons, ['the row has 2 columns, the table 3']);
});

test('refuses what is not a table of the set, and reports columns that it does not know [I-37]', async () => {
  const refusal = async (name: string, text: string): Promise<string> => {
    const error = await readAustralianSet({ [name]: text }).catch((failure: unknown) => failure);
    assert.ok(error instanceof OperatorError, String(error));
    return error.message;
  };
  assert.match(await refusal('patent-application.csv', ''), /is not a table of a set/);
  assert.match(await refusal('application.csv', ''), /is empty/);
  assert.match(
    await refusal('application.csv', 'a,b\n'),
    /it has no column ip_right_type, application_number, status$/,
  );
  assert.match(
    await refusal('application.csv', 'ip_right_type,application_number,status,status\n'),
    /has the column status twice/,
  );
  assert.match(
    await refusal('application.csv', 'ip_right_type,application_number,status\ntrade_mark,"1\n'),
    /line 2: a quoted field is not closed/,
  );
  const text = 'ip_right_type,application_number,description_type,description_value,lot\ntrade_mark,1,x,y,z\n';
  const { issues } = await readFiles({ 'application_description.csv': text });
  assert.ok(issues.includes('unknown_element application_description.lot'));
});

test('a set without one of its tables states a part of each mark; rows that no application describes are reported', async () => {
  const { application: rows, party_activity, ...others } = AUSTRALIAN_MARK;
  const { records } = await readFiles(writeAustralianSet({ application: rows, party_activity }));
  assert.deepEqual([records[0]?.is_partial, records[0]?.nice_classes], [true, null]);
  const { records: none, issues } = await readFiles(writeAustralianSet(others));
  assert.deepEqual(none, []);
  assert.deepEqual(issues.toSorted(), [
    `stranded_detail application_classification ${NUMBER}`,
    `stranded_detail application_description ${NUMBER}`,
    `stranded_detail application_events ${NUMBER}`,
    `stranded_detail application_links ${NUMBER}`,
  ]);
});

test('reads the tables of the yearly sets by their names, and the day of a set from its folder or archive', async () => {
  const files = writeAustralianSet(AUSTRALIAN_MARK);
  const yearly = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`2026-07-20/ipgod.zip/trade-mark-${name.replaceAll('_', '-')}`, text]),
  );
  const { records, issues, periods } = await readFiles(yearly);
  assert.deepEqual(issues, []);
  assert.deepEqual([records[0]?.source_version, [...new Set(periods)]], ['2026-07-20', ['2026-07-20']]);
  const { records: undated, periods: none } = await readFiles(files);
  assert.deepEqual([undated[0]?.source_version, none], [null, []]);
});

test('nothing that is done to a cell, a column or a row of a set passes silently: Australian set', async () => {
  const csv = writeAustralianSet({
    ...AUSTRALIAN_MARK,
    application_description: [row({ description_type: 'trade_mark_word_mark_phrase', description_value: 'QUILLFERN' })],
  });
  // No cell but one of these holds a comma.
  const swap = (from: string, to: string, files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        text.replaceAll('"88/765,432"', '88/765432').replaceAll(from, to),
      ]),
    );
  const outcome = async (files: Readonly<Record<string, string>>): Promise<string> =>
    JSON.stringify(await readFiles(swap('\t', ',', files)).catch(String));
  const files = swap(',', '\t', csv);
  const whole = await outcome(files);
  assert.match(whole, /"reasons":\[\],"issues":\[\]/, 'the fixture itself raises no issue');
  const mutations = listTableMutations(files);
  assert.ok(mutations.length >= 100, `${mutations.length} mutations`);
  const silent: string[] = [];
  for (const { title, files: spoilt } of mutations) if ((await outcome(spoilt)) === whole) silent.push(title);
  assert.deepEqual(silent, []);
});

test('rows state the same in whatever order a table has them: Australian set', async () => {
  const files = writeAustralianSet(AUSTRALIAN_MARK);
  const reordered = Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const [columns, ...rows] = text.replace(/\n$/, '').split('\n');
      return [name, `${[columns, ...rows.reverse()].join('\n')}\n`];
    }),
  );
  assert.notDeepEqual(reordered, files);
  assert.deepEqual(await readFiles(reordered), await readFiles(files));
});
