/** A docket is read as people write it, matched by its numbers alone, and compared without a difference made up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMappingFault, guessMapping } from '@tmds/contract/docket/columns';
import { type ComparedField, compareRow } from '@tmds/contract/docket/compare';
import { type DayOrder, readDate } from '@tmds/contract/docket/dates';
import { readHead } from '@tmds/contract/docket/heads';
import { type DocketRecord, RecordsByNumber } from '@tmds/contract/docket/match';
import { resultOf } from '@tmds/contract/docket/output';
import { mapGently, type NumbersBatch, planBatches, reconcileRows } from '@tmds/contract/docket/reconcile';
import { readRegister } from '@tmds/contract/docket/registers';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import { readStatus } from '@tmds/contract/docket/statuses';
import { DocketFault, judgeDayOrders, listUndecided, readWindows, surveyDocket } from '@tmds/contract/docket/survey';

function buildRecord(parts: Partial<DocketRecord> = {}): DocketRecord {
  return {
    jurisdiction_code: 'EM',
    uid: 'EM1',
    application_number: '018229854',
    registration_number: '018229854',
    international_registration_numbers: null,
    mark_name: 'Café Zürich',
    status: 'Registered',
    tm5_status: 'Trade mark registered',
    owner_names: ['acme holding gmbh', 'société exemple s.a.'],
    nice_classes: [9, 35, 42],
    application_date: '2020-03-04',
    registration_date: '2020-09-01',
    renewal_date: null,
    expiry_date: '2030-03-04',
    updated_at: '2026-01-02T03:04:05.000000Z',
    ...parts,
  };
}

const encode = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];
const SERVED = new Set(['EM', 'US', 'GB', 'WO']);

/** Compares one cell with the record. */
function compare(
  field: ComparedField,
  yours: string,
  record: Partial<DocketRecord> = {},
  order: DayOrder | null = null,
): string {
  const reading: Reading = {
    head: ['Register', 'No', 'X'],
    mapping: { register: 0, number: 1, [field]: 2 },
    register: null,
    dayOrders: { 2: order },
  };
  const row = readRow({ line: 2, cells: ['EM', '18229854', yours] }, reading, SERVED);
  const { differences, notCompared } = compareRow(row, buildRecord(record), reading);
  if (differences.length > 0) return `differs from ${differences[0]!.registers}`;
  return notCompared[0]?.reason ?? 'equal';
}

test('matches a number in every spelling of its register, without a difference [I-50]', () => {
  const records = [
    buildRecord({ jurisdiction_code: 'CA', application_number: '1057613', registration_number: 'TMA580662' }),
    buildRecord({ jurisdiction_code: 'CA', application_number: '1057613-01', registration_number: null }),
    // Stored before numbers had one spelling.
    buildRecord({ jurisdiction_code: 'US', application_number: '71000001', registration_number: '0172053' }),
    buildRecord({ jurisdiction_code: 'KR', application_number: '4020210000001', registration_number: null }),
  ];
  const held = new RecordsByNumber();
  for (const record of records) held.add(record);
  const reading: Reading = {
    head: ['Register', 'Application', 'Registration'],
    mapping: { register: 0, application_number: 1, registration_number: 2 },
    register: null,
    dayOrders: {},
  };
  const rows = [
    ['CA', '1057613-00', 'TMA 580662'],
    ['CA', '1057613-01', ''],
    ['US', '', '172053'],
    ['KR', '40-2021-0000001', ''],
  ];
  for (const [at, cells] of rows.entries()) {
    const row = readRow({ line: at + 2, cells }, reading, new Set(['CA', 'US', 'KR']));
    assert.deepEqual(held.find(row), [records[at]], cells.join());
    assert.deepEqual(compareRow(row, records[at]!, reading).differences, [], cells.join());
  }
});

