/**
 * Journals of the Brazilian office come in any order, more than once, and along with other sources of the same marks.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { buildLog } from '../../src/base/log.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { inpiBrFormat } from '../../src/load/formats/inpi-br/adapter.ts';
import type { LoadOptions } from '../../src/load/run.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { listRegisters } from '../../src/store/records/registers.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { NUMBER, PROCESS, writeJournal, writeProcess } from '../support/inpi-br.ts';
import { countsOf, dumpContent, loadRecords, loadSources, UNLIMITED } from '../support/loads.ts';
import { openText } from '../support/texts.ts';
import { buildZip } from '../support/zip.ts';

const UID = 'BR500000900000001';
const OWNER = '<titulares><titular nome-razao-social="COLINA VERDE LTDA" pais="BR" uf="SP"/></titulares>';
const MADRID = '<dados-de-madri numero-inscricao-internacional="0984562a"/>';

/** Filed with everything; then a new owner and an objection; then a grant with its dates; then a petition. */
const WEEKS = [
  writeJournal(
    '2601',
    '10/11/2020',
    PROCESS.replace(/ data-(concessao|vigencia)="[^"]*"/g, '')
      .replace(/<dados.*\/>/, '')
      .replace('IPAS158', 'IPAS009'),
  ),
  writeJournal('2602', '17/11/2020', writeProcess([['IPAS423', 'Notificação de oposição']], `${OWNER}${MADRID}`)),
  writeJournal(
    '2617',
    '02/03/2021',
    writeProcess(
      [
        ['IPAS158', 'Concessão de registro'],
        ['IPAS270', 'Deferimento'],
      ],
      '<procurador>B. GENTE</procurador>',
    ).replace('<processo', '<processo data-concessao="02/03/2021"'),
  ),
] as const;

function load(db: Database, texts: readonly string[], options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  const sources = texts.map((text, place) => openText(`${place}.xml`, [text]));
  return loadSources(db, { sources, format: inpiBrFormat, ...options });
}

interface Found {
  record: Record<string, unknown>;
  payload: { events: { code: string; date?: string }[]; source: object; parties: object[]; mark: object };
}

async function find(db: Database, uid = UID): Promise<Found> {
  const [row] = await db.query<{ detail: string; document: string }>(
    sql`select detail, document from record join payload using (jurisdiction_code, uid) where uid = ${uid}`,
  );
  return { record: JSON.parse(row?.detail ?? '{}'), payload: JSON.parse(row?.document ?? '{}') };
}

const BASE = {
  ...{ jurisdiction_code: 'BR', uid: UID, office: 'BR', application_number: NUMBER, status: 'Registered' },
  ...{ tm5_status: 'Registro em vigor', renewal_date: '2019-01-01', designated_countries: ['AR'] },
};

/** Fields and sections, in whatever order their members stand; the process is named as if it were the first. */
async function contentOf(db: Database, number = NUMBER): Promise<object> {
  const { record, payload } = await find(db, `BR50${number.padStart(13, '0')}`);
  const { updated_at: _updated, first_seen_at: _seen, record_update_date: _date, ...fields } = record;
  return { fields: { ...fields, uid: UID, application_number: NUMBER }, payload };
}

function listOrders<Value>(values: readonly Value[]): Value[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((value, index) => listOrders(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));
}

test('three weeks end in one record in every order of loads, with and without a full record before [4.6.1, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  let processes = 0;
  /** Loads of another process that says the same. */
  const loadAll = async (base: object | null, loads: readonly (readonly string[])[]): Promise<object> => {
    processes += 1;
    const number = String(Number(NUMBER) + processes);
    if (base !== null)
      await loadRecords(db, [{ ...base, uid: `BR50${number.padStart(13, '0')}`, application_number: number }]);
    for (const weeks of loads)
      await load(
        db,
        weeks.map((week) => week.replaceAll(NUMBER, number)),
      );
    return await contentOf(db, number);
  };
  for (const base of [null, BASE]) {
    const content = await loadAll(
      base,
      WEEKS.map((week) => [week]),
    );
    for (const order of chooseCases(listOrders(WEEKS), 2)) {
      const [first = '', ...others] = order;
      const alone = order.map((week) => [week]);
      const together = base === null ? [[first], others] : [order];
      for (const loads of [alone, together]) {
        const names = loads
          .map((weeks) => weeks.map((week) => (WEEKS as readonly string[]).indexOf(week) + 1).join('+'))
          .join();
        assert.deepEqual(await loadAll(base, loads), content, names);
      }
    }
  }
});

