import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { parseCreation, usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { CASE_STATUSES } from '../../src/load/formats/uspto-apc/statuses.ts';
import { digestContent } from '../../src/record/digest.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import {
  CASE_SHAPE,
  type CaseParts,
  type Element,
  writeCase,
  writeDaily,
  writeElements,
  writeFullCase,
} from '../support/case-file.ts';
import { documentOf, listItems, type ReadResult, readOne } from '../support/formats.ts';

const readCase = (parts: CaseParts): Promise<ReadResult> => readOne(usptoApcFormat, writeCase(parts));

async function readHeader(...header: Element[]): Promise<SourceRecord> {
  const { record, issues } = await readCase({ header });
  assert.deepEqual(issues, []);
  return record;
}

const owner = (type: string, name: string, ...more: Element[]): Element => [
  'case-file-owner',
  [['entry-number', '1'], ['party-type', type], ['party-name', name], ...more],
];

test('reads every case-file of a daily file, and up to when it is complete', async () => {
  const frontiers: string[] = [];
  const context = { register: null, noteFrontier: (instant: string) => void frontiers.push(instant) };
  const daily = writeDaily(writeCase({ serial: '97000001' }) + writeCase({ serial: '97000002' }));
  const items = await listItems(usptoApcFormat, daily, context);
  assert.deepEqual(
    items.map((item) => item.kind === 'record' && [item.record.uid, item.record.jurisdiction_code, item.issues]),
    [
      ['US500000097000001', 'US', []],
      ['US500000097000002', 'US', []],
    ],
  );
  assert.match(items[0]?.position ?? '', /^fixture\.xml, line \d+$/);
  assert.deepEqual(frontiers, ['2026-01-02T22:08:00.000000Z']);
  assert.equal(parseCreation('20260230'), null);
  assert.equal(parseCreation('202602302208'), null);
  assert.equal(parseCreation('202601022460'), null);
});

test('reads a day without data as nothing', async () => {
  const empty = `<trademark-applications-daily><application-information><data-available-code>N</data-available-code>
    </application-information></trademark-applications-daily>`;
  assert.deepEqual(await listItems(usptoApcFormat, empty), []);
});

test('reads the XML files of an archive and nothing else in it', () => {
  const names = [
    'apc260102.xml',
    'a/B.XML',
    'image.jpg',
    'xml',
    '__MACOSX/apc.xml',
    'a/._apc.xml',
    '.xml',
    'a.xml.txt',
  ];
  assert.deepEqual(names.filter(usptoApcFormat.accepts), ['apc260102.xml', 'a/B.XML']);
});

test('takes a case-file without a root, and no other register than its own', async () => {
  const source = writeCase({ serial: '79000001' });
  const [item] = await listItems(usptoApcFormat, source, { register: 'US' });
  assert.ok(item?.kind === 'record');
  assert.equal(item.record.jurisdiction_code, 'US');
  assert.equal(item.record.uid, 'US500000079000001');
  await assert.rejects(
    listItems(usptoApcFormat, source, { register: 'XU' }),
    new OperatorError('--register says XU, but uspto-apc reads files of the register US'),
  );
});

test('refuses another kind of XML and says what it seems to be', async () => {
  for (const [source, message] of [
    ['<Transaction xmlns="http://euipo.europa.eu/trademark/data"/>', /root element is Transaction; .*format st66/],
    ['<tmk:TrademarkTransaction xmlns:tmk="x"/>', /ST\.96 XML: try the format st96/],
    ['<HTML><body>Sorry</body></HTML>', /a web page, perhaps an error page/],
    ['<constructor/>', /root element is constructor; it looks like XML of an unknown kind; no format reads that$/],
    ['<case-files/>', /^fixture\.xml is not USPTO trademark-applications-daily XML: its root element is case-files; /],
  ] as const) {
    await assert.rejects(listItems(usptoApcFormat, source), (error: unknown) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, message);
      return true;
    });
  }
});