test('compares owners by whole words, whatever their marks, punctuation and legal form', () => {
  for (const owner of [
    'ACME Holding GmbH',
    'Acme Holding',
    'Societe Exemple, S.A.',
    'acme holding gmbh; Société Exemple',
  ]) {
    assert.equal(compare('owner', owner), 'equal', owner);
  }
  assert.equal(compare('owner', 'Acme Trading'), 'differs from acme holding gmbh; société exemple s.a.');
  assert.equal(compare('owner', 'acme holding; Other Ltd'), 'differs from acme holding gmbh; société exemple s.a.');
  assert.equal(compare('owner', 'Globex Corporation', { owner_names: ['globex corp.'] }), 'equal');
  assert.equal(compare('owner', 'Acme', { owner_names: null }), 'the register does not state it');
});

test('compares the words of a status by a table, and says which it does not know', () => {
  assert.equal(compare('status', 'Eingetragen'), 'equal');
  assert.equal(compare('status', 'LIVE'), 'equal');
  assert.equal(compare('status', 'Trade mark registered'), 'equal', "the office's own words");
  assert.equal(compare('status', 'Lapsed'), 'differs from Registered (Trade mark registered)');
  assert.equal(compare('status', 'see file'), 'the word for the status is not known');
  assert.equal(compare('status', 'Pending', { status: 'Unknown', tm5_status: null }), 'the register does not state it');
  assert.deepEqual(readStatus('dead'), ['Abandoned', 'Cancelled']);
});

test('compares classes as sets', () => {
  for (const classes of ['9, 35, 42', '042;009;035', 'Int. Cl. 9 35 42'])
    assert.equal(compare('classes', classes), 'equal');
  assert.equal(compare('classes', '9, 35'), 'differs from 9, 35, 42');
  assert.match(compare('classes', '35-42'), /range/);
  assert.match(compare('classes', '9, 46'), /no Nice classes/);
});

test('compares dates in any usual form, and the next renewal with the day on which protection ends', () => {
  for (const date of [
    '2030-03-04',
    '04.03.2030',
    '4 March 2030',
    'Mar 4, 2030',
    '04-Mar-2030',
    '2030年3月4日',
    '2030-03-04T00:00:00Z',
  ]) {
    assert.equal(compare('next_renewal', date), 'equal', date);
  }
  assert.equal(compare('expiry_date', '03/04/2030', {}, 'mdy'), 'equal');
  assert.equal(compare('expiry_date', '03/04/2030', {}, 'dmy'), 'differs from 2030-03-04');
  assert.match(compare('expiry_date', '03/04/2030'), /order of day and month/);
  assert.match(compare('expiry_date', 'soon'), /cannot be read/);
  assert.match(compare('expiry_date', '31.02.2030'), /cannot be read/);
  assert.equal(compare('renewal_date', '2020-03-04'), 'the register does not state it');
  assert.equal(readDate('13/04/2030', null), '2030-04-13', 'one order is impossible');
});

test('compares the mark without marks and punctuation; an empty cell says nothing', () => {
  assert.equal(compare('mark_name', 'CAFE ZURICH'), 'equal');
  assert.equal(compare('mark_name', 'Cafe Zug'), 'differs from Café Zürich');
  assert.equal(compare('mark_name', '  '), 'equal');
});

test('reads registers by code, office and country in several languages', () => {
  const named = {
    EM: ['em', 'EU', 'EUIPO', 'EUTM'],
    GB: ['UK', 'United Kingdom', 'Großbritannien', 'Royaume-Uni'],
    US: ['USPTO', 'États-Unis', 'Vereinigte Staaten', 'アメリカ合衆国'],
    WO: ['WIPO', 'Madrid', 'IR'],
    DE: ['Germany', 'Alemania', 'DPMA'],
  };
  for (const [code, names] of Object.entries(named))
    for (const name of names) assert.equal(readRegister(name), code, name);
  assert.equal(readRegister('Middle Earth'), null);
});