test('a week adds what happened and blanks nothing that it does not state [4.6.1, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, [WEEKS[0]]);
  await load(db, [WEEKS[1]]);
  const objected = await find(db);
  const { status, tm5_status, status_date, owner_names, mark_name, nice_classes, office } = objected.record;
  assert.deepEqual(
    [status, tm5_status, status_date, owner_names, mark_name, nice_classes, office],
    ['Pending', 'Notificação de oposição', '2020-11-10', ['colina verde ltda'], 'Colina Azul', [9, 37], 'WO'],
  );
  assert.deepEqual(await listRegisters(db), [
    { jurisdiction_code: 'BR', record_count: 1, data_current_through: '2020-11-17T00:00:00.000000Z' },
  ]);
  assert.deepEqual(countsOf(await load(db, [WEEKS[2]])), [1, 0, 1, 0, 0]);
  const { record, payload } = await find(db);
  assert.deepEqual(
    { ...record, first_seen_at: null, updated_at: null, record_update_date: null },
    {
      ...objected.record,
      ...{ first_seen_at: null, updated_at: null, record_update_date: null },
      ...{ status: 'Registered', tm5_status: 'Deferimento', status_date: '2021-03-02' },
      ...{ registration_date: '2021-03-02', external_update_date: '2021-03-02', representative_names: ['b. gente'] },
    },
  );
  assert.deepEqual(
    payload.events.map(({ code, date }) => `${date} ${code}`),
    ['2020-11-10 IPAS270', '2020-11-10 IPAS009', '2020-11-17 IPAS423', '2021-03-02 IPAS158', '2021-03-02 IPAS270'],
  );
  assert.deepEqual(payload.parties, [
    { role: 'owner', names: [{ text: 'COLINA VERDE LTDA' }], address: { region: 'SP', country: 'BR' } },
    { role: 'representative', names: [{ text: 'B. GENTE' }] },
  ]);
  assert.deepEqual(payload.mark, {
    texts: [{ text: 'Colina Azul' }],
    disclaimers: [{ text: 'SEM DIREITO AO USO EXCLUSIVO DE "AZUL".' }],
  });
});

test('a petition leaves the status of a record, and an objection gives one only where there is none [3, I-22]', async (t) => {
  const petition = writeJournal('2700', '04/10/2022', writeProcess([['IPAS270', 'Deferimento']]));
  const objection = writeJournal('2701', '11/10/2022', writeProcess([['IPAS136', 'Exigência']]));
  const statusOf = async (db: Database): Promise<unknown[]> => {
    const { record } = await find(db);
    return [record.status, record.tm5_status];
  };
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [BASE]);
  await load(db, [petition]);
  assert.deepEqual(await statusOf(db), ['Registered', 'Deferimento']);
  await load(db, [objection]);
  assert.deepEqual(await statusOf(db), ['Registered', 'Exigência']);
  const { db: empty } = await createTestDatabase(t, UNLIMITED);
  await load(empty, [petition]);
  assert.deepEqual(await statusOf(empty), ['Unknown', 'Deferimento']);
  await load(empty, [objection]);
  assert.deepEqual(await statusOf(empty), ['Pending', 'Exigência']);
});

test('weeks that are loaded again change nothing, alone or together [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, WEEKS);
  const before = await dumpContent(db);
  for (const week of WEEKS) assert.deepEqual(countsOf(await load(db, [week])), [1, 0, 0, 1, 0]);
  assert.deepEqual(countsOf(await load(db, WEEKS.toReversed())), [3, 0, 0, 3, 0]);
  assert.equal(await dumpContent(db), before);
});