test('rejects a case-file without a usable serial number and reads the rest [I-24]', async () => {
  const bad = writeElements([['case-file', [['transaction-date', '20260102']]]]);
  const wrong = writeCase({ serial: 'x' }) + writeCase({ serial: '00000000' });
  const items = await listItems(usptoApcFormat, writeDaily(bad + wrong + writeCase()));
  assert.deepEqual(
    items.map((item) => (item.kind === 'reject' ? [item.reason, String(item.raw).slice(0, 11)] : item.record.uid)),
    [
      ['case-file has no serial-number', '<case-file>'],
      ['serial-number must be digits, not "x"', '<case-file>'],
      ['serial-number 00000000 is zeros, which say that there is no number', '<case-file>'],
      'US500000097000001',
    ],
  );
});

test('maps the dates of a case and leaves null what the format does not state [2.2]', async () => {
  const record = await readHeader(
    ['filing-date', '18230306'],
    ['registration-date', '19230306'],
    ['status-date', '20260101'],
    ['published-for-opposition-date', '20251231'],
    ['renewal-date', '20240229'],
  );
  const { application_date, registration_date, status_date, publication_date, renewal_date } = record;
  assert.deepEqual(
    [application_date, registration_date, status_date, publication_date, renewal_date],
    ['1823-03-06', '1923-03-06', '2026-01-01', '2025-12-31', '2024-02-29'],
    'an impossible but valid date is kept',
  );
  assert.equal(record.external_update_date, '2026-01-02');
  assert.equal(record.source_version, '20260102.2');
  assert.deepEqual(
    [record.expiry_date, record.opposition_period_end, record.termination_date],
    [null, null, null],
    'nothing is computed',
  );
});

test('reads zeros as no date and never guesses at an invalid date [2.2]', async () => {
  const { record, issues } = await readCase({
    header: [
      ['filing-date', '0'],
      ['registration-date', '00000000'],
      ['published-for-opposition-date', '20230230'],
      ['renewal-date', '19180'],
      ['status-date', '  '],
    ],
  });
  const { application_date, registration_date, publication_date, renewal_date, status_date } = record;
  assert.deepEqual(
    [application_date, registration_date, publication_date, renewal_date, status_date],
    [null, null, null, null, null],
  );
  assert.deepEqual(issues, [
    { code: 'impossible_date', path: 'case-file-header/published-for-opposition-date', value: '20230230' },
    { code: 'impossible_date', path: 'case-file-header/renewal-date', value: '19180' },
  ]);
});

test('ends a case at its cancellation, else at its abandonment [2.2]', async () => {
  const cancelled: Element = ['cancellation-date', '20200101'];
  const abandoned: Element = ['abandonment-date', '20190101'];
  assert.equal((await readHeader(abandoned)).termination_date, '2019-01-01');
  const both = await readHeader(abandoned, cancelled);
  assert.equal(both.termination_date, '2020-01-01');
  assert.equal(documentOf(both).source.abandonment_date, '2019-01-01', 'the other date is not lost');
});

test('maps every status code of the office, and reports one it does not have [3, I-32]', async () => {
  const counts: Record<string, number> = {};
  for (const [code, [status, text]] of Object.entries(CASE_STATUSES)) {
    const { record, issues } = await readOne(
      usptoApcFormat,
      `<case-file><serial-number>1</serial-number><case-file-header><status-code>${code}</status-code>
       </case-file-header></case-file>`,
    );
    assert.deepEqual([record.status, record.tm5_status, issues], [status, text, []], code);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  assert.deepEqual(counts, { Pending: 108, Abandoned: 21, Cancelled: 20, Registered: 17, Unknown: 3 });
  for (const code of ['999', '', 'toString']) {
    const { record, issues } = await readOne(
      usptoApcFormat,
      `<case-file><serial-number>1</serial-number><case-file-header><status-code>${code}</status-code>
       </case-file-header></case-file>`,
    );
    assert.deepEqual([record.status, record.tm5_status], ['Unknown', null]);
    assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'case-file-header/status-code', value: code }]);
  }
});