test('guesses what columns hold by their heads in several languages, and by their cells', () => {
  assert.deepEqual(
    guessMapping(
      ['Land', 'Marke', 'Aktenzeichen', 'Registernummer', 'Anmeldetag', 'Inhaber', 'Klassen', 'Nächste Verlängerung'],
      [],
    ),
    {
      register: 0,
      mark_name: 1,
      application_number: 2,
      registration_number: 3,
      application_date: 4,
      owner: 5,
      classes: 6,
      next_renewal: 7,
    },
  );
  assert.deepEqual(
    guessMapping(
      [
        'Country',
        'Trademark',
        'App. No.',
        'Reg. No.',
        'App Date',
        'Reg. Date',
        'Status',
        'Owner Name',
        'Class(es)',
        'Renewal Date',
        'Expiry Date',
      ],
      [],
    ),
    {
      register: 0,
      mark_name: 1,
      application_number: 2,
      registration_number: 3,
      application_date: 4,
      registration_date: 5,
      status: 6,
      owner: 7,
      classes: 8,
      next_renewal: 9,
      expiry_date: 10,
    },
  );
  const others = [
    ['国', '商標', '出願番号', '登録番号', '登録日', '権利者'],
    ['Pays', 'Marque', 'N° de dépôt', "Numéro d'enregistrement", 'Échéance', 'Titulaire'],
    ['Country', 'Mark', 'Serial #', 'Reg #', 'Last renewal', 'Current owner'],
    ['국가', '상표', '출원번호', '등록번호', '만료일', '출원인'],
  ];
  const held = ['register', 'mark_name', 'application_number', 'registration_number'];
  const fifth = ['registration_date', 'expiry_date', 'renewal_date', 'expiry_date'];
  for (const [at, head] of others.entries()) {
    const expected = [...held, fifth[at], 'owner'].map((field, column) => [field, column]);
    assert.deepEqual(guessMapping(head, []), Object.fromEntries(expected), head.join());
  }
  assert.deepEqual(guessMapping(['', 'Notes', 'Docket no.', 'Client'], []), { reference: 2 });
  const cells = guessMapping(
    ['A', 'B', 'C'],
    [
      ['US', '2020-01-02', '97/123,456'],
      ['EU', '2021-03-04', '018229854'],
    ],
  );
  assert.deepEqual(cells, { register: 0, number: 2 });
  assert.match(findMappingFault({ register: 0 }, null, []) ?? '', /No column holds a number/);
  assert.match(findMappingFault({ number: 0 }, null, []) ?? '', /No column holds the register/);
  assert.equal(findMappingFault({ number: 0 }, 'EM', []), null);
});

