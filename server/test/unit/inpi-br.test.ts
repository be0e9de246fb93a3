import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { ReadContext } from '../../src/load/formats/format.ts';
import { inpiBrFormat } from '../../src/load/formats/inpi-br/adapter.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { listItems, readOne, statedOf } from '../support/formats.ts';
import { OLD_PROCESS, PROCESS, writeJournal, writeProcess } from '../support/inpi-br.ts';
import { listMutations } from '../support/mutations.ts';

const journalOf = (...processes: readonly string[]): string => writeJournal('2617', '02/03/2021', ...processes);

async function readClean(text: string): Promise<SourceRecord> {
  const { record, issues } = await readOne(inpiBrFormat, text);
  assert.deepEqual(issues, []);
  return record;
}

const payloadOf = async (text: string): Promise<Record<string, unknown>> => (await readClean(text)).payload ?? {};

test('reads a process of 2020 and later with everything that it states [2.1, 2.2, I-33]', async () => {
  assert.deepEqual(statedOf(normalizeRecord(await readClean(journalOf(PROCESS)))), {
    jurisdiction_code: 'BR',
    uid: 'BR500000900000001',
    office: 'WO',
    application_number: '900000001',
    mark_name: 'Colina Azul',
    status: 'Registered',
    tm5_status: 'Concessão de registro',
    kind_of_mark: 'Trademark',
    mark_feature: 'Combined',
    application_date: '2020-08-19',
    registration_date: '2021-03-02',
    expiry_date: '2031-03-02',
    status_date: '2021-03-02',
    external_update_date: '2021-03-02',
    nice_classes: [9, 37],
    vienna_codes: ['06.01.02', '27.05.01'],
    owner_names: ['colina azul ltda', 'blue hill llc'],
    owner_countries: ['BR', 'US'],
    representative_names: ['assessoria azul ltda.'],
    international_registration_numbers: ['1234567'],
    priority_numbers: ['CTM 01 2345'],
    source_version: '2021-03-02',
    is_partial: true,
    is_removal: false,
    normalized: true,
  });
});

test('keeps in the document what the office states besides the fields, as it writes it [2.2.2]', async () => {
  assert.deepEqual(await payloadOf(journalOf(PROCESS)), {
    parties: [
      { role: 'owner', names: [{ text: 'COLINA AZUL LTDA' }], address: { region: 'RJ', country: 'BR' } },
      { role: 'owner', names: [{ text: 'BLUE HILL LLC' }], address: { country: 'US' } },
      { role: 'representative', names: [{ text: 'ASSESSORIA  AZUL LTDA.' }] },
    ],
    mark: {
      texts: [{ text: 'Colina Azul' }],
      disclaimers: [{ text: 'SEM DIREITO AO USO EXCLUSIVO DE "AZUL".' }],
    },
    goods_and_services: [
      {
        scheme: 'nice',
        class: '37',
        texts: [{ text: 'Lavagem de veículos;' }],
        details: { translations: ['Vehicle washing;'] },
      },
      { scheme: 'nice', class: '9', texts: [{ text: 'Telescópios;' }] },
    ],
    publications: null,
    priorities: [{ number: 'CTM 01 2345', country: 'IT', date: '2020-02-15' }],
    events: [
      {
        kind: 'history',
        code: 'IPAS270',
        text: 'Deferimento de petição',
        date: '2021-03-02',
        number: '850200000017',
        details: {
          journal: '2617',
          texts: ['Detalhes: anotado.'],
          stay_texts: ['Até a decisão.'],
          protocols: [
            {
              '@data': '01/02/2021',
              '@codigoServico': '349',
              requerente: { '@nome-razao-social': 'COLINA AZUL LTDA', '@pais': 'BR', '@uf': 'RJ' },
              procurador: 'A. GENTE',
              cedentes: { cedente: { '@nome-razao-social': 'COLINA VERDE LTDA', '@pais': 'BR', '@uf': 'SP' } },
              cessionarios: { cessionario: { '@nome-razao-social': 'COLINA AZUL LTDA' } },
            },
          ],
        },
      },
      {
        kind: 'history',
        code: 'IPAS158',
        text: 'Concessão de registro',
        date: '2021-03-02',
        details: { journal: '2617' },
      },
    ],
    images: [{ vienna_codes: ['6.1.2', '27.5.1'], details: { vienna_editions: ['4', '4'] } }],
    classification: {
      classes: [{ international_codes: ['37'], status_text: 'Deferido' }, { international_codes: ['9'] }],
    },
    international: { registration: { number: 'W01234567' } },
    related_marks: [{ relationship: 'examination waits for', number: '800000002', details: { mark_name: 'AZUL' } }],
    statements: null,
    source: {
      format: 'inpi-br',
      status_code: 'IPAS158',
      status_text: 'Concessão de registro',
      kind_text: 'Produtos e/ou Serviço',
      feature_text: 'Mista',
      journal: '2617',
      madrid_received_date: '2020-09-03',
    },
  });
});