test('does not map status codes by hundreds [3]', () => {
  const spot = Object.fromEntries(
    ['612', '616', '709', '715', '717', '740', '778', '779', '781', '790', '800', '801', '900', '970'].map((code) => [
      code,
      CASE_STATUSES[code]?.[0],
    ]),
  );
  assert.deepEqual(spot, {
    612: 'Abandoned',
    616: 'Pending',
    709: 'Cancelled',
    715: 'Pending',
    717: 'Registered',
    740: 'Pending',
    778: 'Registered',
    779: 'Pending',
    781: 'Cancelled',
    790: 'Registered',
    800: 'Registered',
    801: 'Pending',
    900: 'Cancelled',
    970: 'Unknown',
  });
});

test('keeps a registered mark registered while a later paper of it is examined [3]', async () => {
  const source = (more: string): string => `<case-file><serial-number>1</serial-number><case-file-header>
    <status-code>740</status-code>${more}</case-file-header></case-file>`;
  const registered = '<registration-date>20200101</registration-date>';
  assert.equal((await readOne(usptoApcFormat, source(''))).record.status, 'Pending');
  assert.equal((await readOne(usptoApcFormat, source(registered))).record.status, 'Registered');
});

test('reads zeros as no registration number and drops the padding of a real one [2.2]', async () => {
  for (const [stated, number] of [
    ['0000000', null],
    ['0172053', '172053'],
    ['7654321', '7654321'],
    ['', null],
  ] as const) {
    const { record } = await readOne(
      usptoApcFormat,
      `<case-file><serial-number>97000001</serial-number><registration-number>${stated}</registration-number>
       <case-file-header><status-code>700</status-code></case-file-header></case-file>`,
    );
    assert.equal(record.registration_number, number, stated);
  }
});

test('names the international office for extensions of protection only [2.1]', async () => {
  const registration: Element = [
    'international-registration',
    [
      ['international-registration-number', '1700000'],
      ['international-registration-date', '0'],
      ['priority-claimed-in', 'T'],
      ['priority-claimed-date', '20221118'],
    ],
  ];
  const outgoing: Element = [
    'madrid-international-filing-requests',
    [['madrid-international-filing-record', [['reference-number', 'A0073680']]]],
  ];
  const office = async (parts: CaseParts): Promise<string | null> => (await readCase(parts)).record.office;
  assert.equal(await office({}), 'US');
  assert.equal(await office({ serial: '79000001' }), 'WO');
  assert.equal(await office({ header: [['filing-basis-current-66a-in', 'T']] }), 'WO');
  assert.equal(await office({ header: [['filing-basis-filed-as-66a-in', 'T']] }), 'US');
  assert.equal(await office({ after: [registration] }), 'WO');
  assert.equal(await office({ after: [outgoing] }), 'US');
  const { record } = await readCase({ after: [registration, outgoing] });
  assert.deepEqual(record.international_registration_numbers, ['1700000'], 'a reference number is no registration');
  assert.equal(record.priority_numbers, null, 'a priority date alone is no number');
  assert.deepEqual(documentOf(record).international?.registration, {
    number: '1700000',
    priority_claimed: true,
    priority_date: '2022-11-18',
  });
});

test('takes the numbers of international registrations that rest on a case [2.2]', async () => {
  const filing = (number: string): Element => [
    'madrid-international-filing-record',
    [['international-registration-number', number]],
  ];
  const { record } = await readCase({
    after: [['madrid-international-filing-requests', [filing('1700001'), filing('0'), filing('1700002')]]],
  });
  assert.deepEqual(record.international_registration_numbers, ['1700001', '1700002']);
});