const HEADS: Readonly<Record<string, readonly string[]>> = {
  reference: [
    ...['Our ref.', 'Ref', 'Reference', 'File no.', 'Case number', 'Docket No', 'Matter number', 'Client ref'],
    ...['Unser Zeichen', 'Akte', 'Aktennummer', 'Interne Nummer', 'Notre réf.', 'N° de dossier', 'Dossier'],
    ...['Référence interne', 'Nuestra referencia', 'Ref. interna', 'Su referencia'],
  ],
  register: ['Country', 'Jurisdiction', 'Office', 'Land', 'Amt', 'Pays', 'Office national', 'País', 'Oficina'],
  application_number: [
    ...['Application No.', 'Appl. no', 'Serial Number', 'Filing number', 'App #', 'Trademark application number'],
    ...['Aktenzeichen', 'Anmeldenummer', 'Anmelde-Nr.', 'Numéro de dépôt', 'N° de demande', 'Numéro de demande'],
    ...['Número de solicitud', 'N.º de solicitud', 'Nº solicitud', 'Expediente', 'Nº de expediente'],
  ],
  registration_number: [
    ...['Registration No', 'Reg. #', 'Regn. No.', 'TM Registration Number', 'Registernummer', 'Register-Nr.'],
    ...['Eintragungsnummer', "N° d'enregistrement", 'Numéro d’enregistrement', 'Número de registro', 'Nº registro'],
  ],
  mark_name: ['Trademark', 'Mark name', 'Trademark (word)', 'Marke', 'Wortmarke', 'Marque', 'Marca', 'Brand'],
  status: [
    'Status',
    'Trademark status',
    'Status (current)',
    'Rechtsstand',
    'Verfahrensstand',
    'Statut',
    'État',
    'Estado',
  ],
  owner: [
    ...['Owner', 'Owner name', 'Registered owner', 'Applicant', 'Inhaber', 'Markeninhaber', 'Anmelder', 'Titulaire'],
    ...['Déposant', 'Titular', 'Solicitante', 'Propietario', 'Trademark owner'],
  ],
  classes: [
    'Class',
    'Nice class',
    'Int. Class',
    'Klasse(n)',
    'Nizzaklassen',
    'Classe(s)',
    'Classes',
    'Clase',
    'Clases de Niza',
  ],
  application_date: [
    ...['Filing date', 'Filed', 'Application date (dd/mm/yyyy)', 'Date filed', 'Anmeldetag', 'Anmeldedatum'],
    ...['Date de dépôt', 'Fecha de solicitud', 'Fecha de presentación'],
  ],
  registration_date: [
    ...['Registration date', 'Reg. Date', 'Date registered', 'Eintragungstag', 'Eintragungsdatum'],
    ...["Date d'enregistrement", 'Fecha de registro', 'Fecha de concesión'],
  ],
  expiry_date: [
    ...['Expiry', 'Expiration date', 'Ablaufdatum', 'Schutzende', 'Gültig bis', "Date d'expiration", 'Échéance'],
    ...['Fecha de vencimiento', 'Vencimiento', 'Fecha de caducidad'],
  ],
  next_renewal: [
    ...['Renewal date', 'Next renewal', 'Renewal due', 'Verlängerung', 'Nächste Verlängerung', 'Renouvellement'],
    ...['Prochain renouvellement', 'Renovación', 'Próxima renovación', 'Fecha de renovación'],
  ],
  renewal_date: ['Last renewal', 'Letzte Verlängerung', 'Dernier renouvellement', 'Última renovación'],
};

test('recognizes the heads that people write in English, German, French and Spanish', () => {
  const wrong = Object.entries(HEADS).flatMap(([field, heads]) =>
    heads.flatMap((head) => (readHead(head) === field ? [] : [`${head}: ${readHead(head)}, not ${field}`])),
  );
  assert.deepEqual(wrong, []);
  for (const other of ['Notes', 'Bemerkungen', 'Agent', 'Logo', 'Rechnung', 'Price', 'Vertreter', 'x'.repeat(5_000)]) {
    assert.equal(readHead(other), null, other);
  }
});

test('finds the row that names the columns below titles and blank lines, and says when there is none', async () => {
  const survey = async (text: string, headLine?: number) => {
    const open = () => encode(text);
    const {
      headLine: line,
      head,
      rows,
      above,
      ...form
    } = await surveyDocket(open, {
      ...(headLine === undefined ? {} : { headLine }),
    });
    const read = [];
    for await (const window of readWindows(open, { ...form, headLine: line }, 2)) read.push(...window);
    return { line, head, rows, above: above.length, first: read[0]?.cells[0], read: read.length };
  };
  const titled =
    '\nPortfolio of Acme,,\nAs of,26 November 2026,\n\nCountry,Mark,Number\nEM,A,018229854\nEM,B,018229855\n';
  assert.deepEqual(await survey(titled), {
    ...{ line: 5, head: ['Country', 'Mark', 'Number'], rows: 2, above: 3, first: 'EM', read: 2 },
  });
  const bare = 'EM,A,018229854\nEM,B,018229855\n';
  assert.deepEqual(await survey(bare), {
    ...{ line: 0, head: ['Column 1', 'Column 2', 'Column 3'], rows: 2, above: 0, first: 'EM', read: 2 },
  });
  // Unknown words may be heads in a language that is not read; the first row without data is one.
  assert.equal((await survey('Kraj,Znak,Numer\nEM,A,018229854\n')).line, 1);
  assert.deepEqual((await survey(titled, 0)).rows, 5, 'none of the rows is left out');
  assert.deepEqual((await survey(titled, 6)).head, ['EM', 'A', '018229854']);
  await assert.rejects(survey(titled, 400), /Line 400 is not one of the first 20 rows/);
});