test('reads a process of 2013: classes below it, national ones that are not Nice, a mark without a name [I-51]', async () => {
  const record = await readClean(writeJournal('2240', '10/12/2013', OLD_PROCESS));
  assert.deepEqual(statedOf(normalizeRecord(record)), {
    jurisdiction_code: 'BR',
    uid: 'BR500000820000003',
    office: 'BR',
    application_number: '820000003',
    status: 'Pending',
    tm5_status: 'Publicação de pedido de registro para oposição',
    kind_of_mark: 'Service',
    mark_feature: 'Figurative',
    application_date: '2008-08-25',
    publication_date: '2013-12-10',
    status_date: '2013-12-10',
    external_update_date: '2013-12-10',
    nice_classes: [35],
    vienna_codes: ['08.01.17'],
    owner_names: ['jose da colina 00000000191'],
    owner_countries: ['BR'],
    source_version: '2013-12-10',
    is_partial: true,
    is_removal: false,
    normalized: true,
  });
  const { goods_and_services, classification } = record.payload ?? {};
  assert.deepEqual(goods_and_services, [
    { scheme: 'nice', class: '35', texts: [{ text: 'Comércio;' }] },
    { scheme: 'national', class: '25', texts: [{ text: 'Roupas;' }] },
  ]);
  assert.deepEqual(classification, {
    nice_version: '10',
    classes: [
      { international_codes: ['35'], details: { edition: '10' } },
      { national_codes: ['25'], details: { subclasses: ['10', '20'] } },
    ],
  });
});

test('the last despacho with a status decides, an objection only where nothing else is known [3, I-32]', async () => {
  const statusOf = async (...codes: readonly string[]): Promise<unknown[]> => {
    const { status, status_date, payload } = await readClean(
      journalOf(writeProcess(codes.map((code) => [code, 'nome']))),
    );
    const { status_code = null } = (payload?.source ?? {}) as { status_code?: string };
    return [status, status_code, status_date];
  };
  const day = '2021-03-02';
  for (const [code, status] of [
    ['IPAS009', 'Pending'],
    ['IPAS421', 'Pending'],
    ['IPAS029', 'Pending'],
    ['IPAS360', 'Pending'],
    ['IPAS158', 'Registered'],
    ['IPAS024', 'Abandoned'],
    ['IPAS161', 'Cancelled'],
    ['IPAS304', 'Cancelled'],
  ] as const) {
    assert.deepEqual(await statusOf(code), [status, code, day]);
    assert.deepEqual(await statusOf('IPAS009', 'IPAS270', code, 'IPAS270', 'IPAS136'), [status, code, day]);
  }
  for (const code of ['IPAS136', 'IPAS142', 'IPAS423']) assert.deepEqual(await statusOf(code), ['Pending', null, null]);
  assert.deepEqual(await statusOf('IPAS270'), ['Unknown', null, null]);
});

test('a despacho that is not known leaves the status and says so [I-32]', async () => {
  const { record, issues } = await readOne(
    inpiBrFormat,
    journalOf(
      writeProcess([
        ['IPAS158', 'a'],
        ['IPAS998', 'Fim'],
      ]),
    ),
  );
  assert.deepEqual([record.status, record.tm5_status], ['Registered', 'Fim']);
  assert.deepEqual(issues, [{ code: 'unmapped_status', path: 'despachos/despacho@codigo', value: 'IPAS998 Fim' }]);
});

test('knows the words for kinds and features in any letter case, and reports others [4.3]', async () => {
  const mark = async (natureza: string, apresentacao: string): Promise<unknown[]> => {
    const rest = `<marca apresentacao="${apresentacao}" natureza="${natureza}"/>`;
    const { kind_of_mark, mark_feature } = await readClean(journalOf(writeProcess([['IPAS009', 'a']], rest)));
    return [kind_of_mark, mark_feature];
  };
  assert.deepEqual(await mark('De Produto', 'Nominativa'), ['Trademark', 'Word']);
  assert.deepEqual(await mark('COLETIVA', 'Tridimensional'), ['Collective', 'Three-dimensional']);
  assert.deepEqual(await mark('Certificação', 'Posição'), ['Certificate', 'Position']);
  assert.deepEqual(await mark('Certific.', 'FIGURATIVA'), ['Certificate', 'Figurative']);
  assert.deepEqual(await mark('Genérica/Específica', 'Mista'), ['Individual', 'Combined']);
  assert.deepEqual(await mark('Expressão Propaganda', 'Mista'), ['Other', 'Combined']);
  const odd = [
    ['natureza="Produtos e/ou Serviço"', 'natureza="Sonho"'],
    ['"Mista"', '"Holograma"'],
    ['"19/08/2020"', '"31/02/2020"'],
    ['"02/03/2021" data-vigencia="02/03/2031"', '"00/00/0000" data-vigencia="2031-03-02"'],
    ['codigo="37"', 'codigo="46"'],
    ['codigo="6.1.2"', 'codigo="estrela"'],
    ['pais="US"', 'pais="USA"'],
  ].reduce((text, [from = '', to = '']) => text.replace(from, to), PROCESS);
  const { record, issues } = await readOne(inpiBrFormat, journalOf(odd));
  assert.deepEqual(
    [record.kind_of_mark, record.mark_feature, record.application_date, record.registration_date, record.expiry_date],
    [null, 'Other', null, null, null],
  );
  assert.deepEqual([record.nice_classes, record.vienna_codes, record.owner_countries], [[9], ['27.05.01'], ['BR']]);
  assert.deepEqual(issues.map(({ code, value }) => `${code} ${value}`).sort(), [
    'impossible_date 2031-03-02',
    'impossible_date 31/02/2020',
    'unmapped_class 46',
    'unmapped_country USA',
    'unmapped_feature Holograma',
    'unmapped_kind Sonho',
    'unmapped_vienna_code estrela',
  ]);
});