test('takes priority numbers of claimed priorities only, the registration number in place of a missing one', async () => {
  const claim = (...parts: Element[]): Element => ['foreign-application', parts];
  const { record, issues } = await readCase({
    after: [
      [
        'foreign-applications',
        [
          claim(['application-number', '30 2025 1'], ['foreign-priority-claim-in', 'T']),
          claim(['application-number', '30 2025 2'], ['foreign-priority-claim-in', 'F']),
          claim(['registration-number', 'R-3'], ['country', 'DE'], ['foreign-priority-claim-in', 'T']),
          claim(['filing-date', '20250101'], ['foreign-priority-claim-in', 'T']),
        ],
      ],
    ],
  });
  assert.deepEqual(record.priority_numbers, ['30 2025 1', 'R-3']);
  assert.equal(documentOf(record).priorities?.length, 4);
  assert.deepEqual(issues, []);
});

test('decides the kind of mark by its flags, null when none is set [4.3]', async () => {
  const kind = async (...flags: string[]): Promise<string | null> =>
    (await readHeader(...flags.map((flag): Element => [flag, 'T']), ['concurrent-use-in', 'F'])).kind_of_mark;
  assert.equal(await kind('trademark-in'), 'Trademark');
  assert.equal(await kind('trademark-in', 'service-mark-in'), 'Trademark');
  assert.equal(await kind('service-mark-in'), 'Service');
  assert.equal(await kind('collective-trademark-in', 'trademark-in'), 'Collective');
  assert.equal(await kind('collective-service-mark-in'), 'Collective');
  assert.equal(await kind('collective-membership-mark-in'), 'Collective');
  assert.equal(await kind('certification-mark-in', 'service-mark-in'), 'Certificate');
  assert.equal(await kind(), null);
});

test('reads the feature off the first character of the drawing code, in both lengths [4.3]', async () => {
  const feature = async (code: string | null, ...flags: string[]): Promise<string | null> =>
    (
      await readHeader(
        ...(code === null ? [] : [['mark-drawing-code', code] as Element]),
        ...flags.map((flag): Element => [flag, 'T']),
      )
    ).mark_feature;
  assert.equal(await feature('4000'), 'Word');
  assert.equal(await feature('1'), 'Word');
  assert.equal(await feature('2000'), 'Figurative');
  assert.equal(await feature('3T19'), 'Combined');
  assert.equal(await feature('5'), 'Stylized characters');
  assert.equal(await feature('6'), 'Sound');
  assert.equal(await feature('0'), null);
  assert.equal(await feature(null), null);
  assert.equal(await feature('0', 'standard-characters-claimed-in'), 'Word');
  assert.equal(await feature(null, 'standard-characters-claimed-in'), 'Word');
  assert.equal(await feature('2', 'drawing-3d-current-in'), 'Three-dimensional');
  assert.equal(await feature('2', 'drawing-3d-filed-in'), 'Figurative', 'what was filed is not what is current');
  const { record, issues } = await readCase({ header: [['mark-drawing-code', '9']] });
  assert.equal(record.mark_feature, null);
  assert.deepEqual(issues, [{ code: 'unmapped_feature', path: 'case-file-header/mark-drawing-code', value: '9' }]);
});