test('a row with more cells than the head is not silently searched for', () => {
  const reading = { ...READING, head: ['Register', 'Number'], mapping: { register: 0, number: 1 } };
  const { fault } = readRow({ line: 2, cells: ['US', '97/123', '456'] }, reading, SERVED);
  assert.match(fault ?? '', /^The row has 3 cells and the head 2: .* “456” is too much\.$/);
  assert.equal(readRow({ line: 2, cells: ['US', '97/123', '', ' '] }, reading, SERVED).fault, null);
});

test('a cell that is too long, or full of combining marks, makes its row invalid and costs no time [I-45]', async () => {
  const reading: Reading = {
    head: ['Register', 'No', 'Mark', 'Note'],
    mapping: { register: 0, number: 1, mark_name: 2 },
    register: null,
    dayOrders: {},
  };
  const faultOf = (...cells: string[]) => readRow({ line: 2, cells }, reading, SERVED).fault;
  const long = 'The cell below “No” has more than 5000 characters: shorten it.';
  assert.equal(faultOf('EM', '('.repeat(40_000)), long);
  assert.equal(faultOf('EM', '('.repeat(5_001)), long);
  assert.equal(faultOf('EM', '1', 'x'.repeat(5_000), 'y'.repeat(90_000)), null, 'what is not compared may be long');
  for (const [at, name] of ['Register', 'No', 'Mark', 'Note'].entries()) {
    const cells = ['EM', '1', 'x', 'y'].map((cell, column) => (column === at ? `a${'\u0301'.repeat(31)}` : cell));
    const reason = 'holds more than 30 combining marks in a row, the most that a text may have.';
    assert.equal(faultOf(...cells), `The cell below “${name}” ${reason}`);
  }
  const fault = faultOf('EM', '('.repeat(5_000)) ?? '';
  assert.ok(fault.startsWith('“((((') && fault.length < 200, 'what is at fault is cut');

  const wide = Array.from({ length: 4 }, (_, row) => [String(row), 'x'.repeat(50_000)]);
  const order: string[] = [];
  const mapped = mapGently(
    wide,
    (cells) => cells,
    ([row]) => order.push(`row ${row}`),
  );
  const others = (async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise((resolve) => setTimeout(() => resolve(order.push('another')), 0));
  })();
  await Promise.all([mapped, others]);
  assert.ok(order.indexOf('another') < order.indexOf('row 2'), order.join());
});

test('a number with its register in front needs no register column', () => {
  const mapping = { number: 0 };
  const read = (cell: string) => readRow({ line: 2, cells: [cell] }, { ...READING, mapping, register: null }, SERVED);
  for (const [cell, register] of [
    ['EM 018222704', 'EM'],
    ['US-97123456', 'US'],
    ['US Reg. No. 1,234,567', 'US'],
    ['EUTM 018222704', 'EM'],
    ['No. 018222704', null],
    ['018222704', null],
    ['XX 018222704', null],
  ] as const) {
    const row = read(cell);
    assert.deepEqual([row.register, row.fault === null], [register, register !== null], cell);
  }
  const given = { ...READING, mapping, register: 'US' };
  assert.equal(readRow({ line: 2, cells: ['EM 018222704'] }, given, SERVED).register, 'US', 'what is given holds');
  const [named, bare] = [['EM 018222704'], ['97/123,456']];
  assert.equal(findMappingFault(mapping, null, [named, named, named, named, bare]), null);
  assert.match(findMappingFault(mapping, null, [named, bare]) ?? '', /No column holds the register/);
  assert.equal(readRegister('Europäische Union'), 'EM');
});