test('a process outside of a journal counts from its first load on, and later journals over it [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const refused = writeProcess([['IPAS024', 'Indeferimento']]);
  const national = writeProcess([['IPAS270', 'Deferimento']], '<marca apresentacao="Mista" natureza="Coletiva"/>');
  await load(db, [WEEKS[0]]);
  assert.deepEqual(countsOf(await load(db, [refused, national])), [2, 0, 1, 1, 0]);
  const { record } = await find(db);
  assert.deepEqual(
    [record.status, record.kind_of_mark, record.tm5_status, record.mark_name],
    ['Abandoned', 'Collective', 'Deferimento', 'Colina Azul'],
  );
  await load(db, [WEEKS[1]]);
  assert.equal((await find(db)).record.status, 'Abandoned', 'the objection says nothing about the status');
  await load(db, [WEEKS[2]]);
  assert.equal((await find(db)).record.status, 'Registered');
  const before = await dumpContent(db);
  for (const again of [[refused], [national], [WEEKS[0]], [refused, national], [WEEKS[1]], [WEEKS[2], refused]]) {
    assert.equal((await load(db, again)).changed, 0);
  }
  assert.equal(await dumpContent(db), before);
});

test('a process and a journal change nothing when they are loaded again, in whatever order they came first [4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const filed = writeProcess([['IPAS009', 'Publicação']]);
  const refused = writeProcess([['IPAS024', 'Indeferimento']], OWNER);
  /** Each order has its own process, so that a load brings one statement of each. */
  const orders = listOrders([WEEKS[2], filed, refused]).map((order, place) =>
    order.map((text) => text.replaceAll(NUMBER, String(Number(NUMBER) + place))),
  );
  const turns = [0, 1, 2].map((turn) => orders.map((order) => order[turn] ?? ''));
  for (const texts of turns) await load(db, texts);
  const before = await dumpContent(db);
  for (const texts of turns) assert.equal((await load(db, texts)).changed, 0);
  assert.equal(await dumpContent(db), before);
});

test('a process without a day takes the day of the status with it [2.1, 4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const statusOf = async (): Promise<unknown[]> => {
    const { record } = await find(db);
    return [record.status, record.status_date];
  };
  const filed = writeProcess([['IPAS009', 'Publicação']]);
  await load(db, [filed]);
  await load(db, [WEEKS[2]]);
  assert.deepEqual(await statusOf(), ['Registered', '2021-03-02']);
  assert.deepEqual(countsOf(await load(db, [filed])), [1, 0, 0, 1, 0]);
  assert.deepEqual(await statusOf(), ['Registered', '2021-03-02']);
  await load(db, [writeProcess([['IPAS161', 'Extinção']])]);
  assert.deepEqual(await statusOf(), ['Cancelled', null]);
});

test('a week that was read but not published is published when it is loaded again, in its place [4.6.1]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  for (const week of WEEKS) await load(db, [week]);
  const expected = await contentOf(db);
  for (const [index, stop] of (['staged', 'settled', 'publishing', 'written'] as const).entries()) {
    const number = String(Number(NUMBER) + 1 + index);
    const [first = '', second = '', third = ''] = WEEKS.map((week) => week.replaceAll(NUMBER, number));
    await load(db, [first]);
    const onStep = async (step: string): Promise<void> => {
      if (step === stop) throw new Error('stopped');
    };
    await assert.rejects(load(db, [second], { onStep }), /stopped/);
    await load(db, [third]);
    await load(db, [second]);
    assert.deepEqual(await contentOf(db, number), expected, stop);
  }
});

test('weeks that are loaded at once run one after the other, so that none misses what the other stored [4.6.1, I-22]', async (t) => {
  const { db: expected } = await createTestDatabase(t, UNLIMITED);
  for (const week of WEEKS) await load(expected, [week]);
  for (const [one, other] of [
    [0, 1],
    [1, 0],
    [1, 2],
    [2, 1],
  ] as const) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const [index, week] of WEEKS.entries()) if (index !== one && index !== other) await load(db, [week]);
    const steps: string[] = [];
    const noteStep =
      (name: string) =>
      async (step: string): Promise<void> => {
        if (['opened', 'publishing', 'finished'].includes(step)) steps.push(`${name} ${step}`);
      };
    let second: Promise<unknown> = Promise.resolve();
    const onStep = async (step: string): Promise<void> => {
      await noteStep('first')(step);
      if (step === 'publishing') second = load(db, [WEEKS[other]], { onStep: noteStep('second') });
    };
    await load(db, [WEEKS[one]], { onStep });
    await second;
    assert.deepEqual(steps, [
      ...['first opened', 'first publishing', 'first finished'],
      ...['second opened', 'second publishing', 'second finished'],
    ]);
    assert.deepEqual(await contentOf(db), await contentOf(expected), `${one + 1} and ${other + 1}`);
  }
});