test('takes Nice classes from active classifications, never from primary or US codes [I-14]', async () => {
  const entry = (status: string, codes: string[], primary: string): Element => [
    'classification',
    [
      ['international-code-total-no', '1'],
      ...codes.map((code): Element => ['international-code', code]),
      ['us-code', '021'],
      ['status-code', status],
      ['first-use-anywhere-date', '18930000'],
      ['first-use-in-commerce-date', '0'],
      ['primary-code', primary],
    ],
  ];
  const classes = async (...entries: Element[]): Promise<unknown> => {
    const { record, issues } = await readCase({ after: [['classifications', entries]] });
    return [record.nice_classes, issues.map(({ code, value }) => [code, value])];
  };
  assert.deepEqual(await classes(entry('6', ['016', '009'], '037'), entry('6', ['009'], '009')), [[9, 16], []]);
  assert.deepEqual(await classes(entry('6', ['009'], ''), entry('2', ['010'], '')), [[9], []]);
  assert.deepEqual(await classes(entry('2', ['009'], ''), entry('3', ['010'], '')), [[9, 10], []]);
  assert.deepEqual(await classes(entry('6', ['A', 'B', '200', '000'], '')), [null, []]);
  assert.deepEqual(await classes(entry('6', ['046'], '')), [null, [['unmapped_class', '046']]]);
  const { record } = await readCase({ after: [['classifications', [entry('6', ['016'], '037')]]] });
  assert.deepEqual(documentOf(record).classification?.classes, [
    {
      international_codes: ['016'],
      national_codes: ['021'],
      primary_code: '037',
      status_code: '6',
      first_use_date: '18930000',
    },
  ]);
});

test('keeps US design codes out of the Vienna codes [2.2]', async () => {
  const { record } = await readCase({ after: [['design-searches', [['design-search', [['code', '260921']]]]]] });
  assert.equal(record.vienna_codes, null);
  assert.deepEqual(documentOf(record).classification?.design_codes, ['260921']);
});

test('lists all owners, the current ones first, each name once [2.2, I-32]', async () => {
  const { record, issues } = await readCase({
    after: [
      [
        'case-file-owners',
        [
          owner('10', 'Harrow & Finch LLC', ['state', 'CA']),
          owner('30', 'HARROW  & FINCH LLC', ['country', 'US']),
          [
            'case-file-owner',
            [
              ['entry-number', '2'],
              ['party-type', '32'],
              ['party-name', 'Óskar Þór'],
              ['country', 'is'],
            ],
          ],
          owner('32', 'Brindle Works', ['dba-aka-text', 'DBA Brindle'], ['country', 'DEX']),
          owner('70', 'Old Correspondent'),
        ],
      ],
    ],
  });
  assert.deepEqual(record.owner_names, [
    'Brindle Works',
    'Brindle',
    'Óskar Þór',
    'HARROW  & FINCH LLC',
    'Harrow & Finch LLC',
  ]);
  assert.deepEqual(normalizeRecord(record).owner_names, [
    'brindle works',
    'brindle',
    'óskar þór',
    'harrow & finch llc',
  ]);
  assert.deepEqual(record.owner_countries, ['IS', 'US']);
  assert.deepEqual(record.representative_names, ['Old Correspondent']);
  assert.deepEqual(issues, [
    { code: 'unmapped_country', path: 'case-file-owners/case-file-owner/country', value: 'DEX' },
  ]);
  assert.deepEqual(
    documentOf(record).parties?.map(({ role, office_role, current }) => [role, office_role, current]),
    [
      ['owner', '32', true],
      ['owner', '32', true],
      ['owner', '30', false],
      ['applicant', '10', false],
      ['correspondent', '70', undefined],
    ],
  );
});

test('takes a state for an address in the United States, and citizenship for none [2.2]', async () => {
  const local = await readCase({ after: [['case-file-owners', [owner('10', 'Ada Lowe', ['state', 'ME'])]]] });
  assert.deepEqual(local.record.owner_countries, ['US']);
  const { record } = await readCase({
    after: [['case-file-owners', [owner('10', 'Ilse Berg', ['nationality', [['country', 'SE']]])]]],
  });
  assert.equal(record.owner_countries, null);
});