test('finds the encoding and the separator, and what a column says about day and month', async () => {
  const text = 'Land;Nummer;Inhaber;Ablauf\nEU;18229854;Café;03/04/2030\nEU;18229855;Zürich;25/12/2030\n';
  const utf16 = new Uint8Array(2 + text.length * 2);
  utf16.set([0xff, 0xfe]);
  for (let at = 0; at < text.length; at += 1)
    utf16.set([text.charCodeAt(at) & 255, text.charCodeAt(at) >> 8], 2 + at * 2);
  const latin = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const files = { 'utf-8': new TextEncoder().encode(`\ufeff${text}`), 'utf-16le': utf16, 'windows-1252': latin };
  for (const [encoding, bytes] of Object.entries(files)) {
    const survey = await surveyDocket(() => [bytes.subarray(0, 37), bytes.subarray(37)]);
    assert.deepEqual([survey.encoding, survey.delimiter, survey.rows], [encoding, ';', 2]);
    assert.deepEqual(survey.head, ['Land', 'Nummer', 'Inhaber', 'Ablauf']);
    assert.deepEqual(
      survey.sample.map(({ cells }) => cells[2]),
      ['Café', 'Zürich'],
    );
    assert.deepEqual([judgeDayOrders(survey.dates, null)[3], listUndecided(survey.dates, [3])], ['dmy', []]);
  }
  const unclear = await surveyDocket(() => encode('a,b\n1,03/04/2030\n'));
  assert.deepEqual([judgeDayOrders(unclear.dates, null)[1], listUndecided(unclear.dates, [0, 1])], [null, [1]]);
  assert.equal(judgeDayOrders(unclear.dates, 'mdy')[1], 'mdy');
  for (const empty of ['', '\n\n', 'only,a,head\n']) {
    await assert.rejects(
      surveyDocket(() => encode(empty)),
      DocketFault,
    );
  }
  const windows = [];
  for await (const rows of readWindows(() => encode('h\n1\n2\n3\n'), { ...unclear, headLine: 1 }, 2))
    windows.push(rows.map(({ line }) => line));
  assert.deepEqual(windows, [[2, 3], [4]]);
});

const READING: Reading = {
  head: ['Register', 'App', 'Reg', 'Any'],
  mapping: { register: 0, application_number: 1, registration_number: 2, number: 3 },
  register: null,
  dayOrders: {},
};

async function judge(cells: readonly string[], records: readonly DocketRecord[]) {
  const row = readRow({ line: 2, cells }, READING, SERVED);
  const [finding] = await reconcileRows([row], READING, async () => records);
  return finding!;
}

test('finds a record by its numbers, and says what was searched for if there is none', async () => {
  const record = buildRecord();
  const found = await judge(['EUIPO', '', '', '18 229 854'], [record]);
  assert.deepEqual([found.outcome, found.record?.uid, found.differences], ['found', 'EM1', []]);
  const missing = await judge(['EU', '', '', '18229855'], [record]);
  assert.deepEqual([missing.outcome, missing.reason], ['not_found', 'Looked in EM for 18229855, 018229855.']);
  const reasons = [
    ['', '', '', '1', 'The row names no register.'],
    ['Mars', '', '', '1', 'No register is called “Mars”.'],
    ['FR', '', '', '1', 'The register FR is not served.'],
    ['EM', '', '', '', 'The row has no number.'],
    ['EM', 'tba', '', '', '“tba” is not a number'],
  ];
  for (const [register = '', application = '', registration = '', any = '', reason = ''] of reasons) {
    const { outcome, reason: said } = await judge([register, application, registration, any], []);
    assert.equal(outcome, 'invalid');
    assert.ok(said?.startsWith(reason), `${said}`);
  }
});

