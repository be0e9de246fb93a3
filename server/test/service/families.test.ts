/**
 * Marks of one family in the registers of several offices: one number of the international registration finds them all,
 * as does the number of the application whose priority they claim.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource, type Source } from '../../src/load/sources/source.ts';
import { type Element, writeCase } from '../support/case-file.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { listFaults } from '../support/document.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { loadSources, UNLIMITED } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';
import { openSet } from '../support/tables.ts';
import { openText } from '../support/texts.ts';
import { writeTransaction } from '../support/trade-mark.ts';

async function load(db: Database, name: string, sources: Source[]): Promise<void> {
  const format = findFormat(name);
  assert.ok(format !== null);
  const report = await loadSources(db, { sources, format });
  assert.equal(report.rejected, 0, name);
}

const loadTexts = (db: Database, name: string, texts: readonly string[]): Promise<void> =>
  load(
    db,
    name,
    texts.map((text, index) => openText(`${index}.xml`, [text])),
  );

interface Found {
  items: { jurisdiction_code: string; uid: string; payload: unknown }[];
}

/** A search by one filter: the records found, after a check of their documents. */
async function openSearch(
  t: TestContext,
  database: TestDatabase,
): Promise<(...pair: [string, string]) => Promise<string[]>> {
  const { key, ...service } = await startWithKey(t, { database });
  return async (filter, value) => {
    const path = `/records/v1/trademarks?expand=payload&${filter}=${encodeURIComponent(value)}`;
    const { status, body } = await service.call(path, { key });
    assert.equal(status, 200, path);
    const { items } = body as Found;
    for (const { uid, payload } of items) assert.deepEqual(listFaults(payload), [], uid);
    return items.map(({ jurisdiction_code, uid }) => `${jurisdiction_code} ${uid}`).sort();
  };
}

/** What customers, offices and letters write for one number. */
const writings = (number: string): string[] => [
  number,
  `0${number}`,
  `W0${number}`,
  `wo${number.padStart(13, '0')}`,
  `IR ${number}`,
  ` ${number.slice(0, -3)} ${number.slice(-3)} `,
  [...number].map((digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + 0xfee0)).join(''),
];

const REAL = {
  'uspto-apc': ['uspto/apc/two-case-files-70011210-79001917.SHORTENED.xml', 'uspto/apc/case-file-79366581.xml'],
  st66: ['inpi-fr/notice_WO1892865.SHORTENED.xml'],
} as const;

test('one number, however written, finds the real records of three offices [I-33, 4.3]', {
  skip: skipWithout('jpo/tsv') || skipWithout('uspto/apc') || skipWithout('inpi-fr'),
}, async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const open = (files: readonly string[]): Promise<Source[]> =>
    Promise.all(files.map((file) => openSource(join(REAL_DATA, file))));
  for (const [format, files] of Object.entries(REAL)) await load(database.db, format, await open(files));
  const tables = readdirSync(join(REAL_DATA, 'jpo/tsv')).map((name) => `jpo/tsv/${name}`);
  await load(database.db, 'jpo', await open(tables));
  const search = await openSearch(t, database);
  for (const [number, record] of [
    ['822403', 'US US500000079001917'],
    ['1722108', 'US US500000079366581'],
    ['741774', 'JP JP502000000351636'],
    ['637349', 'JP JP502005000351191'],
    ['844516', 'JP JP502005000351850'],
    ['1892865', 'WO WO500000001892865'],
  ] as const) {
    for (const written of writings(number)) {
      assert.deepEqual(await search('international_registration_number', written), [record], written);
    }
  }
});

const NUMBER = '822403';

/** A case of the United States with further elements. */
const american = (serial: string, ...after: Element[]): string => writeCase({ serial, after });

test('one number finds the parts of a registration in five registers, each of which writes it differently [I-33]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const { db } = database;
  await loadTexts(db, 'uspto-apc', [
    american('79000001', ['international-registration', [['international-registration-number', `0${NUMBER}`]]]),
    american('79000002', ['international-registration', [['international-registration-number', `0${NUMBER}A`]]]),
  ]);
  await loadTexts(db, 'st66', [
    writeTransaction({ office: 'EM', number: `W00${NUMBER}` }),
    writeTransaction({ office: 'GB', number: `WO0000000${NUMBER}` }),
    writeTransaction({
      office: 'SE',
      number: '2026-00001',
      body: `<InternationalRegistrationNumber>${NUMBER}</InternationalRegistrationNumber>`,
    }),
  ]);
  await load(
    db,
    'jpo',
    openSet({
      dsgn_gvrnmnt_main_mgt_app: [{ jpo_rfr_num: '2005351191', intl_reg_num: `0${NUMBER}`, define_flg: '1' }],
    }),
  );
  const search = await openSearch(t, database);
  const family = [
    `EM EM500000W00${NUMBER}`,
    `GB GB50WO0000000${NUMBER}`,
    'JP JP502005000351191',
    'SE SE502026000000001',
    'US US500000079000001',
  ];
  for (const written of writings(NUMBER)) {
    assert.deepEqual(await search('international_registration_number', written), family, written);
  }
  assert.deepEqual(await search('international_registration_number', `w0${NUMBER}a`), ['US US500000079000002']);
  assert.equal((await search('office', 'WO')).length, 6, 'parts of an international registration');
});

test('the number of the earlier application, as the offices state it, links a family [4.3, I-11]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const { db } = database;
  const PRIORITY = 'm 2012 00091';
  const claim: Element[] = [
    ['foreign-priority-claim-in', 'T'],
    ['application-number', ` ${PRIORITY} `],
  ];
  await loadTexts(db, 'uspto-apc', [american('97000001', ['foreign-applications', [['foreign-application', claim]]])]);
  await loadTexts(db, 'st66', [
    writeTransaction({
      body: `<PriorityDetails><Priority><PriorityNumber>${PRIORITY.toUpperCase()}</PriorityNumber></Priority>
        </PriorityDetails>`,
    }),
  ]);
  await loadTexts(db, 'kipris', [
    `<response><header><resultCode>00</resultCode></header><body><items><TradeMarkInfo>
     <ApplicationNumber>4020260000001</ApplicationNumber><ApplicationStatus>출원</ApplicationStatus>
     <PriorityClaimNumber>${PRIORITY}</PriorityClaimNumber></TradeMarkInfo></items></body></response>`,
  ]);
  const CASE = { yonpo_code: '4', shutugan_no: '2020001234' };
  await load(
    db,
    'jpo',
    openSet({
      jiken_c_t: [{ ...CASE, shutugan_bi: '20200105' }],
      jiken_c_t_yusenken_joho: [{ ...CASE, bmz_junjo_no: '1', yusenkenshutugan_no: PRIORITY }],
    }),
  );
  const search = await openSearch(t, database);
  const family = ['EM EM500000018000001', 'JP JP502020000001234', 'KR KR504020260000001', 'US US500000097000001'];
  for (const written of [PRIORITY, PRIORITY.toUpperCase()]) {
    assert.deepEqual(await search('priority_number', written), family);
  }
  assert.deepEqual(await search('priority_number', PRIORITY.replaceAll(' ', '')), [], 'a number is compared whole');
});