test('merges attorney, domestic representative and correspondent into the representatives [2.2]', async () => {
  const { record } = await readCase({
    header: [
      ['domestic-representative-name', 'Dana Reyes'],
      ['attorney-name', 'Ann Attorney'],
    ],
    after: [
      [
        'correspondent',
        [
          ['address-1', 'ANN ATTORNEY'],
          ['address-2', 'Attorney LLP'],
          ['address-4', 'Anytown'],
        ],
      ],
    ],
  });
  assert.deepEqual(record.representative_names, ['Ann Attorney', 'Dana Reyes', 'ANN ATTORNEY']);
  assert.deepEqual(documentOf(record).parties, [
    { role: 'attorney', names: [{ text: 'Ann Attorney' }] },
    { role: 'domestic_representative', names: [{ text: 'Dana Reyes' }] },
    {
      role: 'correspondent',
      names: [{ text: 'ANN ATTORNEY' }],
      address: { lines: ['Attorney LLP', 'Anytown'] },
    },
  ]);
});

test('reads a status-only record as a record of nulls [1, 2.2]', async () => {
  const { record, issues } = await readOne(
    usptoApcFormat,
    `<case-file><serial-number>60000001</serial-number><registration-number>0000042</registration-number>
     <transaction-date>20160316</transaction-date><case-file-header><status-code>626</status-code>
     <mark-drawing-code>0</mark-drawing-code></case-file-header><correspondent></correspondent></case-file>`,
  );
  assert.deepEqual(issues, []);
  const stated = Object.entries(record).filter(([field, value]) => value !== null && field !== 'payload');
  assert.deepEqual(Object.fromEntries(stated), {
    jurisdiction_code: 'US',
    uid: 'US500000060000001',
    office: 'US',
    application_number: '60000001',
    registration_number: '42',
    status: 'Cancelled',
    tm5_status: 'REGISTERED - BACKFILE CANCELLED OR EXPIRED',
    external_update_date: '2016-03-16',
    source_version: '20160316.2',
  });
  const { source, ...sections } = documentOf(record);
  assert.deepEqual(new Set(Object.values(sections)), new Set([null]));
  assert.deepEqual(source, {
    format: 'uspto-apc',
    status_code: '626',
    status_text: 'REGISTERED - BACKFILE CANCELLED OR EXPIRED',
    feature_code: '0',
  });
});

const statements = (...stated: readonly (readonly [code: string, text: string])[]): Element => [
  'case-file-statements',
  stated.map(
    ([code, text]): Element => [
      'case-file-statement',
      [
        ['type-code', code],
        ['text', text],
      ],
    ],
  ),
];

test('statements of translation and overflow are words of the mark, pseudo marks are not [I-48]', async () => {
  const stated = [
    ['TR0000', 'The English translation of "FARO" in the mark is "beacon".'],
    ['MK0000', 'AND THE SEA'],
    ['PM0001', 'PHARO'],
    ['TLIT00', 'The non-Latin characters in the mark transliterate to "kasa".'],
    ['MK0000', 'BEYOND IT'],
    ['TNSF00', 'Transformed.'],
  ] as const;
  const { record, issues } = await readCase({
    header: [['mark-identification', 'FARO 灯']],
    after: [statements(...stated)],
  });
  assert.deepEqual(issues, []);
  assert.equal(record.mark_name, 'FARO 灯 AND THE SEA BEYOND IT');
  assert.deepEqual(record.mark_name_variants, ['kasa', 'beacon 灯 AND THE SEA BEYOND IT']);
  const document = documentOf(record);
  assert.deepEqual(
    document.statements,
    stated.map(([code, text]) => ({ code, text })),
  );
  assert.deepEqual(document.mark?.texts, [{ text: record.mark_name }]);
  const strange = await readCase({ after: [statements(['TR0010', 'Beacon of old.'])] });
  assert.deepEqual([strange.record.mark_name, strange.record.mark_name_variants], [null, null]);
  assert.deepEqual(strange.issues, [
    { code: 'unread_statement', path: 'case-file-statements/case-file-statement/text', value: 'Beacon of old.' },
  ]);
});