test('two statements of one process in one journal count both, in the order of the file [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const twice = writeJournal('2601', '10/11/2020', writeProcess([['IPAS009', 'a']]), writeProcess([['IPAS024', 'b']]));
  assert.deepEqual(countsOf(await load(db, [twice])), [2, 1, 0, 1, 0]);
  const { record, payload } = await find(db);
  assert.deepEqual([record.status, payload.events.map(({ code }) => code)], ['Abandoned', ['IPAS009', 'IPAS024']]);
});

test('a process that cannot be read is rejected unchanged, and the rest of the journal loads', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const long = writeProcess(
    [['IPAS009', 'a']],
    `<marca apresentacao="Mista" natureza="Coletiva"><nome>${'x'.repeat(100_001)}</nome></marca>`,
    '900000002',
  );
  const report = await load(db, [writeJournal('2601', '10/11/2020', PROCESS, PROCESS.replace(NUMBER, ''), long)]);
  assert.deepEqual(countsOf(report), [3, 1, 0, 0, 2]);
  const rejects = await db.query<{ position: string; reason: string; raw: string }>(
    sql`select position, reason, convert_from(raw, 'UTF8') as raw from load_reject order by ordinal`,
  );
  assert.deepEqual(
    rejects.map(({ reason }) => reason),
    ['processo has no number', 'mark_name is longer than 100000 characters'],
  );
  assert.match(rejects[1]?.position ?? '', /^0\.xml, line \d+$/);
  assert.ok(rejects[1]?.raw.startsWith('<processo numero="900000002">'));
});

test('what no process says, and what only one says, is reported once', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const odd = writeJournal('2601', '10/11/2020', PROCESS, '<aviso>x</aviso>', writeProcess([['IPAS999', 'Fim']]));
  const odder = odd.replace('</titulares>', '</titulares><aviso>y</aviso>').replace('<revista', '<revista ano="L"');
  const report = await load(db, [odder]);
  assert.deepEqual({ ...report.issues }, { superseded: 1, unknown_element: 3, unmapped_status: 1 });
  const issues = await db.query(sql`select path from load_issue where code = 'unknown_element' order by path`);
  assert.deepEqual(issues, [{ path: 'processo/aviso' }, { path: 'revista/aviso' }, { path: 'revista@ano' }]);
});

test('reads a journal from a zip whose members state their sizes behind their data', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const path = join(makeFolder(t), 'RM2601.zip');
  writeFileSync(path, buildZip([{ name: 'RM2601.xml', text: WEEKS[0], hasDescriptor: true }]));
  const report = await loadSources(db, { sources: [await openSource(path)], format: inpiBrFormat });
  assert.deepEqual(countsOf(report), [1, 1, 0, 0, 0]);
});

test('no name of a party reaches the log, because some hold tax numbers', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = buildLog({ level: 'trace', destination });
  const secret = '00000000191';
  const odd = PROCESS.replaceAll('COLINA AZUL LTDA', `JOSE DA COLINA ${secret}`).replace('uf="RJ"', `cpf="${secret}"`);
  const broken = odd.replace(`numero="${NUMBER}"`, `numero="JOSE ${secret}"`);
  const onStep = async (step: string): Promise<void> => {
    if (step === 'publishing') throw new Error('stopped');
  };
  await assert.rejects(load(db, [writeJournal('2601', '10/11/2020', odd)], { log, onStep }));
  const report = await load(db, [writeJournal('2601', '10/11/2020', odd, broken)], { log });
  assert.deepEqual(countsOf(report), [2, 1, 0, 0, 1]);
  log.info('the log is heard');
  assert.ok(lines.length > 0);
  assert.equal(lines.join('').includes(secret), false);
  assert.deepEqual((await find(db)).record.owner_names, [`jose da colina ${secret}`, 'blue hill llc']);
});