test('a number that a spreadsheet has spoilt is answered with the reason and the remedy', async () => {
  const record = buildRecord();
  for (const cell of ['1.8200011E+07', '1,82E+07', '1E+10']) {
    const { outcome, reason } = await judge(['EM', cell, '', ''], [record]);
    assert.equal(outcome, 'invalid');
    assert.equal(
      reason,
      `“${cell}” is a number that the spreadsheet has rounded: the digits are lost. ` +
        'Format the column as text before you enter or import the numbers.',
    );
  }
  const { reason } = await judge(['EM', '', 'Jan-20', ''], [record]);
  assert.match(reason ?? '', /^“Jan-20” is a date that the spreadsheet has made of the number/);
  // A row with another number is found by that, and the cell is not compared.
  const other = await judge(['EM', '1.82E+07', '018229854', ''], [record]);
  assert.deepEqual([other.outcome, other.differences, other.notCompared.length], ['found', [], 1]);
  assert.match(other.notCompared[0]?.reason ?? '', /the digits are lost/);
  assert.deepEqual((await judge(['EM', '18229854', '', ''], [record])).outcome, 'found');
});

test('a number that says what it is counts as that, in any column', async () => {
  const old = buildRecord({
    jurisdiction_code: 'US',
    uid: 'OLD',
    application_number: '70011210',
    registration_number: '11210',
  });
  const serial = buildRecord({
    jurisdiction_code: 'US',
    uid: 'NEW',
    application_number: '11210',
    registration_number: '900',
  });
  for (const cells of [
    ['US', 'rn11210', '', ''],
    ['US', '', 'RN 11210', ''],
    ['US', '', '', 'rn-11210'],
  ]) {
    const { outcome, record, differences } = await judge(cells, [old, serial]);
    assert.deepEqual([outcome, record?.uid, differences], ['found', 'OLD', []], cells.join());
  }
  const { record, differences } = await judge(['US', '', 'sn11210', ''], [old, serial]);
  assert.deepEqual([record?.uid, differences], ['NEW', []]);
  assert.equal(findMappingFault({ number: 0 }, null, [['rn11210'], ['sn97123456']])?.includes('register'), true);
});

test('the extension 00 of a Canadian number is the number itself [I-50]', () => {
  const reading = { ...READING, mapping: { register: 0, application_number: 1, registration_number: 2 } };
  const record = buildRecord({
    jurisdiction_code: 'CA',
    application_number: '1057613',
    registration_number: 'TMA580662',
  });
  const differ = (application: string): number => {
    const row = readRow({ line: 2, cells: ['CA', application, 'TMA580662'] }, reading, new Set(['CA']));
    return compareRow(row, record, reading).differences.length;
  };
  assert.deepEqual(['1057613', '1057613-00', '1057613-01'].map(differ), [0, 0, 1]);
});

test('a register that is not served is answered with the register to ask instead', () => {
  const say = (named: string, served: readonly string[]): string | null =>
    readRow({ line: 2, cells: [named, '', '', '123456'] }, READING, new Set(served)).fault;
  assert.equal(say('NL', ['BX']), 'The register NL is not served. Its marks are in the register BX: write BX.');
  assert.equal(
    say('Senegal', ['EM']),
    'The register SN, which “Senegal” means, is not served. Its marks are in the register OA, which is not served either.',
  );
  assert.equal(say('IR', ['EM']), 'The register WO, which “IR” means, is not served.');
  assert.equal(say('IB', ['WO']), 'The register IB is not served. Its marks are in the register WO: write WO.');
  assert.equal(say('IR', ['WO']), null);
  assert.equal(say('FR', ['EM']), 'The register FR is not served.');
});