test('every class of goods has its scheme, and one that nothing else states is a Nice class, with an issue [I-51]', async () => {
  const goods = async (filed: string | null, ...codes: string[]): Promise<unknown> => {
    const { record, issues } = await readCase({
      header: filed === null ? [] : [['filing-date', filed]],
      after: [statements(...codes.map((code) => [code, 'Pens'] as const))],
    });
    const schemes = documentOf(record).goods_and_services?.map(({ scheme }) => scheme);
    return [record.nice_classes, schemes, issues.map(({ code, value }) => `${code} ${value}`)];
  };
  assert.deepEqual(await goods('20240101', 'GS0161'), [[16], ['nice'], ['assumed_nice_class 016']]);
  assert.deepEqual(await goods('19730831', 'GS0161'), [null, ['unknown'], []]);
  assert.deepEqual(await goods(null, 'GS0161'), [null, ['unknown'], []]);
  assert.deepEqual(await goods('20240101', 'GS2001', 'GS00A1', 'GS0521'), [
    null,
    ['national', 'national', 'unknown'],
    [],
  ]);
});

test('joins the pieces of a name in older files, of an owner and of a correspondent [2.2]', async () => {
  const entry = (type: string, ...parts: Element[]): Element => ['case-file-owner', [['party-type', type], ...parts]];
  const { record, issues } = await readCase({
    after: [
      [
        'case-file-owners',
        [
          entry(
            '70',
            ['name-1', 'Vera Q. Counsel'],
            ['name-2', 'Counsel & Quill'],
            ['name-3', 'Suite 12'],
            ['address-1', '1 Quay'],
          ),
          entry(
            '10',
            ['nationality', 'IL'],
            ['name-1', 'Harbor & Quill Lighthouses Company, as it'],
            ['name-2', 's Quill Division'],
            ['address-1', '2 Quay'],
          ),
          entry('20', ['name-1', 'Harbor Pens'], ['name-2', 'Limited'], ['name-overflow', 'Company']),
        ],
      ],
    ],
  });
  assert.deepEqual(issues, []);
  assert.deepEqual(record.owner_names, [
    'Harbor Pens Limited Company',
    'Harbor & Quill Lighthouses Company, as its Quill Division',
  ]);
  assert.deepEqual(record.representative_names, ['Vera Q. Counsel']);
  const [, applicant, correspondent] = documentOf(record).parties ?? [];
  assert.deepEqual(applicant?.nationality, { other: 'IL' });
  assert.deepEqual(correspondent?.address?.lines, ['Counsel & Quill', 'Suite 12', '1 Quay']);
});

test('a file of another version of the layout says so', async () => {
  const noted: unknown[] = [];
  const read = (source: string): Promise<unknown> =>
    listItems(usptoApcFormat, source, { register: null, noteIssue: (issue) => void noted.push(issue) });
  await read(writeDaily(writeCase()));
  assert.deepEqual(noted, []);
  await read(writeDaily(writeCase()).replace('<version-no>2.0', '<version-no>1.1'));
  assert.deepEqual(noted, [{ code: 'delivery_remark', path: 'version/version-no', value: '1.1' }]);
});

test('keeps goods texts unchanged, marks of deletion and odd blanks included [2.2.2]', async () => {
  const text = 'Hats  [ and "caps" ]; ((shoes)); ** boots **';
  const { record } = await readCase({
    after: [
      [
        'case-file-statements',
        [
          [
            'case-file-statement',
            [
              ['type-code', 'GS0251'],
              ['text', ` ${text} `],
            ],
          ],
          [
            'case-file-statement',
            [
              ['type-code', 'D10000'],
              ['text', '"ACME"'],
            ],
          ],
        ],
      ],
    ],
  });
  assert.deepEqual(documentOf(record).goods_and_services, [
    { scheme: 'unknown', class: '025', code: 'GS0251', texts: [{ text }] },
  ]);
  assert.deepEqual(documentOf(record).statements, [{ code: 'D10000', text: '"ACME"' }]);
});