test('a process outside of a journal is read without a day, and says of nothing when it happened', async () => {
  const record = await readClean(PROCESS);
  const { status, status_date, external_update_date, publication_date, source_version } = record;
  assert.deepEqual(
    [status, status_date, external_update_date, publication_date, source_version],
    ['Registered', null, null, null, null],
  );
});

test('the day of a journal is how far the register is complete [I-37]', async () => {
  const frontiers: string[] = [];
  const issues: unknown[] = [];
  const context: ReadContext = {
    register: null,
    noteFrontier: (instant) => void frontiers.push(instant),
    noteIssue: (issue) => void issues.push(issue),
  };
  await listItems(inpiBrFormat, journalOf(PROCESS).replace('numero="2617"', '$& secao="V"'), context);
  assert.deepEqual(frontiers, ['2021-03-02T00:00:00.000000Z']);
  assert.deepEqual(issues, [{ code: 'unknown_element', path: 'revista@secao', value: 'V' }]);
});

test('refuses a journal that does not say which one it is, and a file of another kind', async () => {
  const refused = (text: string, message: RegExp): Promise<void> =>
    assert.rejects(
      listItems(inpiBrFormat, text),
      (error) => error instanceof OperatorError && message.test(error.message),
    );
  await refused(journalOf(PROCESS).replace('02/03/2021', '2021-03-02'), /does not say which journal it is/);
  await refused(journalOf(PROCESS).replace(' numero="2617"', ''), /does not say which journal it is/);
  await refused('<html></html>', /^fixture\.xml is not INPI/);
});

test('rejects a process without a usable number, and reads the rest', async () => {
  const broken = PROCESS.replace(`numero="900000001"`, '');
  const items = await listItems(inpiBrFormat, journalOf(broken, PROCESS.replace('900000001', 'RPI-1'), OLD_PROCESS));
  assert.deepEqual(
    items.map((item) => (item.kind === 'reject' ? item.reason : 'read')),
    ['processo has no number', 'the number of a processo has nine digits, not "RPI-1"', 'read'],
  );
});

test('never takes a changed process for the one it was', async () => {
  const read = async (text: string): Promise<string> => {
    const issues: Issue[] = [];
    const context = { register: null, noteIssue: (issue: Issue) => void issues.push(issue) };
    try {
      const items = await listItems(inpiBrFormat, text, context);
      return JSON.stringify([items.map((item) => ({ ...item, raw: '', position: '' })), issues]);
    } catch (error) {
      return String(error);
    }
  };
  for (const process of [PROCESS, OLD_PROCESS]) {
    const text = journalOf(process);
    const base = await read(text);
    const attributes = [...process.matchAll(/ ([\w-]+)="[^"]*"/g)];
    const changed = attributes.flatMap((match) => {
      const cut = (by: string): string =>
        process.slice(0, match.index) + by + process.slice(match.index + match[0].length);
      return [
        { title: `${match[0]} taken out`, text: journalOf(cut('')) },
        { title: `${match[0]} misspelt`, text: journalOf(cut(match[0].replace('=', 'x='))) },
        { title: `${match[0]} emptied`, text: journalOf(cut(` ${match[1]}=""`)) },
      ];
    });
    const spoilt = listMutations(text, 'processo').map((each) => ({
      title: `${each.place} ${each.kind}`,
      text: each.text,
    }));
    const mutations = [...spoilt, ...changed];
    assert.ok(mutations.length > 50);
    for (const { title, text: other } of mutations) {
      // A class stands below the process in one layout and in a list in the other, and an edition of Vienna codes on
      // the code or on the list; they say the same in both places.
      if (/(?:lista-classe-nice\/classe-nice|classe-vienna@edicao) moved$/.test(title)) continue;
      assert.notEqual(await read(other), base, title);
    }
  }
});