test('the kind of a number distinguishes records; without it they are ambiguous', async () => {
  const applied = buildRecord({
    jurisdiction_code: 'US',
    uid: 'A',
    application_number: '7123456',
    registration_number: null,
  });
  const registered = buildRecord({
    jurisdiction_code: 'US',
    uid: 'B',
    application_number: '97000001',
    registration_number: '7123456',
  });
  const both = [applied, registered];
  const either = await judge(['US', '', '', '7,123,456'], both);
  assert.deepEqual([either.outcome, either.candidates.map(({ uid }) => uid).sort()], ['ambiguous', ['A', 'B']]);
  assert.equal((await judge(['US', '7123456', '', ''], both)).record?.uid, 'A');
  assert.equal((await judge(['US', '', '7123456', ''], both)).record?.uid, 'B');
  const twoNumbers = await judge(['US', '97/000001', '7123456', ''], both);
  assert.deepEqual([twoNumbers.outcome, twoNumbers.record?.uid], ['found', 'B'], 'the record that has both');
});

test('a second number unlike the one of the record is a difference', async () => {
  const finding = await judge(['EM', '018229854', '018000000', ''], [buildRecord()]);
  assert.equal(resultOf(finding), 'different');
  assert.deepEqual(finding.differences, [
    { field: 'registration_number', column: 'Reg', yours: '018000000', registers: '018229854' },
  ]);
});

test('a number as written comes before every other form of it', async () => {
  const plain = buildRecord({
    jurisdiction_code: 'GB',
    uid: 'old',
    application_number: '123456',
    registration_number: '123456',
  });
  const padded = buildRecord({
    jurisdiction_code: 'GB',
    uid: 'new',
    application_number: 'UK00000123456',
    registration_number: null,
  });
  assert.equal((await judge(['UK', '', '', '123456'], [plain, padded])).record?.uid, 'old');
  assert.equal((await judge(['UK', '', '', 'UK00000123456'], [plain, padded])).record?.uid, 'new');
});

test('an international registration is found by its number in any column', async () => {
  const record = buildRecord({
    jurisdiction_code: 'WO',
    uid: 'W',
    application_number: null,
    registration_number: null,
    international_registration_numbers: ['1234567'],
  });
  for (const cells of [
    ['WIPO', 'IR 1 234 567', '', ''],
    ['WIPO', '', 'WO1234567', ''],
    ['WIPO', '', '', '1234567'],
  ]) {
    const finding = await judge(cells, [record]);
    assert.deepEqual([finding.record?.uid, finding.differences], ['W', []], cells.join('|'));
  }
});

test('asks for each number once, in calls within the published limits, several at once', async () => {
  const rows = Array.from({ length: 1_201 }, (_, at) =>
    readRow(
      { line: at + 2, cells: [at % 2 === 0 ? 'EM' : 'US', '', '', `${1_000_000 + at - (at % 3 === 0 ? 0 : 1)}`] },
      READING,
      SERVED,
    ),
  );
  const batches = planBatches(rows);
  const asked: NumbersBatch[] = [];
  let underWay = 0;
  let most = 0;
  await reconcileRows(rows, READING, async (batch) => {
    asked.push(batch);
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
    return [];
  });
  assert.deepEqual(asked, batches);
  assert.ok(batches.every(({ numbers }) => numbers.length <= 500) && batches.length >= 4, `${batches.length}`);
  assert.equal(most, 4);
  const named = batches.flatMap(({ register, numbers }) => numbers.map((number) => `${register} ${number}`));
  assert.equal(new Set(named).size, named.length);
  const long = planBatches(
    Array.from({ length: 400 }, (_, at) =>
      readRow({ line: at + 2, cells: ['EM', '', '', `商願 ${at} `.padEnd(20, '商')] }, READING, SERVED),
    ),
  );
  assert.ok(long.length > 1 && long.every(({ numbers }) => encodeURIComponent(numbers.join(',')).length <= 12_000));
});

test('a failure of the service ends the comparison', async () => {
  const row = readRow({ line: 2, cells: ['EM', '', '', '1'] }, READING, SERVED);
  await assert.rejects(
    reconcileRows([row], READING, async () => {
      throw new Error('quota_exceeded');
    }),
    /quota_exceeded/,
  );
});