/** Flags that say something about a part of the case and are kept there. */
const FLAG_MEMBERS: Readonly<Record<string, string>> = {
  'foreign-priority-claim-in': '"claimed":true',
  'priority-claimed-in': '"priority_claimed":true',
  'first-refusal-in': '"first_refusal":true',
};

test('maps, keeps or deliberately ignores every element of the type definition', async () => {
  const values = new Map<string, string>();
  const source = writeElements([['case-file', writeFullCase(CASE_SHAPE, '', values)]]);
  const { record, issues } = await readOne(usptoApcFormat, source);
  assert.deepEqual(issues, []);
  const text = JSON.stringify(record);
  const lost = [...values].filter(([path, value]) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name.endsWith('-in'))
      return !text.includes(FLAG_MEMBERS[name] ?? `"${name.slice(0, -3).replaceAll('-', '_')}"`);
    const date = value.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    return !text.includes(`"${value}"`) && !text.includes(`"${date}"`);
  });
  assert.deepEqual(
    lost.map(([path]) => path),
    ['classifications/classification/international-code-total-no', 'classifications/classification/us-code-total-no'],
  );
});

test('reports an element, a flag or a repeat it does not know', async () => {
  const { issues } = await readCase({
    header: [
      ['trademark-in', 'X'],
      ['filing-date', '20250101'],
      ['filing-date', '20250102'],
      ['hologram-in', 'T'],
    ],
    after: [
      [
        'ai-search',
        [
          ['score', '0.5'],
          ['score', '0.7'],
        ],
      ],
    ],
  });
  assert.deepEqual(issues, [
    { code: 'unmapped_indicator', path: 'trademark-in', value: 'X' },
    { code: 'unknown_element', path: 'case-file/case-file-header/filing-date', value: '20250102' },
    { code: 'unknown_element', path: 'case-file/ai-search/score', value: '0.5' },
  ]);
});

test('reports an unexpected element between the case-files with the record before it', async () => {
  const source = writeDaily(`<extra>1</extra>${writeCase()}`).replace('</action-keys>', '</action-keys><more/>');
  const [item, ...others] = await listItems(usptoApcFormat, source);
  assert.ok(item?.kind === 'record');
  assert.deepEqual(others, []);
  assert.deepEqual(
    item.issues.map(({ code, path }) => [code, path.slice(path.lastIndexOf('/') + 1)]),
    [
      ['unknown_element', 'extra'],
      ['unknown_element', 'more'],
    ],
  );
});

test('the same events in another order are the same content [I-22, I-34]', async () => {
  const event = (name: string, number: string, day: string, text: string): Element => [
    name,
    [
      ['code', 'MAFR'],
      ['description-text', text],
      ['date', day],
      [name === 'madrid-history-event' ? 'entry-number' : 'number', number],
    ],
  ];
  const digest = async (order: readonly number[]): Promise<string> => {
    const list = (name: string): Element[] => {
      const events = [
        event(name, '2', '20260103', 'b'),
        event(name, '10', '20260103', 'c'),
        event(name, '1', '20260102', 'a'),
        event(name, '1', '20260102', 'another of the same number'),
      ];
      return order.map((place) => events[place]!);
    };
    const filing: Element = [
      'madrid-international-filing-record',
      [
        ['reference-number', 'A0000001'],
        ['madrid-history-events', list('madrid-history-event')],
      ],
    ];
    const { record } = await readCase({
      after: [
        ['case-file-event-statements', list('case-file-event-statement')],
        ['madrid-international-filing-requests', [filing]],
      ],
    });
    assert.deepEqual(
      documentOf(record)
        .events?.slice(0, 3)
        .map(({ text }) => text),
      ['c', 'b', 'a'],
    );
    return digestContent(normalizeRecord(record));
  };
  const first = await digest([0, 1, 2, 3]);
  for (const order of [
    [3, 2, 1, 0],
    [2, 0, 3, 1],
  ]) {
    assert.equal(await digest(order), first);
  }
});
